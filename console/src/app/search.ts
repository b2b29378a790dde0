// Records found by words over the types: what the command box asks of the server.

import { call, isAbort } from "../data/call";
import { bare, type Filter, model, type Row, rowTitle, type TypeModel } from "../data/model";

export interface Hit {
    type: TypeModel;
    id: string;
    title: string;
    /** The code by which people know it; a number of another system says nothing. */
    code: string;
    /** Found by words, as a grid with these words finds it; not by the code alone. */
    byWords: boolean;
}

/** The hits of one type. */
export interface TypeHits {
    type: TypeModel;
    hits: Hit[];
    /** A grid with the same words has them, and perhaps more. */
    inGrid: boolean;
}

/** Hits type by type, in their order. */
export function hitsByType(hits: readonly Hit[]): TypeHits[] {
    const types = new Map<TypeModel, Hit[]>();
    for (const hit of hits) types.set(hit.type, [...(types.get(hit.type) ?? []), hit]);
    return [...types].map(([type, list]) => ({ type, hits: list, inGrid: list.some((hit) => hit.byWords) }));
}

const perType = 4;
const parallel = 4;

/** The types that can be asked: those with `logReads` are not, since each letter would be a recorded read. */
function searchedTypes(first: string | null): TypeModel[] {
    const able = model.types.filter((type) => !type.logReads && filterFor(type, "x") !== null);
    return able.sort((one, other) => Number(other.name === first) - Number(one.name === first));
}

function filterFor(type: TypeModel, words: string): Filter | null {
    if (type.searchable) return { property: "*", type: "search", param: words };
    const title = type.titleProperty === null ? undefined : type.property(type.titleProperty);
    if (title === undefined || !title.filterTypes.includes("contains")) return null;
    return { property: title.identifier, type: "contains", param: words, fold: true };
}

/** A number such as `T-04977` is looked up by the code of the type, too. */
function codeFilter(type: TypeModel, words: string): Filter | null {
    const code = type.codeProperty === null ? undefined : type.property(type.codeProperty);
    if (code === undefined || !/\d/.test(words) || !code.filterTypes.includes("startsWith")) return null;
    return { property: code.identifier, type: "startsWith", param: words };
}

async function find(type: TypeModel, filter: Filter, byWords: boolean, signal: AbortSignal): Promise<Hit[]> {
    const names = [type.titleProperty, type.codeProperty].filter((name): name is string => name !== null);
    const { data } = await call<{ data: Row[] } | undefined>("POST", `collection/${type.name}/search`, {
        body: { filters: [filter], showFields: ["id", ...new Set(names)], page: 1, perPage: perType },
        signal,
    });
    const isWord = type.codeProperty !== null && type.property(type.codeProperty)?.kind !== "pInteger";
    return (data?.data ?? []).map((row) => {
        const code = !isWord || type.codeProperty === null ? "" : String(bare(row[type.codeProperty]) ?? "");
        const title = rowTitle(type, row);
        return { type, id: String(bare(row["id"])), title, code: code === title ? "" : code, byWords };
    });
}

/**
 * Searches all types, some at a time, and tells the hits of each type as they come, in the order of the types.
 * Returns the first error: one type that cannot be searched does not hide the others.
 */
export async function searchRecords(
    words: string,
    first: string | null,
    signal: AbortSignal,
    found: (hits: Hit[]) => void,
): Promise<unknown> {
    const types = searchedTypes(first);
    const results: Hit[][] = types.map(() => []);
    let next = 0;
    let problem: unknown = null;
    const work = async (): Promise<void> => {
        while (next < types.length && !signal.aborted) {
            const at = next;
            next += 1;
            const type = types[at];
            if (type === undefined) return;
            try {
                results[at] = await findInType(type, words, signal);
            } catch (error) {
                if (!isAbort(error)) problem ??= error;
                continue;
            }
            if (!signal.aborted && results[at].length > 0) found(results.flat());
        }
    };
    await Promise.all(Array.from({ length: parallel }, work));
    return problem;
}

async function findInType(type: TypeModel, words: string, signal: AbortSignal): Promise<Hit[]> {
    const search = (filter: Filter | null, byWords: boolean): Promise<Hit[]> =>
        filter === null ? Promise.resolve([]) : find(type, filter, byWords, signal);
    return joinHits(
        ...(await Promise.all([search(codeFilter(type, words), false), search(filterFor(type, words), true)])),
    );
}

/** Hits by the code stand first; each record once. */
export function joinHits(byCode: readonly Hit[], byWords: readonly Hit[]): Hit[] {
    const worded = new Set(byWords.map((hit) => hit.id));
    const known = new Set<string>();
    return [...byCode, ...byWords]
        .filter((hit) => !known.has(hit.id) && known.add(hit.id))
        .slice(0, perType)
        .map((hit) => ({ ...hit, byWords: worded.has(hit.id) }));
}
