// The look of a value in a cell, by its kind. Pure: the pool puts it into the page.
import { isNaming, isWrapped, type OptionModel, type PropertyModel, type Row, type Wrapped } from "../data/model";
import { clockFrom } from "../form/dates";
import { writeNumber } from "../form/decimal";
import type { Column } from "./columns";

export interface Dot {
    text: string;
    color: string | null;
}

export interface Painted {
    mode: "text" | "dots" | "link" | "tick" | "hidden";
    text: string;
    /** The exact value, where the text is shorter. */
    hint?: string;
    dots?: Dot[];
    /** The record that a relation leads to. */
    to?: { type: string; id: string };
    /** An address of the value itself, already judged. */
    href?: string;
    error?: boolean;
}

export interface Words {
    locale: string;
    yes: string;
    no: string;
    hidden: string;
    /** 3 files */
    files: (count: number) => string;
}

const nothing: Painted = { mode: "text", text: "" };

/** Reads a dotted path out of a row. Several values behind a relation to many become an array. */
export function valueAt(row: Row, path: string): unknown {
    let value: unknown = row;
    const names = path.split(".");
    for (let i = 0; i < names.length; i++) {
        const name = names[i] ?? "";
        if (i > 0 && isWrapped(value)) value = value.value;
        if (Array.isArray(value)) return value.map((one: unknown) => valueAt(one as Row, names.slice(i).join(".")));
        if (value === null || value === undefined) return value;
        if (typeof value !== "object") return undefined;
        value = (value as Row)[name];
    }
    return value;
}

/** Only addresses that cannot run anything. */
export function safeHref(kind: string, value: string): string | undefined {
    if (kind === "pUrl") return /^https?:\/\//i.test(value) ? value : undefined;
    if (kind === "pEmail") return /^[^\s@:?]+@[^\s@?]+$/.test(value) ? `mailto:${value}` : undefined;
    if (kind === "pPhone") return /^\+?[\d\s()./-]+$/.test(value) ? `tel:${value.replace(/[^\d+]/g, "")}` : undefined;
    return undefined;
}

const formats = new Map<string, Intl.DateTimeFormat>();
function format(locale: string, kind: string): Intl.DateTimeFormat {
    const key = `${locale} ${kind}`;
    let found = formats.get(key);
    if (!found) {
        const options: Intl.DateTimeFormatOptions =
            kind === "pDate"
                ? { dateStyle: "medium" }
                : kind === "pMonth"
                  ? { month: "long", year: "numeric" }
                  : kind === "pTime"
                    ? { timeStyle: "short" }
                    : { dateStyle: "medium", timeStyle: "short" };
        found = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
        formats.set(key, found);
    }
    return found;
}

/** A date or time as it is written in the user's language; its offset is that of the user's zone. */
export function localDate(kind: string, value: string, locale: string): string {
    const clock = clockFrom(value);
    if (!clock) return value;
    return format(locale, kind).format(
        Date.UTC(clock.year, clock.month - 1, clock.day, clock.hour, clock.minute, clock.second),
    );
}

function option(property: PropertyModel, value: unknown): Dot {
    const found = property.options?.find((one: OptionModel) => one.value === value);
    return { text: found?.title ?? String(value), color: found?.color ?? null };
}

