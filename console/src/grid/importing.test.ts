import { describe, expect, it } from "vitest";
import { delimiterOf, rowsOfLines } from "./importing";

describe("files of imports", () => {
    it("keeps the head and the rows of the lines, also rows of several lines", () => {
        const text = 'a,b\r\n1,"x\ny"\r\n2,"q ""z"""\r\n3,c';
        expect(rowsOfLines(text, new Set([2]))).toBe('a,b\n1,"x\ny"\n');
        expect(rowsOfLines(text, new Set([4, 5]))).toBe('a,b\n2,"q ""z"""\n3,c\n');
    });

    it("finds what stands between cells, but not in quotes", async () => {
        const of = (text: string) => delimiterOf(new Blob([text]), "text/csv", null);
        expect(await of("a,b\n1;2;3;4")).toBeUndefined();
        expect(await of('a;"b,c,d,e";f\n')).toBe(";");
        expect(await of("a\tb\n")).toBe("\t");
    });
});
