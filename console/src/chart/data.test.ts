// Tests of the content of charts.
import { describe, expect, test } from "vitest";
import {
    barsOf,
    boundsOf,
    canStack,
    stacksAtFirst,
    type ChartData,
    numbersOf,
    placesOf,
    seriesSlots,
    sharesOf,
    slotsOf,
} from "./data";

const chart: ChartData = {
    kind: "bar",
    x: ["a", "b"],
    series: [
        { title: "one", values: [1, null] },
        { title: "two", values: [2, 3] },
    ],
};

describe("bars", () => {
    test("stand side by side on zero", () => {
        expect(barsOf(chart, false)[1]).toEqual({ from: [0, 0], to: [2, 3] });
    });
    test("are put on one another, over gaps too", () => {
        expect(barsOf(chart, true)[1]).toEqual({ from: [1, 0], to: [3, 3] });
    });
    test("are not stacked where one is below zero", () => {
        expect(canStack(chart)).toBe(true);
        expect(canStack({ ...chart, series: [...chart.series, { title: "three", values: [-1, 0] }] })).toBe(false);
    });
});

describe("the picture at first", () => {
    const [one, two] = chart.series;
    const many = { ...chart, series: [one, two, one].filter((series) => series !== undefined) };

    test("puts many series on one another, and few beside", () => {
        expect(stacksAtFirst(many, null)).toBe(true);
        expect(stacksAtFirst(chart, null)).toBe(false);
    });
    test("stays when series come and go", () => {
        expect(stacksAtFirst(chart, stacksAtFirst(many, null))).toBe(true);
        expect(stacksAtFirst(many, stacksAtFirst(chart, null))).toBe(false);
    });
    test("is open while there is one series", () => {
        const single = { ...chart, series: chart.series.slice(0, 1) };
        expect(stacksAtFirst(many, stacksAtFirst(single, null))).toBe(true);
    });
});

describe("bounds", () => {
    test("hold zero for bars", () => {
        const [least, most] = boundsOf(chart, barsOf(chart, true));
        expect(least).toBe(0);
        expect(most).toBeGreaterThan(3);
    });
    test("are wide for one value alone, and for none", () => {
        const line = (values: (number | null)[]): ChartData => ({
            kind: "line",
            x: ["a"],
            series: [{ title: "", values }],
        });
        const [least, most] = boundsOf(line([5]), null);
        expect(least).toBeLessThan(5);
        expect(most).toBeGreaterThan(5);
        expect(boundsOf(line([null]), null)).toEqual([0, 1]);
    });
});

test("numbers are read from texts", () => {
    expect(numbersOf([1, "2.50", null, "", "x", true])).toEqual([1, 2.5, null, null, null, null]);
});

test("a pie is sorted, and its smallest parts are one", () => {
    const x = Array.from({ length: 20 }, (_, index) => String(index));
    const parts = sharesOf({ kind: "pie", x, series: [{ title: "", values: x.map(Number) }] }, "others");
    expect(parts).toHaveLength(12);
    expect(parts[0]?.title).toBe("19");
    expect(parts.at(-1)?.title).toBe("others");
    expect(parts.reduce((sum, part) => sum + part.share, 0)).toBeCloseTo(1);
});

describe("the colours of series", () => {
    const palette = ["#2f5bd0", "#c2570c", "#1c7044", "#8e3fb0"];

    test("are those of the theme in turn", () => {
        expect(slotsOf([null, null, undefined, null, null], palette)).toEqual([0, 1, 2, 3, 0]);
    });
    test("differ from those that others have", () => {
        expect(slotsOf([null, "#2266cc"], palette)).toEqual([1, -1]);
        expect(slotsOf([null, "#26C", null, "#1b7a50ff", null], palette)).toEqual([1, -1, 3, -1, 1]);
        expect(slotsOf([null, null], ["#2f5bd0", ""])).toEqual([0, 1]);
    });
    test("are those of the theme where none differs", () => {
        expect(slotsOf([null, ...palette], palette)).toEqual([0, -1, -1, -1, -1]);
    });
    test("of a single one differ from those of its categories", () => {
        const series = [{ title: "", values: [1, 2] }];
        expect(seriesSlots({ kind: "bar", x: ["a", "b"], series, colors: [null, "#2266cc"] }, palette)).toEqual([1]);
        expect(seriesSlots({ ...chart, colors: ["#2266cc"] }, palette)).toEqual([0, 1]);
    });
});

describe("the decimals of a column", () => {
    test("are as many as any of its numbers has", () => {
        expect(placesOf([12, 71.8, null, "text"])).toBe(1);
        expect(placesOf([1, 2])).toBe(0);
    });
    test("are not those of a calculation", () => {
        expect(placesOf([1, 1 / 3])).toBeUndefined();
        expect(placesOf([1e-9])).toBeUndefined();
    });
});
