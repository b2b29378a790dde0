// Values of a new record that its address or another record fills in.

import type { PropertyModel, Row, TypeModel } from "../data/model";
import { clockFrom, clockOf, readDate } from "./dates";
import { readNumber } from "./decimal";
import { isEmpty } from "./values";

/** The name in the address of a new record for the place to go to once it is made; no property has such a name. */
export const backName = "$back";

/**
 * Reads the values of an address (`new?company=7`) by the kinds of their properties; what does not fit is left out.
 * Instants with an offset are moved to the zone of the user.
 */
export function prefill(type: TypeModel, given: Record<string, string>, zone?: string): Row {
    const values: Row = {};
    for (const [name, word] of Object.entries(given)) {
        const property = type.property(name);
        if (!property || !property.create || word === "") continue;
        const value = readWord(property, word, zone);
        if (value !== undefined) values[name] = value;
    }
    return values;
}

function readWord({ kind, multiple }: PropertyModel, word: string, zone: string | undefined): unknown {
    switch (kind) {
        case "pRelation":
        case "pUser":
            return /^\d+$/.test(word) ? Number(word) : undefined;
        case "pRelations":
            return word
                .split(",")
                .filter((part) => /^\d+$/.test(part))
                .map(Number);
        case "pEnums":
            return word.split(",");
        case "pInteger":
        case "pFloat":
            return readNumber(word, "en") === undefined ? undefined : Number(word);
        case "pDecimal":
            return readNumber(word, "en") ?? undefined;
        case "pBoolean":
            return word === "true" ? true : word === "false" ? false : undefined;
        case "pDate":
        case "pMonth":
        case "pTime":
            return clockFrom(word) ? word : undefined;
        case "pDateTime":
            return clockFrom(word) ? (readDate(kind, word, "en", clockOf(zone), zone) ?? undefined) : undefined;
        case "pFile":
        case "pFiles":
        case "pJson":
            return undefined;
        default:
            return multiple ? undefined : word;
    }
}

let copied: { type: string; values: Row } | undefined;

/** Keeps the values of a record for the next new one of its type. */
export function copyRecord(type: TypeModel, row: Row): void {
    const values: Row = {};
    for (const property of type.own) {
        const value = row[property.identifier];
        // Files belong to one record, and unique values to one row.
        if (
            !property.create ||
            property.unique ||
            property.kind === "pFile" ||
            property.kind === "pFiles" ||
            isEmpty(value)
        )
            continue;
        values[property.identifier] = value;
    }
    copied = { type: type.name, values };
}

export function takeCopy(type: TypeModel): Row {
    const found = copied?.type === type.name ? copied.values : {};
    copied = undefined;
    return found;
}
