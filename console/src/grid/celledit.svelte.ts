// The cell of a grid that is edited: begun by keys or typing, committed or given up.
import { edits } from "../data/edits.svelte";
import type { Row } from "../data/model";
import { coarse } from "../ui/media";
import type { Column } from "./columns";
import type { Cursor } from "./cursor.svelte";
import { refusalOf, shownAt } from "./overlay";
import { valueAt } from "./paint";
import type { Sheet } from "./sheet.svelte";
import { takesSign } from "./typing";

export interface EditedCell {
    row: Row;
    index: number;
    column: Column;
    place: number;
    /** Typed in the cell: it stands in the place of the value. */
    typed: string | undefined;
}

/** The grid around the cell. */
export interface Around {
    readonly sheet: Sheet;
    readonly cursor: Cursor;
    readonly columns: Column[];
    focus(row: number, column: number, extend: boolean): void;
    takeKeys(): void;
    open(id: string): void;
}

export type Step = "stay" | "right" | "left";

export class CellEdit {
    cell = $state.raw<EditedCell | null>(null);
    private readonly grid: Around;

    constructor(grid: Around) {
        this.grid = grid;
    }

    /** Edits the cell with the focus. A record whose value cannot be edited there is opened. */
    start(typed?: string): void {
        const { cursor, columns, sheet } = this.grid;
        const type = sheet.type.name;
        const row = sheet.blocks?.row(cursor.row);
        const column = columns[cursor.column];
        if (!row || !column) return;
        if (!column.write || !(column.path in row) || ["pFile", "pFiles"].includes(column.property.kind)) {
            this.grid.open(String(row.id));
            return;
        }
        edits.open(type, Number(row.id));
        // Wherever the list was scrolled to, its editor is in sight.
        this.grid.focus(cursor.row, cursor.column, false);
        const shown = { ...row, [column.path]: shownAt(type, row, column) };
        this.cell = { row: shown, index: cursor.row, column, place: cursor.column, typed };
    }

    /** Begins with a sign; false where the cell takes none. Of selected rows, letters are keys: they mean all of them. */
    type(sign: string): boolean {
        const { cursor, columns, sheet } = this.grid;
        const row = sheet.blocks?.row(cursor.row);
        const column = columns[cursor.column];
        if (cursor.count > 0 || !row || !column || !takesSign(column, sign) || !(column.path in row)) return false;
        this.start(sign);
        return true;
    }

    /** Typed before the editor is there: nothing of it is lost. */
    append(sign: string): void {
        const { cell } = this;
        if (cell?.typed !== undefined) this.cell = { ...cell, typed: cell.typed + sign };
    }

    commit(value: unknown, step: Step): void {
        const { cell } = this;
        this.end(step);
        if (!cell) return;
        const keys = document.activeElement;
        const edit = {
            type: this.grid.sheet.type.name,
            id: Number(cell.row.id),
            property: cell.column.property,
            before: valueAt(cell.row, cell.column.path),
            value,
        };
        void edits.edit(edit).then((row) => {
            if (row && coarse.current) {
                const undo = edits.undoOfLast();
                void import("./undoing").then(({ offerUndo }) => offerUndo(undo, 1));
            }
            if (step === "stay" && document.activeElement === keys) this.correct(cell, edit.type);
        });
    }

    /** Opens a typed value again that was refused, with the reason at its cell, unless the person has gone on. */
    private correct({ row, index, place, column }: EditedCell, type: string): void {
        const { cursor, sheet, columns } = this.grid;
        const refusal = refusalOf(type, row, column);
        if (!refusal || refusal.theirs !== undefined || refusal.error.errors.length === 0) return;
        const isTyped = column.target === null && !column.property.options && !column.property.multiple;
        const isHere = cursor.row === index && cursor.column === place && columns[place]?.path === column.path;
        if (!isTyped || !isHere || this.cell || sheet.blocks?.row(index)?.id !== row.id) return;
        this.start();
    }

    giveUp(): void {
        if (this.cell) edits.close(this.grid.sheet.type.name, Number(this.cell.row.id));
        this.end("stay");
    }

    private end(step: Step): void {
        const { cursor } = this.grid;
        this.cell = null;
        this.grid.takeKeys();
        if (step !== "stay") this.grid.focus(cursor.row, cursor.column + (step === "right" ? 1 : -1), false);
    }
}
