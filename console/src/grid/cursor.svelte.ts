// The cell with the focus, the block around it, and the selected rows: all by position for keys, by id for rows.
import { SvelteMap } from "svelte/reactivity";
import type { Filter, Row } from "../data/model";

/** "All found" is what finds them and how many there were, not their ids. */
export interface AllFound {
    filters: Filter[];
    tags: string[];
    total: number;
}

export interface Block {
    top: number;
    bottom: number;
    left: number;
    right: number;
}

export class Cursor {
    row = $state(0);
    column = $state(0);
    /** The other corner of the block. */
    anchorRow = $state(0);
    anchorColumn = $state(0);
    /** Id of the row with the focus: it keeps the focus when rows move. */
    id: unknown = undefined;
    readonly selected = new SvelteMap<unknown, Row>();
    all = $state.raw<AllFound | null>(null);
    /** A tap selects a card and does not open it. */
    selecting = $state(false);
    /** The row that a range of selected rows began with. */
    lastSelected = -1;

    get block(): Block {
        return {
            top: Math.min(this.row, this.anchorRow),
            bottom: Math.max(this.row, this.anchorRow),
            left: Math.min(this.column, this.anchorColumn),
            right: Math.max(this.column, this.anchorColumn),
        };
    }

    get isBlock(): boolean {
        return this.row !== this.anchorRow || this.column !== this.anchorColumn;
    }

    /** Moves the focus; `extend` keeps the other corner of the block. */
    move(row: number, column: number, extend: boolean): void {
        this.row = row;
        this.column = column;
        if (extend) return;
        this.anchorRow = row;
        this.anchorColumn = column;
    }

    /** Keeps the focus within rows and columns that became fewer. */
    clamp(rows: number, columns: number): void {
        const row = Math.max(0, Math.min(this.row, rows - 1));
        const column = Math.max(0, Math.min(this.column, columns - 1));
        if (row === this.row && column === this.column) {
            this.anchorRow = Math.max(0, Math.min(this.anchorRow, rows - 1));
            this.anchorColumn = Math.max(0, Math.min(this.anchorColumn, columns - 1));
        } else this.move(row, column, false);
    }

    state(row: number, column: number): "active" | "in" | "" {
        if (row === this.row && column === this.column) return "active";
        const { top, bottom, left, right } = this.block;
        return row >= top && row <= bottom && column >= left && column <= right ? "in" : "";
    }

    isSelected(id: unknown): boolean {
        return this.all !== null || this.selected.has(id);
    }

    toggle(index: number, row: Row): void {
        this.all = null;
        if (this.selected.has(row.id)) this.selected.delete(row.id);
        else this.selected.set(row.id, row);
        this.lastSelected = index;
    }

    select(rows: Iterable<Row>): void {
        this.all = null;
        for (const row of rows) this.selected.set(row.id, row);
    }

    selectAll(found: AllFound): void {
        this.selected.clear();
        this.all = found;
    }

    clear(): void {
        this.selected.clear();
        this.all = null;
        this.selecting = false;
        this.lastSelected = -1;
    }

    get count(): number {
        return this.all ? this.all.total : this.selected.size;
    }
}
