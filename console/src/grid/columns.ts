// Columns of a grid: their names and widths in the link, what is shown without any, and which fields a list is asked for.
import type { ColumnState } from "../app/places";
import type { PropertyModel, TypeModel } from "../data/model";
import { resolvePath, tagsAsProperty, targetOf, type Types } from "../filter/paths";

export interface Column {
    path: string;
    title: string;
    property: PropertyModel;
    width: number;
    /** Numbers stand at the right. */
    right: boolean;
    /** The value may be edited in its cell. */
    write: boolean;
    sortable: boolean;
    /** A sort without an index reads all rows. */
    slow: boolean;
    /** The type that a relation leads to. */
    target: string | null;
}

export const MIN_WIDTH = 64;
export const MAX_WIDTH = 800;
const MOST_WITHOUT_CHOICE = 9;

const widths: Record<string, number> = {
    pBoolean: 100,
    pInteger: 120,
    pDecimal: 136,
    pFloat: 136,
    pRollup: 120,
    pDate: 136,
    pMonth: 120,
    pTime: 100,
    pDateTime: 192,
    pEnum: 172,
    pGroup: 172,
    pEnums: 228,
    pRelation: 208,
    pUser: 192,
    pRelations: 252,
    pAutonumber: 128,
    pColor: 128,
    pText: 320,
    pEmail: 252,
    pUrl: 252,
    pPhone: 172,
    pFile: 204,
    pFiles: 204,
    pJson: 228,
    uuid: 332,
};

export function defaultWidth(property: PropertyModel, title = property.title): number {
    if (property.identifier === "id") return 96;
    const isShort = typeof property.maxLength === "number" && property.maxLength <= 20;
    const usual = isShort ? 136 : (widths[property.kind] ?? 248);
    // The title is seen whole beside the button of its menu, as far as it is not a sentence.
    return Math.max(usual, Math.min(292, Math.ceil(title.length * 9) + 52));
}

const right = new Set(["pInteger", "pDecimal", "pFloat", "pRollup"]);
const hiddenAtFirst = new Set(["id", "uuid", "created", "updated", "createdBy", "updatedBy", "version"]);

/** A property that people look for: a relation, a choice, or one that its file makes fast or required. */
function isSought(property: PropertyModel): boolean {
    return property.indexed === true || property.required || ["pRelation", "pUser", "pEnum"].includes(property.kind);
}

/**
 * Columns without a choice: code and title, then what people look for, then the rest, without long texts. A code that is
 * a number of another system says nothing, and comes last.
 */
export function defaultColumns(type: TypeModel): ColumnState[] {
    const { codeProperty: code, titleProperty: title } = type;
    const foreign = code !== title && type.property(code ?? "")?.kind === "pInteger" ? code : null;
    const first = [code === foreign ? null : code, title].filter((name): name is string => Boolean(name));
    const rank = (p: PropertyModel): number => (p.identifier === foreign ? -1 : Number(isSought(p)));
    const rest = type.properties
        .filter(
            (p) =>
                !hiddenAtFirst.has(p.identifier) &&
                !["pText", "pJson", "pFiles"].includes(p.kind) &&
                !first.includes(p.identifier),
        )
        .sort((one, other) => rank(other) - rank(one))
        .map((p) => p.identifier);
    const known = new Set(type.properties.map((p) => p.identifier));
    const names = [...new Set([...first.filter((name) => known.has(name)), ...rest])].slice(0, MOST_WITHOUT_CHOICE);
    return (names.length > 0 ? names : ["id"]).map((name) => ({ name }));
}

/** Width of the numbers of rows, before the columns. */
export const NUMBER_WIDTH = 76;
/** A grid that is narrower has no room for columns that stay. */
const LEAST_FOR_FROZEN = 480;

