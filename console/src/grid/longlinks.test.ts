// Tests of links that are too long for an address.
import { describe, expect, it } from "vitest";
import { format, parse, type CollectionState } from "../app/places";
import { outdated, settingOf } from "./keptstore";
import { isLong, keptName, longLink, newName, shortLink } from "./longlinks";

const many = (count: number): CollectionState => ({
    filters: [{ property: "id", type: "in", param: Array.from({ length: count }, (_, index) => 10_000 + index) }],
    orderBy: "-opened",
});

describe("links of lists", () => {
    it("are long beyond 4 KB as they stand in the address", () => {
        expect(isLong("ticket", many(100))).toBe(false);
        expect(isLong("ticket", many(800))).toBe(true);
        // Signs of other scripts take nine bytes each.
        expect(isLong("ticket", { q: "ř".repeat(600) })).toBe(false);
        expect(isLong("ticket", { q: "漢".repeat(600) })).toBe(true);
    });
    it("are named with their view, place and open record, and read back", () => {
        const state = { ...many(800), view: "7", at: 40, open: "3", tab: "comments" };
        const link = shortLink(state, "abc1");
        expect(link).toEqual({ kept: "~abc1", view: "7", at: 40, open: "3", tab: "comments" });
        const address = format({ name: "collection", type: "ticket", state: link });
        expect(address).toBe("c/ticket?view=7&v=~abc1&at=40&open=3&tab=comments");
        const read = parse("c/ticket", address.slice(address.indexOf("?")));
        expect(read).toEqual({ name: "collection", type: "ticket", state: link });
        expect(keptName(link)).toBe("abc1");
        expect(longLink(link, many(800))).toEqual(state);
    });
    it("without what was kept, are the view and the place", () => {
        expect(longLink({ kept: "~gone", view: "7", at: 3 }, null)).toEqual({ view: "7", at: 3 });
        for (const kept of [undefined, "abc", "~", "~A", "~../x", `~${"a".repeat(41)}`])
            expect(keptName(kept === undefined ? {} : { kept })).toBeUndefined();
    });
});

describe("what is kept", () => {
    it("has names that sort by time", () => {
        const names = [0, 1, 1_700_000_000_000, 4_000_000_000_000].map((now) => newName(now, 0.999999999));
        expect(names).toEqual([...names].sort());
        for (const name of names) expect(keptName({ kept: `~${name}` })).toBe(name);
    });
    it("is at most twenty: the oldest go, and other settings stay", () => {
        const settings = Array.from({ length: 22 }, (_, index) => settingOf(newName(1e12 + index * 1000, 0)));
        expect(outdated(["grid", ...settings].reverse())).toEqual(settings.slice(0, 3));
        expect(outdated(["grid", ...settings.slice(0, 20)])).toEqual(settings.slice(0, 1));
        expect(outdated(settings.slice(0, 19))).toEqual([]);
    });
});
