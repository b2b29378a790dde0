// The mouse in a grid: a click for the focus or a selection, a drag for a block, a double click for the editor.
import type { Row } from "../data/model";
import type { Cursor } from "./cursor.svelte";

export interface PointerCommands {
    readonly cursor: Cursor;
    readonly cards: boolean;
    readonly editing: boolean;
    /** The element that the rows stand in. */
    readonly body: HTMLElement | undefined;
    row(index: number): Row | undefined;
    focus(row: number, column: number, extend: boolean): void;
    takeKeys(): void;
    edit(): void;
    open(id: string): void;
    selectRange(from: number, to: number): void;
}

export interface PointerHandlers {
    onmousedown(event: MouseEvent): void;
    ondblclick(event: MouseEvent): void;
    onclick(event: MouseEvent): void;
}

export function pointerOf(grid: PointerCommands): PointerHandlers {
    function placeOf(event: MouseEvent): { index: number; column: number; element: Element } | null {
        const element = event.target instanceof Element ? event.target : null;
        const row = element?.closest("[role=row],[role=listitem]");
        if (!element || !row || !grid.body?.contains(row)) return null;
        const index = grid.cards
            ? Number(row.getAttribute("aria-posinset")) - 1
            : Number(row.getAttribute("aria-rowindex")) - 2;
        const cell = element.closest("[role=gridcell]");
        return { index, column: cell ? Number(cell.getAttribute("aria-colindex")) - 2 : -1, element };
    }

    function dragBlock(): void {
        const move = (event: MouseEvent): void => {
            const place = placeOf(event);
            const { row, column } = grid.cursor;
            if (place && place.column >= 0 && (place.index !== row || place.column !== column))
                grid.focus(place.index, place.column, true);
        };
        const up = (): void => {
            removeEventListener("mousemove", move);
            removeEventListener("mouseup", up);
        };
        addEventListener("mousemove", move);
        addEventListener("mouseup", up);
    }

    return {
        onmousedown(event) {
            if (event.button !== 0) return;
            const place = placeOf(event);
            if (!place || place.element.closest(".cell-editor")) return;
            if (grid.cards || place.column < 0 || grid.editing) return;
            if (!place.element.closest("a")) event.preventDefault();
            grid.takeKeys();
            grid.focus(place.index, place.column, event.shiftKey);
            dragBlock();
        },
        // A click selects, so that what is pasted goes into the block: a second one alone does not edit.
        ondblclick(event) {
            const place = placeOf(event);
            if (!place || grid.cards || grid.editing || place.column < 0) return;
            if (place.element.closest("a, .cell-editor")) return;
            event.preventDefault();
            grid.focus(place.index, place.column, false);
            grid.edit();
        },
        onclick(event) {
            const place = placeOf(event);
            const row = place ? grid.row(place.index) : undefined;
            if (!place || !row) return;
            const { cursor } = grid;
            const plain = !event.ctrlKey && !event.metaKey;
            if (grid.cards || place.element.closest(".row-open")) {
                if (!plain || event.shiftKey) return;
                event.preventDefault();
                cursor.move(place.index, Math.max(0, cursor.column), false);
                cursor.id = row.id;
                grid.open(String(row.id));
            } else if (place.element.closest(".head-cell")) {
                grid.takeKeys();
                if (event.shiftKey && cursor.lastSelected >= 0) grid.selectRange(cursor.lastSelected, place.index);
                else cursor.toggle(place.index, row);
                cursor.move(place.index, cursor.column, false);
                cursor.id = row.id;
            }
        },
    };
}
