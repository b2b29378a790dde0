import { describe, expect, test } from "vitest";
import { below, branchesOf, isWithin, matchingTags, reorder, shifted, type Tag } from "./tagtree";

const tag = (id: string, parent: string | null = null, order = 0): Tag => ({
    id,
    code: null,
    name: id.toUpperCase(),
    color: null,
    icon: null,
    parent,
    path: [],
    private: false,
    owner: null,
    order,
});
const tags = [tag("b"), tag("a"), tag("a1", "a"), tag("a2", "a"), tag("deep", "a2"), tag("lost", "unseen")];
const names = (list: { tag: Tag }[]): string[] => list.map((one) => one.tag.id);

describe("rows", () => {
    test("stand below their parents, in order", () => {
        expect(names(branchesOf(tags, new Set()))).toEqual(["a", "a1", "a2", "deep", "b", "lost"]);
        expect(branchesOf(tags, new Set())[3]).toMatchObject({ level: 3, position: 1, siblings: 1, children: 0 });
    });
    test("are hidden below what is folded", () => {
        expect(names(branchesOf(tags, new Set(["a"])))).toEqual(["a", "b", "lost"]);
    });
    test("are found with those above them", () => {
        expect(matchingTags(tags, "dee", (words) => words.toLowerCase()).map((one) => one.id)).toEqual([
            "a",
            "a2",
            "deep",
        ]);
    });
});

describe("moves", () => {
    test("never go below the tag itself", () => {
        expect(isWithin(tags, "deep", "a")).toBe(true);
        expect(isWithin(tags, "b", "a")).toBe(false);
        expect(below(tags, "a").map((one) => one.id)).toEqual(["a1", "a2", "deep"]);
    });
    test("write the order of those whose place changes", () => {
        expect(reorder(tags, tags[3] ?? tag(""), -1)).toEqual([
            { id: "a2", change: { order: 1 } },
            { id: "a1", change: { order: 2 } },
        ]);
        expect(reorder(tags, tags[2] ?? tag(""), -1)).toEqual([]);
    });
    test("lead one level down or up", () => {
        expect(shifted(tags, tags[3] ?? tag(""), 1)).toBe("a1");
        expect(shifted(tags, tags[4] ?? tag(""), -1)).toBe("a");
        expect(shifted(tags, tags[2] ?? tag(""), -1)).toBe(null);
        expect(shifted(tags, tags[1] ?? tag(""), -1)).toBe(undefined);
        expect(shifted(tags, tags[1] ?? tag(""), 1)).toBe(undefined);
    });
});
