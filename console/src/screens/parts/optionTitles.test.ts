// Tests of titles of options in files.
import { describe, expect, it } from "vitest";
import type { PropertyModel } from "../../data/model";
import { valuesOfCell, withOptionValues } from "./optionTitles";

const options = [
    { value: "open", title: "Open", color: null, archived: false },
    { value: "wait", title: "Waiting, for us", color: null, archived: false },
    { value: "old", title: "Open", color: null, archived: true },
];
const property = (identifier: string, multiple = false): PropertyModel =>
    ({ identifier, multiple, options }) as unknown as PropertyModel;
const columns = new Map([
    ["State", property("state")],
    ["All", property("all", true)],
]);

describe("titles of options", () => {
    it("are values in any case; a value stays, and so does a text that is neither", () => {
        const of = (words: string): string | undefined => valuesOfCell(property("state"), words);
        expect(of("OPEN")).toBe("open");
        expect(of(" waiting, FOR us ")).toBe("wait");
        expect(of("WAIT")).toBe("wait");
        for (const words of ["open", "", "closed"]) expect(of(words)).toBeUndefined();
    });

    it("are found among several members", () => {
        const of = (words: string): string | undefined => valuesOfCell(property("all", true), words);
        expect(of("Open|closed|wait")).toBe("open|closed|wait");
        expect(of('["Open",1]')).toBe('["open",1]');
        for (const words of ["open|wait", "[broken", '["open"]']) expect(of(words)).toBeUndefined();
    });

    it("are changed in CSV, where nothing else is", () => {
        const text = '\uFEFFState;Note;All\r\n"Waiting, for us";"Open ""x""\r\ny";Open|wait\r\n\r\nopen;Open;\r\n';
        expect(withOptionValues(text, "csv", ";", columns)).toBe(
            '\uFEFFState;Note;All\r\nwait;"Open ""x""\r\ny";open|wait\r\n\r\nopen;Open;\r\n',
        );
        const none = "Note\nOpen\n";
        expect(withOptionValues(none, "csv", ",", columns)).toBe(none);
    });

    it("are changed in JSON, in members of the row alone, and numbers keep their digits", () => {
        const text = '[{"State": "Open", "n": 1.10, "x": {"State": "Open"}}, {"All": ["OPEN", "wait"]}]';
        expect(withOptionValues(text, "json", ",", columns)).toBe(
            '[{"State": "open", "n": 1.10, "x": {"State": "Open"}}, {"All": ["open", "wait"]}]',
        );
        expect(withOptionValues('{"State":"Open"}\n\n{"State":"x"}\n', "jsonl", ",", columns)).toBe(
            '{"State":"open"}\n\n{"State":"x"}\n',
        );
    });
});
