// Rows of one list: its query, the blocks behind the window, and what follows a write. Knows the API, not the page.
import { ask, forget } from "../data/cache";
import { ApiError, call, isAbort } from "../data/call";
import { edits } from "../data/edits.svelte";
import type { Filter, Row, TypeModel } from "../data/model";
import { Blocks, type Load, type Loaded } from "./blocks";
import type { Column, Fields } from "./columns";

export interface ListAnswer {
    stats: { page: number; itemsPerPage: number; fetched: number; total: number };
    data: Row[];
}

export interface Query {
    filters: Filter[];
    orderBy: string[];
    tags: string[];
}

const REFRESH_EVERY = 30_000;

/** The body of a list, as the API takes it. */
export function listBody(query: Query, fields: Fields): Record<string, unknown> {
    return {
        ...(query.filters.length > 0 ? { filters: query.filters } : {}),
        ...(query.orderBy.length > 0 ? { orderBy: query.orderBy } : {}),
        ...(query.tags.length > 0 ? { tags: query.tags } : {}),
        showFields: fields.showFields,
        ...(fields.wrapFields.length > 0 ? { wrapFields: fields.wrapFields } : {}),
    };
}

export class Sheet {
    readonly type: TypeModel;
    columns = $state.raw<Column[]>([]);
    total = $state<number | null>(null);
    error = $state.raw<unknown>(null);
    /** A first answer is on its way, and what is shown belongs to the query before. */
    changing = $state(false);
    /** Grows with each change of rows. */
    version = $state(0);
    /** Fields that the shown rows were asked for with. */
    known = $state.raw<ReadonlySet<string>>(new Set());
    /** Grows when another list is shown; its first row is `first`. */
    switched = $state(0);
    first = 0;
    /** Ids of rows that do not fit the filters any more. */
    readonly left = new Set<unknown>();
    query: Query = { filters: [], orderBy: [], tags: [] };
    fields: Fields = { showFields: [], wrapFields: [] };
    /** Rows of a block came; the grid keeps the row with the focus where it is. */
    onrows: () => void = () => {};

    private shown: Blocks | null = null;
    private next: Blocks | null = null;
    private key = "";
    private readonly size: number;
    private readonly stops: (() => void)[] = [];
    private readonly renewals = new Set<unknown>();
    private renewing: Promise<void> | null = null;
    private closed = false;
    private waiting: ReturnType<typeof setTimeout> | undefined;

    constructor(type: TypeModel, maxPageLength: number) {
        this.type = type;
        this.size = Math.max(1, Math.min(100, maxPageLength));
        this.stops.push(
            edits.onrow((name, row) => {
                return name === type.name ? this.renew(row.id) : undefined;
            }),
        );
        const refresh = (): void => {
            if (document.visibilityState === "visible") this.refresh();
        };
        const timer = setInterval(refresh, REFRESH_EVERY);
        addEventListener("focus", refresh);
        this.stops.push(() => {
            clearInterval(timer);
            removeEventListener("focus", refresh);
        });
    }

    get blocks(): Blocks | null {
        return this.shown;
    }

    /** Shows another list. What was shown stays until the first rows of the new one are there. */
    ask(query: Query, columns: Column[], fields: Fields, first: number): void {
        this.columns = columns;
        const key = JSON.stringify([query, fields]);
        if (key === this.key) return;
        this.key = key;
        this.query = query;
        this.fields = fields;
        this.next?.close();
        this.first = first;
        const next = new Blocks(this.loader(query, fields), { size: this.size });
        this.next = next;
        this.changing = true;
        this.error = null;
        next.onchange = () => this.changed(next);
        next.onrows = () => {
            if (next === this.shown) this.onrows();
        };
        next.jump({ first, end: first + 30 }, 0, performance.now());
    }

    retry(): void {
        this.error = null;
        (this.next ?? this.shown)?.retry();
    }

    /** Asks for what is in sight again, by the validators. */
    refresh(): void {
        this.left.clear();
        this.shown?.refresh();
    }

    /** After a write elsewhere: a new record, a deletion, a bulk edit, an import. */
    reload(): void {
        forget(`collection/${this.type.name}`);
        this.refresh();
    }

    close(): void {
        for (const stop of this.stops) stop();
        clearTimeout(this.waiting);
        this.closed = true;
        this.shown?.close();
        this.next?.close();
    }

