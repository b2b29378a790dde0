// Many rows at once: exports, imports, bulk changes, and the jobs that they become.

import { filters } from "./filters.js";
import type { Filter } from "./filter-types.js";
import type { Send } from "./http.js";
import { chosen } from "./selection.js";

const MEDIA = {
    csv: "text/csv",
    json: "application/json",
    jsonl: "application/jsonl",
    xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};
/** The first pause between two looks at a job in milliseconds, and the longest. */
const PAUSE = 200;
const LONGEST = 5_000;

interface Job {
    state: string;
}

type Options = Record<string, unknown> & { signal?: AbortSignal };

/** Returns the rows of a list as a file. */
export async function exported(send: Send, type: string, options: Options): Promise<unknown> {
    return (await send("GET", `export/${type}`, { query: listed(options), signal: options.signal, bytes: true })).body;
}

/** Has a job make a file of the rows of a list. */
export async function exporting(send: Send, type: string, options: Options): Promise<unknown> {
    return (await send("POST", `export/${type}`, { query: listed(options), signal: options.signal, writes: true })).body;
}

function listed({ where, select, orderBy, signal, ...others }: Options): Record<string, string> {
    const query: Record<string, string> = {};
    for (const [name, value] of Object.entries(others)) query[name] = value === true ? "1" : String(value);
    if (where) query["filters"] = JSON.stringify(filters(where as { $filters?: Filter[] }));
    if (orderBy) query["orderBy"] = [orderBy].flat().join(",");
    if (select) {
        const { showFields, _related } = chosen(select as object);
        query["showFields"] = showFields.join(",");
        if (_related) query["_related"] = JSON.stringify(_related);
    }
    return query;
}

/** Writes the rows of a file. It has no name, so it is sent once. */
export async function imported(send: Send, type: string, file: Blob | string, options: Options): Promise<unknown> {
    const { format = "csv", signal, ...others } = options;
    const query: Record<string, string> = { run: "1" };
    for (const [name, value] of Object.entries(others)) {
        query[name] = typeof value === "object" ? JSON.stringify(value) : String(value);
    }
    const media = MEDIA[format as keyof typeof MEDIA];
    return (await send("POST", `import/${type}`, { query, signal, file: { media, content: file } })).body;
}

/** Changes all resources that pass the filters. */
export async function changed(send: Send, type: string, options: Options): Promise<unknown> {
    const { where, signal, ...others } = options;
    const body = { ...others, ...(where ? { filters: filters(where as { $filters?: Filter[] }) } : {}) };
    return (await send("POST", `bulk/${type}`, { body, signal, writes: true })).body;
}

/** Returns a job when it has ended. */
export async function ended(send: Send, id: number, { signal, onProgress }: Options = {}): Promise<unknown> {
    for (let wait = PAUSE; ; wait = Math.min(wait * 1.5, LONGEST)) {
        const job = (await send("GET", `job/${id}`, { signal })).body as Job;
        if (!["waiting", "checking", "running"].includes(job.state)) return job;
        if (typeof onProgress === "function") onProgress(job);
        await new Promise((resolve) => setTimeout(resolve, wait));
        signal?.throwIfAborted();
    }
}
