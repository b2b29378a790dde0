// Rows of a file of CSV or JSON as they stand in its text: their places and cells, so that nothing else is changed.

export interface Cell {
    /** The column's number in CSV, the member's name in JSON. */
    column: number | string;
    from: number;
    to: number;
}

export interface FileRow {
    /** The line of CSV and of JSON lines, or the number of the object in an array. */
    line: number;
    /** The first of the empty lines before it: the server names that one. */
    empty: number;
    from: number;
    to: number;
}

export type TextFormat = "csv" | "json" | "jsonl";

/** The rows of a text; of CSV the first one is the head. Rows without an end reach to that of the file. */
export function rowsOf(text: string, format: TextFormat): Generator<FileRow> {
    return format === "json" ? objectsOf(text) : linesOf(text, format === "csv");
}

function* linesOf(text: string, quotes: boolean): Generator<FileRow> {
    let quoted = false;
    let from = 0;
    let line = 1;
    let first = 1;
    let empty = 1;
    for (let at = 0; at <= text.length; at += 1) {
        const sign = text[at];
        if (sign === '"' && quotes) quoted = !quoted;
        if (sign !== undefined && sign !== "\n") continue;
        line += 1;
        // A quote that is never closed ends with the file.
        if (quoted && sign !== undefined) continue;
        const to = text[at - 1] === "\r" && at > from ? at - 1 : at;
        if (to > from) {
            yield { line: first, empty, from, to };
            empty = line;
        }
        from = at + 1;
        first = line;
    }
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

function* objectsOf(text: string): Generator<FileRow> {
    let depth = 0;
    let from = 0;
    let line = 0;
    for (const { 0: part, index } of text.matchAll(token)) {
        if (part === "{" || part === "[") {
            if (depth === 1) from = index;
            depth += 1;
        } else if (part === "}" || part === "]") {
            depth -= 1;
            if (depth === 1) {
                line += 1;
                yield { line, empty: line, from, to: index + 1 };
            }
        }
    }
}

/** The cells of a row of CSV, with their quotes. */
export function* cellsOf(text: string, row: FileRow, delimiter: string): Generator<Cell> {
    let quoted = false;
    let from = row.from;
    let column = 0;
    for (let at = row.from; at <= row.to; at += 1) {
        if (at < row.to) {
            if (text[at] === '"') quoted = !quoted;
            if (quoted || text[at] !== delimiter) continue;
        }
        yield { column, from, to: at };
        column += 1;
        from = at + 1;
    }
}

/** The content of a cell of CSV, without its quotes. */
export function cellText(cell: string): string {
    return /^\s*"/.test(cell) ? cell.trim().replace(/^"|"$/g, "").replaceAll('""', '"') : cell;
}
