// Days, months, times and instants: read from free text in two languages, written as people read them.

export type DateKind = "pDate" | "pMonth" | "pTime" | "pDateTime";

/** A moment on a clock without an offset, in the zone of the user. */
export interface Clock {
    year: number;
    month: number;
    day: number;
    hour: number;
    minute: number;
    second: number;
}

const two = (value: number): string => String(value).padStart(2, "0");
const four = (value: number): string => String(value).padStart(4, "0");

/** The time on the clock in a zone; the browser's zone where the given one is unknown. */
export function clockOf(zone: string | undefined, at: Date = new Date()): Clock {
    const options: Intl.DateTimeFormatOptions = {
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
        hourCycle: "h23",
        calendar: "gregory",
        numberingSystem: "latn",
    };
    let format: Intl.DateTimeFormat;
    try {
        format = new Intl.DateTimeFormat("en-US", { ...options, timeZone: zone });
    } catch {
        format = new Intl.DateTimeFormat("en-US", options);
    }
    const found = new Map(format.formatToParts(at).map((part) => [part.type, Number(part.value)]));
    const of = (name: Intl.DateTimeFormatPartTypes): number => found.get(name) ?? 0;
    return {
        year: of("year"),
        month: of("month"),
        day: of("day"),
        hour: of("hour"),
        minute: of("minute"),
        second: of("second"),
    };
}

/** Writes a clock in the form that the server reads for the kind, without an offset. */
export function isoOf(kind: DateKind, clock: Clock): string {
    const day = `${four(clock.year)}-${two(clock.month)}-${two(clock.day)}`;
    const time = `${two(clock.hour)}:${two(clock.minute)}:${two(clock.second)}`;
    if (kind === "pDate") return day;
    if (kind === "pMonth") return day.slice(0, 7);
    if (kind === "pTime") return time;
    return `${day}T${time}`;
}

/** Reads a value of the server, with or without an offset. The offset is that of the user's zone and is dropped. */
export function clockFrom(value: string): Clock | undefined {
    const match =
        /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?(?:Z|[+-]\d{2}:?\d{2}(?::\d{2})?)?$/.exec(
            value,
        );
    if (match) {
        const [, year, month, day = "1", hour = "0", minute = "0", second = "0"] = match;
        return valid({
            year: Number(year),
            month: Number(month),
            day: Number(day),
            hour: Number(hour),
            minute: Number(minute),
            second: Number(second),
        });
    }
    const time = /^(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(value);
    if (!time) return undefined;
    return valid({
        year: 2000,
        month: 1,
        day: 1,
        hour: Number(time[1]),
        minute: Number(time[2]),
        second: Number(time[3] ?? 0),
    });
}

/** The text without its offset: what is sent, and what two values are compared by. */
export function withoutOffset(value: string): string {
    const clock = clockFrom(value);
    return clock && value.length > 10 ? isoOf("pDateTime", clock) : value;
}

/** The clock of the user's zone at an instant that is written with an offset; undefined where no such offset is. */
function moveToZone(clock: Clock, offset: string, zone: string | undefined): Clock | undefined {
    const [, sign, hours = "0", minutes = "0", seconds = "0"] =
        /^([+-])(\d{2}):?(\d{2})(?::(\d{2}))?$/.exec(offset) ?? [];
    const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
    if (hour > 23 || minute > 59 || second > 59) return undefined;
    const ahead = (sign === "-" ? -1 : 1) * (hour * 3600 + minute * 60 + second);
    const at = new Date(0);
    at.setUTCFullYear(clock.year, clock.month - 1, clock.day);
    at.setUTCHours(clock.hour, clock.minute, clock.second - ahead);
    return clockOf(zone, at);
}

function valid(clock: Clock): Clock | undefined {
    const { year, month, day, hour, minute, second } = clock;
    const fits =
        month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month) && hour < 24 && minute < 60 && second < 60;
    return fits ? clock : undefined;
}

