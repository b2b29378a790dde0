// Tests of the rows of a board: what stands beside what.

import { expect, it } from "vitest";
import { groupsOf, type Item } from "./board";

const kinds = (items: Item[]): string[] =>
    groupsOf(items).map((group) => `${group.kind}: ${group.items.map(({ index }) => index).join(" ")}`);

const number: Item = { kind: "number", value: 1 };
const chart: Item = { kind: "chart", x: [], series: [] };
const table: Item = { kind: "table", rows: [] };

it("a short text after a number stands beside it, and not beside a table", () => {
    expect(kinds([number, { kind: "text", text: "The largest is Shanghai." }, table, chart])).toEqual([
        "numbers: 0 1",
        "others: 2 3",
    ]);
});

it("a long text, and one that is not about numbers, has a row of its own", () => {
    const long: Item = { kind: "text", text: "word ".repeat(100) };
    expect(kinds([number, long, chart])).toEqual(["numbers: 0", "texts: 1", "others: 2"]);
    expect(kinds([chart, { kind: "text", text: "Short." }, table])).toEqual(["others: 0", "texts: 1", "others: 2"]);
});
