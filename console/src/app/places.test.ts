import { describe, expect, it } from "vitest";
import { format, parse, type Place } from "./places";

function there(place: Place): Place {
    const [path = "", search = ""] = format(place).split("?", 2);
    return parse(path, search);
}

const places: Place[] = [
    { name: "start" },
    { name: "inbox" },
    { name: "tags" },
    { name: "account", section: "keys" },
    { name: "collection", type: "ticket", state: {} },
    {
        name: "collection",
        type: "ticket",
        state: {
            q: "printer & “ink” + 100 %?",
            filters: [{ property: "company.name", type: "contains", param: "Žluť, & co?#", fold: true }],
            orderBy: "-opened,number",
            columns: [{ name: "number" }, { name: "company.name", width: 240 }],
            tags: ["vip", "7"],
            view: "12",
            at: 4000,
            open: "new",
            tab: "history",
        },
    },
    { name: "record", type: "ticket", id: "5", values: {} },
    { name: "record", type: "ticket", id: "new", values: { company: "7", subject: "a=b&c" } },
    { name: "record", type: "ticket", id: "5", tab: "related", values: {} },
    { name: "board", board: "board", values: { from: "2026-01-01" } },
    { name: "query", query: "open", values: {} },
    { name: "runs", values: { state: "failed" } },
    { name: "runs", id: "17", values: {} },
    { name: "missing", path: "nowhere" },
];

describe("places", () => {
    it.each(places.map((place) => [format(place), place] as const))("%s leads there and back", (_, place) => {
        expect(there(place)).toEqual(place);
    });

    it("keeps random states", () => {
        let seed = 7;
        const random = (below: number): number => {
            seed = (seed * 1103515245 + 12345) % 2147483648;
            return seed % below;
        };
        const signs = ["a", "ž", " ", "&", "=", "%", "+", "#", "?", "/", '"', "😀", "\\"];
        const word = (): string => Array.from({ length: 1 + random(6) }, () => signs[random(signs.length)]).join("");
        for (let round = 0; round < 500; round += 1) {
            const place: Place = {
                name: "collection",
                type: word(),
                state: {
                    q: word(),
                    filters: [{ property: word(), type: "eq", param: word() }],
                    at: 1 + random(1e6),
                    open: word(),
                },
            };
            expect(there(place)).toEqual(place);
        }
    });

    it("takes broken addresses", () => {
        expect(parse("c/ticket", "f=[1,{}]&at=-3&cols=,&f2=")).toEqual({
            name: "collection",
            type: "ticket",
            state: {},
        });
        expect(parse("c/%E0%A4%A", "").name).toBe("missing");
        expect(parse("c", "").name).toBe("missing");
        expect(parse("account/password", "").name).toBe("missing");
    });
});
