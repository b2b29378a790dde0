// The names along the axis of a chart: in lines below their bars, slanted, or some of them; none is cut.

/** The angles of names that have no room beside one another, in degrees, and the pixels along the axis of each. */
const SLANTS: readonly (readonly [angle: number, room: number])[] = [
    [40, 20],
    [60, 16],
    [90, 14],
];
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
    /** The angle in degrees; 0 is level. */
    slant: number;
    /** Each place has its name; else some are left out. */
    all: boolean;
    /** The pixels that the outer names take beyond the axis. */
    before: number;
    after: number;
}

/**
 * Lays out the names along the axis so that none is cut: in lines below their bars, else slanted; of lines, some of them.
 * `beside` are the pixels of the width that the other axis takes.
 */
export function axisNames(
    x: readonly string[],
    bars: boolean,
    width: number,
    measure: (words: string) => number,
    beside = 60,
): AxisNames {
    const each = Math.max(1, (width - beside) / Math.max(1, x.length)) - 10;
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
            slant: 0,
            all: x.length * room <= width - beside || (bars && room - 12 <= each),
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
    const slants = SLANTS.map(([angle, room]) => slanted(labels, angle, room, width, measure, beside));
    // The first one that names all; of too many, some are named by the one that is read best.
    return slants.find(({ all }) => all) ?? slants[0] ?? level([...x], 1);
}

/** Each ends below its bar and begins to the left of it, maybe before the axis. What is taken there narrows the bars. */
function slanted(
    labels: string[],
    slant: number,
    room: number,
    width: number,
    measure: (words: string) => number,
    beside: number,
): AxisNames {
    const turn = (slant * Math.PI) / 180;
    const widths = labels.map(measure);
    const reach = widths.map((wide, at) => {
        const share = (at + 0.5) / labels.length;
        return (wide * Math.cos(turn) + 36 - beside - (width - beside) * share) / (1 - share);
    });
    const before = Math.min(width / 2, Math.max(0, Math.ceil(Math.max(...reach))));
    const size = Math.ceil(Math.max(...widths) * Math.sin(turn)) + LINE + 10;
    const all = labels.length * room <= width - beside - before;
    return { labels, size, room, slant, all, before, after: 12 };
}

/** True for names such as days and numbers: those between others are known without being named. */
export function isSequence(x: readonly string[]): boolean {
    return x.every((name) => /^[-\d]/.test(name));
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
