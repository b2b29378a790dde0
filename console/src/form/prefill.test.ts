// Tests of values that fill in a new record, and of the filters of pickers.
import { expect, test } from "vitest";
import { TypeModel, type PropertyModel, type TypeData } from "../data/model";
import { wordFilters } from "./picker";
import { copyRecord, prefill, takeCopy } from "./prefill";

const property = (identifier: string, kind: string, rest: Partial<PropertyModel> = {}): PropertyModel =>
    ({
        identifier,
        kind,
        title: identifier,
        write: true,
        create: true,
        multiple: kind === "pEnums" || kind === "pRelations",
        filterTypes: [],
        ...rest,
    }) as PropertyModel;

const type = (properties: PropertyModel[], rest: Partial<TypeData> = {}): TypeModel =>
    new TypeModel({
        name: "t",
        title: "T",
        titleProperty: "name",
        codeProperty: "code",
        parentProperty: null,
        orderBy: null,
        searchable: false,
        logReads: false,
        actions: { create: true, update: true, delete: true },
        properties,
        ...rest,
    });

test("an address fills in values by their kinds", () => {
    const of = type([
        property("name", "pString"),
        property("company", "pRelation", { write: false }),
        property("price", "pDecimal"),
        property("active", "pBoolean"),
        property("day", "pDate"),
        property("at", "pDateTime"),
        property("labels", "pEnums"),
        property("photo", "pFile"),
        property("sum", "pDecimal", { create: false }),
    ]);
    expect(
        prefill(of, {
            name: "x",
            company: "7",
            price: "1.50",
            active: "false",
            day: "2026-12-01",
            labels: "a,b",
            photo: "y",
            sum: "5",
            other: "z",
        }),
    ).toEqual({ name: "x", company: 7, price: "1.50", active: false, day: "2026-12-01", labels: ["a", "b"] });
    expect(prefill(of, { company: "x", price: "y", active: "maybe", day: "soon" })).toEqual({});
    const at = (word: string): unknown => prefill(of, { at: word }, "Europe/Prague");
    expect(at("2026-12-15T08:00:00Z")).toEqual({ at: "2026-12-15T09:00:00" });
    expect(at("2026-12-15T08:00:00")).toEqual({ at: "2026-12-15T08:00:00" });
    expect(at("tomorrow")).toEqual({});
});

test("a copy leaves out what is of one record", () => {
    const of = type([
        property("name", "pString"),
        property("code", "pString", { unique: true }),
        property("photo", "pFile"),
        property("sum", "pDecimal", { create: false }),
    ]);
    copyRecord(of, { name: "x", code: "y", photo: { name: "a" }, sum: 5 });
    expect(takeCopy(of)).toEqual({ name: "x" });
    expect(takeCopy(of)).toEqual({});
});

test("words are looked for in the title, by the index where there is one", () => {
    const searched = type([property("name", "pString", { searchable: true, filterTypes: ["search", "contains"] })], {
        searchable: true,
    });
    expect(wordFilters(searched, " ada ")).toEqual([{ property: "name", type: "search", param: "ada" }]);
    // Signs alone have no words.
    expect(wordFilters(searched, "&")).toEqual([{ property: "name", type: "contains", param: "&", fold: true }]);
    const plain = type([
        property("name", "pString", { filterTypes: ["contains"] }),
        property("code", "pString", { filterTypes: ["iStartsWith"] }),
    ]);
    expect(wordFilters(plain, "ada")).toEqual([
        {
            property: "*",
            type: "or",
            param: [
                { property: "name", type: "contains", param: "ada", fold: true },
                { property: "code", type: "iStartsWith", param: "ada" },
            ],
        },
    ]);
    expect(wordFilters(plain, "")).toEqual([]);
});
