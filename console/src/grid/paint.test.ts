// Tests of painted values: a rollup of decimals has their places.
import { expect, test } from "vitest";
import type { PropertyModel } from "../data/model";
import { paint } from "./paint";

type Column = Parameters<typeof paint>[0];
const words: Parameters<typeof paint>[2] = { locale: "en", yes: "Yes", no: "No", hidden: "Hidden", files: String };

test.each([
    ["pRollup", 2, 1200, "1,200.00"],
    ["pRollup", 2, 860.5, "860.50"],
    ["pRollup", 2, "12345678901234567.50", "12,345,678,901,234,567.50"],
    ["pRollup", undefined, 1200, "1,200"],
    ["pRollup", undefined, "2026-03-09", "2026-03-09"],
    ["pDecimal", 2, 1452, "1,452.00"],
    ["pFloat", undefined, 0.5, "0.5"],
])("a %s with %s places: %s", (kind, scale, value, text) => {
    const column = { property: { kind, scale } as PropertyModel, target: null } as Column;
    expect(paint(column, value, words)).toEqual({ mode: "text", text });
});
