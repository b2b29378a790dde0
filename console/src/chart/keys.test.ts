// Tests of the keys of charts.
import { expect, test } from "vitest";
import { TypeModel, type PropertyModel } from "../data/model";
import { groupKeyOf, keyOf, labelOf } from "./keys";

const options = (...values: string[]): object => ({
    options: values.map((value) => ({ value, title: value.toUpperCase(), color: `#${value}`, archived: false })),
});
const property = (identifier: string, kind: string, rest: object = {}): PropertyModel =>
    ({ identifier, kind, title: identifier, filterTypes: [], ...rest }) as unknown as PropertyModel;
const type = (...properties: PropertyModel[]): TypeModel =>
    new TypeModel({ name: "ticket", title: "Ticket", properties } as unknown as ConstructorParameters<
        typeof TypeModel
    >[0]);

const status = property("status", "pEnum", options("open", "closed"));
const company = property("company", "pRelation", { relation: { type: "company" } });

test("options are known by their values, and none is guessed", () => {
    const ticket = type(status, company);
    expect(keyOf(ticket, ["open", null, "closed"])).toBe(status);
    expect(keyOf(ticket, ["open", "other"])).toBeUndefined();
    expect(keyOf(ticket, [null, ""])).toBeUndefined();
    expect(labelOf(status, "open")).toEqual({ title: "OPEN", color: "#open" });
    expect(labelOf(status, "other")).toBeUndefined();
});

test("properties with the same values are not told apart", () => {
    const state = property("state", "pEnum", {
        options: [{ value: "open", title: "In work", color: null, archived: false }],
    });
    expect(keyOf(type(status, state), ["open"])).toBeUndefined();
    expect(keyOf(type(status, state), ["closed"])).toBe(status);
});

test("numbers are no relations", () => {
    expect(keyOf(type(status, company), [7, 9])).toBeUndefined();
});

test("groups of another name are known by their values, also those of a related type", () => {
    const owner = property("owner", "pEnum", options("open", "else"));
    const ticket = type(status, company);
    const related = (name: string): TypeModel | undefined =>
        name === "company" ? type(owner, property("kind", "pEnum", options("big", "small"))) : undefined;
    expect(groupKeyOf(ticket, "state", ["open", null], related)).toBe(status);
    expect(groupKeyOf(ticket, "size", ["big", "small"], related)?.identifier).toBe("kind");
    expect(groupKeyOf(ticket, "size", ["big", "huge"], related)).toBeUndefined();
    expect(groupKeyOf(ticket, "size", [null], related)).toBeUndefined();
});
