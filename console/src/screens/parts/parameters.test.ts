// Tests of the parameters of queries and boards.
import { describe, expect, it } from "vitest";
import { ApiError } from "../../data/call";
import type { ParameterModel } from "../../data/model";
import { defaultOf, issuesOf, readParameter, refusedOf, shownParameter } from "./parameters";

const parameter = (name: string, kind: string, rest: object = {}): ParameterModel => ({
    name,
    title: name,
    kind,
    required: false,
    ...rest,
});
const least = parameter("least", "pDecimal", { scale: 2, min: "0" });
const count = parameter("count", "pInteger", { max: 10 });

describe("parameters", () => {
    it("reads and shows numbers by the language", () => {
        expect(readParameter(least, "1 234,5", "cs")).toEqual({ value: "1234.5" });
        expect(readParameter(least, "1,234.5", "en")).toEqual({ value: "1234.5" });
        expect(shownParameter(least, "1234.5", "cs")).toBe("1\u00a0234,5");
        expect(readParameter(parameter("words", "pString"), " 1,5 ", "cs")).toEqual({ value: "1,5" });
    });

    it("has a default as a value, but for one that an expression finds and for several", () => {
        expect(defaultOf(parameter("least", "pInteger", { default: 10_000_000 }))).toBe("10000000");
        expect(defaultOf(parameter("open", "pBoolean", { default: false }))).toBe("false");
        expect(defaultOf(parameter("day", "pDate", { default: "{=today()}" }))).toBe("");
        expect(defaultOf(parameter("states", "pEnums", { default: ["open"] }))).toBe("");
        expect(defaultOf(count)).toBe("");
    });

    it("finds mistakes before the server is asked", () => {
        expect(readParameter(least, "abc", "en")).toEqual({ issue: { code: "not_number" } });
        expect(readParameter(least, "-1", "en")).toEqual({ issue: { code: "too_small", limit: "0" } });
        expect(readParameter(count, "1.5", "en")).toEqual({ issue: { code: "not_integer" } });
        expect(readParameter(count, "", "en")).toEqual({ value: "" });
        expect(issuesOf([least, count], { least: "1.234", count: "11" })).toEqual({
            least: { code: "too_many_places", limit: "2" },
            count: { code: "too_large", limit: "10" },
        });
    });

    it("finds the parameter that the server refused", () => {
        const refusal = (property: string, code: string, status = 400): ApiError =>
            new ApiError({ status, code: "parameter_invalid", detail: "", errors: [{ property, code, message: "" }] });
        const company = parameter("company", "pRelation");
        expect(refusedOf([count, company], refusal("company", "not_reference"))).toEqual({
            company: { code: "relation_missing" },
        });
        expect(refusedOf([count], refusal("count", "parameter_missing"))).toEqual({ count: { code: "required" } });
        expect(refusedOf([count], refusal("company", "wrong_kind"))).toEqual({});
        expect(refusedOf([company], refusal("company", "wrong_kind", 500))).toEqual({});
    });
});
