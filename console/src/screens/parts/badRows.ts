// The rows of a file that have problems, with the reasons beside them: to be corrected and imported again.

export interface RowProblem {
    line: number;
    message: string;
}

interface CsvRow {
    /** The line at which it begins, and the first of the empty lines before it: the server names that one. */
    line: number;
    from: number;
    /** As it stands in the file, without its end. */
    words: string;
}

function* rowsOf(text: string): Generator<CsvRow> {
    let quoted = false;
    let start = 0;
    let line = 1;
    let first = 1;
    let from = 1;
    for (let at = 0; at <= text.length; at += 1) {
        const sign = text[at];
        if (sign === '"') quoted = !quoted;
        if (sign !== undefined && sign !== "\n") continue;
        line += 1;
        // A quote that is never closed ends with the file.
        if (quoted && sign !== undefined) continue;
        const words = text.slice(start, at).replace(/\r$/, "");
        if (words !== "") {
            yield { line: first, from, words };
            from = line;
        }
        start = at + 1;
        first = line;
    }
}

function cellsOf(words: string, delimiter: string): string[] {
    const cells: string[] = [];
    let cell = "";
    let quoted = false;
    for (let at = 0; at < words.length; at += 1) {
        const sign = words[at] ?? "";
        if (sign === '"' && quoted && words[at + 1] === '"') {
            cell += sign;
            at += 1;
        } else if (sign === '"') quoted = !quoted;
        else if (sign === delimiter && !quoted) {
            cells.push(cell);
            cell = "";
        } else cell += sign;
    }
    return [...cells, cell];
}

/** What the server keeps of a job: `line`, `column`, `code`, `message`, and the row. */
export function problemsOfJob(csv: string): RowProblem[] {
    return [...rowsOf(csv)].slice(1).flatMap(({ words }) => {
        const [line = "", , , message = ""] = cellsOf(words, ",");
        return /^\d+$/.test(line) ? [{ line: Number(line), message }] : [];
    });
}

/** The head of the file and its rows with problems, as they stand there, with a last column of what is wrong. */
export function badRowsOf(text: string, delimiter: string, problems: readonly RowProblem[], title: string): string {
    const reasons = new Map<number, string[]>();
    for (const { line, message } of problems) {
        const told = reasons.get(line) ?? [];
        if (!told.includes(message)) reasons.set(line, [...told, message]);
    }
    const end = /\r\n/.test(text) ? "\r\n" : "\n";
    const quote = (words: string): string => `"${words.replaceAll('"', '""')}"`;
    const kept: string[] = [];
    let columns = 0;
    for (const { line, from, words } of rowsOf(text)) {
        const told = reasons.get(line) ?? reasons.get(from);
        if (kept.length === 0) {
            columns = cellsOf(words, delimiter).length;
            kept.push(words + delimiter + quote(title));
        } else if (told) {
            // A row that is too short has its missing cells, so that the reasons stand in their column.
            const missing = Math.max(0, columns - cellsOf(words, delimiter).length);
            kept.push(words + delimiter.repeat(missing + 1) + quote(told.join(" ")));
        }
    }
    return kept.join(end) + end;
}
