// Tests of files of imports.
import { describe, expect, it } from "vitest";
import type { TypeModel } from "../data/model";
import { delimiterOf, numbersOf, type DecimalSign, type Uploaded } from "./importing";

const kinds: Record<string, string> = { count: "pInteger", price: "pDecimal", note: "pString" };
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
        expect(of({ A: "count" })).toEqual({ sample: "9,500", decimal: null });
        expect(of({ A: "count", B: "price", C: "note" })).toEqual({ sample: "9,500", decimal: "," });
        expect(of({ B: "price", C: "count" })).toEqual({ sample: "1,5", decimal: null });
    });
});
