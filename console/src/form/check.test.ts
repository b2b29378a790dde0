// Tests of local checks and of bodies.
import { describe, expect, test } from "vitest";
import { RawNumber } from "../data/numbers";
import { accepts, check, localPattern, slugOf } from "./check";
import { bodyValue, changes, sameValue } from "./values";
import type { PropertyModel } from "../data/model";

const property = (kind: string, rest: Partial<PropertyModel> = {}): PropertyModel =>
    ({ identifier: "p", title: "P", kind, write: true, create: true, multiple: false, ...rest }) as PropertyModel;

describe("checks", () => {
    test.each<[PropertyModel, unknown, string | undefined]>([
        [property("pString", { maxLength: 3 }), "abc", undefined],
        [property("pString", { maxLength: 3 }), "\u{1f600}\u{1f600}\u{1f600}", undefined],
        [property("pString", { maxLength: 3 }), "abcd", "too_long"],
        [property("pString", { minLength: 2 }), "a", "too_short"],
        [property("pString", { pattern: "[A-Z]{2}" }), "CZ", undefined],
        [property("pString", { pattern: "[A-Z]{2}" }), "cz", "pattern_mismatch"],
        [property("pEmail"), "a@b", undefined],
        [property("pEmail"), "a", "not_email"],
        [property("pUrl"), "https://x.example", undefined],
        [property("pUrl"), "javascript:alert(1)", "not_url"],
        [property("pPhone"), "+420 123 456 789", undefined],
        [property("pSlug"), "a--b", "not_slug"],
        [property("pColor"), "#FFF", undefined],
        [property("pColor"), "red", "not_color"],
        [property("pInteger", { min: 0 }), -1, "too_small"],
        [property("pInteger"), "9223372036854775808", "too_large"],
        [property("pDecimal", { scale: 2 }), "1.500", undefined],
        [property("pDecimal", { scale: 2 }), "1.555", "too_many_places"],
        [property("pDecimal", { max: "1" }), "1.01", "too_large"],
        [property("pString", { required: true }), "", "required"],
        [property("pEnum", { required: true, default: "a" }), null, undefined],
    ])("%#", (of, value, code) => expect(check(of, value, true)?.code).toBe(code));

    test("required is asked on saving alone", () =>
        expect(check(property("pString", { required: true }), "", false)).toBeUndefined());
    test("patterns that the browser would read otherwise are left to the server", () => {
        for (const pattern of ["(a+)+", "(?i)a", "[[:alpha:]]", "\\w+", "\\p{Lu}", "("])
            expect(localPattern(pattern)).toBeUndefined();
        expect(localPattern("\\d{3}")?.test("12\u0663")).toBe(true);
    });
    test("media types", () => {
        expect(accepts(property("pFile", { accept: ["image/*"] }), "image/png")).toBe(true);
        expect(accepts(property("pFile", { accept: ["image/*"] }), "application/pdf")).toBe(false);
    });
    test("slugs", () => expect(slugOf(" Žluťoučký kůň: 2. ")).toBe("zlutoucky-kun-2"));
});

describe("bodies", () => {
    test("exact numbers", () => {
        expect(bodyValue(property("pDecimal"), "12.50")).toBe("12.50");
        expect(bodyValue(property("pInteger"), "9007199254740993")).toEqual(new RawNumber("9007199254740993"));
        expect(bodyValue(property("pInteger"), "12")).toBe(12);
        expect(sameValue(property("pDecimal"), "12.50", 12.5)).toBe(true);
    });
    test("instants without offset, relations by id, nothing as null", () => {
        expect(bodyValue(property("pDateTime"), "2026-11-20T14:30:00+01:00")).toBe("2026-11-20T14:30:00");
        expect(bodyValue(property("pRelation"), { id: 5, name: "x" })).toBe(5);
        expect(bodyValue(property("pString"), "")).toBeNull();
        expect(bodyValue(property("pEnums", { multiple: true }), null)).toEqual([]);
    });
    test("only what changed", () => {
        const model = [
            property("pString", { identifier: "a" }),
            property("pDateTime", { identifier: "b" }),
            property("pString", { identifier: "c", write: false }),
        ];
        const base = { a: null, b: "2026-11-20T14:30:00+01:00", c: "x" };
        expect(changes(model, base, { a: "", b: "2026-11-20T14:30:00", c: "y" })).toEqual({});
        expect(changes(model, base, { ...base, b: "2026-11-20T14:31:00" })).toEqual({ b: "2026-11-20T14:31:00" });
    });
    test("a promised file is its promise", () => {
        const stored = { name: "a.pdf", size: 1, mime: "application/pdf", url: "x" };
        const files = [stored, { promise: "up_1", name: "b.pdf", size: 1, mime: "" }];
        expect(bodyValue(property("pFiles", { multiple: true }), files)).toEqual([
            { name: "a.pdf", size: 1, mime: "application/pdf" },
            "up_1",
        ]);
    });
});
