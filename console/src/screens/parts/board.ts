// The answer of a board, and how its items are put into rows.

/** A key of groups: a path of properties from the type of the query, and the part of a date that counts. */
export interface Axis {
    property: string;
    by?: string;
}

/** The properties behind a chart of groups. */
export interface Axes {
    x: Axis;
    series?: Axis;
    y: { function: string; property: string | null }[];
}

export interface Item {
    kind: "number" | "table" | "chart" | "text";
    title?: string | null;
    /** The query behind it and its parameters, where the server tells them. */
    query?: string | null;
    params?: Record<string, unknown> | null;
    value?: unknown;
    columns?: string[];
    rows?: unknown[][];
    total?: number;
    chart?: "line" | "bar" | "pie";
    x?: unknown[];
    series?: { title: string | null; values: unknown[] }[];
    axes?: Axes;
    text?: string;
    error?: { code: string; message: string };
}

export interface BoardAnswer {
    canvas: string;
    title: string;
    items: Item[];
}

export interface Group {
    kind: "numbers" | "texts" | "others";
    items: { item: Item; index: number }[];
}

/** A longer text has the whole width: beside a number or a chart it would leave an empty place. */
const SHORT = 120;

/** Numbers that follow one another share a row, with the short texts about them; so do tables and charts. */
export function groupsOf(items: readonly Item[]): Group[] {
    const groups: Group[] = [];
    items.forEach((item, index) => {
        const last = groups.at(-1);
        const beside = last?.kind === "numbers" && !item.error && (item.text ?? "").length <= SHORT;
        const kind = item.kind === "number" || (item.kind === "text" && beside) ? "numbers" : kindOf(item);
        if (last?.kind === kind) last.items.push({ item, index });
        else groups.push({ kind, items: [{ item, index }] });
    });
    return groups;
}

function kindOf(item: Item): Group["kind"] {
    return item.kind === "text" ? "texts" : "others";
}
