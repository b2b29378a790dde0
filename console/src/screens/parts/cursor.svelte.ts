// A list that the server answers by cursor: the first page, then more at its end.

import { call, isAbort } from "../../data/call";

interface Page<T> {
    items: T[];
    nextCursor?: string | null;
}

export type Query = Record<string, string | number | boolean | undefined>;

export class CursorList<T extends { id: number | string }> {
    items = $state.raw<readonly T[] | null>(null);
    error = $state.raw<unknown>(null);
    /** An error while more was asked for; what is there stays. */
    moreError = $state.raw<unknown>(null);
    busy = $state(false);
    hasMore = $state(false);
    readonly path: string;
    /** Gives an entry its id, where the server has a name in its place. */
    readonly #adapt: ((item: T) => T) | null;
    #query: Query = {};
    #cursor: string | null = null;
    #asked: AbortController | null = null;

    constructor(path: string, adapt: ((item: T) => T) | null = null) {
        this.path = path;
        this.#adapt = adapt;
    }

    /** Asks for the first page. */
    async load(query: Query): Promise<void> {
        this.#query = query;
        await this.#ask(null, (page) => {
            this.items = page.items;
            this.#go(page);
        });
    }

    async more(): Promise<void> {
        if (this.busy || this.#cursor === null) return;
        await this.#ask(this.#cursor, (page) => {
            const known = new Set((this.items ?? []).map((item) => item.id));
            this.items = [...(this.items ?? []), ...page.items.filter((item) => !known.has(item.id))];
            this.#go(page);
        });
    }

    /** Asks for the newest entries and puts them before those that are there; what both have is of now. */
    async refresh(): Promise<void> {
        if (this.busy) return;
        if (this.items === null) return this.load(this.#query);
        try {
            const page = await this.#read(null, new AbortController().signal);
            if (this.busy) return;
            const fresh = new Set(page.items.map((item) => item.id));
            const last = page.items.at(-1);
            const at = (this.items ?? []).findIndex((item) => item.id === last?.id);
            // More came than a page holds, or the page is all there is: the list begins anew.
            if (at < 0 || !page.nextCursor) {
                this.items = page.items;
                this.#go(page);
                return;
            }
            this.items = [...page.items, ...(this.items ?? []).slice(at + 1).filter((item) => !fresh.has(item.id))];
        } catch (error) {
            // Old content is there: the next time may succeed.
            if (!isAbort(error)) console.warn(error);
        }
    }

    replace(item: T): void {
        this.items = (this.items ?? []).map((one) => (one.id === item.id ? item : one));
    }

    remove(id: T["id"]): void {
        this.items = (this.items ?? []).filter((one) => one.id !== id);
    }

    #go(page: Page<T>): void {
        this.#cursor = page.nextCursor ?? null;
        this.hasMore = this.#cursor !== null;
    }

    async #ask(cursor: string | null, take: (page: Page<T>) => void): Promise<void> {
        this.#asked?.abort();
        const controller = new AbortController();
        this.#asked = controller;
        this.busy = true;
        try {
            const page = await this.#read(cursor, controller.signal);
            if (this.#asked !== controller) return;
            take(page);
            this.error = null;
            this.moreError = null;
        } catch (error) {
            if (this.#asked !== controller || isAbort(error)) return;
            if (cursor === null) this.error = error;
            else this.moreError = error;
        }
        this.busy = false;
    }

    async #read(cursor: string | null, signal: AbortSignal): Promise<Page<T>> {
        const query = { ...this.#query, ...(cursor === null ? {} : { cursor }) };
        const { data } = await call<Page<T> | undefined>("GET", this.path, { query, signal });
        const items = data?.items ?? [];
        return { items: this.#adapt === null ? items : items.map(this.#adapt), nextCursor: data?.nextCursor };
    }
}
