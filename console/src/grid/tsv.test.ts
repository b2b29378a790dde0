// Tests of the clipboard: tables both ways, and text to values of each kind.
import { describe, expect, it } from "vitest";
import type { PropertyModel } from "../data/model";
import { readCell } from "./parse";
import { formatTsv, parseTsv } from "./tsv";

describe("tables", () => {
    it("are the same after both ways", () => {
        for (const table of [
            [["a"]],
            [
                ["a", "b"],
                ["", "d"],
            ],
            [
                ["x\ty", "line\nbreak"],
                ['"q"', ""],
            ],
            [['a"b', "it's"]],
        ]) {
            expect(parseTsv(formatTsv(table))).toEqual(table);
        }
    });
    it("are read as spreadsheets write them", () => {
        expect(parseTsv("a\tb\r\nc\td\r\n")).toEqual([
            ["a", "b"],
            ["c", "d"],
        ]);
        expect(parseTsv('"hello\tx')).toEqual([['"hello', "x"]]);
        expect(parseTsv('5" pipe\t2')).toEqual([['5" pipe', "2"]]);
        expect(parseTsv("")).toEqual([]);
        expect(parseTsv("a\rb")).toEqual([["a"], ["b"]]);
    });
});

const property = (kind: string, more: Partial<PropertyModel> = {}): PropertyModel => ({
    identifier: "p",
    title: "P",
    kind,
    multiple: kind.endsWith("s"),
    required: false,
    unique: false,
    readOnly: false,
    calculated: false,
    description: "",
    sortable: true,
    write: true,
    create: true,
    filterTypes: [],
    ...more,
});
const options = [
    { value: "open", title: "Open", color: null, archived: false },
    { value: "done", title: "Hotovo", color: null, archived: false },
];
const words = { locale: "cs", zone: "Europe/Prague", yes: "Ano", no: "Ne" };

describe("cells", () => {
    const cases: [string, Partial<PropertyModel>, string, unknown][] = [
        ["pInteger", {}, "1 234", { value: "1234" }],
        ["pDecimal", { scale: 2 }, "12,50", { value: "12.50" }],
        ["pDecimal", {}, "many", { problem: "number" }],
        ["pDecimal", {}, "0.5 %", { problem: "percent" }],
        ["pFloat", {}, "50%", { problem: "percent" }],
        ["pInteger", {}, "% 3", { problem: "percent" }],
        ["pDecimal", {}, "1 234,50 Kč", { value: "1234.50" }],
        ["pDecimal", {}, "€ 5", { value: "5" }],
        ["pDecimal", {}, "5 $", { value: "5" }],
        ["pDateTime", {}, "2026-12-15T08:00:00Z", { value: "2026-12-15T09:00:00" }],
        ["pDateTime", {}, "2026-12-15T08:00:00-05:00", { value: "2026-12-15T14:00:00" }],
        ["pDate", {}, "2026-12-15T23:30:00Z", { value: "2026-12-15" }],
        ["pBoolean", {}, "ano", { value: true }],
        ["pBoolean", {}, "FALSE", { value: false }],
        ["pBoolean", {}, "perhaps", { problem: "boolean" }],
        ["pDate", {}, "2026-11-20", { value: "2026-11-20" }],
        ["pDate", {}, "no day", { problem: "date" }],
        ["pEnum", { options }, "hotovo", { value: "done" }],
        ["pEnum", { options }, "open", { value: "open" }],
        ["pEnum", { options }, "x", { problem: "option" }],
        ["pEnums", { options }, "open, Hotovo", { value: ["open", "done"] }],
        ["pRelation", {}, "Fern Works", { words: ["Fern Works"] }],
        ["pJson", {}, '{"a":1}', { value: { a: 1 } }],
        ["pJson", {}, "{", { problem: "json" }],
        ["pString", {}, " x ", { value: " x " }],
        ["pEmail", {}, " a@b ", { value: "a@b" }],
        ["pString", {}, "", { value: null }],
        ["pEnums", { options }, "", { value: [] }],
    ];
    for (const [kind, more, text, expected] of cases) {
        it(`of ${kind} read ${JSON.stringify(text)}`, () =>
            expect(readCell(property(kind, more), text, words)).toEqual(expected));
    }
});
