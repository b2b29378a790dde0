// The rows of a bulk change that are already as they should be: a trial counts them as changed.
import { call } from "../data/call";
import type { Filter, PropertyModel, Row, TypeModel } from "../data/model";
import { bodyValue, isEmpty } from "../form/values";
import type { Selection } from "./selection";
import type { ListAnswer } from "./sheet.svelte";

/** The filters that find rows with these values; null where a value cannot be compared. */
export function filtersOf(properties: readonly PropertyModel[], values: Row): Filter[] | null {
    const filters = properties.map((property): Filter | null => {
        const { identifier, filterTypes } = property;
        const value = bodyValue(property, values[identifier]);
        const type = isEmpty(value) ? "isEmpty" : "eq";
        if (!filterTypes.includes(type) || (typeof value === "object" && !isEmpty(value))) return null;
        return isEmpty(value) ? { property: identifier, type } : { property: identifier, type, param: value };
    });
    const known = filters.filter((filter) => filter !== null);
    return known.length === filters.length ? known : null;
}

/** Counts the selected rows that have these values. Null where they cannot be counted. */
export async function countSame(
    type: TypeModel,
    { filters, tags }: Selection,
    properties: readonly PropertyModel[],
    values: Row,
): Promise<number | null> {
    const same = filtersOf(properties, values);
    if (same === null || same.length === 0) return null;
    const body = {
        filters: [...filters, ...same],
        ...(tags.length > 0 ? { tags } : {}),
        showFields: ["id"],
        page: 1,
        perPage: 1,
    };
    try {
        const answer = await call<ListAnswer | undefined>("POST", `collection/${type.name}/search`, { body });
        return answer.data?.stats.total ?? 0;
    } catch {
        // The trial stands without it.
        return null;
    }
}
