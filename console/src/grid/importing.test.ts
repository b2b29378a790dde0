// Tests of files of imports.
import { describe, expect, it } from "vitest";
import { delimiterOf } from "./importing";

describe("files of imports", () => {
    it("finds what stands between cells, but not in quotes", async () => {
        const of = (text: string) => delimiterOf(new Blob([text]), "text/csv", null);
        expect(await of("a,b\n1;2;3;4")).toBeUndefined();
        expect(await of('a;"b,c,d,e";f\n')).toBe(";");
        expect(await of("a\tb\n")).toBe("\t");
    });
});
