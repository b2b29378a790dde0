// The names along the axis of a chart: in lines below their bars, slanted, or some of them; none is cut.

/** The angle of names that have no room beside one another, in degrees. */
export const SLANT = 40;
/** The longest slanted name in pixels: a longer one would take the room of the chart. */
const LONGEST = 220;
const LINE = 16;
/** Names of more bars than this are left out between others. */
const MOST_NAMED = 40;

export interface AxisNames {
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
export function axisNames(
    x: readonly string[],
    bars: boolean,
    width: number,
    measure: (words: string) => number,
): AxisNames {
    const each = Math.max(1, (width - 60) / Math.max(1, x.length)) - 10;
    const widest = (list: readonly string[]): number => Math.max(0, ...list.map(measure));
    const plain = widest(x);
    const level = (labels: string[], lines: number): AxisNames => {
        const room = widest(labels.flatMap((label) => label.split("\n"))) + 12;
        // Below its own bar a name does not reach beyond the axis.
        const beyond = bars && room - 12 <= each ? 0 : Math.ceil(room / 2);
        return {
            labels,
            size: 14 + lines * LINE,
            room,
            slanted: false,
            before: Math.max(0, beyond - 40),
            after: Math.max(8, beyond),
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
    // Each ends below its bar and begins to the left of it, maybe before the axis. What is taken there narrows the bars.
    const reach = labels.map((label, at) => {
        const share = (at + 0.5) / labels.length;
        return (measure(label) * Math.cos(turn) + 8 - 32 - (width - 56) * share) / (1 - share);
    });
    const before = Math.min(width / 2, Math.max(0, Math.ceil(Math.max(...reach))));
    const size = Math.ceil(long * Math.sin(turn)) + LINE + 10;
    return { labels, size, room: LINE + 4, slanted: true, before, after: 12 };
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
