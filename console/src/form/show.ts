// Values as people read them: for fields without a right to write, and for the merge.

import { session } from "../app/session.svelte";
import { isNaming, model, type PropertyModel } from "../data/model";
import { locale, text } from "../text";
import { showDate, type DateKind } from "./dates";
import { writeNumber } from "./decimal";
import { titles } from "./titles.svelte";
import { filesOf, isEmpty, isReference, plainValue } from "./values";

/** The type that a relation leads to. */
export function targetType(property: PropertyModel): string | undefined {
    return property.relation?.type ?? (property.kind === "pUser" ? "user" : undefined);
}

export function titleOf(property: PropertyModel, id: unknown): string {
    const type = targetType(property);
    return (type === undefined ? undefined : titles.of(type, id)) ?? text.form.unknownRecord(String(id));
}

/** A decimal, or a rollup of decimals, with all its places, in the user's language. */
export function showNumber(property: PropertyModel, value: unknown, grouped = false): string {
    const exact = String(value);
    const scale = property.scale ?? (property.kind === "pDecimal" ? 2 : 0);
    if (scale === 0 || !/^-?\d+(\.\d+)?$/.test(exact))
        return /^-?\d/.test(exact) ? writeNumber(numberOf(value), locale(), grouped) : exact;
    const [whole = "0", fraction = ""] = exact.split(".");
    return writeNumber(`${whole}.${fraction.padEnd(scale, "0")}`, locale(), grouped);
}

function numberOf(value: unknown): string | number {
    return typeof value === "number" ? value : String(value);
}

/** The text of a value; an empty text for no value. */
export function showValue(property: PropertyModel, given: unknown): string {
    const value = plainValue(property, given);
    if (isEmpty(value)) return "";
    if (isReference(property))
        return (Array.isArray(value) ? value : [value]).map((id) => titleOf(property, id)).join(", ");
    switch (property.kind) {
        case "pInteger":
        case "pFloat":
        case "pDecimal":
            return showNumber(property, value, !isNaming(property));
        case "pRollup":
            return typeof value === "number" ? showNumber(property, value, true) : showAny(value);
        case "pBoolean":
            return value === true ? text.form.yes : text.form.no;
        case "pDate":
        case "pMonth":
        case "pTime":
        case "pDateTime":
            return typeof value === "string" ? showDate(property.kind as DateKind, value, locale()) : String(value);
        case "pEnum":
        case "pEnums":
        case "pGroup":
            return (Array.isArray(value) ? value : [value]).map((member) => optionTitle(property, member)).join(", ");
        case "pFile":
        case "pFiles":
            return filesOf(value)
                .map((file) => file.name)
                .join(", ");
        default:
            return showAny(value);
    }
}

export function optionTitle(property: PropertyModel, value: unknown): string {
    return property.options?.find((option) => option.value === value)?.title ?? String(value);
}

/** A value of any kind: what a calculation, a rollup or a document comes to. */
function showAny(value: unknown): string {
    if (typeof value === "boolean") return value ? text.form.yes : text.form.no;
    if (typeof value === "number") return writeNumber(value, locale(), true);
    if (typeof value !== "string") return JSON.stringify(value, null, 2);
    if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value)) return showDate("pDateTime", value, locale());
    if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return showDate("pDate", value, locale());
    return value;
}

/** The zone that stands beside instants. */
export function zoneText(): string {
    return session.zone.replace(/_/g, " ");
}

/** A moment that the server told, in words. */
export function showMoment(value: string): string {
    return showDate("pDateTime", value, locale());
}

export function typeTitle(name: string): string {
    return model.type(name)?.title ?? name;
}
