// Draws bars and lines by uPlot: a chunk of its own, loaded with the first chart.

import uPlot from "uplot";
import { formatNumber } from "../text/format";
import { type Bar, barsOf, boundsOf, type ChartData, colours } from "./data";
import "./chart.css";

export interface Plot {
    resize: (width: number, height: number) => void;
    destroy: () => void;
}

interface Look {
    colour: (index: number) => string;
    text: string;
    line: string;
    font: string;
}

/** The colours of the theme: a canvas knows no variables of CSS. */
function lookOf(element: HTMLElement): Look {
    const style = getComputedStyle(element);
    const token = (name: string): string => style.getPropertyValue(name).trim();
    return {
        colour: (index) => token(`--series-${index % colours}`),
        text: token("--muted"),
        line: token("--line"),
        font: `12px ${style.fontFamily}`,
    };
}

const barWidth = 0.78;

function barPaths(
    bars: readonly Bar[],
    index: number,
    stacked: boolean,
    fills: readonly string[] | null,
): uPlot.Series.PathBuilder {
    const width = stacked ? barWidth : barWidth / bars.length;
    const bar = bars[index];
    const make = uPlot.paths.bars;
    if (make === undefined || bar === undefined) return () => null;
    // Places in units of the axis: the bars of a group stand side by side around its middle.
    const start = stacked ? -barWidth / 2 : -barWidth / 2 + index * width;
    const numbers = (list: (number | null)[]): number[] => list as number[];
    return make({
        disp: {
            x0: { unit: 1, values: (plot) => Array.from(plot.data[0], (x) => x + start) },
            size: { unit: 1, values: () => [width * 0.94] },
            y0: { unit: 1, values: () => numbers(bar.from) },
            y1: { unit: 1, values: () => numbers(bar.to) },
            ...(fills === null ? {} : { fill: { unit: 3, values: () => [...fills] } }),
        },
    });
}

/** Draws into `element`; `oncursor` tells the place along the axis under the pointer. */
export function draw(
    element: HTMLElement,
    data: ChartData,
    stacked: boolean,
    oncursor: (at: number | null) => void,
): Plot {
    const look = lookOf(element);
    const bars = data.kind === "bar" ? barsOf(data, stacked) : null;
    const [least, most] = boundsOf(data, bars);
    const count = data.x.length;
    const names = axisNames(data.x, bars !== null, look.font, element.clientWidth);
    const options: uPlot.Options = {
        padding: [10, names.after, 0, names.before],
        width: Math.max(160, element.clientWidth),
        height: element.clientHeight,
        legend: { show: false },
        cursor: {
            y: false,
            drag: { x: false, y: false },
            points: { show: data.kind === "line" },
        },
        scales: {
            x: {
                time: false,
                range: bars === null ? [count > 1 ? 0 : -0.5, count > 1 ? count - 1 : 0.5] : [-0.5, count - 0.5],
            },
            y: { range: [least, most] },
        },
        axes: [
            {
                stroke: look.text,
                font: look.font,
                grid: { show: false },
                ticks: { show: false },
                size: names.size,
                gap: 6,
                rotate: names.slanted ? SLANT : 0,
                ...titled(data.xTitle, look),
                splits: (plot) => splits(count, plot.bbox.width / devicePixelRatio, names.room),
                values: (_, places) => places.map((at) => names.labels[at] ?? ""),
            },
            {
                stroke: look.text,
                font: look.font,
                grid: { stroke: look.line, width: 1 },
                ...titled(data.yTitle, look),
                ticks: { show: false },
                size: (_, values) => Math.max(32, ...(values ?? []).map((value) => value.length * 7 + 12)),
                values: (_, places) => places.map((place) => formatNumber(Number(place.toFixed(10)))),
            },
        ],
        series: [
            {},
            ...data.series.map((one, index): uPlot.Series => {
                const colour = one.color ?? look.colour(index);
                // The bars of a single series have the colours of their categories.
                const fills =
                    data.series.length === 1 && data.colors?.some((color) => color !== null)
                        ? data.colors.map((color) => color ?? colour)
                        : null;
                return bars === null
                    ? { stroke: colour, width: 2, points: { show: count <= 40, size: 5, fill: colour } }
                    : {
                          fill: colour,
                          stroke: colour,
                          width: 0,
                          points: { show: false },
                          paths: barPaths(bars, index, stacked, fills),
                      };
            }),
        ],
        hooks: {
            setCursor: [
                (plot) =>
                    oncursor(plot.cursor.left === undefined || plot.cursor.left < 0 ? null : (plot.cursor.idx ?? null)),
            ],
        },
    };
    const columns = [data.x.map((_, at) => at), ...data.series.map(({ values }) => values)];
    const plot = new uPlot(options, columns as uPlot.AlignedData, element);
    return {
        resize: (width, height) => plot.setSize({ width: Math.max(160, width), height }),
        destroy: () => plot.destroy(),
    };
}

