import { describe, expect, it } from "vitest";
import { compareNumbers, RawNumber, readJson, sameNumber, writeJson } from "./numbers";

describe("readJson", () => {
    it("keeps all digits", () => {
        expect(readJson('{"a":9007199254740993,"b":1.5,"c":12345678901234567.89,"d":-9223372036854775808}')).toEqual({
            a: "9007199254740993",
            b: 1.5,
            c: "12345678901234567.89",
            d: "-9223372036854775808",
        });
    });

    it("leaves texts alone", () => {
        const document = {
            a: "9007199254740993",
            b: 'say "12345678901234567890"',
            c: ["\\", "1.00000000000000000001"],
        };
        expect(readJson(JSON.stringify(document))).toEqual(document);
    });

    it("keeps numbers that JavaScript holds exactly", () => {
        expect(readJson("[0.30000000000000004, 9007199254740991, 1e21, 123456789.125]")).toEqual([
            0.30000000000000004, 9007199254740991, 1e21, 123456789.125,
        ]);
    });
});

describe("writeJson", () => {
    it("writes raw numbers with all digits", () => {
        expect(writeJson({ a: new RawNumber("9007199254740993"), b: [1, null, undefined], c: undefined })).toBe(
            '{"a":9007199254740993,"b":[1,null,null]}',
        );
    });

    it("refuses what is not a whole number", () => {
        expect(() => new RawNumber("1e5")).toThrow(TypeError);
    });
});

describe("comparing", () => {
    it("knows the same number in two forms", () => {
        expect(sameNumber("1.50", 1.5)).toBe(true);
        expect(sameNumber("-0.0", 0)).toBe(true);
        expect(sameNumber(1e21, "1000000000000000000000")).toBe(true);
        expect(sameNumber("9007199254740993", "9007199254740992")).toBe(false);
    });

    it("orders numbers of any length", () => {
        const sorted = ["-10.5", "-2", 0, "0.05", "0.5", 3, "9007199254740992", "9007199254740993"];
        expect([...sorted].reverse().sort(compareNumbers)).toEqual(sorted);
    });
});
