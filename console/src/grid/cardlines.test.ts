// Tests of cards: which columns their lines show.
import { describe, expect, it } from "vitest";
import type { Row } from "../data/model";
import { cardLines, lineColumns } from "./cardlines";
import type { Column } from "./columns";
import type { Painted } from "./paint";

const column = (path: string, kind = "pString"): Column =>
    ({ path, title: path.toUpperCase(), property: { kind } }) as Column;
const text = (value: string): Painted => ({ mode: "text", text: value });

describe("lines of a card", () => {
    const names = ["number", "name", "tags", "a", "b", "c", "d", "e"];
    const columns = names.map((name) => column(name, name === "tags" ? "tags" : "pString"));
    const chosen = lineColumns({ titleProperty: "name" }, columns);
    const of = (cells: Painted[]) => cardLines({} as Row, columns, chosen, () => cells).map((line) => line.title);

    it("are the columns of the view in their order, without the title and the tags of the head", () => {
        expect(chosen.map((index) => names[index])).toEqual(["number", "a", "b", "c", "d", "e"]);
    });
    it("are four of those with values: the next ones come for those without", () => {
        expect(of(names.map(text))).toEqual(["NUMBER", "A", "B", "C"]);
        const some = names.map((name) => text(["number", "b"].includes(name) ? "" : name));
        expect(of(some)).toEqual(["A", "C", "D", "E"]);
        expect(of(names.map(() => text("")))).toEqual([]);
    });
    it("are none for values that are hidden or empty lists", () => {
        const cells = names.map(text);
        cells[0] = { mode: "hidden", text: "", hint: "Not visible" };
        cells[3] = { mode: "dots", text: "", dots: [] };
        cells[4] = { mode: "tick", text: "No" };
        expect(of(cells)).toEqual(["B", "C", "D", "E"]);
    });
});
