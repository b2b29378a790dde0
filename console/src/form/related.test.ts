// Tests of the values beside the titles of related records.
import { expect, test } from "vitest";
import { TypeModel, type PropertyModel } from "../data/model";
import { besideText, besideTitle } from "./related";

const property = (identifier: string, kind: string, rest: Partial<PropertyModel> = {}): PropertyModel =>
    ({
        identifier,
        kind,
        title: identifier,
        write: true,
        create: true,
        multiple: false,
        filterTypes: [],
        ...rest,
    }) as PropertyModel;

test("texts, people and days stand beside the title, then numbers, then truth values", () => {
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
    expect(of("text", comment.slice(0, 3))).toEqual(["minutes", "internal"]);
});

test("numbers and truth values have their names; what says nothing is left out", () => {
    const internal = property("internal", "pBoolean", { title: "For agents" });
    expect(besideText(internal, true, "Yes")).toBe("For agents");
    expect(besideText(internal, false, "No")).toBe("");
    expect(besideText(property("minutes", "pInteger", { title: "Minutes" }), 5, "5")).toBe("Minutes: 5");
    expect(besideText(property("text", "pText"), "Words", "Words")).toBe("Words");
    expect(besideText(property("minutes", "pInteger"), null, "")).toBe("");
});
