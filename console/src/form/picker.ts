// Searching for the target of a relation, on the server.

import { call } from "../data/call";
import { rowTitle, type Filter, type PropertyModel, type Row, type TypeModel } from "../data/model";
import { titleFields, titles } from "./titles.svelte";

export const mostHits = 20;

/** One line of a list to choose from. */
export interface Hit {
    key: string;
    title: string;
    hint?: string;
    color?: string | null;
    chosen?: boolean;
    /** The last line, which makes a new record. */
    create?: boolean;
}

export interface Found {
    hits: Hit[];
    more: boolean;
}

/** The filters that find records by the words of their title, or by the beginning of their code. */
export function wordFilters(type: TypeModel, words: string): Filter[] {
    const text = words.trim();
    if (text === "") return [];
    const choices: Filter[] = [];
    const title = type.titleProperty === null ? undefined : type.property(type.titleProperty);
    const searchable = /[\p{L}\p{N}]/u.test(text) && text.split(/[^\p{L}\p{N}]+/u).length <= 32;
    if (searchable && title?.searchable === true && title.filterTypes.includes("search")) {
        choices.push({ property: title.identifier, type: "search", param: text });
    } else if (searchable && type.searchable && title?.filterTypes.includes("contains") !== true) {
        choices.push({ property: "*", type: "search", param: text });
    } else if (title?.filterTypes.includes("contains") === true) {
        choices.push({ property: title.identifier, type: "contains", param: text, fold: true });
    }
    const code =
        type.codeProperty === null || type.codeProperty === type.titleProperty
            ? undefined
            : type.property(type.codeProperty);
    if (code?.filterTypes.includes("iStartsWith") === true)
        choices.push({ property: code.identifier, type: "iStartsWith", param: text });
    if (/^#?\d{1,15}$/.test(text)) choices.push({ property: "id", type: "eq", param: Number(text.replace("#", "")) });
    const [only] = choices;
    if (!only) return [];
    return choices.length === 1 ? [only] : [{ property: "*", type: "or", param: choices }];
}

/** The most records that are put in the order of a title without an index: the server sorts all of them each time. */
const MOST_SORTED = 20_000;

interface FoundRows {
    stats: { total: number };
    data: Row[];
}

/** Asks for the first rows in the order of their titles; so many that sorting takes long stay in that of the type. */
async function firstRows(
    target: TypeModel,
    body: Record<string, unknown>,
    signal: AbortSignal,
): Promise<FoundRows | undefined> {
    const title = target.titleProperty === null ? undefined : target.property(target.titleProperty);
    const ask = async (order: object): Promise<FoundRows | undefined> =>
        (
            await call<FoundRows | undefined>("POST", `collection/${target.name}/search`, {
                body: { ...body, ...order },
                signal,
            })
        ).data;
    if (title?.sortable !== true) return ask({});
    const byTitle = { orderBy: [title.identifier] };
    if (title.indexed === true) return ask(byTitle);
    const found = await ask({});
    const total = found?.stats.total ?? 0;
    return total > 1 && total <= MOST_SORTED ? ask(byTitle) : found;
}

/** Asks for the first hits. The server leaves out what the relation's own filter refuses. */
export async function findTargets(
    source: string | undefined,
    property: PropertyModel,
    target: TypeModel,
    words: string,
    signal: AbortSignal,
): Promise<Found> {
    const body = {
        filters: wordFilters(target, words),
        showFields: titleFields(target),
        perPage: mostHits,
        page: 1,
        ...(source === undefined || property.relation?.filtered === false
            ? {}
            : { for: `${source}.${property.identifier}` }),
    };
    const answer = await firstRows(target, body, signal);
    const rows = answer?.data ?? [];
    const hits = rows.map((row) => {
        titles.learn(target, row);
        const code =
            target.codeProperty === null || target.codeProperty === target.titleProperty
                ? undefined
                : row[target.codeProperty];
        const hint = typeof code === "string" || typeof code === "number" ? String(code) : undefined;
        return { key: String(row["id"]), title: rowTitle(target, row), ...(hint === undefined ? {} : { hint }) };
    });
    return { hits, more: (answer?.stats.total ?? 0) > hits.length };
}
