// Values of queries and boards as people read them: numbers, dates and words in the user's language.

import { placesOf } from "../../chart/data";
import { isWrapped, type PropertyModel } from "../../data/model";
import { text } from "../../text";
import { formatDate, formatDateTime, formatMonth, formatNumber, formatTime } from "../../text/format";

export interface Cell {
    text: string;
    number: boolean;
    color?: string | null;
    /** The record that it leads to. */
    to?: { type: string; id: string };
}

const places = /^-?\d+\.(\d+)$/;

/**
 * The decimals of a column of numbers: those of its property, and more where a number has more. Groups may be counted
 * under the name of a property: whole numbers stay whole there.
 */
export function scaleOf(
    property: PropertyModel | undefined,
    values: readonly unknown[],
    groups = false,
): number | undefined {
    const most = placesOf(values);
    return most === undefined || (groups && most === 0) ? most : Math.max(most, property?.scale ?? 0);
}

/** A value without a kind: what a board's expression or a group comes to; a number may have the decimals of its column. */
export function plainCell(value: unknown, scale?: number): Cell {
    if (value === null || value === undefined) return { text: "", number: false };
    if (typeof value === "number") return { text: formatNumber(value, { scale }), number: true };
    if (typeof value === "boolean") return { text: value ? text.app.yes : text.app.no, number: false };
    if (Array.isArray(value)) return { text: value.map((one) => plainCell(one).text).join(", "), number: false };
    if (typeof value === "object")
        return { text: "name" in value ? String(value.name) : JSON.stringify(value), number: false };
    const words = String(value);
    if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(words)) return { text: formatDateTime(words), number: false };
    if (/^\d{4}-(0[1-9]|1[0-2])$/.test(words)) return { text: formatMonth(words), number: false };
    if (/^\d{4}-\d\d-\d\d$/.test(words)) return { text: formatDate(words), number: false };
    const found = places.exec(words);
    if (found !== null)
        return { text: formatNumber(words, { scale: Math.max(found[1]?.length ?? 0, scale ?? 0) }), number: true };
    return { text: words, number: false };
}

/** A value with its kind, as `wrapFields` answers it. A number that names its record is `naming`: it has no groups. */
export function cellOf(value: unknown, naming = false): Cell {
    if (!isWrapped(value)) return plainCell(value);
    const { kind, display } = value;
    const inner = value.value;
    if (inner === null || inner === undefined) return { text: "", number: false };
    const words = display ?? "";
    if (naming && typeof inner !== "object") return { text: String(inner), number: true };
    // The text has all places of a decimal, which a number of JavaScript loses.
    if ((kind === "pDecimal" || kind === "pRollup") && places.test(words)) return plainCell(words);
    switch (kind) {
        case "pInteger":
        case "pFloat":
        case "pDecimal":
        case "pRollup": {
            const cell = typeof inner === "number" || typeof inner === "string" ? plainCell(inner) : plainCell(words);
            return { ...cell, number: true };
        }
        case "pBoolean":
        case "pCalculated":
            return plainCell(inner);
        case "pDate":
            return { text: formatDate(String(inner)), number: false };
        case "pDateTime":
            return { text: formatDateTime(String(inner)), number: false };
        case "pMonth":
            return { text: formatMonth(String(inner)), number: false };
        case "pTime":
            return { text: formatTime(String(inner)), number: false };
        case "pRelation":
        case "pUser": {
            const id = typeof inner === "object" && "id" in inner ? cellOf(inner.id).text : String(inner);
            return {
                text: words || `#${id}`,
                number: false,
                ...(value.type === undefined ? {} : { to: { type: value.type, id: plainId(inner) } }),
            };
        }
        default:
            return { text: words || plainCell(inner).text, number: false, color: value.color ?? null };
    }
}

/** The id of a relation, whether it is expanded, wrapped or bare. */
function plainId(value: unknown): string {
    if (isWrapped(value)) return plainId(value.value);
    if (value !== null && typeof value === "object" && "id" in value) return plainId(value.id);
    return String(value);
}