    private changed(blocks: Blocks): void {
        if (blocks === this.next && (blocks.total !== null || blocks.error !== null)) {
            this.changing = false;
            if (blocks.error === null || this.shown === null) {
                this.shown?.close();
                this.shown = blocks;
                this.next = null;
                this.known = new Set(this.fields.showFields);
                this.left.clear();
                this.switched++;
            }
        } else if (blocks !== this.shown && blocks !== this.next) return;
        this.total = this.shown?.total ?? null;
        this.error = blocks.error;
        if (blocks.error instanceof ApiError && blocks.error.status === 429)
            this.retryLater(blocks.error.retryAfter ?? 5);
        this.version++;
    }

    /** The server is busy: it said when to ask again. */
    private retryLater(seconds: number): void {
        clearTimeout(this.waiting);
        this.waiting = setTimeout(() => this.retry(), seconds * 1000);
    }

    private loader(query: Query, fields: Fields): Load {
        const path = `collection/${this.type.name}/search`;
        const common = listBody(query, fields);
        const home = Math.floor(this.first / this.size);
        return async (block, size, etag, signal, fresh): Promise<Loaded | null> => {
            const body = { ...common, page: block + 1, perPage: size };
            // The place where a person comes back to is kept; a cache of all blocks would grow while one scrolls.
            if (etag !== null || block !== home || fresh || this.type.logReads) {
                const answer = await call<ListAnswer>("POST", path, { body, ifNoneMatch: etag, signal });
                return answer.status === 304 ? null : loaded(answer.data, answer.etag);
            }
            const found = ask<ListAnswer>("POST", path, { body, signal });
            if (!found.stale) {
                const answer = await found.fresh;
                return loaded(answer.data, answer.etag);
            }
            const { stale } = found;
            // Shown at once; where the answer of now differs, the block is asked for again by its validator.
            found.fresh.then(
                (fresh) => {
                    if (fresh !== stale && !signal.aborted) (this.next ?? this.shown)?.refresh();
                },
                (error: unknown) => {
                    if (!isAbort(error)) (this.next ?? this.shown)?.refresh();
                },
            );
            return loaded(stale.data, stale.etag);
        };
    }

    /** Reads rows again that were written, as the list shows them; soon, so that a paste asks once. */
    private renew(id: unknown): Promise<void> {
        if (!this.shown) return Promise.resolve();
        if (this.shown.indexOf(id) < 0) {
            // A new one, or one that is far away: the list knows where it stands.
            this.shown.refresh();
            return Promise.resolve();
        }
        this.renewals.add(id);
        this.renewing ??= new Promise((resolve) => setTimeout(resolve, 30)).then(() => this.renewAll());
        return this.renewing;
    }

    private async renewAll(): Promise<void> {
        this.renewing = null;
        const all = [...this.renewals];
        this.renewals.clear();
        for (let first = 0; first < all.length && !this.closed; first += this.size)
            await this.renewSome(all.slice(first, first + this.size));
    }

    private async renewSome(ids: unknown[]): Promise<void> {
        try {
            const fitting = await this.byId(ids, this.query);
            const others = ids.filter((id) => !fitting.has(id));
            const rest =
                others.length > 0
                    ? await this.byId(others, { filters: [], orderBy: [], tags: [] })
                    : new Map<unknown, Row>();
            for (const id of others) this.left.add(id);
            for (const [id, row] of [...fitting, ...rest]) this.shown?.replace(id, () => row);
            for (const id of fitting.keys()) this.left.delete(id);
            this.version++;
        } catch (error) {
            // The refresh of every 30 seconds brings them; an error of this reading is not an error of the write.
            if (!isAbort(error)) this.shown?.refresh();
        }
    }

    private async byId(ids: unknown[], query: Query): Promise<Map<unknown, Row>> {
        const filters = [...query.filters, { property: "id", type: "in", param: ids }];
        const body = {
            ...listBody({ filters, orderBy: [], tags: query.tags }, this.fields),
            page: 1,
            perPage: this.size,
        };
        const answer = await call<ListAnswer>("POST", `collection/${this.type.name}/search`, { body });
        return new Map(answer.data.data.map((row) => [row.id, row]));
    }
}

function loaded(answer: ListAnswer | undefined, etag: string | null): Loaded {
    return { rows: answer?.data ?? [], total: answer?.stats.total ?? 0, etag };
}
