// The window of a grid: its position over the rows, the elements that are drawn for it, and moves of both.
import { endOf, type Column } from "./columns";
import type { Cursor } from "./cursor.svelte";
import type { Pool } from "./pool";
import { cellId } from "./rowview";
import type { Sheet } from "./sheet.svelte";
import {
    drawn,
    drifted,
    maxVirtual,
    moved,
    resized,
    reveal,
    scrolled,
    shift,
    stuck,
    visible,
    type Metrics,
    type Position,
} from "./window";

export const HEAD = 36;
const SPARE = 20;
/** Time after the last scrolling until the place in the list is told, in ms. */
const SETTLED = 160;

/** The grid around the window. */
export interface Frame {
    readonly name: string;
    readonly sheet: Sheet;
    readonly cursor: Cursor;
    readonly columns: Column[];
    /** The number of columns that stay in sight. */
    readonly frozen: number;
    readonly cards: boolean;
    readonly metrics: Metrics;
    onat(first: number): void;
}

export class Viewport {
    /** Height of the visible rows in px. */
    view = $state(0);
    /** Width of the grid in px. */
    width = $state(0);
    /** Columns are out of sight: before the left edge, behind the right one. */
    hidden = $state.raw({ before: false, behind: false });
    /** Moves rows of the window by px against their place in the spacer. */
    shift = $state(0);
    /** Id of the cell with the focus, where it is in the page. */
    activeId = $state<string>();
    scroller = $state<HTMLDivElement>();
    pool: Pool | null = null;

    private readonly grid: Frame;
    private position: Position = { virtual: 0, top: 0 };
    private last: Metrics | null = null;
    private frame = 0;
    private timer: ReturnType<typeof setTimeout> | undefined;

    constructor(grid: Frame) {
        this.grid = grid;
    }

    /** Puts a row at the top: the one that the link of another list names. */
    begin(row: number): void {
        this.set(moved(row * this.grid.metrics.row, this.grid.metrics), true);
    }

    /** Keeps the first row where it is while rows become higher or fewer. */
    resize(): void {
        const { metrics } = this.grid;
        const { last, position } = this;
        if (last && last.row !== metrics.row && last.row > 0)
            this.set(moved(resized(position.virtual, last, metrics), metrics), true);
        else if (position.virtual > maxVirtual(metrics)) this.set(moved(position.virtual, metrics), true);
        this.last = metrics;
    }

    /** The row with the focus moved in the list: the focus goes with it, and the row stays where it is on the screen. */
    keepFocus(): void {
        const { cursor, sheet, metrics, columns } = this.grid;
        const { blocks } = sheet;
        if (!blocks) return;
        const total = blocks.total ?? 0;
        // The last rows are gone: a focus behind the end would keep an empty row in the page.
        if (total > 0 && cursor.row >= total && blocks.indexOf(cursor.id) < 0) {
            cursor.clamp(total, columns.length);
            cursor.id = blocks.row(cursor.row)?.id;
        }
        if (cursor.id === undefined) return;
        const here = blocks.row(cursor.row);
        if (here?.id === cursor.id || (!here && cursor.row < total)) return;
        const index = blocks.indexOf(cursor.id);
        if (index < 0) {
            cursor.id = here?.id;
            return;
        }
        const by = index - cursor.row;
        const { virtual } = this.position;
        const top = cursor.row * metrics.row;
        const inSight = top >= virtual - metrics.row && top <= virtual + this.view;
        cursor.anchorRow += by;
        cursor.row = index;
        if (inSight)
            this.set(moved(virtual + by * metrics.row, { ...metrics, total: blocks.total ?? metrics.total }), true);
    }

