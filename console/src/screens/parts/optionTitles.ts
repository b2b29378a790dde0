// Titles of options in a file: the server takes them for the values of their options, in any case.

import type { OptionModel, PropertyModel, TypeModel } from "../../data/model";

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
    const titled = options.filter(({ title }) => title.toLowerCase() === lower);
    const offered = titled.filter(({ archived }) => !archived);
    const [only, other] = offered.length > 0 ? offered : titled;
    if (other !== undefined) return undefined;
    return (only ?? options.find(({ value }) => value.toLowerCase() === lower))?.value;
}