/** The number of columns that stay in sight: those up to the title, at the beginning, within half of the grid. */
export function frozenColumns(columns: readonly Column[], title: string | null, width: number): number {
    if (width < LEAST_FOR_FROZEN) return 0;
    const most = Math.min(columns.length, columns[1]?.path === title ? 2 : 1);
    for (let count = most; count > 0; count -= 1) if (endOf(columns, count) <= width / 2) return count;
    return 0;
}

/** The end of the first columns in px. */
export function endOf(columns: readonly Column[], count: number): number {
    return columns.slice(0, count).reduce((sum, column) => sum + column.width, NUMBER_WIDTH);
}

/** Columns that exist for this caller; unknown names of an old link are left out. */
export function resolveColumns(types: Types, type: TypeModel, choices: ColumnState[], tagsTitle = "Tags"): Column[] {
    return choices.flatMap((choice) => {
        const column = resolveColumn(types, type, choice, tagsTitle);
        return column ? [column] : [];
    });
}

function resolveColumn(types: Types, type: TypeModel, choice: ColumnState, tagsTitle: string): Column | null {
    const own = type.property(choice.name);
    // The other end of a relation is not a column: lists of records stand in the record.
    if (!own && !choice.name.includes(".") && choice.name !== "tags") return null;
    const tags = !own && choice.name === "tags" ? tagsAsProperty(tagsTitle) : null;
    const found = tags
        ? { property: tags, title: tags.title, steps: 0, many: false }
        : resolvePath(types, type.name, choice.name);
    if (!found) return null;
    const { property } = found;
    return {
        path: choice.name,
        title: found.title,
        property,
        width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, choice.width ?? defaultWidth(property, found.title))),
        right: right.has(property.kind) && !property.multiple,
        write: found.steps === 0 && property.write && !property.calculated && type.actions.update,
        sortable: property.sortable && !found.many,
        slow: property.identifier !== "id" && (property.indexed !== true || found.steps > 0),
        target: targetOf(property),
    };
}

export interface Fields {
    showFields: string[];
    wrapFields: string[];
}

/** Fields of a list: the columns, and wrapped values for relations alone, whose titles the model does not have. */
export function fieldsOf(type: TypeModel, columns: Column[], extra: string[] = []): Fields {
    const show = new Set<string>(["id"]);
    const wrap = new Set<string>();
    if (type.titleProperty && type.properties.some((p) => p.identifier === type.titleProperty))
        show.add(type.titleProperty);
    for (const column of columns) {
        show.add(column.path);
        if (column.target) wrap.add(column.path);
    }
    for (const name of extra) show.add(name);
    return { showFields: [...show], wrapFields: [...wrap] };
}

export interface SortKey {
    path: string;
    descending: boolean;
}

export function parseSort(text: string): SortKey[] {
    return text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "" && part !== "-")
        .slice(0, 16)
        .map((part) =>
            part.startsWith("-") ? { path: part.slice(1), descending: true } : { path: part, descending: false },
        );
}

export function formatSort(keys: SortKey[]): string {
    return keys.map((key) => (key.descending ? `-${key.path}` : key.path)).join(",");
}

/** The order after a click on a header: ascending, descending, none; with Shift it joins the other keys. */
export function nextSort(keys: SortKey[], path: string, join: boolean): SortKey[] {
    const old = keys.find((key) => key.path === path);
    const others = join ? keys.filter((key) => key.path !== path) : [];
    if (!old) return [...others, { path, descending: false }];
    if (!old.descending)
        return join
            ? keys.map((key) => (key.path === path ? { path, descending: true } : key))
            : [{ path, descending: true }];
    return others;
}

/** Moves a column to another place; both are indexes of the list. */
export function moveColumn<T>(columns: T[], from: number, to: number): T[] {
    const copy = [...columns];
    const [moved] = copy.splice(from, 1);
    if (moved === undefined) return columns;
    copy.splice(Math.max(0, Math.min(copy.length, to)), 0, moved);
    return copy;
}
