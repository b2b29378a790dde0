// Tests of the window: both ends, the scaled middle, short and long moves, totals up to ten million rows.
import { describe, expect, it } from "vitest";
import {
    contentHeight,
    drawn,
    drifted,
    EDGE,
    fromTop,
    isScaled,
    maxTop,
    maxVirtual,
    moved,
    pageRows,
    resized,
    reveal,
    scrolled,
    shift,
    SPACER_CAP,
    spacerHeight,
    Speed,
    stepLimit,
    stuck,
    toTop,
    visible,
    type Metrics,
} from "./window";

const of = (total: number, row = 36, view = 600): Metrics => ({ total, row, view });
const totals = [0, 1, 2, 16, 17, 100, 5_000, 222_222, 222_223, 300_000, 1_000_000, 9_999_999, 10_000_000];

describe("heights", () => {
    it("caps the spacer and nothing else", () => {
        for (const total of totals) {
            const m = of(total);
            expect(contentHeight(m)).toBe(total * 36);
            expect(spacerHeight(m)).toBe(Math.min(total * 36, SPACER_CAP));
            expect(isScaled(m)).toBe(total * 36 > SPACER_CAP);
        }
    });
    it("has no room to move where all rows fit", () => {
        expect(maxVirtual(of(10))).toBe(0);
        expect(maxTop(of(0))).toBe(0);
        expect(visible(0, of(0))).toEqual({ first: 0, end: 0 });
        expect(moved(500, of(3))).toEqual({ virtual: 0, top: 0 });
    });
});

describe("bar and position", () => {
    it("are inverse functions at every total and row height", () => {
        for (const row of [28, 36, 44, 112])
            for (const total of totals) {
                const m = of(total, row);
                for (let i = 0; i <= 200; i++) {
                    const virtual = (maxVirtual(m) * i) / 200;
                    expect(Math.abs(fromTop(toTop(virtual, m), m) - virtual)).toBeLessThan(0.01);
                }
            }
    });
    it("grow together", () => {
        const m = of(1_000_000);
        let last = -1;
        for (let top = 0; top <= maxTop(m); top += 1_000) {
            const virtual = fromTop(top, m);
            expect(virtual).toBeGreaterThan(last);
            last = virtual;
        }
    });
    it("meet at both ends", () => {
        for (const total of totals) {
            const m = of(total);
            expect(fromTop(0, m)).toBe(0);
            expect(fromTop(maxTop(m), m)).toBe(maxVirtual(m));
            expect(toTop(maxVirtual(m), m)).toBe(maxTop(m));
            expect(visible(maxVirtual(m), m).end).toBe(total);
            expect(fromTop(-50, m)).toBe(0);
            expect(fromTop(1e9, m)).toBe(maxVirtual(m));
        }
    });
    it("are the same px near the ends", () => {
        const m = of(10_000_000);
        expect(fromTop(1_234, m)).toBe(1_234);
        expect(fromTop(EDGE, m)).toBe(EDGE);
        expect(maxVirtual(m) - fromTop(maxTop(m) - 1_234, m)).toBe(1_234);
    });
});

