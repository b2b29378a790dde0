// Tests of typing in cells: the cells that take it, and the signs that a key writes.
import { describe, expect, it } from "vitest";
import type { PropertyModel } from "../data/model";
import { letterOf, signOf, takesSign } from "./typing";

type Pressed = Parameters<typeof signOf>[0];

function press(key: string, change: Partial<Pressed> & { graph?: boolean } = {}): Pressed {
    const { graph = false, ...rest } = change;
    const none = { code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false };
    return { ...none, key, getModifierState: (name) => graph && name === "AltGraph", ...rest };
}

const column = (kind: string, change: { write?: boolean; target?: string } = {}) => ({
    write: change.write ?? true,
    target: change.target ?? null,
    property: { kind } as PropertyModel,
});

describe("typing in a cell", () => {
    it("is taken by values that are typed, and not by those that are chosen", () => {
        for (const kind of ["pString", "pText", "pEmail", "pJson"]) expect(takesSign(column(kind), "n")).toBe(true);
        for (const kind of ["pEnum", "pEnums", "pGroup", "pBoolean", "pFile", "pFiles"])
            expect(takesSign(column(kind), "n")).toBe(false);
        expect(takesSign(column("pRelation", { target: "company" }), "n")).toBe(false);
        expect(takesSign(column("pString", { write: false }), "n")).toBe(false);
    });

    it("of numbers and dates begins with digits; letters stay keys of the list", () => {
        for (const kind of ["pInteger", "pDecimal", "pDate", "pDateTime"]) {
            for (const sign of ["0", "٣", "-", ","]) expect(takesSign(column(kind), sign)).toBe(true);
            for (const sign of ["n", "F", "["]) expect(takesSign(column(kind), sign)).toBe(false);
        }
    });

    it("begins with signs, not with keys of the grid", () => {
        for (const sign of ["n", "N", "7", "-", "ř", "[", "漢"]) expect(signOf(press(sign))).toBe(sign);
        for (const key of [" ", "/", "?", "Enter", "F2", "Delete", "Dead", "Process"])
            expect(signOf(press(key))).toBeNull();
        expect(signOf(press("c", { ctrlKey: true }))).toBeNull();
        expect(signOf(press("c", { metaKey: true }))).toBeNull();
        expect(signOf(press("k", { isComposing: true }))).toBeNull();
    });

    it("takes signs of AltGr, but no letters with Alt, which are keys of the list", () => {
        const graph = { ctrlKey: true, altKey: true, graph: true };
        expect(signOf(press("@", graph))).toBe("@");
        expect(letterOf(press("@", graph))).toBeNull();
        expect(signOf(press("n", { altKey: true }))).toBeNull();
        expect(letterOf(press("n", { altKey: true, code: "KeyN" }))).toBe("n");
        expect(letterOf(press("F", { altKey: true, shiftKey: true }))).toBe("Shift+F");
        // A Mac writes another sign.
        expect(letterOf(press("Dead", { altKey: true, code: "KeyN" }))).toBe("n");
        expect(letterOf(press("ArrowUp", { altKey: true, code: "ArrowUp" }))).toBeNull();
    });
});
