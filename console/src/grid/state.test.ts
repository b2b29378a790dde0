// Tests of the link's state: both ways without loss, and nothing breaks on an old or hostile link.
import { describe, expect, it } from "vitest";
import { formatColumns, moveColumn, nextSort, parseColumns, parseSort, formatSort } from "./columns";
import { differsFrom, emptyState, formatState, listFilters, parseState, viewState, type GridState } from "./state";

const states: GridState[] = [
    emptyState(),
    { ...emptyState(), q: 'čaj & "x"=1', at: 999_999, open: "5", tab: "history" },
    {
        ...emptyState(),
        f: [
            {
                property: "*",
                type: "or",
                param: [
                    { property: "a.b", type: "in", param: [1, null] },
                    { property: "n", type: "contains", param: "x", fold: true },
                ],
            },
        ],
        s: [
            { path: "company.name", descending: true },
            { path: "id", descending: false },
        ],
        cols: [
            { path: "number", width: null },
            { path: "company.name", width: 240 },
        ],
        tags: ["a1", "b2"],
        view: "7",
    },
];

describe("state", () => {
    it("is the same after it was written and read", () => {
        for (const state of states) expect(parseState(formatState(state))).toEqual(state);
    });
    it("has no parameters where nothing is chosen", () => {
        expect(formatState(emptyState())).toEqual({});
    });
    it("reads broken links as nothing", () => {
        expect(parseState({ f: '{"x', at: "-5", cols: ",,", s: "-,,", tags: "," })).toEqual(emptyState());
        expect(parseState({ f: "[1,2]", at: "1e99" }).f).toEqual([]);
        expect(parseState({ f: '{"property":"a","type":"isNull"}' }).f).toHaveLength(1);
    });
    it("keeps in a view neither place nor record", () => {
        expect(viewState({ ...emptyState(), q: "a", at: 5, open: "3", view: "2" })).toEqual({ q: "a" });
        expect(differsFrom({ ...emptyState(), q: "a", at: 5 }, { q: "a" })).toBe(false);
        expect(differsFrom({ ...emptyState(), q: "b" }, { q: "a" })).toBe(true);
    });
    it("searches words by full text where there is one", () => {
        expect(listFilters({ f: [], q: " tea " }, { searchable: true, titleProperty: "name" })).toEqual([
            { property: "*", type: "search", param: "tea" },
        ]);
        expect(listFilters({ f: [], q: "tea" }, { searchable: false, titleProperty: "name" })[0]?.type).toBe(
            "contains",
        );
        expect(listFilters({ f: [], q: "--" }, { searchable: true, titleProperty: null })).toEqual([]);
    });
});

describe("columns", () => {
    it("are read once each, with widths in bounds", () => {
        expect(parseColumns("a,b:240,a:9,c:x,d:1,e:99999")).toEqual([
            { path: "a", width: null },
            { path: "b", width: 240 },
            { path: "c", width: null },
            { path: "d", width: 64 },
            { path: "e", width: 800 },
        ]);
        expect(formatColumns(parseColumns("a,b.c:240"))).toBe("a,b.c:240");
    });
    it("move", () => {
        expect(moveColumn([1, 2, 3], 0, 2)).toEqual([2, 3, 1]);
        expect(moveColumn([1, 2, 3], 2, -4)).toEqual([3, 1, 2]);
    });
});

describe("order", () => {
    it("goes from ascending to descending to none", () => {
        let keys = nextSort([], "a", false);
        expect(formatSort(keys)).toBe("a");
        keys = nextSort(keys, "a", false);
        expect(formatSort(keys)).toBe("-a");
        expect(nextSort(keys, "a", false)).toEqual([]);
        expect(formatSort(nextSort(parseSort("-a,b"), "b", true))).toBe("-a,-b");
        expect(formatSort(nextSort(parseSort("-a,b"), "c", true))).toBe("-a,b,c");
        expect(formatSort(nextSort(parseSort("-a,b"), "c", false))).toBe("c");
    });
});
