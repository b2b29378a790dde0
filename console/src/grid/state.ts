// The state that a grid shows by its link: that of the address, or that of a saved view.
import type { CollectionState } from "../app/places";
import type { Filter } from "../data/model";

/** The part that a saved view keeps: all but the place in the list and the open record. */
export function viewState(state: CollectionState): CollectionState {
    const { q, filters, orderBy, columns, tags } = state;
    const kept: CollectionState = {};
    if (q) kept.q = q;
    if (filters && filters.length > 0) kept.filters = filters;
    if (orderBy) kept.orderBy = orderBy;
    if (columns && columns.length > 0) kept.columns = columns;
    if (tags && tags.length > 0) kept.tags = tags;
    return kept;
}

export function isPlain(state: CollectionState): boolean {
    return Object.keys(viewState(state)).length === 0;
}

/** True where filters, words or tags leave rows out. */
export function isNarrowed({ q, filters, tags }: CollectionState): boolean {
    return Boolean(q?.trim()) || (filters?.length ?? 0) > 0 || (tags?.length ?? 0) > 0;
}

/** The state to show: a link that names a view alone means what the view keeps. */
export function shownState(link: CollectionState, saved: CollectionState | null): CollectionState {
    if (!link.view || saved === null || !isPlain(link)) return link;
    return { ...link, ...viewState(saved) };
}

/** The link of a state. Where it is what its view keeps, the view's name is enough. */
export function linkState(state: CollectionState, saved: CollectionState | null): CollectionState {
    const { view, at, open, tab } = state;
    const place: CollectionState = {};
    if (at) place.at = at;
    if (open) place.open = open;
    if (tab) place.tab = tab;
    if (!view) return { ...viewState(state), ...place };
    if (saved !== null && !differs(state, saved)) return { view, ...place };
    // Nothing at all would be read as the view itself: it is left.
    return isPlain(state) ? place : { ...viewState(state), view, ...place };
}

/** True where a view has been changed since it was chosen. */
export function differs(state: CollectionState, saved: CollectionState): boolean {
    return JSON.stringify(viewState(state)) !== JSON.stringify(viewState(saved));
}

/** Filters of the list: the chosen ones and the words. Without full text the words are looked for in the title. */
export function listFilters(
    state: Pick<CollectionState, "filters" | "q">,
    type: { searchable: boolean; titleProperty: string | null },
): Filter[] {
    const filters = state.filters ?? [];
    const words = (state.q ?? "").trim();
    if (words === "") return filters;
    if (type.searchable && /[\p{L}\p{N}]/u.test(words))
        return [...filters, { property: "*", type: "search", param: words }];
    if (type.titleProperty)
        return [...filters, { property: type.titleProperty, type: "contains", param: words, fold: true }];
    return filters;
}
