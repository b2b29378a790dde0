// Tests of the free text of dates.
import { describe, expect, test } from "vitest";
import { clockOf, readDate, showDate, withoutOffset, type DateKind } from "./dates";

const saturday = { year: 2026, month: 11, day: 28, hour: 14, minute: 53, second: 7 };
const read = (kind: DateKind, text: string, locale = "en"): string | null | undefined =>
    readDate(kind, text, locale, saturday, "Europe/Prague");

describe("free text", () => {
    test.each([
        ["today", "2026-11-28"],
        ["Tomorrow", "2026-11-29"],
        ["zítra", "2026-11-29"],
        ["včera", "2026-11-27"],
        ["+3d", "2026-12-01"],
        ["+3", "2026-12-01"],
        ["-1w", "2026-11-21"],
        ["+3 months", "2027-02-28"],
        ["+1y -1d", "2027-11-27"],
        ["sat", "2026-12-05"],
        ["mon", "2026-11-30"],
        ["pá", "2026-12-04"],
        ["neděle", "2026-11-29"],
        ["15.12.", "2026-12-15"],
        ["15. 12. 2027", "2027-12-15"],
        ["12/15/2027", "2027-12-15"],
        ["2027-1-5", "2027-01-05"],
        ["2027-01-05T08:00:00+01:00", "2027-01-05"],
        ["15-12-26", "2026-12-15"],
    ])("day %s", (text, day) => expect(read("pDate", text)).toBe(day));

    test("a slash follows the language", () => expect(read("pDate", "5/12/2027", "en-GB")).toBe("2027-12-05"));

    test.each(["soon", "31.11.", "32.1.2026", "13/13/2026", "2026-02-30", "1.2.3.4", "+3x"])("no day: %s", (text) => {
        expect(read("pDate", text)).toBeUndefined();
    });

    test.each([
        ["now", "2026-11-28T14:53:07"],
        ["tomorrow", "2026-11-29T00:00:00"],
        ["tomorrow 8:30", "2026-11-29T08:30:00"],
        ["zítra v 14:30", "2026-11-29T14:30:00"],
        ["sat 10:30", "2026-12-05T10:30:00"],
        ["9pm", "2026-11-28T21:00:00"],
        ["+2h", "2026-11-28T16:53:00"],
        ["+3d", "2026-12-01T00:00:00"],
        ["15.12.2026 8:05:06", "2026-12-15T08:05:06"],
        ["2026-12-15T08:00", "2026-12-15T08:00:00"],
        ["2026-12-15T08:00:00Z", "2026-12-15T09:00:00"],
        ["2026-12-15t08:00z", "2026-12-15T09:00:00"],
        ["2026-12-15T08:00:00.250-05:00", "2026-12-15T14:00:00"],
        ["2026-12-15 08:00:00+0530", "2026-12-15T03:30:00"],
        ["2026-12-15T08:00:00+01:00", "2026-12-15T08:00:00"],
        ["2026-12-31T23:30:00Z", "2027-01-01T00:30:00"],
        ["2026-07-01T08:00:00Z", "2026-07-01T10:00:00"],
    ])("instant %s", (text, value) => expect(read("pDateTime", text)).toBe(value));

    test.each(["2026-12-15T08:00:00+24:00", "2026-12-15T08:00:00-05:60", "2026-12-15T08:00:00 CET"])(
        "no instant: %s",
        (text) => expect(read("pDateTime", text)).toBeUndefined(),
    );

    test.each([
        ["2026-12-31T23:30:00Z", "pDate", "2026-12-31"],
        ["2026-12-31T23:30:00Z", "pMonth", "2026-12"],
    ] as const)("%s keeps the day as it is written in a %s", (text, kind, day) => expect(read(kind, text)).toBe(day));

    test.each([
        ["12/2026", "2026-12"],
        ["2026-12", "2026-12"],
        ["+1", "2026-12"],
        ["today", "2026-11"],
    ])("month %s", (text, value) => {
        expect(read("pMonth", text)).toBe(value);
    });

    test.each([
        ["8:30", "08:30:00"],
        ["0830", "08:30:00"],
        ["12am", "00:00:00"],
        ["8", "08:00:00"],
        ["14.30", "14:30:00"],
        ["now", "14:53:00"],
    ])("time %s", (text, value) => expect(read("pTime", text)).toBe(value));
    test.each(["25:00", "8:99", "13pm", "noon"])("no time: %s", (text) => expect(read("pTime", text)).toBeUndefined());

    test("an empty text is not a value", () => expect(read("pDate", "  ")).toBeNull());
});

test("what is written is read again", () => {
    for (const locale of ["en", "cs", "en-GB"]) {
        expect(read("pDate", showDate("pDate", "2026-03-04", locale), locale)).toBe("2026-03-04");
        expect(read("pDateTime", showDate("pDateTime", "2026-03-04T15:06:00+01:00", locale), locale)).toBe(
            "2026-03-04T15:06:00",
        );
        expect(read("pTime", showDate("pTime", "15:06:00", locale), locale)).toBe("15:06:00");
    }
});

test("the clock of a zone, and a text without its offset", () => {
    const at = new Date("2026-11-28T23:30:00Z");
    expect(clockOf("Europe/Prague", at)).toEqual({ year: 2026, month: 11, day: 29, hour: 0, minute: 30, second: 0 });
    expect(withoutOffset("2026-11-20T14:30:00+01:00")).toBe("2026-11-20T14:30:00");
    expect(withoutOffset("2026-11-20")).toBe("2026-11-20");
});
