// Records found by words over the types: what the command box asks of the server.

import { call, isAbort } from "../data/call";
import { bare, type Filter, model, type Row, rowTitle, type TypeModel } from "../data/model";

export interface Hit {
    type: TypeModel;
    id: string;
    title: string;
    code: string;
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

async function find(type: TypeModel, filter: Filter, signal: AbortSignal): Promise<Hit[]> {
    const names = [type.titleProperty, type.codeProperty].filter((name): name is string => name !== null);
    const { data } = await call<{ data: Row[] } | undefined>("POST", `collection/${type.name}/search`, {
        body: { filters: [filter], showFields: ["id", ...new Set(names)], page: 1, perPage: perType },
        signal,
    });
    return (data?.data ?? []).map((row) => {
        const code = type.codeProperty === null ? "" : String(bare(row[type.codeProperty]) ?? "");
        const title = rowTitle(type, row);
        return { type, id: String(bare(row["id"])), title, code: code === title ? "" : code };
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
    const filters = [codeFilter(type, words), filterFor(type, words)].filter((filter) => filter !== null);
    const lists = await Promise.all(filters.map((filter) => find(type, filter, signal)));
    const known = new Set<string>();
    return lists.flat().filter((hit) => !known.has(hit.id) && known.add(hit.id)).slice(0, perType);
}
