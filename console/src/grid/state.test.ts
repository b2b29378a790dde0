// Tests of a grid's state: what a view keeps, what its link says, and how words become filters.
import { describe, expect, it } from "vitest";
import type { CollectionState } from "../app/places";
import { formatSort, moveColumn, nextSort, parseSort } from "./columns";
import { differs, isNarrowed, linkState, listFilters, shownState, viewState } from "./state";

const saved: CollectionState = { filters: [{ property: "status", type: "eq", param: "open" }], orderBy: "-opened" };

describe("state", () => {
    it("keeps in a view neither place nor record", () => {
        expect(viewState({ q: "a", at: 5, open: "3", view: "2", tab: "x", filters: [] })).toEqual({ q: "a" });
        expect(differs({ q: "a", at: 5 }, { q: "a" })).toBe(false);
        expect(differs({ q: "b" }, { q: "a" })).toBe(true);
    });
    it("shows what the view keeps where the link has nothing else", () => {
        expect(shownState({ view: "7", at: 3 }, saved)).toEqual({ ...saved, view: "7", at: 3 });
        expect(shownState({ view: "7", q: "x" }, saved)).toEqual({ view: "7", q: "x" });
        expect(shownState({ q: "x" }, null)).toEqual({ q: "x" });
    });
    it("is narrowed by filters, words and tags, but not by order and columns", () => {
        expect(isNarrowed({ orderBy: "a", columns: [{ name: "a" }], q: " ", filters: [], tags: [] })).toBe(false);
        for (const state of [{ q: "a" }, { filters: saved.filters ?? [] }, { tags: ["x"] }])
            expect(isNarrowed(state)).toBe(true);
    });
    it("says in the link no more than needed, and reads it back", () => {
        const same = { ...saved, view: "7", open: "5" };
        expect(linkState(same, saved)).toEqual({ view: "7", open: "5" });
        for (const state of [same, { ...same, q: "x" }, { q: "x" }, {}]) {
            expect(shownState(linkState(state, saved), saved)).toEqual(state);
        }
        expect(linkState({ view: "7" }, saved)).toEqual({});
    });
    it("searches words by full text where there is one", () => {
        expect(listFilters({ q: " tea " }, { searchable: true, titleProperty: "name" })).toEqual([
            { property: "*", type: "search", param: "tea" },
        ]);
        expect(listFilters({ q: "tea" }, { searchable: false, titleProperty: "name" })[0]?.type).toBe("contains");
        expect(listFilters({ q: "--" }, { searchable: true, titleProperty: null })).toEqual([]);
    });
});

describe("columns", () => {
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