    draw(): void {
        const { cursor, sheet, metrics, cards, name } = this.grid;
        const { blocks } = sheet;
        const { pool, position, view } = this;
        if (!pool || !blocks || view <= 0) return;
        const range = visible(position.virtual, metrics);
        const offset = shift(position);
        if (offset !== this.shift) this.shift = offset;
        const { total } = metrics;
        pool.draw(drawn(range, total, SPARE), total > 0 ? cursor.row : -1, metrics.row, offset, (index) =>
            blocks.row(index),
        );
        blocks.look(range, position.virtual, view, performance.now());
        const row = blocks.row(cursor.row);
        if (row && cursor.id === undefined) cursor.id = row.id;
        const slot = pool.slotOf(cursor.row);
        this.activeId = slot < 0 || cards ? undefined : cellId(name, slot, cursor.column);
    }

    onscroll(): void {
        if (this.frame !== 0) return;
        this.frame = requestAnimationFrame(() => {
            this.frame = 0;
            if (!this.scroller) return;
            this.look();
            const { metrics } = this.grid;
            const top = this.scroller.scrollTop;
            if (top !== this.position.top) {
                this.position = scrolled(this.position, top, metrics);
                if (stuck(this.position, metrics)) this.set(moved(this.position.virtual, metrics));
                else this.draw();
            }
            this.settleSoon();
        });
    }

    /** Moves the focus to a cell and brings it into sight. */
    focusCell(row: number, column: number, extend = false): void {
        const { cursor, sheet, metrics, columns } = this.grid;
        const toRow = Math.max(0, Math.min(metrics.total - 1, row));
        const toColumn = Math.max(0, Math.min(columns.length - 1, column));
        cursor.move(toRow, toColumn, extend);
        cursor.id = sheet.blocks?.row(toRow)?.id;
        const { virtual: from, top } = this.position;
        const virtual = reveal(toRow, from, metrics);
        if (virtual !== from) {
            const near = Math.abs(virtual - from) < this.view;
            this.set(near ? { virtual, top: top + (virtual - from) } : moved(virtual, metrics), !near);
            this.settleSoon();
        }
        this.revealColumn(toColumn);
    }

    measure(element: HTMLElement): () => void {
        const observer = new ResizeObserver(() => {
            this.width = element.clientWidth;
            this.view = Math.max(0, element.clientHeight - (this.grid.cards ? 0 : HEAD));
            this.look();
        });
        observer.observe(element);
        return () => observer.disconnect();
    }

    /** Notes at which edges columns are out of sight. */
    look(): void {
        if (!this.scroller) return;
        const { scrollLeft, scrollWidth, clientWidth } = this.scroller;
        const [before, behind] = [scrollLeft > 1, scrollLeft + clientWidth < scrollWidth - 1];
        if (before !== this.hidden.before || behind !== this.hidden.behind) this.hidden = { before, behind };
    }

    close(): void {
        clearTimeout(this.timer);
        cancelAnimationFrame(this.frame);
    }

    private set(next: Position, jump = false): void {
        const { scroller } = this;
        if (!scroller) return;
        scroller.scrollTop = next.top;
        this.position = { virtual: next.virtual, top: scroller.scrollTop };
        if (jump) {
            const { virtual } = this.position;
            this.grid.sheet.blocks?.jump(visible(virtual, this.grid.metrics), virtual, performance.now());
        }
        this.draw();
    }

    private settleSoon(): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
            const { metrics } = this.grid;
            if (drifted(this.position, metrics)) this.set(moved(this.position.virtual, metrics));
            this.grid.onat(visible(this.position.virtual, metrics).first);
        }, SETTLED);
    }

    private revealColumn(column: number): void {
        const { scroller } = this;
        const { columns, cards, frozen } = this.grid;
        if (!scroller || cards || column < frozen) return;
        const left = endOf(columns, column);
        const right = endOf(columns, column + 1);
        const covered = endOf(columns, frozen);
        if (left - covered < scroller.scrollLeft) scroller.scrollLeft = left - covered;
        else if (right > scroller.scrollLeft + scroller.clientWidth) scroller.scrollLeft = right - scroller.clientWidth;
    }
}
