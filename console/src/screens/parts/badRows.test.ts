// Tests of the bad rows of an import.
import { describe, expect, it } from "vitest";
import { badRowsOf, badRowsOfJob, problemsOfJob } from "./badRows";

describe("bad rows of an import", () => {
    it("are those of the file, in its columns and by its separator, with all reasons", () => {
        const text = 'a;b\r\n1;"x\r\ny ""z"""\r\n2;ok\r\n3\r\n4;c\r\n';
        const problems = [
            { line: 2, message: "A is wrong." },
            { line: 2, message: 'B is "worse".' },
            { line: 5, message: "Too short." },
        ];
        expect(badRowsOf(text, "csv", ";", problems)).toBe(
            '\uFEFFa;b;line;problem\r\n1;"x\r\ny ""z""";2;"A is wrong. B is ""worse""."\r\n3;;5;"Too short."\r\n',
        );
    });

    it("replace the columns of an earlier file, and leave columns of the same names alone", () => {
        const problems = [{ line: 2, message: "Again." }];
        const once = badRowsOf("a,b\n1,2\n", "csv", ",", problems);
        expect(badRowsOf(once, "csv", ",", problems)).toBe('\uFEFFa,b,line,problem\n1,2,2,"Again."\n');
        const own = badRowsOf("a,Line\n1,2\n", "csv", ",", problems);
        expect(own).toBe('\uFEFFa,Line,line 2,problem 2\n1,2,2,"Again."\n');
        expect(badRowsOf(own, "csv", ",", problems)).toBe(own);
        const json = badRowsOf('[{"a": 1}]', "json", ",", [{ line: 1, message: "B." }]);
        expect(badRowsOf(json, "json", ",", [{ line: 1, message: "B." }])).toBe(json);
    });

    it("are found behind empty lines, of which the server names the first", () => {
        for (const line of [3, 5]) {
            expect(badRowsOf("a\n1\n\n\n2\n3\n", "csv", ",", [{ line, message: "Bad." }])).toBe(
                '\uFEFFa,line,problem\n2,5,"Bad."\n',
            );
        }
    });

    it("are those of JSON, by the number of the object or by the line, with a member more", () => {
        const problems = [
            { line: 2, message: "A." },
            { line: 2, message: 'B "c".' },
        ];
        expect(badRowsOf('[{"n": 1.10}, {"n": {"m": [2]}},{}]', "json", ",", problems)).toBe(
            '[\n{"n": {"m": [2]}, "line": 2, "problem": "A. B \\"c\\"."}\n]\n',
        );
        expect(badRowsOf('{"n": 1}\n{}\n{"n": 3}\n', "jsonl", ",", problems)).toBe(
            '{"line": 2, "problem": "A. B \\"c\\"."}\n',
        );
        expect(badRowsOf("{}\nno object\n", "jsonl", ",", problems)).toBe("no object\n");
    });

    it("are named by what the server keeps of a job", () => {
        const csv = 'line,column,code,message,a\n2,a,too_long,"A, ""x"", is\nlong.",v\n7,,row,Bad.,w\n';
        expect(problemsOfJob(csv)).toEqual([
            { line: 2, message: 'A, "x", is\nlong.' },
            { line: 7, message: "Bad." },
        ]);
        expect(badRowsOfJob(csv)).toBe('\uFEFF"a",line,problem\r\nv,2,"A, ""x"", is\nlong."\r\nw,7,"Bad."\r\n');
        expect(badRowsOfJob("line,column,code,message\n3,a,x,One.\n3,b,y,Two.\n")).toBe(
            '\uFEFFline,problem\r\n3,"One. Two."\r\n',
        );
        expect(problemsOfJob("line,column,code,message\n")).toEqual([]);
    });
});
