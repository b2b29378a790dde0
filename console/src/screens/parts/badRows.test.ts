import { describe, expect, it } from "vitest";
import { badRowsOf, problemsOfJob } from "./badRows";

describe("bad rows of an import", () => {
    it("are those of the file, in its columns and by its separator, with all reasons", () => {
        const text = 'a;b\r\n1;"x\r\ny ""z"""\r\n2;ok\r\n3\r\n4;c\r\n';
        const problems = [
            { line: 2, message: "A is wrong." },
            { line: 2, message: 'B is "worse".' },
            { line: 5, message: "Too short." },
        ];
        expect(badRowsOf(text, ";", problems, "Problem")).toBe(
            'a;b;"Problem"\r\n1;"x\r\ny ""z""";"A is wrong. B is ""worse""."\r\n3;;"Too short."\r\n',
        );
    });

    it("are found behind empty lines, of which the server names the first", () => {
        for (const line of [3, 5]) {
            expect(badRowsOf("a\n1\n\n\n2\n3\n", ",", [{ line, message: "Bad." }], "Problem")).toBe(
                'a,"Problem"\n2,"Bad."\n',
            );
        }
    });

    it("are named by what the server keeps of a job", () => {
        const csv = 'line,column,code,message,a\n2,a,too_long,"A, ""x"", is\nlong.",v\n7,,row,Bad.,w\n';
        expect(problemsOfJob(csv)).toEqual([
            { line: 2, message: 'A, "x", is\nlong.' },
            { line: 7, message: "Bad." },
        ]);
        expect(problemsOfJob("line,column,code,message\n")).toEqual([]);
    });
});
