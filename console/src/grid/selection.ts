// The rows of a bulk change: the selected rows by id, or all found by their filters.
import type { Filter } from "../data/model";
import { text } from "../text";
import { say } from "../ui/toasts";
import type { Cursor } from "./cursor.svelte";
import type { Sheet } from "./sheet.svelte";

export interface Selection {
    filters: Filter[];
    /** Ids of tags, of which each row has one. */
    tags: string[];
    /** The number that was shown; any other is a conflict. */
    total: number;
}

const MOST_IDS = 1_000;

/** The selection for `bulk`; the row with the focus where nothing is selected. */
export function selectionOf(cursor: Cursor, sheet: Sheet): Selection | null {
    if (cursor.all) return cursor.all;
    if (cursor.selected.size > MOST_IDS) return tooMany();
    if (cursor.selected.size > 0) return byIds([...cursor.selected.keys()]);
    const { top, bottom } = cursor.block;
    const ids: unknown[] = [];
    for (const [, row] of sheet.blocks?.kept(top, Math.min(bottom + 1, top + MOST_IDS)) ?? []) ids.push(row.id);
    return ids.length > 0 ? byIds(ids) : null;
}

function tooMany(): null {
    say(text.grid.tooManyWrites(MOST_IDS), { error: true });
    return null;
}

function byIds(ids: unknown[]): Selection {
    return { filters: [{ property: "id", type: "in", param: ids }], tags: [], total: ids.length };
}
