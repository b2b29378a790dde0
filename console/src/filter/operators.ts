// Operators of filters: what each takes, and what stands in its place when the property changes.
import type { PropertyModel } from "../data/model";
import { readNumber, writeNumber } from "../form/decimal";
import { mayBeEmpty, nulls, shapeOf, shapes } from "./shapes";

/** Operators whose answer may ignore case and diacritics. */
const folding = new Set(["contains", "startsWith", "endsWith", "notContains", "notStartsWith", "notEndsWith"]);

export const periods = [
    "today",
    "yesterday",
    "tomorrow",
    "thisWeek",
    "lastWeek",
    "nextWeek",
    "thisMonth",
    "lastMonth",
    "nextMonth",
    "thisQuarter",
    "lastQuarter",
    "nextQuarter",
    "thisYear",
    "lastYear",
    "nextYear",
] as const;

export const spanUnits = ["minutes", "hours", "days", "weeks", "months", "quarters", "years"] as const;

export function isKnown(operator: string): boolean {
    return operator in shapes;
}

export function takesFold(operator: string): boolean {
    return folding.has(operator);
}

/** The operator that people look for first in a kind. */
const preferred: Record<string, string[]> = {
    pString: ["contains"],
    pText: ["contains"],
    pEmail: ["contains"],
    pUrl: ["contains"],
    pPhone: ["contains"],
    pSlug: ["contains"],
    pAutonumber: ["eq"],
    pEnum: ["in"],
    pGroup: ["in"],
    pEnums: ["anyOf"],
    pRelation: ["in"],
    pUser: ["in"],
    pRelations: ["anyOf"],
    pDate: ["inPeriod", "between"],
    pDateTime: ["inPeriod", "between"],
    pMonth: ["inPeriod", "eq"],
    pInteger: ["eq"],
    pDecimal: ["eq"],
    pFloat: ["between"],
    pBoolean: ["eq"],
    pFile: ["isNotEmpty"],
    pFiles: ["isNotEmpty"],
};

export function firstOperator(property: Pick<PropertyModel, "kind" | "filterTypes">): string {
    for (const name of preferred[property.kind] ?? []) if (property.filterTypes.includes(name)) return name;
    return property.filterTypes[0] ?? "eq";
}

/** Param to begin with; also what stays of the old one where both have the same shape. */
export function firstParam(operator: string, kind: string, old?: { operator: string; param: unknown }): unknown {
    const shape = shapeOf(operator);
    if (old) {
        const before = shapeOf(old.operator);
        if (before === shape) return old.param;
        if (before === "value" && shape === "values") return old.param == null ? [] : [old.param];
        if (before === "values" && shape === "value" && Array.isArray(old.param)) return old.param[0] ?? null;
        if (before === "value" && shape === "text" && typeof old.param === "string") return old.param;
        if (before === "text" && shape === "value" && isText(kind)) return old.param;
        if (before === "value" && shape === "range") return [old.param, null];
    }
    switch (shape) {
        case "none":
        case "day":
            return undefined;
        case "values":
        case "filters":
            return [];
        case "range":
            return [null, null];
        case "text":
            return "";
        case "period":
            return "thisWeek";
        case "span":
            return "7 days";
        case "size":
            return 1;
        case "record":
            return null;
        case "value":
            return kind === "pBoolean" ? true : isText(kind) ? "" : null;
    }
}

/** The operators to choose from: of two that mean the same one, the current one if it is one of them. */
export function offeredOperators(
    { kind, filterTypes }: Pick<PropertyModel, "kind" | "filterTypes">,
    now = "",
): string[] {
    if (mayBeEmpty.has(kind)) return filterTypes;
    return filterTypes.filter((name) => {
        const empty = nulls.get(name);
        if (empty !== undefined) return name === now || !filterTypes.includes(empty);
        return nulls.get(now) !== name;
    });
}

export function isText(kind: string): boolean {
    return ["pString", "pText", "pEmail", "pUrl", "pPhone", "pSlug", "pColor", "pAutonumber", "uuid"].includes(kind);
}

export function isNumber(kind: string): boolean {
    return ["pInteger", "pDecimal", "pFloat", "pRollup"].includes(kind);
}

/** The value that a typed number means; the words themselves where they are none. */
export function typedNumber(kind: string, words: string, locale: string): unknown {
    const read = readNumber(words, locale);
    if (read === null) return null;
    if (read === undefined) return words;
    if (kind === "pDecimal") return read;
    const number = Number(read);
    // Digits beyond 2^53 stay a text.
    return kind !== "pInteger" || Number.isSafeInteger(number) ? number : read;
}

/** Words in the place of a number, as `typedNumber` leaves them; a rollup may be of other kinds. */
export function notNumber(kind: string, value: unknown): boolean {
    return (
        ["pInteger", "pDecimal", "pFloat"].includes(kind) &&
        typeof value === "string" &&
        !/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)
    );
}

/** A number of a filter as a field shows it. */
export function shownNumber(value: unknown, locale: string, grouped = true): string {
    if (value === null || value === undefined) return "";
    if (typeof value === "object") return JSON.stringify(value);
    return writeNumber(typeof value === "number" ? value : String(value), locale, grouped);
}

/** True where the param can be sent: half-typed filters are not sent. */
export function isComplete(operator: string, param: unknown): boolean {
    switch (shapeOf(operator)) {
        case "none":
        case "day":
        case "filters":
            return true;
        case "values":
            return Array.isArray(param) && param.length > 0;
        case "range":
            return Array.isArray(param) && param.length === 2 && param.some((end) => end !== null && end !== "");
        case "text":
            return typeof param === "string" && param !== "";
        case "size":
            return typeof param === "number" || (typeof param === "object" && param !== null);
        case "record":
            return param !== null && param !== undefined;
        case "period":
        case "span":
            return typeof param === "string" && param !== "";
        case "value":
            return param !== undefined;
    }
}
