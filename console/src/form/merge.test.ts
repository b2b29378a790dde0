// Tests of the merge of a stale write.
import { expect, test } from "vitest";
import { compare, conflicts, merged } from "./merge";
import type { PropertyModel } from "../data/model";

const property = (identifier: string, kind = "pString", write = true): PropertyModel =>
    ({
        identifier,
        kind,
        title: identifier,
        write,
        multiple: kind === "pEnums" || kind === "pRelations",
    }) as PropertyModel;
const properties = [
    property("a"),
    property("b"),
    property("c"),
    property("d"),
    property("e", "pDecimal"),
    property("sum", "pDecimal", false),
];

test("what only one side changed is merged, what both changed is chosen", () => {
    const read = { a: "1", b: "1", c: "1", d: "1", e: "1.50", sum: "5" };
    const theirs = { a: "1", b: "2", c: "2", d: "2", e: "1.5", sum: "6" };
    const yours = { a: "2", b: "1", c: "3", d: "2", e: "1.5", sum: "5" };
    const lines = compare(properties, read, theirs, yours);
    expect(lines.map((line) => line.side)).toEqual(["yours", "theirs", "both", "same", "none", "theirs"]);
    expect(conflicts(lines).map((line) => line.property.identifier)).toEqual(["c"]);
    expect(merged(lines, new Map())).toEqual({ a: "2", b: "2", c: "2", d: "2", e: "1.5", sum: "6" });
    expect(merged(lines, new Map([["c", "yours"]]))).toMatchObject({ c: "3" });
});

test("a property that is not shown any more keeps what was read", () => {
    const lines = compare(properties, { a: "1" }, {}, { a: "2" });
    expect(lines[0]).toMatchObject({ side: "yours", theirs: "1", yours: "2" });
});

test("a property without the right to write is never yours", () => {
    const lines = compare([property("sum", "pDecimal", false)], { sum: 1 }, { sum: 2 }, { sum: 3 });
    expect(conflicts(lines)).toEqual([]);
    expect(merged(lines, new Map([["sum", "yours"]]))).toEqual({ sum: 2 });
});
