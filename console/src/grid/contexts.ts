// The grid as rows and cards read it while they are painted.
import { href } from "../app/router";
import { edits } from "../data/edits.svelte";
import type { Row } from "../data/model";
import { text } from "../text";
import { cardLines } from "./cardlines";
import type { CardContext } from "./cardview";
import type { Column } from "./columns";
import type { Block, Cursor } from "./cursor.svelte";
import { overlayOf } from "./overlay";
import { tagDot, type Painter } from "./paint";
import type { RowContext } from "./rowview";
import type { Sheet } from "./sheet.svelte";

/** The grid as it is now. */
export interface PaintedGrid {
    readonly name: string;
    readonly sheet: Sheet;
    readonly cursor: Cursor;
    readonly columns: Column[];
    readonly frozen: number;
    /** Columns that cards choose their lines from. */
    readonly lines: number[];
    readonly painter: Painter;
    readonly numbers: Intl.NumberFormat;
    readonly total: number;
    readonly opened: string | undefined;
    title(row: Row): string;
}

export interface Contexts {
    row: RowContext;
    card: CardContext;
    /** Notes what all cells of the next painting share. */
    snapshot(): void;
}

export function contextsOf(grid: PaintedGrid): Contexts {
    // A frame is too short to ask signals for each cell.
    let block: Block = { top: 0, bottom: 0, left: 0, right: 0 };
    let columns: Column[] = [];
    let painter: Painter | null = null;
    let overlays = false;
    let frozen = 0;

    const typeName = grid.sheet.type.name;
    const openHref = (row: Row): string => href({ name: "record", type: typeName, id: String(row.id), values: {} });

    const row: RowContext = {
        name: grid.name,
        columns: () => columns,
        frozen: () => frozen,
        cells: (row) => (painter ?? grid.painter).cells(row),
        hasOverlays: () => overlays,
        overlay: (row, index) => overlayOf(typeName, row, grid.columns[index], grid.painter.words),
        selected: (row) => grid.cursor.isSelected(row.id),
        left: (row) => grid.sheet.left.has(row.id),
        opened: (row) => grid.opened !== undefined && String(row.id) === grid.opened,
        isBlock: (index) => index >= block.top && index <= block.bottom,
        state: (row, column) => (column < block.left || column > block.right ? "" : grid.cursor.state(row, column)),
        href: (to) => href({ name: "record", type: to.type, id: to.id, values: {} }),
        get openTitle() {
            return text.grid.open;
        },
        get numbers() {
            return grid.numbers;
        },
        openHref,
    };
    const card: CardContext = {
        name: grid.name,
        total: () => grid.total,
        title: (row) => grid.title(row),
        lines: (row) => cardLines(row, grid.columns, grid.lines, (one) => grid.painter.cells(one)),
        tags: (row) => (Array.isArray(row.tags) ? row.tags.map(tagDot) : []),
        selected: (row) => grid.cursor.isSelected(row.id),
        selecting: () => grid.cursor.selecting,
        active: (index) => index === grid.cursor.row,
        openHref,
    };
    return {
        row,
        card,
        snapshot() {
            block = grid.cursor.block;
            columns = grid.columns;
            frozen = grid.frozen;
            painter = grid.painter;
            overlays = edits.pending.size + edits.refusals.size + edits.saved.size > 0;
        },
    };
}
