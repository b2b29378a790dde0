// All rows of a range of a list, in sight or not: for blocks of cells. Loaded when it is needed first.
import type { Row } from "../data/model";
import type { Blocks } from "./blocks";
import type { Sheet } from "./sheet.svelte";

/** The most rows of a page. */
const PAGE = 500;

/** The list changed while rows of it were read: they are not those that are shown. */
export class Moved extends Error {}

/** A range of rows, read in pages of `size`. */
export interface Span {
    first: number;
    end: number;
    size: number;
}

/** How a range is read. */
export interface Reading {
    onread?: (count: number) => void;
    signal?: AbortSignal;
}

/** Returns the rows of a range that are kept and fresh; null where one of them is not. */
export function freshRows(blocks: Blocks, first: number, end: number): Row[] | null {
    const kept = [...blocks.kept(first, end)].filter(([index]) => blocks.isFresh(index));
    return kept.length === end - first && areDifferent(kept) ? kept.map(([, row]) => row) : null;
}

function areDifferent(rows: readonly [number, Row][]): boolean {
    return new Set(rows.map(([, row]) => row.id)).size === rows.length;
}

/** Returns the kept rows, or, where one is missing or may be old, all of them as the server has them now. */
export async function spanOf(
    blocks: Blocks,
    { first, end, size }: Span,
    { onread = () => {}, signal = new AbortController().signal }: Reading = {},
): Promise<Row[]> {
    const fresh = freshRows(blocks, first, end);
    if (fresh) return fresh;
    const kept = [...blocks.kept(first, end)];
    const { total } = blocks;
    const rows: Row[] = [];
    for (let page = Math.floor(first / size); page * size < end; page++) {
        const loaded = await blocks.load(page, size, null, signal, true);
        if (loaded === null || loaded.total !== total) throw new Moved();
        rows.push(...loaded.rows.slice(Math.max(0, first - page * size), end - page * size));
        onread(rows.length);
    }
    const isWhole = rows.length === end - first && areDifferent([...rows.entries()]);
    if (!isWhole || kept.some(([index, row]) => rows[index - first]?.id !== row.id)) throw new Moved();
    return rows;
}

/** A list as it was when a key was pressed: its sheet may show another one before its rows are read. */
export interface Shown {
    sheet: Sheet;
    blocks: Blocks | null;
}

/** Returns all rows of a range. Throws `Moved`, and shows the list anew, where it has other rows now. */
export async function wholeRows(
    { sheet, blocks }: Shown,
    span: { first: number; end: number },
    mostOfPage: number,
    reading?: Reading,
): Promise<Row[]> {
    if (!blocks) return [];
    try {
        return await spanOf(blocks, { ...span, size: Math.max(1, Math.min(PAGE, mostOfPage)) }, reading);
    } catch (error) {
        if (error instanceof Moved) {
            blocks.forgetHidden();
            sheet.refresh();
        }
        throw error;
    }
}
