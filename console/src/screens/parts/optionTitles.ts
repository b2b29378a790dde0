// Titles of options in a file: they are taken for the values of their options, in any case, before the server reads them.

import type { OptionModel, PropertyModel, TypeModel } from "../../data/model";
import { cellsOf, cellText, quoted, rowsOf, textsOf, type TextFormat } from "./importRows";

/** The columns of the file that go to properties with options. */
export function optionColumns(
    type: TypeModel,
    mapping: Readonly<Record<string, string | null>>,
): Map<string, PropertyModel> {
    const found = new Map<string, PropertyModel>();
    for (const [column, name] of Object.entries(mapping)) {
        const property = name === null ? undefined : type.property(name);
        if (property?.options && property.options.length > 0) found.set(column, property);
    }
    return found;
}

/** The value that a text means where it is a title; undefined where it stays as it is. */
export function valueOfTitle(options: readonly OptionModel[], words: string): string | undefined {
    if (options.some(({ value }) => value === words)) return undefined;
    const lower = words.trim().toLowerCase();
    if (lower === "") return undefined;
    return (
        options.find(({ title, archived }) => !archived && title.toLowerCase() === lower) ??
        options.find(({ title }) => title.toLowerCase() === lower) ??
        options.find(({ value }) => value.toLowerCase() === lower)
    )?.value;
}

/** A cell with the values of its titles: several members stand between `|`, or in an array of JSON. */
export function valuesOfCell(property: PropertyModel, words: string): string | undefined {
    const options = property.options ?? [];
    if (!property.multiple) return valueOfTitle(options, words);
    if (words.trimStart().startsWith("[")) {
        let members: unknown;
        try {
            members = JSON.parse(words);
        } catch {
            return undefined;
        }
        if (!Array.isArray(members)) return undefined;
        const next = members.map((member: unknown) =>
            typeof member === "string" ? (valueOfTitle(options, member) ?? member) : member,
        );
        return next.every((member, at) => member === members[at]) ? undefined : JSON.stringify(next);
    }
    const members = words.split("|");
    const next = members.map((member) => valueOfTitle(options, member) ?? member);
    return next.every((member, at) => member === members[at]) ? undefined : next.join("|");
}

/** The text of the file with values in the place of titles; the same text where it has none. Lines stay. */
export function withOptionValues(
    text: string,
    format: TextFormat,
    delimiter: string,
    columns: ReadonlyMap<string, PropertyModel>,
): string {
    if (columns.size === 0) return text;
    const parts: string[] = [];
    let last = 0;
    const put = (from: number, to: number, words: string): void => {
        parts.push(text.slice(last, from), words);
        last = to;
    };
    let byNumber: (PropertyModel | undefined)[] | null = null;
    for (const row of rowsOf(text, format)) {
        if (format !== "csv") {
            for (const { column, from, to } of textsOf(text, row)) {
                const property = columns.get(String(column));
                const words =
                    property && valueOfTitle(property.options ?? [], String(JSON.parse(text.slice(from, to))));
                if (words !== undefined) put(from, to, JSON.stringify(words));
            }
        } else if (byNumber === null) {
            byNumber = [...cellsOf(text, row, delimiter)].map(({ from, to }) =>
                columns.get(cellText(text.slice(from, to).replace(/^\uFEFF/, ""))),
            );
        } else {
            for (const { column, from, to } of cellsOf(text, row, delimiter)) {
                const property = byNumber[Number(column)];
                const words = property && valuesOfCell(property, cellText(text.slice(from, to)));
                if (words !== undefined) put(from, to, quoted(words, delimiter));
            }
        }
    }
    return parts.length === 0 ? text : parts.join("") + text.slice(last);
}
