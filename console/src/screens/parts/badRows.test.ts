// Tests of the bad rows of an import.
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
        expect(badRowsOf(text, "csv", ";", problems, "Problem")).toBe(
            'a;b;"Problem"\r\n1;"x\r\ny ""z""";"A is wrong. B is ""worse""."\r\n3;;"Too short."\r\n',
        );
    });

    it("are found behind empty lines, of which the server names the first", () => {
        for (const line of [3, 5]) {
            expect(badRowsOf("a\n1\n\n\n2\n3\n", "csv", ",", [{ line, message: "Bad." }], "Problem")).toBe(
                'a,"Problem"\n2,"Bad."\n',
            );
        }
    });

    it("are those of JSON, by the number of the object or by the line, with a member more", () => {
        const problems = [
            { line: 2, message: "A." },
            { line: 2, message: 'B "c".' },
        ];
        expect(badRowsOf('[{"n": 1.10}, {"n": {"m": [2]}},{}]', "json", ",", problems, "Problem")).toBe(
            '[\n{"n": {"m": [2]}, "Problem": "A. B \\"c\\"."}\n]\n',
        );
        expect(badRowsOf('{"n": 1}\n{}\n{"n": 3}\n', "jsonl", ",", problems, "Problem")).toBe(
            '{"Problem": "A. B \\"c\\"."}\n',
        );
        expect(badRowsOf("{}\nno object\n", "jsonl", ",", problems, "Problem")).toBe("no object\n");
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
