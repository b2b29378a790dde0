// Keys of charts that name no properties: the one whose options the categories or series are, for titles and colours.

import type { OptionModel, PropertyModel, TypeModel } from "../data/model";

interface Labelled {
    title: string;
    color: string | null;
}

/** The property of the type whose options these values are; undefined where several differ in titles or colours. */
export function keyOf(type: TypeModel, values: readonly unknown[]): PropertyModel | undefined {
    const present = values.filter(isPresent);
    if (present.length === 0) return undefined;
    const found = byOptions(type.own, present);
    const [first] = found;
    if (first === undefined) return undefined;
    return found.every((one) => sameLabels(first, one, present)) ? first : undefined;
}

/**
 * The property that groups of a query are of, where they are called by another name than its own: one of the type or of
 * a related type, with the values as options. One that has the name of the groups comes first.
 */
export function groupKeyOf(
    type: TypeModel,
    name: string,
    values: readonly unknown[],
    related: (name: string) => TypeModel | undefined,
): PropertyModel | undefined {
    const own = keyOf(type, values);
    if (own !== undefined) return own;
    const types = new Set(type.own.flatMap(({ relation }) => (relation ? (related(relation.type) ?? []) : [])));
    const present = values.filter(isPresent);
    const behind = [...types].flatMap((one) => (present.length === 0 ? [] : byOptions(one.own, present)));
    const [first] = behind;
    return behind.find(({ identifier }) => identifier === name) ?? (behind.length === 1 ? first : undefined);
}

/** Title and colour of a value of the property; undefined for a value that is not one of its options. */
export function labelOf(property: PropertyModel, value: unknown): Labelled | undefined {
    const option = property.options?.find((one) => one.value === value);
    return option === undefined ? undefined : { title: option.title, color: option.color };
}

function isPresent(value: unknown): boolean {
    return value !== null && value !== undefined && value !== "";
}

function byOptions(properties: readonly PropertyModel[], values: readonly unknown[]): PropertyModel[] {
    return properties.filter(({ options }) => {
        const known = new Set<unknown>((options ?? []).map((option: OptionModel) => option.value));
        return known.size > 0 && values.every((value) => known.has(value));
    });
}

function sameLabels(one: PropertyModel, other: PropertyModel, values: readonly unknown[]): boolean {
    return values.every((value) => {
        const [left, right] = [labelOf(one, value), labelOf(other, value)];
        return left?.title === right?.title && left?.color === right?.color;
    });
}
