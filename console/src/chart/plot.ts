// Draws bars and lines by uPlot: a chunk of its own, loaded with the first chart.

import uPlot from "uplot";
import { formatNumber } from "../text/format";
import { axisNames, isSequence } from "./axis";
import { type Bar, barsOf, boundsOf, canList, type ChartData, paletteOf, seriesSlots } from "./data";
import "./chart.css";

export interface Plot {
    destroy: () => void;
}

interface Look {
    palette: string[];
    text: string;
    line: string;
    font: string;
}

/** The colours of the theme: a canvas knows no variables of CSS. */
function lookOf(element: HTMLElement): Look {
    const style = getComputedStyle(element);
    const token = (name: string): string => style.getPropertyValue(name).trim();
    return {
        palette: paletteOf(element),
        text: token("--muted"),
        line: token("--line"),
        font: `12px ${style.fontFamily}`,
    };
}

const barWidth = 0.78;

/** The pixels of a chart whose names take one line, and those of that line. */
const HEIGHT = 260;
const LINE_BELOW = 30;

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

/**
 * Draws into `element`; `oncursor` tells the place along the axis under the pointer. Null where bars have no room for
 * their names along the axis: a list has it.
 */
export function draw(
    element: HTMLElement,
    data: ChartData,
    stacked: boolean,
    oncursor: (at: number | null) => void,
): Plot | null {
    const look = lookOf(element);
    const slots = seriesSlots(data, look.palette);
    const bars = data.kind === "bar" ? barsOf(data, stacked) : null;
    const [least, most] = boundsOf(data, bars);
    const count = data.x.length;
    const beside = valuesWidth([formatNumber(Math.round(most)), formatNumber(Math.round(least))]);
    const names = axisNames(
        data.x,
        bars !== null,
        element.clientWidth,
        measured(look.font),
        beside + (data.yTitle === undefined ? 12 : 32),
    );
    if (!names.all && canList(data) && !isSequence(data.x)) return null;
    // Names that take more room than a line make the chart higher, and not its bars lower.
    element.style.height = `${HEIGHT + names.size - LINE_BELOW}px`;
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
                rotate: names.slant,
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
                size: (_, values) => valuesWidth(values ?? []),
                values: (_, places) => places.map((place) => formatNumber(Number(place.toFixed(10)))),
            },
        ],
        series: [
            {},
            ...data.series.map((one, index): uPlot.Series => {
                const colour = one.color ?? look.palette[slots[index] ?? 0] ?? "";
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
    return { destroy: () => plot.destroy() };
}

/** The pixels that the values beside the axis take. */
function valuesWidth(values: readonly string[]): number {
    return Math.max(32, ...values.map((value) => value.length * 7 + 12));
}

/** The title of an axis, which takes room beside its labels. */
function titled(title: string | undefined, look: Look): Partial<uPlot.Axis> {
    return title === undefined ? {} : { label: title, labelFont: look.font, labelSize: 20, labelGap: 0 };
}

/** The width of a text in pixels. */
function measured(font: string): (words: string) => number {
    const context = document.createElement("canvas").getContext("2d");
    if (context === null) return (words) => words.length * 7;
    context.font = font;
    return (words) => context.measureText(words).width;
}

/** The places that have a label: as many as there is room for. */
function splits(count: number, width: number, room: number): number[] {
    const step = Math.max(1, Math.ceil((count * room) / Math.max(width, 1)));
    return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
