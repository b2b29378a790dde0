// State of a grid as its link has it: words, filters, order, columns, tags, view, first row, open record.
import { readFilters, type FilterJson } from "../filter/tree";
import { formatColumns, formatSort, parseColumns, parseSort, type ColumnChoice, type SortKey } from "./columns";

export interface GridState {
    q: string;
    f: FilterJson[];
    s: SortKey[];
    /** Empty: the columns that the type has by itself. */
    cols: ColumnChoice[];
    tags: string[];
    view: string;
    /** First row in sight. */
    at: number;
    open: string;
    tab: string;
}

/** The link's parameters; absent ones are left out. */
export type RawState = Record<string, string | undefined>;

export function emptyState(): GridState {
    return { q: "", f: [], s: [], cols: [], tags: [], view: "", at: 0, open: "", tab: "" };
}

export function parseState(raw: RawState): GridState {
    const at = Number(raw.at ?? 0);
    return {
        q: raw.q ?? "",
        f: readFilters(raw.f ?? "") ?? [],
        s: parseSort(raw.s ?? ""),
        cols: parseColumns(raw.cols ?? ""),
        tags: (raw.tags ?? "").split(",").filter((tag) => tag !== ""),
        view: raw.view ?? "",
        at: Number.isSafeInteger(at) && at > 0 ? at : 0,
        open: raw.open ?? "",
        tab: raw.tab ?? "",
    };
}

export function formatState(state: GridState): Record<string, string> {
    const raw: Record<string, string> = {};
    if (state.q !== "") raw.q = state.q;
    if (state.f.length > 0) raw.f = JSON.stringify(state.f);
    if (state.s.length > 0) raw.s = formatSort(state.s);
    if (state.cols.length > 0) raw.cols = formatColumns(state.cols);
    if (state.tags.length > 0) raw.tags = state.tags.join(",");
    if (state.view !== "") raw.view = state.view;
    if (state.at > 0) raw.at = String(state.at);
    if (state.open !== "") raw.open = state.open;
    if (state.tab !== "") raw.tab = state.tab;
    return raw;
}

/** What a saved view keeps: all but the place in the list and the open record. */
export function viewState(state: GridState): Record<string, string> {
    return formatState({ ...state, view: "", at: 0, open: "", tab: "" });
}

/** True where a view has been changed since it was chosen. */
export function differsFrom(state: GridState, saved: RawState): boolean {
    const now = viewState(state);
    const then = viewState(parseState(saved));
    return JSON.stringify(now) !== JSON.stringify(then);
}

/** Filters of the list: the chosen ones and the words. Without full text the words are looked for in the title. */
export function listFilters(
    state: Pick<GridState, "f" | "q">,
    type: { searchable?: boolean; titleProperty: string | null },
): FilterJson[] {
    const words = state.q.trim();
    if (words === "") return state.f;
    if (type.searchable && /[\p{L}\p{N}]/u.test(words))
        return [...state.f, { property: "*", type: "search", param: words }];
    if (type.titleProperty)
        return [...state.f, { property: type.titleProperty, type: "contains", param: words, fold: true }];
    return state.f;
}
