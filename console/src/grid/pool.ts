// Pool of row elements over the window: recycled by slot, moved by transform. Writes to the page only what changed.
import type { Row } from "../data/model";
import type { Range } from "./window";

/** One recycled element: a row of the table or a card. */
export interface SlotView {
    readonly element: HTMLElement;
    /** Shows a row, or its number alone where the row is not here yet. */
    show(index: number, row: Row | undefined): void;
}

interface Slot {
    view: SlotView;
    index: number;
    row: Row | undefined;
    version: number;
    y: number;
}

export class Pool {
    private slots: Slot[] = [];
    private readonly body: HTMLElement;
    private readonly make: (slot: number) => SlotView;
    private version = 0;

    constructor(body: HTMLElement, make: (slot: number) => SlotView) {
        this.body = body;
        this.make = make;
    }

    /** Everything is painted anew with the next `draw`: columns, selection or words changed. */
    invalidate(): void {
        this.version++;
    }

    /**
     * Draws the rows of a range. `pinned` is a row that stays in the page although it may be out of the range: the one
     * with the focus.
     */
    draw(
        range: Range,
        pinned: number,
        rowHeight: number,
        shift: number,
        row: (index: number) => Row | undefined,
    ): void {
        const wanted = range.end - range.first;
        this.resize(wanted);
        const size = this.slots.length - 1;
        for (let index = range.first; index < range.end; index++) {
            const slot = this.slots[index % size];
            if (slot) this.place(slot, index, index * rowHeight + shift, row(index));
        }
        const spare = this.slots[size];
        if (!spare) return;
        const outside = pinned >= 0 && (pinned < range.first || pinned >= range.end);
        if (outside) this.place(spare, pinned, pinned * rowHeight + shift, row(pinned));
        else this.hide(spare);
        if (wanted < size) this.hideOthers(range, size);
    }

    /** Number of the slot that shows a row, or -1. */
    slotOf(index: number): number {
        return this.slots.findIndex((slot) => slot.index === index);
    }

    clear(): void {
        for (const slot of this.slots) slot.view.element.remove();
        this.slots = [];
    }

    private resize(wanted: number): void {
        // The last slot is for the pinned row. A pool never shrinks, so a changing height makes no garbage.
        if (wanted + 1 <= this.slots.length && this.slots.length > 1) return;
        for (const slot of this.slots) this.hide(slot);
        for (let i = this.slots.length; i < wanted + 1; i++) {
            const view = this.make(i);
            view.element.hidden = true;
            this.slots.push({ view, index: -1, row: undefined, version: -1, y: Number.NaN });
            this.body.append(view.element);
        }
    }

    private place(slot: Slot, index: number, y: number, row: Row | undefined): void {
        if (slot.y !== y) {
            slot.view.element.style.transform = `translateY(${y}px)`;
            slot.y = y;
        }
        if (slot.index === index && slot.row === row && slot.version === this.version) return;
        if (slot.index < 0) slot.view.element.hidden = false;
        slot.view.show(index, row);
        slot.index = index;
        slot.row = row;
        slot.version = this.version;
    }

    private hide(slot: Slot): void {
        if (slot.index < 0) return;
        slot.view.element.hidden = true;
        slot.index = -1;
        slot.row = undefined;
    }

    private hideOthers(range: Range, size: number): void {
        for (let i = 0; i < size; i++) {
            const slot = this.slots[i];
            if (slot && (slot.index < range.first || slot.index >= range.end)) this.hide(slot);
        }
    }
}
