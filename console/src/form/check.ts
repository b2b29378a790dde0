// Checks of values that need no server: limits, lengths, patterns and forms, as far as they are data of the model.

import { compareNumbers } from "../data/numbers";
import { places } from "./decimal";
import { filesOf, isEmpty, isPromised } from "./values";
import type { PropertyModel } from "../data/model";

/** A mistake by the error code of the server, with the limit that was broken. */
export interface Issue {
    code: string;
    limit?: string;
}

/** Checks one value. `whole` also asks for required values, which a half-filled form does not have yet. */
export function check(property: PropertyModel, value: unknown, whole: boolean): Issue | undefined {
    if (isEmpty(value)) {
        // A default fills an empty value of a new record; an empty one that stays is refused by the server.
        return whole && property.required === true && isEmpty(property.default) ? { code: "required" } : undefined;
    }
    switch (property.kind) {
        case "pString":
        case "pText":
        case "pSlug":
        case "pEmail":
        case "pUrl":
        case "pPhone":
        case "pColor":
            return typeof value === "string" ? checkText(property, value) : undefined;
        case "pInteger":
        case "pFloat":
        case "pDecimal":
            return checkNumber(property, String(value));
        case "pFile":
        case "pFiles":
            return checkFiles(property, value);
        default:
            return undefined;
    }
}

const forms: Record<string, [RegExp, string]> = {
    pEmail: [/^[^\s@]+@[^\s@]+$/, "not_email"],
    pUrl: [/^https?:\/\/[^\s/]+/i, "not_url"],
    pPhone: [/^\+[\d\s\-./()]{4,}$/, "not_phone"],
    pSlug: [/^[a-z0-9]+(-[a-z0-9]+)*$/, "not_slug"],
    pColor: [/^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i, "not_color"],
};

function checkText(property: PropertyModel, value: string): Issue | undefined {
    const text = property.trim === true ? value.trim() : value;
    const length = lengthOf(text);
    const most = property.maxLength ?? (property.kind === "pString" ? 255 : undefined);
    if (most !== undefined && most !== null && length > most) return { code: "too_long", limit: String(most) };
    const least = property.minLength;
    if (least !== undefined && least !== null && length < least) return { code: "too_short", limit: String(least) };
    const form = forms[property.kind];
    if (form && !form[0].test(text)) return { code: form[1] };
    const pattern =
        property.pattern === undefined || property.pattern === null ? undefined : localPattern(property.pattern);
    return pattern && !pattern.test(text) ? { code: "pattern_mismatch" } : undefined;
}

/** The length in characters, as the server counts them. */
export function lengthOf(text: string): number {
    let length = 0;
    for (const _ of text) length += 1;
    return length;
}

/**
 * The pattern as a regular expression of the browser, where both languages agree. The server's expressions need linear
 * time; a repeated group could take the browser exponential time, so it is left to the server, like everything rare.
 */
export function localPattern(pattern: string): RegExp | undefined {
    if (pattern.length > 500 || /\(\?(?!:)|\[\[|&&|--|~~|\\[^.\-\\/+*?()[\]{}^$|dnrt]|\)[*+{]/.test(pattern))
        return undefined;
    try {
        return new RegExp(`^(?:${pattern.replace(/\\d/g, "\\p{Nd}").replace(/\\-/g, "\\x2d")})$`, "u");
    } catch {
        return undefined;
    }
}

function checkNumber(property: PropertyModel, text: string): Issue | undefined {
    const decimal = property.kind === "pDecimal";
    if (property.kind === "pFloat") {
        if (!Number.isFinite(Number(text))) return { code: "not_number" };
    } else if (!/^-?\d+(\.\d+)?$/.test(text)) {
        return { code: decimal ? "not_decimal" : "not_integer" };
    }
    if (property.kind === "pInteger") {
        if (places(text) > 0) return { code: "not_integer" };
        if (compareNumbers(text, "9223372036854775807") > 0) return { code: "too_large", limit: "9223372036854775807" };
        if (compareNumbers(text, "-9223372036854775808") < 0)
            return { code: "too_small", limit: "-9223372036854775808" };
    }
    const scale = property.scale ?? 2;
    if (decimal && places(text) > scale) return { code: "too_many_places", limit: String(scale) };
    const { min, max } = property;
    if (min !== undefined && min !== null && compareNumbers(text, String(min)) < 0)
        return { code: "too_small", limit: String(min) };
    if (max !== undefined && max !== null && compareNumbers(text, String(max)) > 0)
        return { code: "too_large", limit: String(max) };
    return undefined;
}

function checkFiles(property: PropertyModel, value: unknown): Issue | undefined {
    const most = property.kind === "pFiles" ? (property.maxFiles ?? 100) : 1;
    const files = filesOf(value);
    if (files.length > most) return { code: "too_many_files", limit: String(most) };
    const largest = property.maxSize;
    if (largest === undefined || largest === null) return undefined;
    return files.some((file) => isPromised(file) && file.size > largest)
        ? { code: "file_too_large", limit: String(largest) }
        : undefined;
}

/** Tells whether a file may be uploaded for a property, by its media type. */
export function accepts(property: PropertyModel, mime: string): boolean {
    const list = property.accept;
    // An empty type means that the browser does not know: the server looks into the bytes.
    if (!list || list.length === 0 || mime === "") return true;
    return list.some((entry) => entry === mime || (entry.endsWith("/*") && mime.startsWith(entry.slice(0, -1))));
}

/** A slug out of a title. */
export function slugOf(title: string): string {
    return title
        .normalize("NFD")
        .replace(/[\u0300-\u036f]/g, "")
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-+|-+$/g, "");
}
