// Tests of titles of options in files.
import { describe, expect, it } from "vitest";
import { valueOfTitle } from "./optionTitles";

const options = [
    { value: "open", title: "Open", color: null, archived: false },
    { value: "wait", title: "Waiting, for us", color: null, archived: false },
    { value: "old", title: "Open", color: null, archived: true },
];

describe("titles of options", () => {
    it("are values in any case; a value stays, and so does a text that is neither", () => {
        const of = (words: string): string | undefined => valueOfTitle(options, words);
        expect(of("OPEN")).toBe("open");
        expect(of(" waiting, FOR us ")).toBe("wait");
        expect(of("WAIT")).toBe("wait");
        for (const words of ["open", "", "closed"]) expect(of(words)).toBeUndefined();
    });

    it("are not guessed where two options have them", () => {
        const twin = { value: "wait2", title: "Waiting, for us", color: null, archived: false };
        expect(valueOfTitle([...options, twin], "waiting, for us")).toBeUndefined();
    });
});
