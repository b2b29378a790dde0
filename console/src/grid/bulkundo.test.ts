// Tests of the undo of a bulk change: the values that it puts back, and their step.
import { afterEach, describe, expect, it } from "vitest";
import { edits } from "../data/edits.svelte";
import type { PropertyModel } from "../data/model";
import { replaced, storedForms } from "./bulkundo";

const property = (identifier: string, kind: string): PropertyModel =>
    ({ identifier, kind, title: identifier, multiple: false }) as PropertyModel;
const priority = property("priority", "pEnum");
const price = property("price", "pDecimal");

describe("the values that a bulk change replaced", () => {
    afterEach(() => edits.clear());

    const rows = [
        { id: 1, priority: "low", price: 10 },
        { id: 2, priority: "urgent", price: 12.5 },
        { id: 3, priority: null, price: null },
    ];

    it("are those that differ, of rows that did not refuse", () => {
        const values = { priority: "urgent", price: "12.50" };
        const changes = replaced("ticket", rows, [priority, price], values, new Set([3]));
        expect(changes.map(({ id, property, before, value }) => [id, property.identifier, before, value])).toEqual([
            [1, "priority", "low", "urgent"],
            [1, "price", 10, "12.50"],
        ]);
    });
    it("are those of rows without a value, too", () => {
        const [change] = replaced("ticket", rows, [priority], { priority: "low" }, new Set([1, 2]));
        expect(change).toMatchObject({ id: 3, before: null, value: "low" });
        expect(replaced("ticket", rows, [priority], { priority: null }, new Set([1, 2]))).toEqual([]);
    });
    it("are a step of undo, which is put back once", async () => {
        const changes = replaced("ticket", rows, [priority], { priority: "high" }, new Set());
        const undo = edits.noted(changes);
        expect(edits.canUndo).toBe(true);
        edits.clear();
        // The step is gone, as after Ctrl+Z: the button of the message has nothing left to do.
        expect(await undo()).toBe(true);
    });
    it("have the form of the server, but not what somebody else wrote meanwhile", () => {
        const email = property("email", "pEmail");
        const typed = (id: number) => ({ type: "ticket", id, property: email, before: null, value: "a@B.com" });
        const forms = (values: string[]) =>
            storedForms(
                values.map((_, at) => typed(at)),
                values.map((value, id) => ({ id, email: value })),
            ).map(({ value }) => value);
        expect(forms(["a@b.com", "a@b.com"])).toEqual(["a@b.com", "a@b.com"]);
        expect(forms(["other@b.com", "a@B.com"])).toEqual(["a@B.com", "a@B.com"]);
    });
});
