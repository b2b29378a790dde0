// The list of the rows that an import created.

import type { CollectionState } from "../../app/places";
import { session } from "../../app/session.svelte";
import { ApiError, call } from "../../data/call";
import type { Filter, TypeModel } from "../../data/model";

/**
 * The list of the rows that the user's import created: those made since its file came, and where others made some in the
 * meantime, the user's alone. The latest come first where the list cannot be narrowed so.
 */
export async function newRows(type: TypeModel, id: number, count: number): Promise<CollectionState> {
    const latest = { orderBy: "-id" };
    const takes = (name: string, operator: string): boolean =>
        type.property(name)?.filterTypes.includes(operator) === true;
    if (!takes("created", "gte") || !takes("createdBy", "eq")) return latest;
    try {
        const { data } = await call<{ created: string }>("GET", `job/${id}`);
        const since: Filter = { property: "created", type: "gte", param: data.created };
        const own: Filter = { property: "createdBy", type: "eq", param: session.user.id };
        const only = !type.logReads && (await total(type, [since])) === count;
        return { filters: only ? [since] : [since, own] };
    } catch (error) {
        if (error instanceof ApiError) return latest;
        throw error;
    }
}

async function total(type: TypeModel, filters: Filter[]): Promise<number> {
    const body = { filters, perPage: 1, showFields: "id" };
    const { data } = await call<{ stats: { total: number } } | undefined>("POST", `collection/${type.name}/search`, {
        body,
    });
    return data?.stats.total ?? 0;
}
