// Batches: operations that are written down first, and sent together.

import type { Send } from "./http.js";
import { chosen } from "./selection.js";

/** A field of a result that does not exist yet. */
export interface Reference {
    readonly $ref: string;
}

/** The result of an operation of a batch, for later operations: it stands for the id. */
export class Ref<Row = unknown> implements Reference {
    readonly $ref: string;
    /** The type of the resource, for the compiler alone. */
    declare readonly row?: Row;

    constructor(name: string) {
        this.$ref = name;
    }

    /** Stands for a field of the result. */
    field(name: Extract<keyof Row, string>): Reference {
        return { $ref: `${this.$ref}.${name}` };
    }
}

interface Operation {
    as?: string;
    op: string;
    type: string;
    [member: string]: unknown;
}

interface Options {
    atomic?: boolean;
    validate?: string;
    return?: string;
    signal?: AbortSignal;
}

/** The operations of a type, as `Operations` in client-types.ts describes them. */
class Recorder {
    #operations: Operation[];
    #type: string;

    constructor(operations: Operation[], type: string) {
        this.#operations = operations;
        this.#type = type;
    }

    create(set: object): Ref {
        return this.#add("create", { set });
    }

    patch(item: unknown, set: object, options: object = {}): Ref {
        return this.#add("patch", { item, set, ...options });
    }

    replace(item: unknown, set: object, options: object = {}): Ref {
        return this.#add("replace", { item, set, ...options });
    }

    delete(item: unknown, options: object = {}): Ref {
        return this.#add("delete", { item, ...options });
    }

    upsert(key: object, set: object, options: object = {}): Ref {
        const names = Object.keys(key);
        return this.#add("upsert", { key: names.length === 1 ? names[0] : names, set: { ...set, ...key }, ...options });
    }

    get(item: unknown, { select }: { select?: object } = {}): Ref {
        const { showFields, _related } = select ? chosen(select) : {};
        if (_related) throw new TypeError("A batch takes no $where, $orderBy and $limit.");
        return this.#add("get", { item, ...(showFields && { showFields }) });
    }

    tag(item: unknown, operation: string, tags: readonly string[]): Ref {
        return this.#add("tag", { item, operation, tags });
    }

    #add(op: string, members: object): Ref {
        const as = `r${this.#operations.length + 1}`;
        // What is deleted has no name for later operations.
        this.#operations.push({ ...(op !== "delete" && { as }), op, type: this.#type, ...members });
        return new Ref(as);
    }
}

/** Sends the operations that a function writes down. The answer has the form of what the function returns. */
export async function batch(
    send: Send,
    types: (make: (name: string) => object) => object,
    write: (types: object) => unknown,
    { signal, ...options }: Options,
): Promise<unknown> {
    const operations: Operation[] = [];
    const wanted = write(types((name) => new Recorder(operations, name)));
    const { results } = (await send("POST", "batch", { body: { operations, ...options }, signal, writes: true, values: true }))
        .body as { results: unknown[] };
    if (typeof wanted !== "object" || wanted === null) return results;
    const result = (ref: Reference) => results[Number(ref.$ref.slice(1)) - 1];
    if (wanted instanceof Ref) return result(wanted);
    if (Array.isArray(wanted)) return wanted.map(result);
    return Object.fromEntries(Object.entries(wanted).map(([name, ref]) => [name, result(ref as Reference)]));
}
