// Tests of the list that a record was opened from.
import { expect, test, vi } from "vitest";
import type { Place } from "../app/places";

vi.stubGlobal("location", new URL("http://localhost/"));
const { listOf } = await import("./listOrder.svelte");

const list = (type: string, at: number): Place => ({ name: "collection", type, state: { at } });
const record = (type: string): Place => ({ name: "record", type, id: "1", values: {} });

test("the list is the last place that is not a record, if it is of the type", () => {
    expect(listOf("ticket", [list("ticket", 5), list("ticket", 7)])).toEqual({ at: 7 });
    expect(listOf("ticket", [list("ticket", 5), record("ticket"), record("company")])).toEqual({ at: 5 });
    expect(listOf("company", [list("ticket", 5), record("ticket")])).toBeNull();
    expect(listOf("ticket", [list("ticket", 5), { name: "start" }])).toBeNull();
    expect(listOf("ticket", [])).toBeNull();
});
