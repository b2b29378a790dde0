import { expect, it } from "vitest";
import { TypeModel, type PropertyModel, type TypeData } from "../../data/model";
import { matchingOf } from "./matching";

const property = (identifier: string, kind: string, rest: Partial<PropertyModel> = {}): PropertyModel =>
    ({
        identifier,
        kind,
        title: identifier.toUpperCase(),
        write: true,
        create: true,
        multiple: false,
        filterTypes: [],
        ...rest,
    }) as PropertyModel;

const type = (name: string, properties: PropertyModel[], rest: Partial<TypeData> = {}): TypeModel =>
    new TypeModel({
        name,
        title: name,
        titleProperty: null,
        codeProperty: null,
        parentProperty: null,
        orderBy: null,
        searchable: false,
        logReads: false,
        actions: { create: true, update: true, delete: true },
        properties,
        ...rest,
    });

it("tells by what relations are found, and by what else they may be", () => {
    const country = type(
        "country",
        [
            property("id", "pInteger", { unique: true }),
            property("code", "pString", { unique: true }),
            property("name", "pString"),
            property("iso3", "pString", { unique: true }),
        ],
        { codeProperty: "code", titleProperty: "name" },
    );
    const city = type("city", [
        property("name", "pString"),
        property("country", "pRelation", { relation: { type: "country" } }),
    ]);
    const of = (to: string) =>
        matchingOf(city, { Name: "name", Land: to, Rest: null }, (name) => (name === "country" ? country : undefined));
    const ways = [
        { value: "country", by: null, names: ["CODE", "NAME"] },
        { value: "country.code", by: "CODE", names: [] },
        { value: "country.iso3", by: "ISO3", names: [] },
    ];
    expect(of("country")).toEqual([{ column: "Land", title: "COUNTRY", ways }]);
    expect(of("country.iso3")).toEqual([{ column: "Land", title: "COUNTRY", ways }]);
});
