// Titles of related records by id: asked for in one list per type, kept while the session lasts.

import { SvelteMap } from "svelte/reactivity";
import { session } from "../app/session.svelte";
import { ApiError, call } from "../data/call";
import { edits } from "../data/edits.svelte";
import { model, rowTitle, type Row, type TypeModel } from "../data/model";
import { titleNames } from "./titleNames";

const mostAtOnce = 100;

/** Titles are of one user: another one may see others. */
function keyOf(type: string, id: unknown): string {
    return `${session.user.id}/${type}/${String(id)}`;
}

class Titles {
    readonly #known = new SvelteMap<string, string>();
    readonly #wanted = new Map<string, Set<string>>();
    #planned = false;

    /** The title of a record, or undefined while it is being asked for. A record that is not visible has its id. */
    of(type: string, id: unknown): string | undefined {
        const key = keyOf(type, id);
        const known = this.#known.get(key);
        if (known === undefined) this.#want(type, String(id));
        return known;
    }

    learn(type: TypeModel, row: Row): void {
        this.#known.set(keyOf(type.name, row["id"]), rowTitle(type, row));
    }

    #want(type: string, id: string): void {
        const ids = this.#wanted.get(type) ?? new Set();
        ids.add(id);
        this.#wanted.set(type, ids);
        if (this.#planned) return;
        this.#planned = true;
        setTimeout(() => {
            this.#planned = false;
            const wanted = [...this.#wanted];
            this.#wanted.clear();
            for (const [name, all] of wanted) {
                const list = [...all];
                for (let at = 0; at < list.length; at += mostAtOnce)
                    void this.load(name, list.slice(at, at + mostAtOnce));
            }
        });
    }

    /** Reads the titles of records, at most a hundred. */
    async load(name: string, ids: string[]): Promise<void> {
        const type = model.type(name);
        if (type) {
            try {
                const numbers = ids.map(Number).filter(Number.isSafeInteger);
                const body = {
                    filters: [{ property: "id", type: "in", param: numbers }],
                    showFields: titleNames(type),
                    perPage: ids.length,
                };
                const answer = await call<{ data: Row[] } | undefined>("POST", `collection/${name}/search`, { body });
                for (const row of answer.data?.data ?? []) this.learn(type, row);
            } catch (error) {
                if (!(error instanceof ApiError)) throw error;
            }
        }
        for (const id of ids) if (!this.#known.has(keyOf(name, id))) this.#known.set(keyOf(name, id), `#${id}`);
    }
}

export { titleNames as titleFields } from "./titleNames";

export const titles = new Titles();

// A title that was written is known at once.
edits.onrow((name, row) => {
    const type = model.type(name);
    if (type && (type.titleProperty === null || type.titleProperty in row)) titles.learn(type, row);
});