/** The title of an axis, which takes room beside its labels. */
function titled(title: string | undefined, look: Look): Partial<uPlot.Axis> {
    return title === undefined ? {} : { label: title, labelFont: look.font, labelSize: 20, labelGap: 0 };
}

/** The angle of names that have no room beside one another, in degrees. */
const SLANT = 40;
/** The longest slanted name in pixels: a longer one would take the room of the chart. */
const LONGEST = 150;
const LINE = 16;
/** Names of more bars than this are left out between others. */
const MOST_NAMED = 40;

interface AxisNames {
    labels: string[];
    /** The pixels below the axis. */
    size: number;
    /** The pixels along the axis that each name takes. */
    room: number;
    slanted: boolean;
    /** The pixels that the outer names take beyond the axis. */
    before: number;
    after: number;
}

/** Lays out the names along the axis so that none is cut: in lines below their bars, else slanted; of lines, some of them. */
function axisNames(x: readonly string[], bars: boolean, font: string, width: number): AxisNames {
    const measure = measured(font);
    const each = Math.max(1, (width - 60) / Math.max(1, x.length)) - 10;
    const widest = (list: readonly string[]): number => Math.max(0, ...list.map(measure));
    const plain = widest(x);
    const level = (labels: string[], lines: number): AxisNames => {
        const room = widest(labels.flatMap((label) => label.split("\n"))) + 12;
        return {
            labels,
            size: 14 + lines * LINE,
            room,
            slanted: false,
            before: Math.max(0, Math.ceil(room / 2) - 40),
            after: Math.ceil(room / 2),
        };
    };
    if (plain <= each || !bars || x.length > MOST_NAMED) return level([...x], 1);
    const wrapped = x.map((name) => linesOf(name, each, measure));
    const lines = Math.max(...wrapped.map((parts) => parts.length));
    if (lines <= 3 && wrapped.every((parts) => widest(parts) <= each))
        return level(
            wrapped.map((parts) => parts.join("\n")),
            lines,
        );
    const labels = x.map((name) => shortened(name, measure));
    const long = widest(labels);
    const turn = (SLANT * Math.PI) / 180;
    const before = Math.max(0, Math.ceil(measure(labels[0] ?? "") * Math.cos(turn) - each / 2 - 32));
    const size = Math.ceil(long * Math.sin(turn)) + LINE + 10;
    return { labels, size, room: LINE + 4, slanted: true, before, after: 12 };
}

/** The width of a text in pixels. */
function measured(font: string): (words: string) => number {
    const context = document.createElement("canvas").getContext("2d");
    if (context === null) return (words) => words.length * 7;
    context.font = font;
    return (words) => context.measureText(words).width;
}

/** The words of a name in lines of at most that width; a longer word has its own line. */
function linesOf(name: string, most: number, measure: (words: string) => number): string[] {
    const lines: string[] = [];
    for (const word of name.split(" ")) {
        const longer = `${lines.at(-1) ?? ""} ${word}`;
        if (lines.length > 0 && measure(longer) <= most) lines[lines.length - 1] = longer;
        else lines.push(word);
    }
    return lines;
}

/** The name, cut where it would take the room of the chart itself. */
function shortened(name: string, measure: (words: string) => number): string {
    if (measure(name) <= LONGEST) return name;
    let end = name.length;
    while (end > 1 && measure(`${name.slice(0, end)}…`) > LONGEST) end -= 1;
    return `${name.slice(0, end).trimEnd()}…`;
}

/** The places that have a label: as many as there is room for. */
function splits(count: number, width: number, room: number): number[] {
    const step = Math.max(1, Math.ceil((count * room) / Math.max(width, 1)));
    return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
