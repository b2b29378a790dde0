// Tests of files of imports.
import { describe, expect, it } from "vitest";
import type { TypeModel } from "../data/model";
import {
    daysOf,
    delimiterOf,
    mappingOf,
    missingRequired,
    nameTwice,
    numbersOf,
    stoppedAt,
    type DecimalSign,
    type Uploaded,
    withNames,
} from "./importing";

const kinds: Record<string, string> = {
    count: "pInteger",
    price: "pDecimal",
    note: "pString",
    day: "pDate",
    until: "pDate",
};
const type = { property: (name: string) => (kinds[name] ? { kind: kinds[name] } : undefined) } as unknown as TypeModel;
const uploaded = (columns: Record<string, [DecimalSign | null, string]>): Uploaded => ({
    import: 1,
    format: "csv",
    total: 1,
    rows: [],
    columns: Object.entries(columns).map(([name, [decimal, sample]]) => ({
        name,
        samples: [],
        property: null,
        sure: true,
        numbers: { decimal, sample },
    })),
});

describe("files of imports", () => {
    it("finds what stands between cells, but not in quotes", async () => {
        const of = (text: string) => delimiterOf(new Blob([text]), "text/csv", null);
        expect(await of("a,b\n1;2;3;4")).toBeUndefined();
        expect(await of('a;"b,c,d,e";f\n')).toBe(";");
        expect(await of("a\tb\n")).toBe("\t");
    });

    it("finds the sign of numbers in columns that go to numbers", () => {
        const file = uploaded({ A: [null, "9,500"], B: [",", "1,5"], C: [".", "1,234.5"] });
        const of = (mapping: Record<string, string | null>) => numbersOf(type, file, mapping);
        expect(of({ A: "note", B: null })).toBeNull();
        expect(of({ A: "count" })).toEqual({ sample: "9,500", way: null });
        expect(of({ A: "count", B: "price", C: "note" })).toEqual({ sample: "9,500", way: "," });
        expect(of({ B: "price", C: "count" })).toEqual({ sample: "1,5", way: null });
    });

    it("tells where an import stopped, and the rows that it left out", () => {
        const job = { state: "failed", done: 8_350, total: 14_000, result: { created: 8_000, unchanged: 350 } };
        const at = { line: 9_002 };
        expect(stoppedAt({ ...job, problems: [at, { line: 9_010 }] })).toEqual({
            line: 9_002,
            imported: 8_350,
            left: 5_650,
        });
        expect(stoppedAt({ ...job, problems: [at, { line: 0 }] })?.line).toBeNull();
        expect(stoppedAt({ ...job, state: "canceled", problems: [at] })?.line).toBeNull();
        expect(stoppedAt({ ...job, state: "done", problems: [at] })).toBeNull();
        expect(stoppedAt({ ...job, result: { created: 0 }, problems: [at] })).toBeNull();
        expect(stoppedAt({ ...job, result: { created: 8_350, kept: false }, problems: [at] })).toBeNull();
    });

    it("finds the order of days in columns that go to days", () => {
        const column = { samples: [], property: null, sure: true };
        const days = { A: null, B: "dmy", C: "mdy" } as const;
        const columns = Object.entries(days).map(([name, dates]) => ({
            ...column,
            name,
            days: { dates, sample: `${name}/2/2026` },
        }));
        const file: Uploaded = { import: 1, format: "xlsx", total: 1, rows: [], columns };
        const of = (mapping: Record<string, string | null>) => daysOf(type, file, mapping);
        expect(of({ A: "note", B: null })).toBeNull();
        expect(of({ A: "day" })).toEqual({ sample: "A/2/2026", way: null });
        expect(of({ A: "day", B: "until", C: "note" })).toEqual({ sample: "A/2/2026", way: "dmy" });
        expect(of({ B: "day", C: "until" })).toEqual({ sample: "B/2/2026", way: null });
    });

    it("leaves columns without a name out, and finds a name that stands twice", () => {
        const of = (format: string, ...names: string[]): Uploaded => ({
            ...uploaded({}),
            format,
            columns: names.map((name) => ({ name, samples: [], property: null, sure: false })),
        });
        const names = (file: Uploaded): string[] => withNames(file).columns.map(({ name }) => name);
        expect(names(of("csv", "domain", "", "name", "", ""))).toEqual(["domain", "name"]);
        expect(names(of("json", "", "name"))).toEqual(["", "name"]);
        expect(nameTwice(withNames(of("csv", "a", "", "")))).toBeUndefined();
        expect(nameTwice(of("xlsx", "domain", "name", "other", "name"))).toBe("name");
    });

    it("takes the name of the type for that of its titles, and tells required fields without a column", () => {
        const own = [
            { identifier: "name", title: "Name", required: true },
            { identifier: "country", title: "Country", required: true },
            { identifier: "state", title: "State", required: true, default: "new" },
            { identifier: "photo", title: "Photo", required: true },
        ];
        const city = { name: "city", title: "Town", titleProperty: "name", own } as unknown as TypeModel;
        const columns = (...names: string[]): Uploaded =>
            ({
                columns: names.map((name) => ({ name, samples: [], property: null, sure: false })),
            }) as unknown as Uploaded;
        expect(mappingOf(columns("Other", " CITY "), city)).toEqual({ Other: null, " CITY ": "name" });
        expect(mappingOf(columns("Town", "City"), city)).toEqual({ Town: "name", City: null });
        const targets = ["name", "country", "state"].map((value) => ({ value }));
        expect(missingRequired(city, { A: null }, targets)).toEqual(["Name", "Country"]);
        expect(missingRequired(city, { A: "name", B: "country.code" }, targets)).toEqual([]);
    });
});
