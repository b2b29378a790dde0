// The resources of one type.

import { PlinthError } from "./error.js";
import { changed, exported, exporting, imported } from "./files.js";
import { filters } from "./filters.js";
import type { Filter } from "./filter-types.js";
import type { Call, Send } from "./http.js";
import { chosen } from "./selection.js";

interface ReadOptions {
    select?: object;
    signal?: AbortSignal;
}

interface WriteOptions extends ReadOptions {
    ifMatch?: string;
}

interface ListOptions extends ReadOptions {
    where?: { $filters?: Filter[] };
    orderBy?: string | string[];
    perPage?: number;
}

interface Page {
    stats: { itemsPerPage: number; total: number };
    data: { id: number }[];
}

/** Resources of a page of the iterator. */
const PAGE = 500;
/** The most resources that the server names as left out of a page. */
const NAMED = 100;

/** The type's methods, as `Collection` in client-types.ts describes them. */
export class Collection {
    #send: Send;
    #name: string;
    #path: string;

    constructor(send: Send, name: string) {
        this.#send = send;
        this.#name = encodeURIComponent(name);
        this.#path = `collection/${this.#name}`;
    }

    async list(options: ListOptions = {}): Promise<unknown> {
        return (await this.#page(options)).body;
    }

    get(id: number | string, options: ReadOptions = {}): Promise<unknown> {
        return this.#one(encodeURIComponent(id), options);
    }

    by(property: string, value: unknown, options: ReadOptions = {}): Promise<unknown> {
        return this.#one(`get-by/${encodeURIComponent(property)}/${encodeURIComponent(String(value))}`, options);
    }

    async *all(options: ListOptions = {}): AsyncGenerator<unknown> {
        const { where = {}, perPage = PAGE, orderBy: _, ...others } = options;
        const limits = { perPage };
        for (let last: number | undefined; ; ) {
            const after = last === undefined ? [] : [{ property: "id", type: "gt", param: last }];
            const all = { ...where, $filters: [...(where.$filters ?? []), ...after] };
            const reply = await this.#page({ ...others, ...limits, where: all, orderBy: "id" });
            const { stats, data } = reply.body as Page;
            const large = (reply.headers.get("Plinth-Omitted") ?? "").split(", ").filter((name) => name !== "");
            if (large.length >= NAMED && limits.perPage > NAMED) {
                limits.perPage = NAMED;
                continue;
            }
            for (const name of large) {
                const id = Number(name.slice(name.lastIndexOf("/") + 1));
                const one = await this.get(id, others).catch(gone);
                if (one) data.push(one as { id: number });
                last = Math.max(last ?? id, id);
            }
            data.sort((one, other) => one.id - other.id);
            yield* data;
            last = Math.max(last ?? 0, data.at(-1)?.id ?? 0);
            if (stats.total <= stats.itemsPerPage || data.length + large.length === 0) return;
        }
    }

    async aggregate(options: Record<string, unknown> = {}): Promise<unknown> {
        const { where, values, having, orderBy, signal, ...others } = options as Record<string, object>;
        const body: Record<string, unknown> = { ...others };
        if (where) body["filters"] = filters(where);
        if (having) body["having"] = filters(having);
        if (orderBy) body["orderBy"] = [orderBy].flat();
        if (values) body["values"] = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, total(value)]));
        const call = { body, signal: signal as AbortSignal | undefined, values: true };
        return (await this.#send("POST", `aggregate/${this.#name}`, call)).body;
    }

    create(set: object, options: WriteOptions = {}): Promise<unknown> {
        return this.#write("POST", "", set, options);
    }

    patch(id: number | string, set: object, options: WriteOptions = {}): Promise<unknown> {
        return this.#write("PATCH", `/${encodeURIComponent(id)}`, set, options);
    }

    replace(id: number | string, set: object, options: WriteOptions = {}): Promise<unknown> {
        return this.#write("PUT", `/${encodeURIComponent(id)}`, set, options);
    }

    async delete(id: number | string, options: WriteOptions = {}): Promise<void> {
        const call: Call = { writes: true, values: true, ifMatch: options.ifMatch, signal: options.signal };
        await this.#send("DELETE", `${this.#path}/${encodeURIComponent(id)}`, call);
    }

    async upsert(key: object, set: object, options: WriteOptions & { create?: object; onConflict?: string } = {}): Promise<unknown> {
        const { create, onConflict, ...others } = options;
        const more = { ...(create && { create }), ...(onConflict && { onConflict }) };
        const parts = Object.entries(key);
        if (parts.length === 1) {
            const [property, value] = parts[0]!;
            const path = `/by/${encodeURIComponent(property)}/${encodeURIComponent(value)}`;
            return this.#write("PUT", path, { set, ...more }, others);
        }
        // The key of a set of properties stands in a body alone.
        const item = { set: { ...set, ...key }, ...(create && { create }) };
        const conflict = onConflict && { onConflict };
        const body = { key: Object.keys(key), items: [item], ...conflict };
        const { results } = (await this.#written("POST", "/upsert", body, others)).body as { results: [{ id: number; data?: unknown }] };
        return others.select ? this.get(results[0].id, others) : results[0].data;
    }

    async upsertMany(key: string | string[], items: object[], options: Record<string, unknown> = {}): Promise<unknown> {
        const { signal, ...others } = options;
        const body = { key, items, ...others };
        return (await this.#written("POST", "/upsert", body, { signal: signal as AbortSignal })).body;
    }

    export(options: Record<string, unknown> = {}): Promise<unknown> {
        return exported(this.#send, this.#name, options);
    }

    exportJob(options: Record<string, unknown> = {}): Promise<unknown> {
        return exporting(this.#send, this.#name, options);
    }

    import(file: Blob | string, options: Record<string, unknown> = {}): Promise<unknown> {
        return imported(this.#send, this.#name, file, options);
    }

    bulk(options: Record<string, unknown>): Promise<unknown> {
        return changed(this.#send, this.#name, options);
    }

    #page(options: ListOptions): ReturnType<Send> {
        const { where, select, orderBy, signal, ...others } = options;
        const body: Record<string, unknown> = { ...others, ...(select && chosen(select)) };
        if (where) body["filters"] = filters(where);
        if (orderBy) body["orderBy"] = [orderBy].flat();
        return this.#send("POST", `${this.#path}/${select ? "select" : "search"}`, { body, signal, values: true });
    }

    async #one(path: string, { select, signal }: ReadOptions): Promise<unknown> {
        const query: Record<string, string> = {};
        if (select) {
            const { showFields, _related } = chosen(select);
            query["showFields"] = showFields.join(",");
            if (_related) query["_related"] = JSON.stringify(_related);
        }
        return (await this.#send("GET", `${this.#path}/${path}`, { query, signal, values: true })).body;
    }

    async #write(method: string, path: string, body: object, options: WriteOptions): Promise<unknown> {
        const written = (await this.#written(method, path, body, options)).body as { id: number };
        return options.select ? this.get(written.id, options) : written;
    }

    #written(method: string, path: string, body: object, { ifMatch, signal }: WriteOptions): ReturnType<Send> {
        return this.#send(method, this.#path + path, { body, ifMatch, signal, writes: true, values: true });
    }
}

/** Writes a value of groups as the API has it. */
function total(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const { where, ...others } = value as { where?: object };
    return where ? { ...others, filters: filters(where) } : others;
}

/** Passes over a resource that was deleted in the meantime. */
function gone(error: unknown): undefined {
    if (error instanceof PlinthError && error.status === 404) return undefined;
    throw error;
}
