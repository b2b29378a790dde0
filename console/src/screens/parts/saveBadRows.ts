// The rows of an import that have problems, as a file for the person.

import type { ImportAnswer } from "../../grid/importing";
import { call } from "../../data/call";
import { delimiterOf, mediaType } from "../../grid/importing";
import { saveFile } from "../../grid/jobs";
import { badRowsOf, badRowsOfJob, problemsOfJob } from "./badRows";
import { isUnreadable } from "./changedFile";
import type { TextFormat } from "./importRows";

type Problem = ImportAnswer["problems"][number];

/** The problems that an answer told, and the words for each. */
interface Told {
    /** The import whose problems the server keeps. */
    id: number | null;
    problems: readonly Problem[];
    words: (problem: Problem) => string;
}

/** Saves the bad rows of a file. Returns their number. */
export async function saveBadRows(
    type: string,
    source: { file: File | null; format: string },
    { id, problems, words }: Told,
): Promise<number> {
    // The server keeps problems of jobs alone, and more of them than it answers.
    const answer = id
        ? await call<Blob>("GET", `job/${id}/problems`, { query: { format: "csv", safe: 1 }, as: "blob" })
        : null;
    const csv = answer === null ? "" : await answer.data.text();
    const kept = answer === null ? [] : problemsOfJob(csv);
    const told = kept.length > 0 ? kept : problems.map((one) => ({ line: one.line, message: words(one) }));
    const name = `${type}-problems`;
    const format = textFormat(source.format);
    const text = source.file === null || format === null ? null : await textOf(source.file);
    if (source.file !== null && format !== null && text !== null) {
        const bad = badRowsOf(text, format, await delimiter(source.file), told);
        const media = { csv: "text/csv", json: "application/json", jsonl: "application/jsonl" }[format];
        saveFile(new Blob([bad], { type: media }), `${name}.${format}`);
    } else if (kept.length > 0) saveFile(csvOf(badRowsOfJob(csv)), `${name}.csv`);
    else saveFile(listed(problems, words), `${name}.csv`);
    return new Set(told.map(({ line }) => line)).size;
}

function textFormat(format: string): TextFormat | null {
    return format === "csv" || format === "json" || format === "jsonl" ? format : null;
}

/** The text of a file, unpacked; with its byte order mark, which spreadsheets need. Null where it was changed since. */
async function textOf(file: File): Promise<string | null> {
    const { encoding } = mediaType(file.name);
    const packed = file.stream();
    const stream = encoding === null ? packed : packed.pipeThrough(new DecompressionStream("gzip"));
    try {
        const bytes = await new Response(stream).arrayBuffer();
        return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    } catch (error) {
        if (isUnreadable(error)) return null;
        throw error;
    }
}

async function delimiter(file: File): Promise<string> {
    const { type, encoding } = mediaType(file.name);
    return (await delimiterOf(file, type, encoding)) ?? ",";
}

function csvOf(words: string): Blob {
    return new Blob([words], { type: "text/csv" });
}

/** The problems alone, by the number of the row: of a workbook whose rows the server did not keep. */
function listed(problems: readonly Problem[], words: Told["words"]): Blob {
    const quote = (part: unknown): string => `"${String(part ?? "").replaceAll('"', '""')}"`;
    const lines = problems.map((one) => [one.line, one.column, one.code, words(one)].map(quote).join());
    return csvOf(`\uFEFF${["line,column,code,message", ...lines].join("\r\n")}`);
}
