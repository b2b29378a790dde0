// The rows of a file that have problems, with the reasons beside them: to be corrected and imported again.

import { ownColumns } from "../../grid/importing";
import { cellsOf, cellText, rowsOf, type FileRow, type TextFormat } from "./importRows";

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

/** The messages of each line, once each. */
function reasonsOf(problems: readonly RowProblem[]): Map<number, string[]> {
    const reasons = new Map<number, string[]>();
    for (const { line, message } of problems) {
        const told = reasons.get(line) ?? [];
        if (!told.includes(message)) reasons.set(line, [...told, message]);
    }
    return reasons;
}

/**
 * The rows of the file with problems, as they stand there, with their lines and the reasons: in CSV as last columns, in
 * JSON as members. Those of an earlier file of bad rows are replaced.
 */
export function badRowsOf(
    text: string,
    format: TextFormat,
    delimiter: string,
    problems: readonly RowProblem[],
): string {
    const reasons = reasonsOf(problems);
    const kept: string[] = [];
    let columns = 0;
    for (const row of rowsOf(text, format)) {
        const told = reasons.get(row.line) ?? reasons.get(row.empty);
        const isHead = format === "csv" && kept.length === 0;
        if (!isHead && !told) continue;
        if (format !== "csv") {
            kept.push(withMembers(text.slice(row.from, row.to), row.line, told?.join(" ") ?? ""));
            continue;
        }
        const cells = [...cellsOf(text, row, delimiter)];
        if (isHead) {
            const names = cells.map(({ from, to }) => cellText(text.slice(from, to)));
            columns = ownColumns(names);
            kept.push(
                [text.slice(row.from, cells[columns - 1]?.to), ...reportNames(names.slice(0, columns))].join(delimiter),
            );
        } else {
            // A row that is too short has its missing cells, so that the reasons stand in their column.
            const words = text.slice(row.from, cells[Math.min(columns, cells.length) - 1]?.to);
            const missing = delimiter.repeat(Math.max(0, columns - cells.length));
            kept.push([words + missing, row.line, inQuotes(told?.join(" ") ?? "")].join(delimiter));
        }
    }
    const end = /\r\n/.test(text) ? "\r\n" : "\n";
    if (format === "json") return `[${end}${kept.join(`,${end}`)}${end}]${end}`;
    return (format === "csv" ? marked : String)(kept.join(end) + end);
}

/** The bad rows that the server keeps of a job, in the same form: it tells a row once for each of its problems. */
export function badRowsOfJob(csv: string): string {
    const [head, ...rows] = rowsOf(csv, "csv");
    const cells = (row: FileRow): string[] => [...cellsOf(csv, row, ",")].map(({ from, to }) => csv.slice(from, to));
    // Line, column, code and message stand before those of the file.
    const before = 4;
    const names = head === undefined ? [] : cells(head).slice(before).map(cellText);
    const columns = ownColumns(names);
    const reasons = reasonsOf(problemsOfJob(csv));
    const byLine = new Map(rows.map((row) => cells(row)).map(([line, ...others]) => [Number(line), others]));
    const own = names.slice(0, columns);
    const lines = [
        [...own.map(inQuotes), ...reportNames(own)],
        ...[...byLine].map(([line, others]) => [
            ...others.slice(before - 1, before - 1 + columns),
            line,
            inQuotes(reasons.get(line)?.join(" ") ?? ""),
        ]),
    ];
    return marked(lines.map((line) => `${line.join(",")}\r\n`).join(""));
}

/** The names of the two columns, with a number where the file has such columns itself. */
function reportNames(own: readonly string[]): [string, string] {
    const taken = new Set(own.map((name) => name.trim().toLowerCase()));
    for (let number = 1; ; number += 1) {
        const end = number === 1 ? "" : ` ${number}`;
        if (!taken.has(`line${end}`) && !taken.has(`problem${end}`)) return [`line${end}`, `problem${end}`];
    }
}

/** A text with a byte order mark, without which spreadsheets take UTF-8 for another encoding. */
function marked(words: string): string {
    return words.startsWith("\uFEFF") ? words : `\uFEFF${words}`;
}

const reported = /,?\s*"line(?: \d+)?": \d+, "problem(?: \d+)?": "(?:[^"\\]|\\.)*"\s*\}\s*$/;

/** An object of JSON with its line and the reason; a row that is not an object stays as it is. */
function withMembers(words: string, line: number, problem: string): string {
    const open = /^(\s*\{.*?)\s*\}\s*$/s.exec(words.replace(reported, "}"))?.[1];
    if (open === undefined) return words;
    const own = [...open.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].map(([, name = ""]) => name);
    const [lineName, problemName] = reportNames(own);
    const separator = open.trim() === "{" ? "" : ", ";
    return `${open}${separator}"${lineName}": ${line}, "${problemName}": ${JSON.stringify(problem)}}`;
}

function inQuotes(words: string): string {
    return `"${words.replaceAll('"', '""')}"`;
}
