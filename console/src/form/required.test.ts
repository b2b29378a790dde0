// Tests of what has to be filled in.
import { expect, test } from "vitest";
import type { PropertyModel, Row } from "../data/model";
import { firstToFill, isMarked } from "./required";

const property = (identifier: string, kind: string, rest: Partial<PropertyModel> = {}): PropertyModel =>
    ({
        identifier,
        kind,
        title: identifier,
        write: true,
        create: true,
        required: false,
        multiple: false,
        ...rest,
    }) as PropertyModel;

test("a truth value with a default is not marked, also with the default false; a text is", () => {
    expect(isMarked(property("a", "pBoolean", { required: true, default: false }))).toBe(false);
    expect(isMarked(property("a", "pBoolean", { required: true }))).toBe(true);
    expect(isMarked(property("a", "pString", { required: true }))).toBe(true);
    expect(isMarked(property("a", "pString"))).toBe(false);
});

test("a new record begins in the first required field without a value, else in the first", () => {
    const first = (own: PropertyModel[], edited: Row = {}) =>
        firstToFill({ type: { own }, edited, writable: (one) => one.write, state: () => "shown" })?.identifier;
    const note = property("note", "pText");
    const ticket = property("ticket", "pRelation", { required: true });
    const words = property("text", "pText", { required: true });
    expect(first([note, ticket, words])).toBe("ticket");
    expect(first([note, ticket, words], { ticket: 5 })).toBe("text");
    expect(
        first([
            property("number", "pAutonumber", { write: false }),
            note,
            property("status", "pEnum", { required: true, default: "new" }),
        ]),
    ).toBe("note");
});
