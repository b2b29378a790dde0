// The rows of a bulk change: the selected rows by id, or all found by their filters.
import { call } from "../data/call";
import type { Filter, TypeModel } from "../data/model";
import { text } from "../text";
import { say } from "../ui/toasts";
import type { Cursor } from "./cursor.svelte";
import type { ListAnswer, Sheet } from "./sheet.svelte";

export interface Selection {
    filters: Filter[];
    /** The number that was shown; any other is a conflict. */
    total: number;
}

const MOST_IDS = 1_000;

/** The selection for `bulk`; the row with the focus where nothing is selected. */
export async function selectionOf(type: TypeModel, cursor: Cursor, sheet: Sheet): Promise<Selection | null> {
    const { all } = cursor;
    if (all && all.tags.length === 0) return { filters: all.filters, total: all.total };
    // A bulk change knows no tags: its rows are named by id.
    if (all)
        return all.total > MOST_IDS
            ? tooMany(text.grid.tooManyByTags(MOST_IDS))
            : byIds(await allIds(type, all.filters, all.tags));
    if (cursor.selected.size > MOST_IDS) return tooMany();
    if (cursor.selected.size > 0) return byIds([...cursor.selected.keys()]);
    const { top, bottom } = cursor.block;
    const ids: unknown[] = [];
    for (const [, row] of sheet.blocks?.kept(top, Math.min(bottom + 1, top + MOST_IDS)) ?? []) ids.push(row.id);
    return ids.length > 0 ? byIds(ids) : null;
}

function tooMany(reason = text.grid.tooManyWrites(MOST_IDS)): null {
    say(reason, { error: true });
    return null;
}

function byIds(ids: unknown[]): Selection {
    return { filters: [{ property: "id", type: "in", param: ids }], total: ids.length };
}

async function allIds(type: TypeModel, filters: Filter[], tags: string[]): Promise<unknown[]> {
    const ids: unknown[] = [];
    for (let page = 1; ids.length < MOST_IDS; page++) {
        const body = { filters, tags, showFields: ["id"], page, perPage: 500 };
        const answer = await call<ListAnswer>("POST", `collection/${type.name}/search`, { body });
        ids.push(...answer.data.data.map((row) => row.id));
        if (ids.length >= answer.data.stats.total || answer.data.data.length === 0) break;
    }
    return ids;
}
