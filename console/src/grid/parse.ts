// Text of a cell to a value of its property: what is pasted, and what is typed into an editor.
import type { PropertyModel } from "../data/model";
import { clockOf, readDate, type DateKind } from "../form/dates";
import { readNumber } from "../form/decimal";

/** A value, or the reason why the text is none. Relations come as the words to look for. */
export type Parsed =
    | { value: unknown }
    | { problem: "number" | "percent" | "date" | "boolean" | "option" | "json" }
    | { words: string[] };

export interface ReadWords {
    locale: string;
    zone: string | undefined;
    yes: string;
    no: string;
}

const trueWords = new Set(["true", "1", "yes", "y", "x", "✓", "ano", "a"]);
const falseWords = new Set(["false", "0", "no", "n", "–", "-", "ne"]);

export function readCell(property: PropertyModel, text: string, words: ReadWords): Parsed {
    const trimmed = text.trim();
    if (trimmed === "") return { value: property.multiple ? [] : null };
    switch (property.kind) {
        case "pInteger":
        case "pDecimal":
        case "pFloat": {
            // No property shows percents: half a percent without its sign would be a half, or fifty of them.
            if (/[%٪％‰]/.test(trimmed)) return { problem: "percent" };
            const number = readNumber(trimmed, words.locale);
            return typeof number === "string" ? { value: number } : { problem: "number" };
        }
        case "pBoolean": {
            const word = trimmed.toLowerCase();
            if (trueWords.has(word) || word === words.yes.toLowerCase()) return { value: true };
            if (falseWords.has(word) || word === words.no.toLowerCase()) return { value: false };
            return { problem: "boolean" };
        }
        case "pDate":
        case "pMonth":
        case "pTime":
        case "pDateTime": {
            const date = readDate(property.kind as DateKind, trimmed, words.locale, clockOf(words.zone), words.zone);
            return typeof date === "string" ? { value: date } : { problem: "date" };
        }
        case "pEnum":
        case "pGroup": {
            const found = readOption(property, trimmed);
            return found === undefined ? { problem: "option" } : { value: found };
        }
        case "pEnums": {
            const values = split(trimmed).map((part) => readOption(property, part));
            return values.every((value) => value !== undefined) ? { value: values } : { problem: "option" };
        }
        case "pRelation":
        case "pUser":
            return { words: [trimmed] };
        case "pRelations":
            return { words: split(trimmed) };
        case "pJson":
            try {
                return { value: JSON.parse(trimmed) as unknown };
            } catch {
                return { problem: "json" };
            }
        case "pString":
        case "pText":
            return { value: text };
        default:
            return { value: trimmed };
    }
}

function split(text: string): string[] {
    return text
        .split(/[|,;\n]/)
        .map((part) => part.trim())
        .filter((part) => part !== "");
}

function readOption(property: PropertyModel, text: string): string | undefined {
    const options = property.options ?? [];
    const lower = text.toLowerCase();
    return (
        options.find((option) => option.value === text) ??
        options.find((option) => option.title.toLowerCase() === lower)
    )?.value;
}
