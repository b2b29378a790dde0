// Tests of errors put to their fields, of steps, and of what stays edited after a merge.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../data/call";
import { TypeModel, type PropertyModel } from "../data/model";
import { compare } from "./merge";
import { sortErrors } from "./refusal";
import { editedAfter, hasForeign } from "./stale";
import { Steps } from "./steps.svelte";

beforeEach(() => {
    vi.useFakeTimers();
});
afterEach(() => {
    vi.useRealTimers();
});

const property = (identifier: string, rest: Partial<PropertyModel> = {}): PropertyModel =>
    ({
        identifier,
        kind: "pString",
        title: identifier,
        write: true,
        create: true,
        multiple: false,
        filterTypes: [],
        ...rest,
    }) as PropertyModel;
const type = new TypeModel({
    name: "t",
    title: "T",
    titleProperty: null,
    codeProperty: null,
    parentProperty: null,
    orderBy: null,
    searchable: false,
    logReads: false,
    actions: { create: true, update: true, delete: true },
    properties: [property("a"), property("b", { conditional: true })],
});
const refused = (...errors: { property?: string; code: string }[]): ApiError =>
    new ApiError({
        status: 400,
        code: "x",
        detail: "x",
        errors: errors.map((error) => ({ ...error, message: error.code })),
    });

test("errors go to their fields", () => {
    const sorted = sortErrors(type, refused({ property: "a", code: "too_long" }, { property: "other", code: "x" }), {});
    expect(sorted).toEqual({
        found: { a: [{ code: "too_long", message: "too_long" }] },
        applies: {},
        told: false,
        ofNoField: false,
    });
    expect(sortErrors(type, refused({ code: "item_missing" }), {}).ofNoField).toBe(true);
});

test("a condition is told by the errors", () => {
    expect(sortErrors(type, refused({ property: "b", code: "not_applicable" }), {})).toMatchObject({
        found: {},
        applies: { b: false },
        told: true,
    });
    const required = sortErrors(type, refused({ property: "b", code: "required" }), { b: false });
    expect(required).toMatchObject({ applies: { b: true }, told: true });
    expect(required.found["b"]).toHaveLength(1);
    // Told before: the next trial is the same.
    expect(sortErrors(type, refused({ property: "b", code: "required" }), { b: true }).told).toBe(false);
});

test("typing without a pause is one step; undo and redo are inverse", () => {
    const steps = new Steps();
    steps.note("a", {});
    vi.advanceTimersByTime(100);
    steps.note("a", { a: "x" });
    vi.advanceTimersByTime(2000);
    steps.note("a", { a: "xy" });
    expect(steps.undo({ a: "xyz" })?.edited).toEqual({ a: "xy" });
    expect(steps.undo({ a: "xy" })?.edited).toEqual({});
    expect(steps.undo({})).toBeUndefined();
    expect(steps.redo({})?.edited).toEqual({ a: "xy" });
    expect(steps.redo({ a: "xy" })?.edited).toEqual({ a: "xyz" });
});

test("yours stay edited after a merge, and another ETag alone is not a change", () => {
    const stale = {
        lines: compare(type.properties, { a: "1", b: "1" }, { a: "1", b: "2" }, { a: "2", b: "1" }),
        theirs: { a: "1", b: "2" },
        etag: "x",
        by: { id: null, when: null },
    };
    expect(editedAfter(stale, new Map())).toEqual({ a: "2" });
    expect(hasForeign(stale)).toBe(true);
    expect(hasForeign({ ...stale, lines: compare(type.properties, { a: "1" }, { a: "1" }, { a: "2" }) })).toBe(false);
});
