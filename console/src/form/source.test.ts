// Tests of the words on what a rollup sums up.
import { expect, test } from "vitest";
import { type RollupModel, type TypeData, TypeModel } from "../data/model";
import cs from "../text/cs/more";
import en from "../text/en/more";
import { sourceText } from "./source";

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
    expect(sourceText({ ...sum, filtered: true, filter: "{=paid}" }, typeOf, en)).toBe(
        "Sum of Amount (Invoice), filtered: {=paid}",
    );
});
