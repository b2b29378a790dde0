// The way in: a client of a tenant.

import { batch } from "./batch.js";
import { Collection } from "./collection.js";
import { ended } from "./files.js";
import { sender, type Call, type Options } from "./http.js";
import { chosen } from "./selection.js";

const NOTHING = { stats: { page: 1, itemsPerPage: 0, fetched: 0, total: 0 }, data: [] };

/**
 * Makes a client of a tenant. Generated types have a `connect` of their own, which knows the tenant's types.
 *
 * Each type is a member: `api.ticket.list()`. A type that is called as a method of the client is `api.type("batch")`.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- without types, everything may be there
export function connect<Client = Record<string, any>>(options: Options): Client {
    const send = sender(options);
    const own = {
        type: (name: string) => new Collection(send, name),
        batch: (write: (types: object) => unknown, options: object = {}) =>
            batch(send, (make) => byName({ type: make }, make), write, options),
        async query(name: string, parameters: object = {}, options: { select?: object; signal?: AbortSignal } = {}) {
            const { select, signal, ...others } = options;
            const body = { ...parameters, ...others, ...(select && chosen(select)) };
            const reply = await send("POST", `query/${encodeURIComponent(name)}`, { body, signal, values: true });
            return reply.body ?? NOTHING;
        },
        async job(id: number, signal?: AbortSignal) {
            return (await send("GET", `job/${id}`, { signal })).body;
        },
        ended: (job: { id: number }, options: Record<string, unknown> = {}) => ended(send, job.id, options),
        async request(method: string, path: string, call: Call = {}) {
            return (await send(method, path, { writes: method !== "GET", ...call })).body;
        },
    };
    return byName(own, own.type) as Client;
}

/** An object with a member for each name; its own members come first. */
function byName(own: object, make: (name: string) => object): object {
    const made = new Map<string, object>();
    return new Proxy(own, {
        get(target, name) {
            // Whoever awaits the client must not take it for a promise.
            if (typeof name === "symbol" || name === "then" || Object.hasOwn(target, name)) return Reflect.get(target, name);
            const member = made.get(name) ?? make(name);
            made.set(name, member);
            return member;
        },
    });
}
