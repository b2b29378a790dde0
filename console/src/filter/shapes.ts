// Operators of filters as lists tell them: the form of their param, and their names.

/** The form of the `param` of a filter. */
export type Shape =
    | "none" // no param
    | "value" // one value of the kind, or null
    | "values" // an array of values of the kind
    | "range" // [from, to], one end may be null
    | "text" // a text, with `fold` where the operator takes it
    | "day" // a date; none is today
    | "period" // today, thisWeek, …
    | "span" // 30 days
    | "size" // a number, or bounds
    | "filters" // filters on the related type
    | "record"; // one id of the related type

export const shapes: Record<string, Shape> = {
    eq: "value",
    neq: "value",
    lt: "value",
    lte: "value",
    gt: "value",
    gte: "value",
    in: "values",
    notIn: "values",
    anyOf: "values",
    allOf: "values",
    noneOf: "values",
    between: "range",
    notBetween: "range",
    isNull: "none",
    isNotNull: "none",
    isEmpty: "none",
    isNotEmpty: "none",
    contains: "text",
    startsWith: "text",
    endsWith: "text",
    notContains: "text",
    notStartsWith: "text",
    notEndsWith: "text",
    iEq: "text",
    iContains: "text",
    iStartsWith: "text",
    iEndsWith: "text",
    like: "text",
    iLike: "text",
    search: "text",
    onDay: "day",
    within: "day",
    withinMonth: "day",
    withinYear: "day",
    inPeriod: "period",
    inLast: "span",
    inNext: "span",
    size: "size",
    some: "filters",
    none: "filters",
    every: "filters",
    descendantOf: "record",
    ancestorOf: "record",
};

export const inverseOperators = ["some", "none", "every", "size", "anyOf", "allOf", "noneOf", "isEmpty", "isNotEmpty"];

export function shapeOf(operator: string): Shape {
    return shapes[operator] ?? "value";
}

/** The operators that ask for null, each with the one that asks for an empty value. */
export const nulls = new Map([
    ["isNull", "isEmpty"],
    ["isNotNull", "isNotEmpty"],
]);

/** Kinds whose values can be there and be empty: `""`, or `[]` in JSON. In others, empty is null. */
export const mayBeEmpty = new Set(["pString", "pText", "pJson", "pCalculated", "pRollup"]);

/** The name of the operator by which people know it: empty, where that is null. */
export function operatorName(kind: string | undefined, operator: string): string {
    return kind === undefined || mayBeEmpty.has(kind) ? operator : (nulls.get(operator) ?? operator);
}
