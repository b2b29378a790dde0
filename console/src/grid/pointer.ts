// The mouse in a grid: a click for the focus or a selection, a drag for a block, a double click for the editor.
import type { Row } from "../data/model";
import type { Cursor } from "./cursor.svelte";

/** Time that a finger rests on a card until it is selected, in ms. */
const LONG_PRESS = 500;

function isNear(one: PointerEvent, other: PointerEvent): boolean {
    return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) < 10;
}

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
    onpointerdown(event: PointerEvent): void;
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

    /** A finger that rests on a card selects it, and begins the selection of others by taps. */
    function longPress(event: PointerEvent): void {
        const place = placeOf(event);
        const row = place ? grid.row(place.index) : undefined;
        if (!place || !row) return;
        const watch = new AbortController();
        const { signal } = watch;
        const begin = (): void => {
            watch.abort();
            clearTimeout(timer);
            grid.cursor.selecting = true;
            grid.cursor.toggle(place.index, row);
            leaveOutClick();
        };
        const timer = setTimeout(begin, LONG_PRESS);
        const end = (): void => {
            clearTimeout(timer);
            watch.abort();
        };
        // A finger is never quite still.
        addEventListener("pointermove", (next) => void (isNear(event, next) || end()), { signal });
        addEventListener("pointerup", end, { signal });
        addEventListener("pointercancel", end, { signal });
        // The browser may be faster than we are.
        const menu = (next: Event): void => {
            next.preventDefault();
            begin();
        };
        addEventListener("contextmenu", menu, { signal });
    }

    /** The click and the menu of the browser that would follow a long press. */
    function leaveOutClick(): void {
        const watch = new AbortController();
        const { signal } = watch;
        const stop = (event: Event): void => {
            event.preventDefault();
            event.stopPropagation();
        };
        for (const name of ["click", "contextmenu"]) addEventListener(name, stop, { capture: true, signal });
        // The click comes after the finger has left, before anything else.
        const done = (): void => void setTimeout(() => watch.abort(), 50);
        for (const name of ["pointerup", "pointercancel"]) addEventListener(name, done, { signal });
    }

    return {
        onpointerdown(event) {
            if (grid.cards && event.pointerType === "touch" && event.isPrimary && !grid.cursor.selecting)
                longPress(event);
        },
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
            if (grid.cards && cursor.selecting) {
                event.preventDefault();
                cursor.toggle(place.index, row);
                return;
            }
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
