// Keys of a chart's groups: the property that its categories or series are values of, for their titles and colours.

import type { OptionModel, PropertyModel, TypeModel } from "../data/model";

interface Labelled {
    title: string;
    color: string | null;
}

/** The server's answer names no kinds: true if the names of the query's keys would tell relations from numbers. */
export function wantsNames(type: TypeModel, values: readonly unknown[]): boolean {
    const present = values.filter(isPresent);
    if (present.length === 0) return false;
    if (present.every(isId)) return type.own.some(isRelation);
    return byOptions(type.own, present).length > 1 && keyOf(type, values) === undefined;
}

/** The property of the type that these values are of; `names` are the keys of the query, where they are known. */
export function keyOf(
    type: TypeModel,
    values: readonly unknown[],
    names?: readonly string[],
): PropertyModel | undefined {
    const present = values.filter(isPresent);
    if (present.length === 0) return undefined;
    const properties = names === undefined ? type.own : type.own.filter(({ identifier }) => names.includes(identifier));
    const found = byOptions(properties, present);
    const [first] = found;
    if (first !== undefined) return found.every((one) => sameLabels(first, one, present)) ? first : undefined;
    if (names === undefined || !present.every(isId)) return undefined;
    const relations = properties.filter(isRelation);
    return relations.length === 1 ? relations[0] : undefined;
}

/** Title and colour of a value of the property; undefined for a value that is not one of its options. */
export function labelOf(property: PropertyModel, value: unknown): Labelled | undefined {
    const option = property.options?.find((one) => one.value === value);
    return option === undefined ? undefined : { title: option.title, color: option.color };
}

function isPresent(value: unknown): boolean {
    return value !== null && value !== undefined && value !== "";
}

function isId(value: unknown): boolean {
    return /^[1-9]\d*$/.test(String(value));
}

function isRelation(property: PropertyModel): boolean {
    return property.kind === "pRelation" || property.kind === "pRelations" || property.kind === "pUser";
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
