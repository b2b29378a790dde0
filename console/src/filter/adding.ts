// A filter that joins those of a list.

import type { FilterJson } from "./tree";

/** A filter added to a list, in the place of one that tests the same property in the same way. */
export function withFilter(filters: FilterJson[], added: FilterJson): FilterJson[] {
    const same = filters.findIndex((filter) => filter.property === added.property && filter.type === added.type);
    if (same < 0) return [...filters, added];
    return filters.map((filter, index) => (index === same ? added : filter));
}
