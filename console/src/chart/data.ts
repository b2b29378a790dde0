// The content of a chart, without its drawing: series side by side or stacked, and the bounds of the axis.

export type ChartKind = "line" | "bar" | "pie";

export interface Series {
    title: string;
    /** The colour of its option; another series has one of the theme. */
    color?: string | null;
    values: (number | null)[];
}

export interface ChartData {
    kind: ChartKind;
    x: string[];
    /** Colours of the categories, where they are options. */
    colors?: readonly (string | null)[];
    series: Series[];
    /** The titles of the properties along the axes, where they are known. */
    xTitle?: string | undefined;
    /** What the names along the axis are, where no property is known: said in the table alone. */
    xName?: string | undefined;
    yTitle?: string | undefined;
}

/** Rows that a table shows at once; a longer one scrolls in itself. */
export const MOST_ROWS = 24;

/** More decimals are those of a calculation, and no column is filled up to them. */
const MOST_PLACES = 6;

/** The decimals of a column of numbers: as many as any of them has; undefined where that says nothing. */
export function placesOf(values: readonly unknown[]): number | undefined {
    const most = Math.max(
        0,
        ...values.map((value) => {
            const text = typeof value === "number" ? String(value) : "";
            return text.includes("e") ? Infinity : (text.split(".")[1]?.length ?? 0);
        }),
    );
    return most > MOST_PLACES ? undefined : most;
}

/** The colours of the theme that series take in turn. */
export const colours = 8;

/** Numbers of the answer; decimals beyond a number's digits come as texts. */
export function numbersOf(values: readonly unknown[]): (number | null)[] {
    return values.map((value) => {
        const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
        return typeof number === "number" && Number.isFinite(number) ? number : null;
    });
}

/** True if bars may be put on one another: parts of a whole are never below zero. */
export function canStack(data: ChartData): boolean {
    return (
        data.kind === "bar" &&
        data.series.length > 1 &&
        data.series.every((one) => one.values.every((value) => (value ?? 0) >= 0))
    );
}

/** A longer list hides what comes after it. */
const MOST_LISTED = 60;

/** True if the bars may stand below one another in a list: some, of one series, none of them below zero. */
export function canList(data: ChartData): boolean {
    return (
        data.kind === "bar" &&
        data.x.length <= MOST_LISTED &&
        data.series.length === 1 &&
        data.series.every((one) => one.values.every((value) => (value ?? 0) >= 0))
    );
}

/** Bars of many series side by side are too thin to be read: these are put on one another unless one chooses. */
const MOST_BESIDE = 2;

/**
 * Tells how the bars are drawn at first. The answer about the first data that can be stacked holds: series that come and
 * go, with the values of a board, change no picture.
 */
export function stacksAtFirst(data: ChartData, before: boolean | null): boolean | null {
    return before ?? (canStack(data) ? data.series.length > MOST_BESIDE : null);
}

export interface Bar {
    from: (number | null)[];
    to: (number | null)[];
}

/** Beginning and end of each bar. */
export function barsOf(data: ChartData, stacked: boolean): Bar[] {
    const tops = data.x.map(() => 0);
    return data.series.map(({ values }) => {
        const from = data.x.map((_, at) => (stacked ? (tops[at] ?? 0) : 0));
        const to = data.x.map((_, at) => {
            const value = values[at] ?? null;
            return value === null ? null : (from[at] ?? 0) + value;
        });
        if (stacked) to.forEach((end, at) => (tops[at] = end ?? tops[at] ?? 0));
        return { from, to };
    });
}

/** The least and the greatest value of the axis; bars always stand on zero. */
export function boundsOf(data: ChartData, bars: readonly Bar[] | null): [number, number] {
    const shown = bars === null ? data.series.flatMap((one) => one.values) : bars.flatMap((bar) => bar.to);
    let least = bars === null ? Infinity : 0;
    let most = bars === null ? -Infinity : 0;
    for (const value of shown) {
        if (value === null) continue;
        least = Math.min(least, value);
        most = Math.max(most, value);
    }
    if (least > most) return [0, 1];
    const space = (most - least || Math.abs(most) || 1) * 0.06;
    // A line that never goes below zero needs no room there.
    return [
        least >= 0 ? (least < most / 2 || bars !== null ? 0 : least - space) : least - space,
        most <= 0 && bars !== null ? 0 : most + space,
    ];
}

export interface Share {
    title: string;
    value: number;
    /** Of the sum, from 0 to 1. */
    share: number;
    color?: string | null;
}

/** The parts of a pie, the greatest first; the smallest beyond `most` are put together. */
export function sharesOf(data: ChartData, rest: string, most = 12): Share[] {
    const values = data.series[0]?.values ?? [];
    const parts = data.x.map((title, at) => ({
        title,
        value: Math.max(0, values[at] ?? 0),
        color: data.colors?.[at] ?? null,
    }));
    const sum = parts.reduce((total, part) => total + part.value, 0) || 1;
    const sorted = parts.sort((one, other) => other.value - one.value);
    const shown = sorted.length > most ? sorted.slice(0, most - 1) : sorted;
    const others = sorted.slice(shown.length).reduce((total, part) => total + part.value, 0);
    const all = sorted.length > shown.length ? [...shown, { title: rest, value: others, color: null }] : shown;
    return all.map((part) => ({ ...part, share: part.value / sum }));
}

/** The bars of one series in their order, as parts of the greatest. */
export function listOf(data: ChartData): Share[] {
    const values = data.series[0]?.values ?? [];
    const most = Math.max(...values.map((value) => value ?? 0)) || 1;
    return data.x.map((title, at) => ({
        title,
        value: values[at] ?? 0,
        color: data.colors?.[at] ?? data.series[0]?.color ?? null,
        share: (values[at] ?? 0) / most,
    }));
}
