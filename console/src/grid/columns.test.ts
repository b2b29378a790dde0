// Tests of the columns of a list for which none were chosen.
import { expect, test } from "vitest";
import { TypeModel, type PropertyModel } from "../data/model";
import { defaultColumns } from "./columns";

const property = (identifier: string, kind = "pString", rest: Partial<PropertyModel> = {}): PropertyModel =>
    ({ identifier, kind, title: identifier, filterTypes: [], ...rest }) as unknown as PropertyModel;
const columns = (code: PropertyModel, titleProperty = "name"): string[] =>
    defaultColumns(
        new TypeModel({
            name: "city",
            title: "City",
            codeProperty: code.identifier,
            titleProperty,
            properties: [code, property("note"), property("name"), property("people", "pInteger", { indexed: true })],
        } as unknown as ConstructorParameters<typeof TypeModel>[0]),
    ).map(({ name }) => name);

test("the code comes first, and a number of another system last", () => {
    expect(columns(property("code"))).toEqual(["code", "name", "people", "note"]);
    expect(columns(property("number", "pAutonumber"))).toEqual(["number", "name", "people", "note"]);
    expect(columns(property("other", "pInteger", { unique: true }))).toEqual(["name", "people", "note", "other"]);
    expect(columns(property("number", "pInteger"), "number")).toEqual(["number", "people", "note", "name"]);
});
