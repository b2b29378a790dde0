// The places of the console and their addresses: `parse` and `format` are inverse functions.

import type { Filter } from "../data/model";

export interface ColumnState {
    name: string;
    width?: number;
}

/** The state of a grid that its address keeps. */
export interface CollectionState {
    /** Words to search for. */
    q?: string;
    filters?: Filter[];
    /** As the API takes it: `-opened,number`. */
    orderBy?: string;
    columns?: ColumnState[];
    /** Codes or ids. */
    tags?: string[];
    /** A saved view. */
    view?: string;
    /** A state that is too long for an address: `~` and the name that it is kept under. */
    kept?: string;
    /** The first row in sight. */
    at?: number;
    /** The record in the panel: an id, or `new`. */
    open?: string;
    /** The tab of the panel. */
    tab?: string;
}

export type Values = Record<string, string>;
export type AccountSection = "profile" | "keys" | "sessions";

export interface StartPlace {
    name: "start";
}
export interface CollectionPlace {
    name: "collection";
    type: string;
    state: CollectionState;
}
export interface RecordPlace {
    name: "record";
    type: string;
    /** `new` for one that is being made, with `values` filled in. */
    id: string;
    tab?: string;
    values: Values;
}
export interface BoardPlace {
    name: "board";
    board: string;
    values: Values;
}
export interface QueryPlace {
    name: "query";
    query: string;
    values: Values;
}
export interface InboxPlace {
    name: "inbox";
}
export interface TagsPlace {
    name: "tags";
}
export interface AccountPlace {
    name: "account";
    section: AccountSection;
}
/** A list of the operation, with what it is narrowed to; perhaps one entry of it. */
export interface OperatePlace {
    name: "automations" | "runs" | "outbox" | "audit" | "reads";
    id?: string;
    values: Values;
}
export interface MissingPlace {
    name: "missing";
    path: string;
}

export type Place =
    | StartPlace
    | CollectionPlace
    | RecordPlace
    | BoardPlace
    | QueryPlace
    | InboxPlace
    | TagsPlace
    | AccountPlace
    | OperatePlace
    | MissingPlace;

const sections: readonly string[] = ["profile", "keys", "sessions"];
const operations: readonly string[] = ["automations", "runs", "outbox", "audit", "reads"];

/** Reads an address: a path without the tenant's place and without the first slash, and what follows the `?`. */
export function parse(path: string, search: string): Place {
    const query = new URLSearchParams(search);
    const missing: Place = { name: "missing", path };
    let parts: string[];
    try {
        parts = path.split("/").filter(Boolean).map(decodeURIComponent);
    } catch {
        return missing;
    }
    const [head, first, second, ...rest] = parts;
    if (head === undefined) return { name: "start" };
    if (rest.length > 0) return missing;
    if (head === "c" && first !== undefined) {
        if (second === undefined) return { name: "collection", type: first, state: parseState(query) };
        const { tab, ...values } = valuesOf(query);
        return { name: "record", type: first, id: second, ...(tab ? { tab } : {}), values };
    }
    if (head === "operate" && first !== undefined && operations.includes(first)) {
        const name = first as OperatePlace["name"];
        return { name, ...(second === undefined ? {} : { id: second }), values: valuesOf(query) };
    }
    if (second !== undefined) return missing;
    if (head === "board" && first !== undefined) return { name: "board", board: first, values: valuesOf(query) };
    if (head === "query" && first !== undefined) return { name: "query", query: first, values: valuesOf(query) };
    if (head === "account" && first !== undefined && sections.includes(first)) {
        return { name: "account", section: first as AccountSection };
    }
    if (first !== undefined) return missing;
    return head === "inbox" || head === "tags" ? { name: head } : missing;
}

/** Writes the address of a place: a path without the tenant's place and without the first slash. */
export function format(place: Place): string {
    switch (place.name) {
        case "start":
            return "";
        case "collection":
            return address(["c", place.type], formatState(place.state));
        case "record":
            return address(["c", place.type, place.id], { ...place.values, ...(place.tab ? { tab: place.tab } : {}) });
        case "board":
            return address(["board", place.board], place.values);
        case "query":
            return address(["query", place.query], place.values);
        case "account":
            return address(["account", place.section], {});
        case "inbox":
        case "tags":
            return place.name;
        case "missing":
            return place.path;
        default:
            return address(["operate", place.name, ...(place.id === undefined ? [] : [place.id])], place.values);
    }
}

function address(parts: string[], values: Values): string {
    const path = parts.map(encodeURIComponent).join("/");
    // Commas, colons and brackets are allowed in a query: addresses stay legible.
    const query = Object.entries(values)
        .map(([name, value]) => `${encodeURIComponent(name)}=${legible(value)}`)
        .join("&");
    return query === "" ? path : `${path}?${query}`;
}

function legible(value: string): string {
    return encodeURIComponent(value).replace(/%(2C|3A|2F|40|24)/g, (code) => decodeURIComponent(code));
}

function valuesOf(query: URLSearchParams): Values {
    return Object.fromEntries(query);
}

function parseState(query: URLSearchParams): CollectionState {
    const state: CollectionState = {};
    const word = (name: string): string | undefined => query.get(name) || undefined;
    const filters = parseFilters(word("f"));
    const at = Number(word("at"));
    const columns = (word("cols") ?? "").split(",").filter(Boolean).map(parseColumn);
    const tags = (word("tags") ?? "").split(",").filter(Boolean);
    assign(state, "q", word("q"));
    if (filters.length > 0) state.filters = filters;
    assign(state, "orderBy", word("s"));
    if (columns.length > 0) state.columns = columns;
    if (tags.length > 0) state.tags = tags;
    assign(state, "view", word("view"));
    assign(state, "kept", word("v"));
    if (Number.isSafeInteger(at) && at > 0) state.at = at;
    assign(state, "open", word("open"));
    assign(state, "tab", word("tab"));
    return state;
}

function assign(
    state: CollectionState,
    name: "q" | "orderBy" | "view" | "kept" | "open" | "tab",
    value: string | undefined,
): void {
    if (value !== undefined) state[name] = value;
}

/** What is not a list of filters is none: the server judges the rest. */
function parseFilters(text: string | undefined): Filter[] {
    if (text === undefined) return [];
    try {
        const list: unknown = JSON.parse(text);
        return Array.isArray(list) ? list.filter(isFilter) : [];
    } catch {
        return [];
    }
}

function isFilter(value: unknown): value is Filter {
    if (value === null || typeof value !== "object") return false;
    return (
        "property" in value && typeof value.property === "string" && "type" in value && typeof value.type === "string"
    );
}

function parseColumn(text: string): ColumnState {
    const [, name = text, digits] = /^(.*):(\d+)$/.exec(text) ?? [];
    return digits === undefined ? { name } : { name, width: Number(digits) };
}

function formatState(state: CollectionState): Values {
    const values: Values = {};
    if (state.q) values["q"] = state.q;
    if (state.filters && state.filters.length > 0) values["f"] = JSON.stringify(state.filters);
    if (state.orderBy) values["s"] = state.orderBy;
    if (state.columns && state.columns.length > 0) {
        values["cols"] = state.columns.map(({ name, width }) => (width ? `${name}:${width}` : name)).join();
    }
    if (state.tags && state.tags.length > 0) values["tags"] = state.tags.join();
    if (state.view) values["view"] = state.view;
    if (state.kept) values["v"] = state.kept;
    if (state.at) values["at"] = String(state.at);
    if (state.open) values["open"] = state.open;
    if (state.tab) values["tab"] = state.tab;
    return values;
}
