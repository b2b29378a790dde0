// Tests of numbers in languages.
import { expect, test } from "vitest";
import { places, readNumber, writeNumber } from "./decimal";

test.each([
    ["1234.50", "en", "1234.50"],
    ["1,234.50", "en", "1234.50"],
    ["1,5", "en", "1.5"],
    ["1,500", "en", "1500"],
    ["1 234,50", "cs", "1234.50"],
    ["1\u00a0234,5", "cs", "1234.5"],
    ["1.500", "cs", "1.500"],
    ["1.500", "de", "1500"],
    ["1.5", "de", "1.5"],
    ["1.234,5", "de", "1234.5"],
    ["\u22125", "en", "-5"],
    ["007", "en", "7"],
    [".5", "en", "0.5"],
    ["+3", "en", "3"],
    ["9223372036854775807", "cs", "9223372036854775807"],
    ["1e3", "en", "1e3"],
    ["€ 5", "en", "5"],
    ["1 234,50 Kč", "cs", "1234.50"],
    // Numbers that mean the same in all languages are read in all.
    ["1.234.567", "en", "1234567"],
    ["1.234,50", "en", "1234.50"],
    ["-1.234.567,5", "en", "-1234567.5"],
    ["1,234,567", "cs", "1234567"],
    ["1,234.50", "cs", "1234.50"],
    ["1\u202f234\u202f567", "en", "1234567"],
    ["1\u2019234\u2019567.5", "en", "1234567.5"],
])("%s in %s", (typed, locale, exact) => expect(readNumber(typed, locale)).toBe(exact));

test.each(["abc", "1,2,3", "1,234,56", "1.234.567.8", "--1", ".", "-", "1..2"])("no number: %s", (typed) =>
    expect(readNumber(typed, "en")).toBeUndefined(),
);
test("empty", () => expect(readNumber("  ", "cs")).toBeNull());

test("written with all places", () => {
    expect(writeNumber("1234567.50", "cs")).toBe("1234567,50");
    expect(writeNumber("1234567.50", "en", true)).toBe("1,234,567.50");
    expect(writeNumber("-9223372036854775808", "en")).toBe("-9223372036854775808");
    // A column agrees with itself: 9,500 stands above 12,000.
    expect(writeNumber(9500, "en", true)).toBe("9,500");
    expect(writeNumber(999, "en", true)).toBe("999");
    expect(writeNumber(0.1, "cs")).toBe("0,1");
});

test("places", () => {
    expect(places("1.250")).toBe(2);
    expect(places("10")).toBe(0);
});
