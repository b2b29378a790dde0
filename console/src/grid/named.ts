// Records that pasted words name: by id, uuid, code or title, as an import finds them.
import { ApiError } from "../data/call";
import type { Filter, Row, TypeModel } from "../data/model";
import { titleNames } from "../form/titleNames";

/** Reads the first rows that a filter finds, and tells how many there are. */
export type Search = (filter: Filter, showFields: string[]) => Promise<{ rows: Row[]; total: number }>;

/** The record that a word names, or the reason why there is none. */
export type Named = { row: Row } | "none" | "several";

/** Words of one question. */
const PORTION = 200;
const ID = /^#?\d{1,15}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds the record of each word. An id wins over a uuid, it over a code, and a code over a title. */
export async function namedRecords(
    type: TypeModel,
    words: readonly string[],
    search: Search,
): Promise<Map<string, Named>> {
    const all = [...new Set(words)];
    const named = new Map<string, Named>();
    for (let at = 0; at < all.length; at += PORTION)
        for (const [word, found] of await portion(type, all.slice(at, at + PORTION), search)) named.set(word, found);
    return named;
}

async function portion(type: TypeModel, words: string[], search: Search): Promise<[string, Named][]> {
    const filter = filterOf(type, words, textsOf(type));
    if (filter === null) return words.map((word) => [word, "none"]);
    const { rows, total } = await search(filter, fieldsOf(type)).catch((error: unknown) => {
        // A code or title that is no free text reads only some words: without it, the others are found.
        const free = filterOf(
            type,
            words,
            textsOf(type).filter((name) => isFree(type, name)),
        );
        if (!(error instanceof ApiError) || error.status !== 400 || same(free, filter)) throw error;
        return free ? search(free, fieldsOf(type)) : { rows: [], total: 0 };
    });
    // Words that many records have fill the page: the others are asked for apart. Of one word, a page tells enough.
    if (total > rows.length && words.length > 1) {
        const half = Math.ceil(words.length / 2);
        const first = await portion(type, words.slice(0, half), search);
        return [...first, ...(await portion(type, words.slice(half), search))];
    }
    return words.map((word) => [word, recordOf(type, word, rows)]);
}

function recordOf(type: TypeModel, word: string, rows: readonly Row[]): Named {
    const ways: ((row: Row) => boolean)[] = [
        (row) => ID.test(word) && String(row.id) === String(Number(word.replace("#", ""))),
        (row) => UUID.test(word) && String(row.uuid).toLowerCase() === word.toLowerCase(),
        ...textsOf(type).map((name) => (row: Row) => String(row[name] ?? "") === word),
    ];
    for (const way of ways) {
        const [row, other] = rows.filter(way);
        if (row) return other ? "several" : { row };
    }
    return "none";
}

/** Code and title, as far as one can look for them. */
function textsOf(type: TypeModel): string[] {
    const names = [type.codeProperty, type.titleProperty].filter(
        (name): name is string => name !== null && type.property(name)?.filterTypes.includes("in") === true,
    );
    return [...new Set(names)];
}

function fieldsOf(type: TypeModel): string[] {
    return [...titleNames(type), ...(type.property("uuid") ? ["uuid"] : [])];
}

function isFree(type: TypeModel, name: string): boolean {
    return ["pString", "pText"].includes(type.property(name)?.kind ?? "");
}

function same(one: Filter | null, other: Filter): boolean {
    return JSON.stringify(one) === JSON.stringify(other);
}

/** Those of the words that a property may have as its value. */
function readable(type: TypeModel, name: string, words: string[]): unknown[] {
    switch (type.property(name)?.kind) {
        case "pInteger":
            return words.filter((word) => /^-?\d{1,15}$/.test(word)).map(Number);
        case "pDecimal":
        case "pFloat":
            return words.filter((word) => /^-?\d{1,15}(\.\d{1,15})?$/.test(word)).map(Number);
        case "pEmail":
            return words.filter((word) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(word));
        default:
            return words;
    }
}

function filterOf(type: TypeModel, words: string[], texts: string[]): Filter | null {
    const choices: Filter[] = texts.flatMap((property) => {
        const param = readable(type, property, words);
        return param.length > 0 ? [{ property, type: "in", param }] : [];
    });
    const ids = words.filter((word) => ID.test(word)).map((word) => Number(word.replace("#", "")));
    if (ids.length > 0) choices.push({ property: "id", type: "in", param: ids });
    const uuids = words.filter((word) => UUID.test(word));
    if (uuids.length > 0 && type.property("uuid")) choices.push({ property: "uuid", type: "in", param: uuids });
    const [only] = choices;
    if (!only) return null;
    return choices.length === 1 ? only : { property: "*", type: "or", param: choices };
}
