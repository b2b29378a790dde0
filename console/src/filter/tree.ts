// Tree of filters that the builder edits, and its form in the API: both ways without loss.
import { isComplete } from "./operators";
import { shapeOf } from "./shapes";

/** A filter as the API reads it. */
export interface FilterJson {
    property: string;
    type: string;
    param?: unknown;
    fold?: boolean;
}

export type Mode = "and" | "or" | "not";

export interface TestNode {
    id: number;
    kind: "test";
    property: string;
    operator: string;
    param: unknown;
    fold: boolean;
    /** Filters on the related type, for `some`, `none` and `every`. */
    inner: GroupNode | null;
}

export interface GroupNode {
    id: number;
    kind: "group";
    mode: Mode;
    children: FilterNode[];
}

export type FilterNode = TestNode | GroupNode;

let lastId = 0;
const nextId = (): number => ++lastId;

export function group(mode: Mode, children: FilterNode[] = []): GroupNode {
    return { id: nextId(), kind: "group", mode, children };
}

export function test(property: string, operator: string, param: unknown, fold = false): TestNode {
    const inner = shapeOf(operator) === "filters" ? group("and", fromList(param)) : null;
    return { id: nextId(), kind: "test", property, operator, param: inner ? undefined : param, fold, inner };
}

const isFilter = (value: unknown): value is FilterJson =>
    typeof value === "object" &&
    value !== null &&
    typeof (value as FilterJson).property === "string" &&
    typeof (value as FilterJson).type === "string";

function isMode(value: string): value is Mode {
    return value === "and" || value === "or" || value === "not";
}

function fromList(list: unknown): FilterNode[] {
    return Array.isArray(list) ? list.filter(isFilter).map(fromJson) : [];
}

function fromJson(filter: FilterJson): FilterNode {
    if (filter.property === "*" && isMode(filter.type)) return group(filter.type, fromList(filter.param));
    return test(filter.property, filter.type, filter.param, filter.fold === true);
}

/** The whole tree: its root is an `and` of the list. */
export function toTree(filters: FilterJson[]): GroupNode {
    return group("and", filters.map(fromJson));
}

function toJson(node: FilterNode): FilterJson | null {
    if (node.kind === "group") {
        const children = toList(node.children);
        return children.length === 0 ? null : { property: "*", type: node.mode, param: children };
    }
    if (node.inner) return { property: node.property, type: node.operator, param: toList(node.inner.children) };
    if (node.property === "" || !isComplete(node.operator, node.param)) return null;
    const filter: FilterJson = { property: node.property, type: node.operator };
    if (node.param !== undefined && shapeOf(node.operator) !== "none") filter.param = node.param;
    if (node.fold) filter.fold = true;
    return filter;
}

function toList(nodes: FilterNode[]): FilterJson[] {
    return nodes.map(toJson).filter((filter) => filter !== null);
}

/** Filters of a tree. Unfinished ones and empty groups are left out; a root of `or` or `not` is one filter. */
export function toFilters(root: GroupNode): FilterJson[] {
    const list = toList(root.children);
    if (list.length === 0 || root.mode === "and") return list;
    return [{ property: "*", type: root.mode, param: list }];
}

/** Reads a list of filters out of a text, such as that of a link; null where it is none. */
export function readFilters(text: string): FilterJson[] | null {
    if (text.trim() === "") return [];
    try {
        const value: unknown = JSON.parse(text);
        if (!Array.isArray(value)) return isFilter(value) ? [value] : null;
        return value.every(isFilter) ? value : null;
    } catch {
        return null;
    }
}

/** Moves a node within its group; returns true where it moved. */
export function moveNode(parent: GroupNode, index: number, by: -1 | 1): boolean {
    const target = index + by;
    const node = parent.children[index];
    const other = parent.children[target];
    if (!node || !other) return false;
    parent.children[index] = other;
    parent.children[target] = node;
    return true;
}

/** Number of filter objects; a request takes 100. */
export function count(filters: FilterJson[]): number {
    let n = 0;
    for (const filter of filters) n += 1 + (Array.isArray(filter.param) ? count(filter.param.filter(isFilter)) : 0);
    return n;
}
