// Tests of the words on what a rollup sums up.
import { expect, test } from "vitest";
import { type RollupModel, type TypeData, TypeModel } from "../data/model";
import cs from "../text/cs/more";
import en from "../text/en/more";
import { calculationText, namesIn, sourceText } from "./source";

const invoice = new TypeModel({
    name: "invoice",
    title: "Invoice",
    properties: [{ identifier: "net", title: "Amount" }],
} as unknown as TypeData);
const typeOf = (name: string): TypeModel | undefined => (name === "invoice" ? invoice : undefined);
const sum: RollupModel = {
    operation: "sum",
    type: "invoice",
    relation: "company",
    own: false,
    property: "net",
    filtered: false,
};

test("a rollup is told with the titles of what it names", () => {
    expect(sourceText(sum, typeOf, en)).toBe("Sum of Amount (Invoice)");
    expect(sourceText(sum, typeOf, cs)).toBe("Součet: Amount (Invoice)");
    expect(sourceText({ ...sum, operation: "count", property: null }, typeOf, en)).toBe("Number of records (Invoice)");
    expect(sourceText(sum, () => undefined, en)).toBe("Sum of net (invoice)");
});

test("a filter is told as far as it is known", () => {
    expect(sourceText({ ...sum, filtered: true }, typeOf, en)).toBe("Sum of Amount (Invoice), filtered");
});

test("a calculation is told by the titles of the fields that it reads", () => {
    expect(namesIn("{=priority == 'urgent' ? 4 : (priority == 'high' ? 24 : hours)}")).toEqual(["priority", "hours"]);
    expect(namesIn("{=strtotime(opened) + company.plan.days * 3600}")).toEqual(["opened", "company.plan.days"]);
    expect(namesIn("No. {=map(rows, {a: x})}: {='it\\'s {= not'} and {=b ~ \"c d\"}")).toEqual([
        "rows",
        "a",
        "x",
        "and",
        "b",
    ]);
    expect(namesIn("a text without an expression")).toEqual([]);
    const titleOf = (name: string): string | undefined => ({ net: "Amount", vat: "Tax" })[name];
    expect(calculationText("{=net + vat + other}", titleOf, en)).toBe("Calculated from Amount, Tax");
    expect(calculationText("{=net + vat}", titleOf, cs)).toBe("Vypočteno z polí: Amount, Tax");
    expect(calculationText("{=time()}", titleOf, en)).toBe("Calculated");
});
