// Tests of the filters that find rows which a bulk change leaves as they are.
import { describe, expect, it } from "vitest";
import type { PropertyModel } from "../data/model";
import { filtersOf } from "./bulkcount";

const property = (identifier: string, kind: string, filterTypes: string[]): PropertyModel =>
    ({ identifier, kind, title: identifier, multiple: false, filterTypes }) as unknown as PropertyModel;
const priority = property("priority", "pEnum", ["eq", "isEmpty"]);
const company = property("company", "pRelation", ["eq", "isEmpty"]);
const data = property("data", "pJson", ["isEmpty"]);

describe("the rows that are already as they should be", () => {
    it("have each of the values", () => {
        expect(filtersOf([priority, company], { priority: "high", company: "7" })).toEqual([
            { property: "priority", type: "eq", param: "high" },
            { property: "company", type: "eq", param: 7 },
        ]);
    });
    it("have none where none is set", () => {
        expect(filtersOf([priority, data], { priority: null, data: null })).toEqual([
            { property: "priority", type: "isEmpty" },
            { property: "data", type: "isEmpty" },
        ]);
    });
    it("are not counted where a value cannot be compared", () => {
        expect(filtersOf([priority, data], { priority: "high", data: { a: 1 } })).toBeNull();
    });
});
