// Window over the rows: a virtual position behind a spacer that browsers can hold. Pure, so that every edge is tested.

/** Browsers end at about 16.7 million px; half of that keeps positions exact in single precision. */
export const SPACER_CAP = 8_000_000;
/** Near both ends one px of the bar is one px of the rows; the middle alone is scaled. */
export const EDGE = 500_000;

export interface Metrics {
    /** Rows of the list, known or guessed. */
    total: number;
    /** Height of one row in px. */
    row: number;
    /** Height of the visible part in px, without the header. */
    view: number;
}

/** The place of the window: `virtual` in px of all rows, `top` in px of the spacer. */
export interface Position {
    virtual: number;
    top: number;
}

export interface Range {
    /** First row that is at least partly visible. */
    first: number;
    /** Row behind the last one that is at least partly visible. */
    end: number;
}

export function contentHeight(m: Metrics): number {
    return Math.max(0, m.total) * m.row;
}

export function spacerHeight(m: Metrics): number {
    return Math.min(contentHeight(m), SPACER_CAP);
}

export function maxVirtual(m: Metrics): number {
    return Math.max(0, contentHeight(m) - m.view);
}

export function maxTop(m: Metrics): number {
    return Math.max(0, spacerHeight(m) - m.view);
}

export function isScaled(m: Metrics): boolean {
    return contentHeight(m) > SPACER_CAP;
}

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** Virtual position that belongs to a place of the bar. */
export function fromTop(top: number, m: Metrics): number {
    const bar = clamp(top, 0, maxTop(m));
    if (!isScaled(m)) return bar;
    const barMax = maxTop(m);
    const max = maxVirtual(m);
    if (bar <= EDGE) return bar;
    if (bar >= barMax - EDGE) return max - (barMax - bar);
    return EDGE + ((bar - EDGE) * (max - 2 * EDGE)) / (barMax - 2 * EDGE);
}

/** Place of the bar that belongs to a virtual position; the inverse of `fromTop`. */
export function toTop(virtual: number, m: Metrics): number {
    const v = clamp(virtual, 0, maxVirtual(m));
    if (!isScaled(m)) return v;
    const barMax = maxTop(m);
    const max = maxVirtual(m);
    if (v <= EDGE) return v;
    if (v >= max - EDGE) return barMax - (max - v);
    return EDGE + ((v - EDGE) * (barMax - 2 * EDGE)) / (max - 2 * EDGE);
}

/**
 * Longest move that counts as wheel, key or finger. One px of a dragged bar is `spacer / view` px and so always longer
 * where the spacer is capped.
 */
export function stepLimit(m: Metrics): number {
    return Math.min(2 * m.view, SPACER_CAP / Math.max(1, m.view) - 1);
}

/** Position after the browser scrolled to `top`: short moves by real px, long ones by the place of the bar. */
export function scrolled(before: Position, top: number, m: Metrics): Position {
    const bar = clamp(top, 0, maxTop(m));
    if (!isScaled(m)) return { virtual: bar, top: bar };
    const delta = bar - before.top;
    if (Math.abs(delta) > stepLimit(m)) return { virtual: fromTop(bar, m), top: bar };
    return { virtual: clamp(before.virtual + delta, 0, maxVirtual(m)), top: bar };
}

/** Position with a virtual place that the program chose: keys, a jump, a restored link. */
export function moved(virtual: number, m: Metrics): Position {
    const v = clamp(virtual, 0, maxVirtual(m));
    return { virtual: v, top: Math.round(toTop(v, m)) };
}

/** The distance between rows and spacer: constant while the browser scrolls by real px, so rows need no new transform. */
export function shift(p: Position): number {
    return p.top - p.virtual;
}

/** True where the bar no longer says the truth, so that it is set anew once the movement has ended. */
export function drifted(p: Position, m: Metrics): boolean {
    return Math.abs(toTop(p.virtual, m) - p.top) > 1;
}

/** True where the bar is at an end before the rows are (or the reverse): it cannot wait for the end of the movement. */
export function stuck(p: Position, m: Metrics): boolean {
    const rowsStart = p.virtual <= 0;
    const rowsEnd = p.virtual >= maxVirtual(m);
    const barStart = p.top <= 0;
    const barEnd = p.top >= maxTop(m);
    return rowsStart !== barStart || rowsEnd !== barEnd;
}

export function visible(virtual: number, m: Metrics): Range {
    if (m.total <= 0 || m.row <= 0) return { first: 0, end: 0 };
    const first = clamp(Math.floor(virtual / m.row), 0, m.total - 1);
    const end = clamp(Math.ceil((virtual + m.view) / m.row), first + 1, m.total);
    return { first, end };
}

/** Rows to draw: the visible ones and `spare` more, on both sides where there are any. */
export function drawn(range: Range, total: number, spare: number): Range {
    const before = Math.min(range.first, Math.floor(spare / 2));
    const end = Math.min(total, range.end + (spare - before));
    const first = Math.max(0, end - (range.end - range.first) - spare);
    return { first: Math.min(first, range.first), end };
}

/** Virtual place that shows `row` whole with the least movement. */
export function reveal(row: number, virtual: number, m: Metrics): number {
    const top = row * m.row;
    const bottom = top + m.row;
    if (top < virtual) return clamp(top, 0, maxVirtual(m));
    if (bottom > virtual + m.view) return clamp(bottom - m.view, 0, maxVirtual(m));
    return clamp(virtual, 0, maxVirtual(m));
}

/** Rows that PageUp and PageDown move by: a screen less one row, so that the eye keeps its place. */
export function pageRows(m: Metrics): number {
    return Math.max(1, Math.floor(m.view / Math.max(1, m.row)) - 1);
}

/** The same rows in sight after the height of rows or the total changed. */
export function resized(virtual: number, before: Metrics, after: Metrics): number {
    if (before.row <= 0) return 0;
    return clamp((virtual / before.row) * after.row, 0, maxVirtual(after));
}

/** The speed of the position, which says if rows may be asked for. */
export class Speed {
    private marks: { at: number; virtual: number }[] = [];

    /** Notes a position; true while it moved more than two screens within 100 ms. */
    fast(virtual: number, view: number, now: number): boolean {
        this.marks.push({ at: now, virtual });
        while (this.marks.length > 1 && now - (this.marks[0]?.at ?? now) > 100) this.marks.shift();
        let low = virtual;
        let high = virtual;
        for (const mark of this.marks) {
            low = Math.min(low, mark.virtual);
            high = Math.max(high, mark.virtual);
        }
        return high - low > 2 * view;
    }

    /** Forgets the way here: after a jump that the program made, rows are asked for at once. */
    reset(virtual: number, now: number): void {
        this.marks = [{ at: now, virtual }];
    }
}
