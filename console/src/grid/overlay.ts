// The look of a cell while its value is on its way to the server, or after it was refused.
import type { ApiError } from "../data/call";
import { cellKey, edits } from "../data/edits.svelte";
import { isWrapped, type Row } from "../data/model";
import { text } from "../text";
import { problemText } from "../ui/problems";
import type { Column } from "./columns";
import { paint, valueAt, type Painted, type Words } from "./paint";

export interface Overlay {
    painted?: Painted;
    pending: boolean;
    refused: string | null;
    /** Saved a moment ago. */
    saved?: boolean;
}

export function overlayOf(type: string, row: Row, column: Column | undefined, words: Words): Overlay | null {
    if (!column?.write) return null;
    const key = cellKey(type, Number(row.id), column.property.identifier);
    const refusal = edits.refusals.get(key);
    if (edits.pending.has(key))
        return { painted: paint(column, edits.pending.get(key) ?? null, words), pending: true, refused: null };
    if (!refusal) return edits.saved.has(key) ? { pending: false, refused: null, saved: true } : null;
    const typed = paint(column, refusal.edit.value ?? null, words).text;
    const reason = reasonOf(refusal.error);
    return { pending: false, refused: typed === "" ? reason : `${typed} – ${reason}` };
}

/** The value that a cell shows: one on its way, else that of its row. */
export function shownAt(type: string, row: Row, column: Column): unknown {
    const value = valueAt(row, column.path);
    return column.write ? edits.shown(type, Number(row.id), column.property.identifier, value) : value;
}

/** The reason of a refusal, in words. */
export function reasonOf(error: ApiError): string {
    if (error.code === "batch_undone") return text.grid.undoneWithOthers;
    if (error.status === 0) return problemText(error);
    return error.errors[0]?.message ?? (error.detail || problemText(error));
}

/** The refusal of a cell, with what was typed. */
export function refusalOf(type: string, row: Row | undefined, column: Column | undefined) {
    if (!row || !column) return undefined;
    return edits.refusals.get(cellKey(type, Number(row.id), column.property.identifier));
}

/** The text of a value for people, for the words beside an editor. */
export function shownText(column: Column, value: unknown, words: Words): string {
    if (isWrapped(value)) return value.display ?? "";
    return paint(column, value ?? null, words).text;
}
