// Tests of the undo of a saved form: the values that go back, and saves that cannot.
import { describe, expect, it } from "vitest";
import type { PropertyModel, TypeModel } from "../data/model";
import { editsOf } from "./saveUndo";

function property(identifier: string, more: Partial<PropertyModel> = {}): PropertyModel {
    return { identifier, title: identifier, kind: "pString", write: true, create: true, ...more } as PropertyModel;
}

function typeOf(...own: PropertyModel[]): TypeModel {
    return { name: "thing", own } as unknown as TypeModel;
}

const changed = (type: TypeModel, before: object, after: object, sent: string[]): [string, unknown, unknown][] =>
    editsOf(type, { before: { id: 1, ...before }, after: { id: 1, ...after }, sent }).map((edit) => [
        edit.property.identifier,
        edit.before,
        edit.value,
    ]);

describe("the undo of a save", () => {
    it("has what the save changed, and what went with it", () => {
        const type = typeOf(property("a"), property("b"), property("c", { calculated: true }), property("d"));
        expect(changed(type, { a: "1", b: "x", c: "y", d: "s" }, { a: "2", c: "z", d: "s" }, ["a"])).toEqual([
            ["a", "1", "2"],
            ["b", "x", undefined],
        ]);
    });

    it("leaves out what did not apply before", () => {
        const type = typeOf(property("a"), property("b", { conditional: true }));
        expect(changed(type, { a: "1" }, { a: "2", b: "x" }, ["a", "b"])).toEqual([["a", "1", "2"]]);
    });

    it("is none where an old value is not known, or a value is written once", () => {
        expect(changed(typeOf(property("a"), property("secret")), { a: "1" }, { a: "2" }, ["a", "secret"])).toEqual([]);
        const once = typeOf(property("a"), property("b", { writeOnce: true }));
        expect(changed(once, { a: "1", b: null }, { a: "2", b: "x" }, ["a", "b"])).toEqual([]);
    });
});
