// Numbers, dates and times as they are written in the user's language.

import type { Exact } from "../data/numbers";
import { locale } from "./index";

const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>();

function kept<T extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
    key: string,
    make: () => T,
): T {
    const name = `${locale()} ${key}`;
    const known = formats.get(name);
    if (known !== undefined) return known as T;
    const made = make();
    formats.set(name, made);
    return made;
}

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
    return kept(JSON.stringify(options), () => new Intl.NumberFormat(locale(), options));
}

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    return kept(JSON.stringify(options), () => new Intl.DateTimeFormat(locale(), options));
}

/** All digits of a number, grouped; with `scale` as many places after the point. */
export function formatNumber(value: Exact, options: { scale?: number | null; currency?: string | null } = {}): string {
    const places = options.scale ?? undefined;
    const format = numberFormat({
        minimumFractionDigits: places ?? 0,
        maximumFractionDigits: places ?? 20,
        ...(options.currency ? { style: "currency" as const, currency: options.currency } : {}),
    });
    // A text keeps its digits: `format` reads it as a decimal.
    return format.format(value as number);
}

export function formatBytes(bytes: number): string {
    const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
    const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
    return numberFormat({
        style: "unit",
        unit: units[step] ?? "byte",
        unitDisplay: "short",
        maximumFractionDigits: step > 0 ? 1 : 0,
    }).format(bytes / 1000 ** step);
}

/** The numbers of a date text as the API writes it, without regard of its offset: they are of the display zone. */
function utc(text: string): Date | null {
    const found = /^(\d{4})-(\d\d)(?:-(\d\d))?(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?/.exec(text);
    if (found === null) return null;
    const [, year, month, day = "1", hour = "0", minute = "0", second = "0"] = found;
    const date = new Date(0);
    date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
    date.setUTCHours(Number(hour), Number(minute), Number(second));
    return date;
}

function shown(text: string, options: Intl.DateTimeFormatOptions): string {
    const date = utc(text);
    return date === null ? text : dateFormat({ ...options, timeZone: "UTC" }).format(date);
}

/** `2026-11-28` */
export function formatDate(text: string): string {
    return shown(text, { dateStyle: "medium" });
}

/** `2026-11` */
export function formatMonth(text: string): string {
    return shown(text, { month: "long", year: "numeric" });
}

/** `16:28:00`; seconds only if there are some. */
export function formatTime(text: string): string {
    const seconds = /:\d\d:(\d\d)/.exec(text)?.[1] ?? "00";
    return shown(`2000-01-01T${text}`, { timeStyle: seconds === "00" ? "short" : "medium" });
}

/** `2026-11-28T16:28:00+01:00`: the time of the display zone, which the API writes. */
export function formatDateTime(text: string): string {
    return shown(text, { dateStyle: "medium", timeStyle: "short" });
}

/** An instant as a distance from now: "3 hours ago". */
export function formatAgo(text: string, now: number = Date.now()): string {
    const at = Date.parse(text);
    if (Number.isNaN(at)) return text;
    const format = kept("ago", () => new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }));
    const seconds = (at - now) / 1000;
    const steps = [
        ["day", 86_400],
        ["hour", 3600],
        ["minute", 60],
    ] as const;
    for (const [unit, length] of steps) {
        if (Math.abs(seconds) >= length) return format.format(Math.round(seconds / length), unit);
    }
    return format.format(Math.round(seconds), "second");
}
