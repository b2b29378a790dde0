// Tests of the keys of charts.
import { expect, test } from "vitest";
import { TypeModel, type PropertyModel } from "../data/model";
import { keyOf, labelOf, wantsNames } from "./keys";

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

test("properties with the same values are told apart by the names of the query's keys", () => {
    const state = property("state", "pEnum", {
        options: [{ value: "open", title: "In work", color: null, archived: false }],
    });
    const ticket = type(status, state);
    expect(keyOf(ticket, ["open"])).toBeUndefined();
    expect(wantsNames(ticket, ["open"])).toBe(true);
    expect(wantsNames(ticket, ["closed"])).toBe(false);
    expect(keyOf(ticket, ["open"], ["state", "tickets"])).toBe(state);
});

test("numbers are relations only where the query has such a key", () => {
    const ticket = type(status, company);
    expect(wantsNames(ticket, ["7", 9])).toBe(true);
    expect(wantsNames(type(status), [7])).toBe(false);
    expect(keyOf(ticket, [7, 9])).toBeUndefined();
    expect(keyOf(ticket, [7, 9], ["company", "tickets"])).toBe(company);
    expect(keyOf(ticket, [7, 9], ["hour", "tickets"])).toBeUndefined();
    expect(keyOf(ticket, [0.5], ["company"])).toBeUndefined();
});
