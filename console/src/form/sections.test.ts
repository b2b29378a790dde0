// Tests of the sections of forms.
import { expect, test } from "vitest";
import { type PropertyModel, type SectionModel, type TypeData, TypeModel } from "../data/model";
import { partsOf } from "./sections";

function parts(sections: SectionModel[], hidden: string[] = []): [string, string][] {
    const properties = ["name", "street", "city", "rent"].map((identifier) => ({ identifier }) as PropertyModel);
    const type = new TypeModel({ name: "site", sections, properties } as unknown as TypeData);
    const shown = properties.filter(({ identifier }) => !hidden.includes(identifier));
    return partsOf(type, shown).map((part) => [part.title, part.properties.map((one) => one.identifier).join()]);
}

test("properties stand in their sections in order, the others at the end", () => {
    const address = { title: "Address", properties: ["city", "street"] };
    expect(parts([])).toEqual([["", "name,street,city,rent"]]);
    expect(parts([address])).toEqual([
        ["Address", "city,street"],
        ["", "name,rent"],
    ]);
    expect(parts([address, { title: "Others", properties: ["rent", "name"] }])).toEqual([
        ["Address", "city,street"],
        ["Others", "rent,name"],
    ]);
});

test("a section whose properties are all hidden is left out", () => {
    const address = { title: "Address", properties: ["city", "street"] };
    expect(parts([address], ["city", "street"])).toEqual([["", "name,rent"]]);
    expect(parts([address], ["city", "name", "rent"])).toEqual([["Address", "street"]]);
});
