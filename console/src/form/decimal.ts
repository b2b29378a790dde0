// Numbers as people write them in their language, and as exact texts for the server.

export interface Separators {
    decimal: string;
    group: string;
}

const known = new Map<string, Separators>();

/** The separators of a language, by `Intl`, which is slow: a grid asks for each number. */
export function separators(locale: string): Separators {
    let found = known.get(locale);
    if (!found) {
        const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(-1234567.5);
        found = {
            decimal: parts.find((part) => part.type === "decimal")?.value ?? ".",
            group: parts.find((part) => part.type === "group")?.value ?? "",
        };
        known.set(locale, found);
    }
    return found;
}

const spaces = /[\s\u00a0\u202f\u2009'\u2019]/g;
const currency = /^[€$£]|(?:[€$£]|Kč)$/g;
/** Groups of three by one sign, and decimals after the other: such a number means the same in all languages. */
const clear = /^[+-]?\d{1,3}([.,])\d{3}(?:\1\d{3})*((?!\1)[.,]\d*)?$/;

/**
 * Reads a number that a person typed. Returns its canonical text (`-1234.50`), null for an empty text,
 * and undefined for what is not a number. A separator that could mean both is read by the language.
 */
export function readNumber(typed: string, locale: string): string | null | undefined {
    let text = typed
        .trim()
        .replace(currency, "")
        .replace(/[\u2212\u2013]/g, "-")
        .replace(spaces, "");
    if (text === "") return null;
    const { decimal, group } = separators(locale);
    const [, sign = "", decimals] = clear.exec(text) ?? [];
    if (sign !== "" && (decimals !== undefined || text.indexOf(sign) !== text.lastIndexOf(sign))) {
        text = text.replaceAll(sign, "").replace(",", ".");
    } else if (decimal === ",") {
        // A point in a language of commas is a decimal point, unless a comma follows or it forms groups of three by itself.
        if (text.includes(",")) text = text.replace(/\./g, "").replace(",", ".");
        else if (group === "." && /^[+-]?\d{1,3}(\.\d{3})+$/.test(text)) text = text.replace(/\./g, "");
    } else {
        const grouped = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text);
        if (grouped) text = text.replace(/,/g, "");
        else if (/^[+-]?\d*,\d+$/.test(text)) text = text.replace(",", ".");
    }
    const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
    if (!match) return undefined;
    const [, minus = "", whole = "", fraction = "", exponent] = match;
    if (whole === "" && fraction === "") return undefined;
    const head = (minus === "-" ? "-" : "") + (whole.replace(/^0+(?=\d)/, "") || "0");
    return head + (fraction === "" ? "" : `.${fraction}`) + (exponent === undefined ? "" : `e${exponent}`);
}

/** Writes an exact text or a number with the language's decimal separator, all its places, and optional groups, from 1,000 on so that a column agrees. */
export function writeNumber(value: string | number | bigint, locale: string, grouped = false): string {
    const text = typeof value === "number" ? plain(value) : String(value);
    const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
    if (!match) return text;
    const [, sign = "", whole = "", fraction] = match;
    const { decimal, group } = separators(locale);
    const head = grouped ? whole.replace(/\B(?=(\d{3})+$)/g, group) : whole;
    return sign + head + (fraction === undefined ? "" : decimal + fraction);
}

function plain(value: number): string {
    return Number.isInteger(value) && Math.abs(value) < 1e21 ? value.toFixed(0) : String(value);
}

/**
 * Takes the groups out of a number that got the focus; the caret and the selection stay at their digits.
 * Later, as the browser places them after the event. What is typed before that is left as it is.
 */
export function ungroup(field: HTMLInputElement, plain: string, locale: string, done: () => void): void {
    const grouped = field.value;
    const { group } = separators(locale);
    setTimeout(() => {
        if (field.value !== grouped || document.activeElement !== field) return;
        const [start = 0, end = 0] = [field.selectionStart, field.selectionEnd].map(
            (at) => grouped.slice(0, at ?? 0).replaceAll(group, "").length,
        );
        field.value = plain;
        field.setSelectionRange(start, end);
        done();
    });
}

/** The number of decimal places of a canonical text, without those that are zero at the end. */
export function places(text: string): number {
    return (/\.(\d*?)0*$/.exec(text)?.[1] ?? "").length;
}
