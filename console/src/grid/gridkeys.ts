// Keys of the grid, as a spreadsheet has them.
import type { Cursor } from "./cursor.svelte";
import { redo, undo } from "./listkeys";
import { letterOf, signOf } from "./typing";
import { pageRows, type Metrics } from "./window";

export interface GridCommands {
    readonly cursor: Cursor;
    rows(): number;
    columns(): number;
    metrics(): Metrics;
    rtl(): boolean;
    focus(row: number, column: number, extend: boolean): void;
    edit(): void;
    toggle(): void;
    empty(): void;
    /** Opens the row as a page. */
    page(): void;
    selectAll(): void;
    /** Begins an edit with a sign in the place of the value; false where the cell takes none. */
    type(sign: string): boolean;
    /** Does what a letter means in the list; false where it means nothing. */
    letter(name: string): boolean;
}

/** Does what a key means in the grid; keys that mean nothing here are left to others. */
export function handleKey(event: KeyboardEvent, grid: GridCommands): void {
    const { cursor } = grid;
    const ctrl = event.ctrlKey || event.metaKey;
    const sign = signOf(event);
    const letter = letterOf(event);
    if (sign !== null || letter !== null) {
        if (sign !== null ? !grid.type(sign) : !grid.letter(letter ?? "")) return;
        event.preventDefault();
        event.stopPropagation();
        return;
    }
    if (event.altKey) return;
    const lastRow = grid.rows() - 1;
    const lastColumn = grid.columns() - 1;
    const move = (row: number, column: number): void => grid.focus(row, column, event.shiftKey);
    const side = grid.rtl() ? -1 : 1;
    switch (event.key) {
        case "ArrowDown":
            move(ctrl ? lastRow : cursor.row + 1, cursor.column);
            break;
        case "ArrowUp":
            move(ctrl ? 0 : cursor.row - 1, cursor.column);
            break;
        case "ArrowRight":
            move(cursor.row, ctrl ? (side > 0 ? lastColumn : 0) : cursor.column + side);
            break;
        case "ArrowLeft":
            move(cursor.row, ctrl ? (side > 0 ? 0 : lastColumn) : cursor.column - side);
            break;
        case "Home":
            move(ctrl ? 0 : cursor.row, 0);
            break;
        case "End":
            move(ctrl ? lastRow : cursor.row, lastColumn);
            break;
        case "PageDown":
            move(cursor.row + pageRows(grid.metrics()), cursor.column);
            break;
        case "PageUp":
            move(cursor.row - pageRows(grid.metrics()), cursor.column);
            break;
        case "Enter":
            if (ctrl) grid.page();
            else grid.edit();
            break;
        case "F2":
            grid.edit();
            break;
        case " ":
            grid.toggle();
            break;
        case "Delete":
        case "Backspace":
            grid.empty();
            break;
        case "Escape":
            if (cursor.isBlock) cursor.move(cursor.row, cursor.column, false);
            else if (cursor.count > 0) cursor.clear();
            else return;
            break;
        default:
            if (!other(event, ctrl, grid)) return;
    }
    event.preventDefault();
    event.stopPropagation();
}

/** Does what a key means among cards: moves, Enter, and Space on the check box of one. */
export function handleCardKey(
    event: KeyboardEvent,
    list: HTMLElement | undefined,
    grid: GridCommands,
    open: () => void,
): void {
    const { target, key } = event;
    if (target !== list) {
        if (key !== " " || !grid.cursor.selecting || !(target instanceof HTMLElement)) return;
        event.preventDefault();
        target.click();
    } else if (key === "Enter") open();
    else if (["ArrowDown", "ArrowUp", "Home", "End", "PageUp", "PageDown", " "].includes(key)) handleKey(event, grid);
}

function other(event: KeyboardEvent, ctrl: boolean, grid: GridCommands): boolean {
    if (!ctrl) return false;
    switch (event.key.toLowerCase()) {
        case "a":
            grid.selectAll();
            return true;
        case "z":
            if (event.shiftKey) redo();
            else undo();
            return true;
        case "y":
            redo();
            return true;
        default:
            return false;
    }
}