describe("scrolling", () => {
    it("moves by real px where the spacer is whole", () => {
        const m = of(5_000);
        expect(scrolled({ virtual: 0, top: 0 }, 90_000, m)).toEqual({ virtual: 90_000, top: 90_000 });
        expect(scrolled({ virtual: 0, top: 0 }, 1e9, m).virtual).toBe(maxVirtual(m));
    });
    it("moves by real px with the wheel in the scaled middle", () => {
        const m = of(1_000_000);
        let p = moved(18_000_000, m);
        const start = p;
        for (let i = 0; i < 50; i++) p = scrolled(p, p.top + 120, m);
        expect(p.virtual).toBe(start.virtual + 6_000);
        expect(p.top).toBe(start.top + 6_000);
        expect(shift(p)).toBe(shift(start));
        expect(drifted(p, m)).toBe(true);
        expect(drifted(moved(p.virtual, m), m)).toBe(false);
    });
    it("takes a drag of the bar by one px as a drag", () => {
        for (const view of [300, 600, 1_200, 2_400]) {
            const m = of(1_000_000, 36, view);
            const px = spacerHeight(m) / view;
            expect(px).toBeGreaterThan(stepLimit(m));
            const before = moved(10_000_000, m);
            const after = scrolled(before, before.top + px, m);
            expect(Math.abs(after.virtual - fromTop(before.top + px, m))).toBeLessThan(0.01);
        }
    });
    it("shows the last row after a drag to the end, and the first after one to the start", () => {
        const m = of(10_000_000);
        const end = scrolled(moved(0, m), maxTop(m), m);
        expect(visible(end.virtual, m).end).toBe(10_000_000);
        expect(visible(scrolled(end, 0, m).virtual, m).first).toBe(0);
    });
    it("notes a bar at its end before the rows", () => {
        const m = of(1_000_000);
        expect(stuck({ virtual: 400, top: 0 }, m)).toBe(true);
        expect(stuck({ virtual: 0, top: 90 }, m)).toBe(true);
        expect(stuck({ virtual: maxVirtual(m), top: maxTop(m) }, m)).toBe(false);
        expect(stuck({ virtual: maxVirtual(m) - 9, top: maxTop(m) }, m)).toBe(true);
        expect(stuck({ virtual: 1_000, top: 1_000 }, m)).toBe(false);
        expect(stuck({ virtual: 0, top: 0 }, of(3))).toBe(false);
    });
    it("never leaves the rows", () => {
        const m = of(1_000_000);
        expect(scrolled({ virtual: 50, top: 900 }, 400, m).virtual).toBe(0);
        expect(scrolled({ virtual: maxVirtual(m) - 10, top: maxTop(m) - 900 }, maxTop(m) - 100, m).virtual).toBe(
            maxVirtual(m),
        );
    });
});

describe("rows", () => {
    it("are at least one and never beyond the total", () => {
        for (const total of totals)
            for (const part of [0, 0.1, 0.5, 0.999, 1]) {
                const m = of(total);
                const range = visible(maxVirtual(m) * part, m);
                expect(range.first).toBeGreaterThanOrEqual(0);
                expect(range.end).toBeLessThanOrEqual(total);
                if (total > 0) expect(range.end).toBeGreaterThan(range.first);
                const all = drawn(range, total, 20);
                expect(all.first).toBeLessThanOrEqual(range.first);
                expect(all.end).toBeGreaterThanOrEqual(range.end);
                expect(all.end - all.first).toBeLessThanOrEqual(range.end - range.first + 20);
                expect(all.end - all.first).toBe(Math.min(total, range.end - range.first + 20));
            }
    });
    it("reveal themselves with the least movement", () => {
        const m = of(1_000);
        expect(reveal(5, 0, m)).toBe(0);
        expect(reveal(0, 500, m)).toBe(0);
        expect(reveal(20, 0, m)).toBe(21 * 36 - 600);
        expect(reveal(999, 0, m)).toBe(maxVirtual(m));
        expect(reveal(3, 1_000, m)).toBe(108);
        expect(reveal(9_999_999, 0, of(10_000_000))).toBe(maxVirtual(of(10_000_000)));
    });
    it("stay in sight when the density changes", () => {
        const before = of(1_000_000, 36);
        const after = of(1_000_000, 28);
        expect(resized(360_000, before, after)).toBe(280_000);
        expect(resized(maxVirtual(before), before, of(10))).toBe(0);
    });
    it("move by a screen less one", () => {
        expect(pageRows(of(100))).toBe(15);
        expect(pageRows(of(100, 36, 10))).toBe(1);
    });
});

describe("speed", () => {
    it("is fast beyond two screens in 100 ms", () => {
        const speed = new Speed();
        expect(speed.fast(0, 600, 0)).toBe(false);
        expect(speed.fast(900, 600, 50)).toBe(false);
        expect(speed.fast(1_300, 600, 90)).toBe(true);
        expect(speed.fast(1_300, 600, 160)).toBe(false);
    });
    it("counts the way back, too, and forgets after a jump", () => {
        const speed = new Speed();
        speed.fast(5_000, 600, 0);
        expect(speed.fast(0, 600, 16)).toBe(true);
        speed.reset(90_000, 18);
        expect(speed.fast(90_000, 600, 20)).toBe(false);
    });
});
