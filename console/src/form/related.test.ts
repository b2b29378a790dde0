// Tests of what stands beside the titles of related records.
import { expect, test } from "vitest";
import { TypeModel, type PropertyModel } from "../data/model";
import { besideTitle } from "./related";

const property = (identifier: string, kind: string, rest: Partial<PropertyModel> = {}): PropertyModel =>
    ({ identifier, kind, title: identifier, write: true, multiple: false, filterTypes: [], ...rest }) as PropertyModel;

test("texts, people and days stand beside the title, then numbers, and no truth values", () => {
    const of = (titleProperty: string | null, properties: PropertyModel[]) =>
        besideTitle(
            new TypeModel({
                name: "comment",
                title: "Comment",
                titleProperty,
                codeProperty: null,
                parentProperty: null,
                orderBy: null,
                searchable: false,
                logReads: false,
                actions: { create: true, update: true, delete: true },
                properties,
            }),
            "ticket",
        );
    const comment = [
        property("ticket", "pRelation", { relation: { type: "ticket" } }),
        property("internal", "pBoolean"),
        property("minutes", "pInteger"),
        property("author", "pRelation", { relation: { type: "user" } }),
        property("written", "pDateTime"),
        property("text", "pText"),
    ];
    expect(of("text", comment)).toEqual(["author", "written"]);
    expect(of("text", comment.slice(0, 3))).toEqual(["minutes"]);
});