function firstLine(text: string): string {
    const end = text.search(/[\r\n]/);
    const line = end < 0 ? text : text.slice(0, end);
    return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function idOf(value: unknown): string {
    if (typeof value === "object" && value !== null && "id" in value) return String(value.id);
    return String(value);
}

function wrapped(column: Column, value: Wrapped): Painted {
    const target = column.target;
    if (value.value === null || value.value === undefined) return nothing;
    if (Array.isArray(value.value)) {
        const items = value.items ?? [];
        return {
            mode: "dots",
            text: value.display ?? "",
            dots: items.map((item) => ({ text: item.display, color: item.color ?? null })),
        };
    }
    const text = value.display ?? idOf(value.value);
    return target ? { mode: "link", text, to: { type: target, id: idOf(value.value) } } : { mode: "text", text };
}

/** Paints a value. `undefined` is a field that the row does not have for this user. */
export function paint(column: Column, value: unknown, words: Words): Painted {
    if (value === undefined) return { mode: "hidden", text: "", hint: words.hidden };
    if (value === null) return nothing;
    if (isWrapped(value)) return wrapped(column, value);
    const { property } = column;
    if (Array.isArray(value)) return paintList(column, value, words);
    switch (property.kind) {
        case "pBoolean":
            return { mode: "tick", text: value === true ? words.yes : words.no };
        case "pInteger":
            return {
                mode: "text",
                text: isNaming(property) ? String(value) : writeNumber(value as number | string, words.locale, true),
            };
        case "pRollup":
        case "pFloat":
            return number(value, words, property.scale ?? 0);
        case "pDecimal":
            return { mode: "text", text: writeNumber(places(value, property.scale ?? 2), words.locale, true) };
        case "pDate":
        case "pMonth":
        case "pTime":
        case "pDateTime":
            return { mode: "text", text: localDate(property.kind, String(value), words.locale), hint: String(value) };
        case "pEnum":
        case "pGroup": {
            const dot = option(property, value);
            return { mode: "dots", text: dot.text, dots: [dot] };
        }
        case "pColor":
            return { mode: "dots", text: String(value), dots: [{ text: String(value), color: String(value) }] };
        case "pEmail":
        case "pUrl":
        case "pPhone": {
            const href = safeHref(property.kind, String(value));
            return href ? { mode: "link", text: String(value), href } : { mode: "text", text: String(value) };
        }
        case "pFile":
            return { mode: "text", text: name(value) };
        case "pJson":
            return { mode: "text", text: firstLine(JSON.stringify(value)) };
        case "pCalculated":
            return calculated(value, words);
        case "pRelation":
        case "pUser":
            return column.target
                ? { mode: "link", text: idOf(value), to: { type: column.target, id: idOf(value) } }
                : { mode: "text", text: idOf(value) };
        default: {
            const text = typeof value === "object" ? JSON.stringify(value) : String(value);
            const line = firstLine(text);
            return line === text ? { mode: "text", text } : { mode: "text", text: line, hint: text.slice(0, 2_000) };
        }
    }
}

/** A number with as many places as its property has: a rollup of decimals has theirs. */
function number(value: unknown, words: Words, scale: number): Painted {
    return typeof value === "number" || typeof value === "string"
        ? { mode: "text", text: writeNumber(scale > 0 ? places(value, scale) : value, words.locale, true) }
        : calculated(value, words);
}

function calculated(value: unknown, words: Words): Painted {
    if (typeof value === "boolean") return { mode: "tick", text: value ? words.yes : words.no };
    if (typeof value === "number") return { mode: "text", text: writeNumber(value, words.locale, true) };
    return { mode: "text", text: firstLine(typeof value === "string" ? value : JSON.stringify(value)) };
}

/** All places of a decimal, which a number of JSON loses: 12.5 is 12.50. */
function places(value: unknown, scale: number): string {
    const text = String(value);
    if (!/^-?\d+(\.\d+)?$/.test(text)) return text;
    const [whole = "", fraction = ""] = text.split(".");
    return scale > fraction.length ? `${whole}.${fraction.padEnd(scale, "0")}` : text;
}

function name(file: unknown): string {
    return typeof file === "object" && file !== null && "name" in file ? String(file.name) : "";
}

function paintList(column: Column, values: unknown[], words: Words): Painted {
    if (values.length === 0) return nothing;
    const { property } = column;
    if (property.kind === "pFiles") {
        const first = name(values[0]);
        return {
            mode: "text",
            text: values.length > 1 ? `${first} · ${words.files(values.length)}` : first,
            hint: values.map(name).join("\n"),
        };
    }
    if (property.kind === "pJson") return { mode: "text", text: firstLine(JSON.stringify(values)) };
    const dots = values.slice(0, 50).map((value): Dot => {
        if (property.kind === "tags") return tagDot(value);
        if (property.options) return option(property, value);
        const one = paint({ ...column, property: { ...property, multiple: false } }, value, words);
        return { text: one.text, color: one.dots?.[0]?.color ?? null };
    });
    return { mode: "dots", text: dots.map((dot) => dot.text).join(", "), dots };
}

export function tagDot(tag: unknown): Dot {
    if (typeof tag !== "object" || tag === null) return { text: String(tag), color: null };
    const { title, name, code, color } = tag as Record<string, string | null | undefined>;
    return { text: title ?? name ?? code ?? "", color: color ?? null };
}

/** Cells of rows, made once for each row and kept as long as the row is. */
export class Painter {
    private readonly made = new WeakMap<Row, Painted[]>();
    readonly columns: Column[];
    readonly words: Words;
    private readonly known: ReadonlySet<string>;

    constructor(columns: Column[], words: Words, known: ReadonlySet<string>) {
        this.columns = columns;
        this.words = words;
        this.known = known;
    }

    cells(row: Row): Painted[] {
        let cells = this.made.get(row);
        if (!cells) {
            cells = this.columns.map((column) =>
                this.known.has(column.path) ? paint(column, valueAt(row, column.path), this.words) : nothing,
            );
            this.made.set(row, cells);
        }
        return cells;
    }
}