function daysIn(year: number, month: number): number {
    return new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

function moved(clock: Clock, unit: string, count: number): Clock {
    if (unit === "m" || unit === "y") {
        const months = clock.year * 12 + clock.month - 1 + (unit === "y" ? count * 12 : count);
        const year = Math.floor(months / 12);
        const month = (months % 12) + 1;
        return { ...clock, year, month, day: Math.min(clock.day, daysIn(year, month)) };
    }
    const at = new Date(0);
    at.setUTCFullYear(clock.year, clock.month - 1, clock.day);
    at.setUTCHours(clock.hour, clock.minute, clock.second);
    const seconds = { d: 86400, w: 604800, h: 3600, n: 60 }[unit] ?? 86400;
    const then = new Date(at.getTime() + count * seconds * 1000);
    return {
        year: then.getUTCFullYear(),
        month: then.getUTCMonth() + 1,
        day: then.getUTCDate(),
        hour: then.getUTCHours(),
        minute: then.getUTCMinutes(),
        second: then.getUTCSeconds(),
    };
}

const words: Record<string, number> = {
    today: 0,
    tomorrow: 1,
    yesterday: -1,
    dnes: 0,
    zitra: 1,
    vcera: -1,
    pozitri: 2,
    predevcirem: -2,
};

// Weekdays by their first letters, Monday first; the next one that comes is meant.
const weekdays: [RegExp, number][] = [
    [/^(mon(day)?|po(ndeli)?)$/, 1],
    [/^(tue(s(day)?)?|ut(ery)?)$/, 2],
    [/^(wed(nesday)?|st(reda)?)$/, 3],
    [/^(thu(r(s(day)?)?)?|ct(vrtek)?)$/, 4],
    [/^(fri(day)?|pa(tek)?)$/, 5],
    [/^(sat(urday)?|so(bota)?)$/, 6],
    [/^(sun(day)?|ne(dele)?)$/, 0],
];

const units: Record<string, string> = {
    d: "d",
    day: "d",
    days: "d",
    den: "d",
    dny: "d",
    dni: "d",
    dnu: "d",
    w: "w",
    week: "w",
    weeks: "w",
    t: "w",
    tyden: "w",
    tydny: "w",
    tydnu: "w",
    m: "m",
    month: "m",
    months: "m",
    mesic: "m",
    mesice: "m",
    mesicu: "m",
    y: "y",
    year: "y",
    years: "y",
    r: "y",
    rok: "y",
    roky: "y",
    let: "y",
    h: "h",
    hour: "h",
    hours: "h",
    hodina: "h",
    hodiny: "h",
    hodin: "h",
    min: "n",
    minute: "n",
    minutes: "n",
    minuta: "n",
    minuty: "n",
    minut: "n",
};

/**
 * Reads a date that a person typed: `tomorrow`, `+3d`, `fri 14:30`, `15.12.`, `12/15/2026`, `2026-12-15T08:00`.
 * Returns the server's form of the kind, null for an empty text, undefined for what is not understood. An instant with
 * an offset (`2026-12-15T08:00:00Z`) becomes the clock of the user's zone; a day keeps its date as it is written.
 */
export function readDate(
    kind: DateKind,
    typed: string,
    locale: string,
    now: Clock,
    zone: string | undefined,
): string | null | undefined {
    const text = typed
        .trim()
        .toLowerCase()
        .normalize("NFD")
        .replace(/[\u0300-\u036f]/g, "");
    if (text === "") return null;
    if (kind === "pTime") {
        if (isNow(text)) return isoOf("pTime", { ...now, second: 0 });
        const time = readTime(text);
        return time && isoOf("pTime", { ...now, ...time });
    }
    if (isNow(text)) return isoOf(kind, now);
    const exact = clockFrom(text.toUpperCase());
    if (exact && /^\d{4}-/.test(text)) {
        const offset = kind === "pDateTime" ? /(?:z|[+-]\d{2}:?\d{2}(?::\d{2})?)$/.exec(text)?.[0] : undefined;
        const clock = offset === undefined ? exact : moveToZone(exact, offset, zone);
        return clock && isoOf(kind, clock);
    }

    const moves = [...text.matchAll(/([+-])\s*(\d{1,4})\s*([a-z]*)/g)];
    if (moves.length > 0 && text.replace(/([+-])\s*(\d{1,4})\s*([a-z]*)/g, "").trim() === "") {
        return relative(kind, moves, now);
    }
    const midnight = { ...now, hour: 0, minute: 0, second: 0 };
    // A time may follow the day, or stand alone for today.
    const split =
        /^(.*?)(?:(?:^|[\s,]+)(?:(?:at|ve?)\s+)?(\d{1,2}(?::\d{2}){1,2}\s*(?:[ap]m)?|\d{1,2}\s*[ap]m))?$/.exec(text);
    const dayText = (split?.[1] ?? text).trim();
    const time = split?.[2] === undefined ? undefined : readTime(split[2]);
    if (split?.[2] !== undefined && !time) return undefined;
    const day = dayText === "" && time ? midnight : readDay(dayText, kind, locale, midnight);
    return day && isoOf(kind, { ...day, ...(time ?? {}) });
}

function isNow(text: string): boolean {
    return text === "now" || text === "ted" || text === "nyni";
}

function relative(kind: DateKind, moves: RegExpMatchArray[], now: Clock): string | undefined {
    let clock: Clock = now;
    let hours = false;
    for (const [, sign, count, name = ""] of moves) {
        const unit = units[name === "" ? (kind === "pMonth" ? "m" : "d") : name];
        if (unit === undefined) return undefined;
        hours ||= unit === "h" || unit === "n";
        clock = moved(clock, unit, sign === "-" ? -Number(count) : Number(count));
    }
    return isoOf(kind, hours ? { ...clock, second: 0 } : { ...clock, hour: 0, minute: 0, second: 0 });
}

function readTime(text: string): { hour: number; minute: number; second: number } | undefined {
    const match =
        /^(\d{1,2})(?:[:.h](\d{2}))?(?::(\d{2}))?\s*([ap]m)?$/.exec(text) ?? /^(\d{2})(\d{2})()()$/.exec(text);
    if (!match) return undefined;
    let hour = Number(match[1]);
    if (match[4] && (hour < 1 || hour > 12)) return undefined;
    if (match[4]) hour = (hour % 12) + (match[4] === "pm" ? 12 : 0);
    const time = { hour, minute: Number(match[2] || 0), second: Number(match[3] || 0) };
    return time.hour < 24 && time.minute < 60 && time.second < 60 ? time : undefined;
}

function readDay(text: string, kind: DateKind, locale: string, today: Clock): Clock | undefined {
    const word = words[text];
    if (word !== undefined) return moved(today, "d", word);
    const weekday = weekdays.find(([pattern]) => pattern.test(text))?.[1];
    if (weekday !== undefined) {
        const at = new Date(0);
        at.setUTCFullYear(today.year, today.month - 1, today.day);
        return moved(today, "d", ((weekday - at.getUTCDay() + 6) % 7) + 1);
    }
    const iso = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?$/.exec(text);
    if (iso) return valid({ ...today, year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3] ?? 1) });
    const parts = text.split(/[\s./-]+/).filter((part) => part !== "");
    if (!parts.every((part) => /^\d{1,4}$/.test(part))) return undefined;
    const numbers = parts.map(Number);
    const [first = 0, second = 0, third] = numbers;
    if (kind === "pMonth" && numbers.length === 2)
        return valid({ ...today, year: century(second), month: first, day: 1 });
    if (numbers.length < 2 || numbers.length > 3) return undefined;
    const monthFirst = text.includes("/") && monthComesFirst(locale);
    const [day, month] = monthFirst ? [second, first] : [first, second];
    return valid({ ...today, year: third === undefined ? today.year : century(third), month, day });
}

function century(year: number): number {
    return year < 100 ? 2000 + year : year;
}

function monthComesFirst(locale: string): boolean {
    const parts = new Intl.DateTimeFormat(locale).formatToParts(new Date(Date.UTC(2026, 11, 15)));
    return parts.findIndex((part) => part.type === "month") < parts.findIndex((part) => part.type === "day");
}

/** Writes a value for people, in their language; the text itself where it is not understood. */
export function showDate(kind: DateKind, value: string, locale: string): string {
    const clock = clockFrom(value);
    if (!clock) return value;
    const at = new Date(0);
    at.setUTCFullYear(clock.year, clock.month - 1, clock.day);
    at.setUTCHours(clock.hour, clock.minute, clock.second);
    const seconds = clock.second === 0 ? {} : { second: "2-digit" as const };
    const time = { hour: "numeric" as const, minute: "2-digit" as const, ...seconds };
    const day = { year: "numeric" as const, month: "numeric" as const, day: "numeric" as const };
    const options =
        kind === "pDate"
            ? day
            : kind === "pMonth"
              ? { year: "numeric" as const, month: "long" as const }
              : kind === "pTime"
                ? time
                : { ...day, ...time };
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).format(at);
}
