// The content of a chart, without its drawing: series side by side or stacked, and the bounds of the axis.

export type ChartKind = "line" | "bar" | "pie";

export interface Series {
    title: string;
    /** The colour of its option; another series has one of the theme. */
    color?: string | null;
    values: (number | null)[];
    /** The decimals of its values, where more is known of them than they show. */
    scale?: number | undefined;
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

/** The number of the theme's colours, which series without a colour take in turn. */
const colours = 8;

/** Colours that are nearer to one another can hardly be told apart. */
const NEAR = 0.14;

/**
 * The places in the palette of the theme for each that has no colour; -1 for those that have one. Colours near to those
 * that others have are left out, unless none remains.
 */
export function slotsOf(given: readonly (string | null | undefined)[], palette: readonly string[]): number[] {
    const taken = given.map((color) => pointOf(color ?? "")).filter((point) => point !== undefined);
    const points = palette.map(pointOf);
    const all = points.map((_, slot) => slot);
    const apart = all.filter((slot) => {
        const point = points[slot];
        return point === undefined || taken.every((other) => distance(point, other) >= NEAR);
    });
    const order = apart.length > 0 ? apart : all;
    let next = 0;
    return given.map((color) => (color ? -1 : (order[next++ % order.length] ?? 0)));
}

/** The places in the palette of series without a colour; the categories of a single one may have colours, too. */
export function seriesSlots({ series, colors = [] }: ChartData, palette: readonly string[]): number[] {
    const own = series.map(({ color }) => color);
    if (series.length > 1) return slotsOf(own, palette);
    return slotsOf([...own, ...colors.filter((color) => color !== null)], palette).slice(0, series.length);
}

/** The colours of the theme, as the style of an element has them. */
export function paletteOf(element: Element): string[] {
    const style = getComputedStyle(element);
    return Array.from({ length: colours }, (_, slot) => style.getPropertyValue(`--series-${slot}`).trim());
}

type Point = readonly [lightness: number, greenRed: number, blueYellow: number];

/** Eyes see hues apart better than degrees of lightness. */
function distance(one: Point, other: Point): number {
    return Math.hypot((one[0] - other[0]) / 2, one[1] - other[1], one[2] - other[2]);
}

/** The point of a colour (`#2266cc`, `#26c`) in Oklab, where distances are as eyes see them. */
function pointOf(color: string): Point | undefined {
    const found = /^#(?:([\da-f])([\da-f])([\da-f])|([\da-f]{2})([\da-f]{2})([\da-f]{2})(?:[\da-f]{2})?)$/i.exec(color);
    if (found === null) return undefined;
    const [r = 0, g = 0, b = 0] = (found[1] === undefined ? found.slice(4) : found.slice(1, 4)).map((digits) => {
        const part = parseInt(digits.padStart(2, digits), 16) / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    const long = Math.cbrt(0.4122 * r + 0.5363 * g + 0.0514 * b);
    const middle = Math.cbrt(0.2119 * r + 0.6807 * g + 0.1074 * b);
    const short = Math.cbrt(0.0883 * r + 0.2817 * g + 0.63 * b);
    return [
        0.2105 * long + 0.7936 * middle - 0.0041 * short,
        1.978 * long - 2.4286 * middle + 0.4506 * short,
        0.0259 * long + 0.7828 * middle - 0.8087 * short,
    ];
}

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
