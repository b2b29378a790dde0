// Tests of the search over the types: what is offered below the hits.
import { describe, expect, it } from "vitest";
import type { TypeModel } from "../data/model";
import { type Hit, hitsByType, joinHits } from "./search";

const city = { name: "city" } as TypeModel;
const country = { name: "country" } as TypeModel;
const hit = (type: TypeModel, id: string, byWords: boolean): Hit => ({ type, id, title: id, code: "", byWords });

describe("hits", () => {
    it("stand by their types, with a way to all where a grid finds them", () => {
        const found = hitsByType([hit(city, "1", false), hit(city, "2", true), hit(country, "3", false)]);
        expect(found.map(({ type, hits, inGrid }) => [type.name, hits.length, inGrid])).toEqual([
            ["city", 2, true],
            ["country", 1, false],
        ]);
    });
    it("are told once, those by the code first", () => {
        const joined = joinHits(
            [hit(city, "2", false), hit(city, "9", false)],
            [hit(city, "1", true), hit(city, "2", true)],
        );
        expect(joined.map(({ id, byWords }) => [id, byWords])).toEqual([
            ["2", true],
            ["9", false],
            ["1", true],
        ]);
    });
});
