// Tests of values of queries and boards: decimals have all their places.
import { describe, expect, test } from "vitest";
import type { PropertyModel } from "../../data/model";
import { cellOf, plainCell, scaleOf } from "./cells";

const money = { kind: "pDecimal", scale: 2 } as PropertyModel;

describe("the decimals of a column", () => {
    test("are those of its property, or more where a number has more", () => {
        expect(scaleOf(money, [411.4, 5292])).toBe(2);
        expect(scaleOf(money, [5292, null])).toBe(2);
        expect(scaleOf(money, [1.234])).toBe(3);
        expect(scaleOf(money, [1 / 3])).toBeUndefined();
        expect(scaleOf(undefined, [411.4, 5292])).toBe(1);
    });
    test("are none where groups are counted under the name of a decimal", () => {
        expect(scaleOf(money, [3, 4], true)).toBe(0);
        expect(scaleOf(money, [340, 411.4], true)).toBe(2);
    });
});

test("wrapped decimals and rollups have the places of their text", () => {
    const cell = (kind: string, value: unknown, display: string) => cellOf({ kind, value, display });
    expect(cell("pDecimal", 411.4, "411.40")).toEqual({ text: "411.40", number: true });
    expect(cell("pRollup", 1200, "1200.00")).toEqual({ text: "1,200.00", number: true });
    expect(cell("pRollup", 4, "4")).toEqual({ text: "4", number: true });
    expect(cell("pRollup", "2026-03-09", "2026-03-09").text).toBe("Mar 9, 2026");
    expect(cell("pFloat", 0.5, "0.5")).toEqual({ text: "0.5", number: true });
    expect(plainCell("12345678901234567.50", 2).text).toBe("12,345,678,901,234,567.50");
});
