// Tests of pasted names: which record each means, and that no page of an answer is taken for all of it.
import { describe, expect, it } from "vitest";
import { ApiError } from "../data/call";
import type { Filter, Row, TypeModel } from "../data/model";
import { namedRecords, type Search } from "./named";

const properties = ["id", "uuid", "code", "name"];
const company = {
    name: "company",
    titleProperty: "name",
    codeProperty: "code",
    property: (name: string) => (properties.includes(name) ? { kind: "pString", filterTypes: ["in"] } : undefined),
} as unknown as TypeModel;

const choicesOf = (filter: Filter): Filter[] => (filter.type === "or" ? (filter.param as Filter[]) : [filter]);

function server(rows: Row[], perPage = 500): { search: Search; asked: number[] } {
    const asked: number[] = [];
    const search: Search = (filter) => {
        const choices = choicesOf(filter);
        asked.push((choices[0]?.param as unknown[]).length);
        const found = rows.filter((row) =>
            choices.some(({ property, param }) => (param as unknown[]).includes(row[property])),
        );
        return Promise.resolve({ rows: found.slice(0, perPage), total: found.length });
    };
    return { search, asked };
}

describe("pasted names of records", () => {
    const uuid = "0191a2b3-0000-7000-8000-00000000000a";
    const rows = [
        { id: 1, uuid, code: "7", name: "Acme" },
        { id: 2, code: "A", name: "Twin" },
        { id: 3, code: "B", name: "Twin" },
        { id: 7, code: "C", name: "B" },
        { id: 8, code: "acme", name: "9" },
    ];

    it("takes an id before a code, and a code before a title", async () => {
        const { search } = server(rows);
        const found = await namedRecords(company, ["7", "#8", "B", "Acme", "acme", "9", uuid.toUpperCase()], search);
        expect(found.get("7")).toEqual({ row: rows[3] });
        expect(found.get("#8")).toEqual({ row: rows[4] });
        expect(found.get("B")).toEqual({ row: rows[2] });
        expect(found.get("Acme")).toEqual({ row: rows[0] });
        expect(found.get("acme")).toEqual({ row: rows[4] });
        expect(found.get("9")).toEqual({ row: rows[4] });
    });

    it("takes no record where several have the title, and tells it from none", async () => {
        const { search } = server(rows);
        const found = await namedRecords(company, ["Twin", "twin", uuid], search);
        expect(found.get("Twin")).toBe("several");
        expect(found.get("twin")).toBe("none");
        expect(found.get(uuid)).toEqual({ row: rows[0] });
    });

    /** As the server: a word that a property cannot have as its value is refused. */
    const strict = (rows: Row[], reads: Record<string, RegExp>): Search => {
        const { search } = server(rows);
        return (filter, fields) => {
            for (const { property, param } of choicesOf(filter))
                if ((param as unknown[]).some((word) => !(reads[property] ?? /^/).test(String(word))))
                    return Promise.reject(new ApiError({ status: 400, code: "parameter_invalid", detail: property }));
            return search(filter, fields);
        };
    };
    const withKinds = (kinds: Record<string, string>): TypeModel =>
        ({
            ...company,
            property: (name: string) =>
                properties.includes(name) ? { kind: kinds[name] ?? "pString", filterTypes: ["in"] } : undefined,
        }) as unknown as TypeModel;

    it("finds titles beside a code that is a number or an address", async () => {
        const cities = [
            { id: 1, code: 3067696, name: "Prague" },
            { id: 5, code: 12, name: "#x" },
        ];
        const found = await namedRecords(
            withKinds({ code: "pInteger" }),
            ["Prague", "3067696", "#5", "Brno"],
            strict(cities, { code: /^\d+$/ }),
        );
        expect(["Prague", "3067696", "#5", "Brno"].map((word) => found.get(word))).toEqual([
            { row: cities[0] },
            { row: cities[0] },
            { row: cities[1] },
            "none",
        ]);
        const people = [{ id: 1, code: "a@b.cz", name: "Ada" }];
        const search = strict(people, { code: /@/ });
        const named = await namedRecords(withKinds({ code: "pEmail" }), ["Ada", "a@b.cz"], search);
        expect([...named.values()]).toEqual([{ row: people[0] }, { row: people[0] }]);
    });

    it("finds titles beside a code whose words the server refuses", async () => {
        const rows = [{ id: 1, code: "+420123456789", name: "Ada" }];
        const search = strict(rows, { code: /^\+/ });
        const type = withKinds({ code: "pPhone" });
        expect((await namedRecords(type, ["Ada", "x"], search)).get("Ada")).toEqual({ row: rows[0] });
        expect((await namedRecords(type, ["+420123456789"], search)).get("+420123456789")).toEqual({ row: rows[0] });
        await expect(namedRecords(company, ["Ada"], strict(rows, { name: /^$/ }))).rejects.toBeInstanceOf(ApiError);
    });

    it("finds each of more names than a page has rows", async () => {
        const many = Array.from({ length: 900 }, (_, i) => ({ id: i + 1, code: `C${i}`, name: `Name ${i}` }));
        const { search, asked } = server(many, 50);
        const names = many.map((row) => row.name);
        const found = await namedRecords(company, names, search);
        expect(names.filter((name) => typeof found.get(name) !== "object")).toEqual([]);
        expect(Math.max(...asked)).toBeLessThanOrEqual(200);
    });

    it("finds names beside one that fills whole pages", async () => {
        const crowd = Array.from({ length: 5_000 }, (_, i) => ({ id: i + 100, code: `C${i}`, name: "Crowd" }));
        const { search, asked } = server([...crowd, ...rows], 50);
        const found = await namedRecords(company, ["Acme", "Crowd", "Twin", "B"], search);
        expect(found.get("Crowd")).toBe("several");
        expect(found.get("Acme")).toEqual({ row: rows[0] });
        expect(found.get("B")).toEqual({ row: rows[2] });
        expect(asked.length).toBeLessThan(10);
    });
});
