// The rows of a file that have problems, with the reasons beside them: to be corrected and imported again.

import { cellsOf, cellText, rowsOf, type TextFormat } from "./importRows";

export interface RowProblem {
    line: number;
    message: string;
}

/** The problems that the server keeps of a job: `line`, `column`, `code`, `message`, and the row. */
export function problemsOfJob(csv: string): RowProblem[] {
    return [...rowsOf(csv, "csv")].slice(1).flatMap((row) => {
        const [line = "", , , message = ""] = [...cellsOf(csv, row, ",")].map(({ from, to }) =>
            cellText(csv.slice(from, to)),
        );
        return /^\d+$/.test(line) ? [{ line: Number(line), message }] : [];
    });
}

/** The rows of the file with problems, as they stand there: in CSV with a last column of reasons, in JSON with a member. */
export function badRowsOf(
    text: string,
    format: TextFormat,
    delimiter: string,
    problems: readonly RowProblem[],
    title: string,
): string {
    const reasons = new Map<number, string[]>();
    for (const { line, message } of problems) {
        const told = reasons.get(line) ?? [];
        if (!told.includes(message)) reasons.set(line, [...told, message]);
    }
    const kept: string[] = [];
    let columns = 0;
    for (const row of rowsOf(text, format)) {
        const words = text.slice(row.from, row.to);
        const told = reasons.get(row.line) ?? reasons.get(row.empty);
        if (format === "csv" && kept.length === 0) {
            columns = [...cellsOf(text, row, delimiter)].length;
            kept.push(words + delimiter + inQuotes(title));
        } else if (told && format === "csv") {
            // A row that is too short has its missing cells, so that the reasons stand in their column.
            const missing = Math.max(0, columns - [...cellsOf(text, row, delimiter)].length);
            kept.push(words + delimiter.repeat(missing + 1) + inQuotes(told.join(" ")));
        } else if (told) {
            kept.push(withMember(words, title, told.join(" ")));
        }
    }
    const end = /\r\n/.test(text) ? "\r\n" : "\n";
    return format === "json" ? `[${end}${kept.join(`,${end}`)}${end}]${end}` : kept.join(end) + end;
}

/** An object of JSON with one member more; a row that is not an object stays as it is. */
function withMember(words: string, name: string, value: string): string {
    const open = /^(\s*\{.*?)\s*\}\s*$/s.exec(words)?.[1];
    if (open === undefined) return words;
    const separator = open.trim() === "{" ? "" : ", ";
    return `${open}${separator}${JSON.stringify(name)}: ${JSON.stringify(value)}}`;
}

function inQuotes(words: string): string {
    return `"${words.replaceAll('"', '""')}"`;
}
