// The list that a record was opened from: the ids around the record, in the order of that list.

import { parse, type CollectionState, type Place } from "../app/places";
import { session } from "../app/session.svelte";
import { base, call } from "../data/call";
import type { Row, TypeModel } from "../data/model";
import { views } from "../data/views.svelte";
import { listFilters, shownState } from "../grid/state";

export { fullLink } from "../grid/keptlists";

interface Page {
    stats: { total: number };
    data: Row[];
}

/** The last place of the history that is no record, if it is a list of the type. Addresses are those before this one. */
export function listOf(type: string, addresses: readonly Place[]): CollectionState | null {
    const last = addresses.findLast((place) => place.name !== "record");
    return last?.name === "collection" && last.type === type ? last.state : null;
}

/** The places of this tab before the one that is shown; none where the browser does not tell them. */
export function placesBefore(): Place[] {
    if (!("navigation" in window)) return [];
    const at = navigation.currentEntry?.index ?? 0;
    return navigation.entries().flatMap(({ index, url }) => {
        if (index >= at || url === null) return [];
        const { pathname, search } = new URL(url);
        return pathname.startsWith(base) ? [parse(pathname.slice(base.length), search)] : [];
    });
}

export class ListOrder {
    ids = $state.raw<readonly number[]>([]);
    readonly #type: TypeModel;
    readonly #state: CollectionState;
    readonly #size: number;
    /** Ids by the number of their page, from 0 on. */
    readonly #pages = new Map<number, readonly number[]>();
    #total: number | null = null;
    #looking = false;

    constructor(type: TypeModel, state: CollectionState) {
        const saved = state.view === undefined ? null : (views.find(state.view)?.state ?? null);
        this.#type = type;
        this.#state = shownState(state, saved);
        this.#size = Math.max(1, Math.min(100, session.tenant.maxPageLength));
    }

    /** Reads the pages around a record, as far as its neighbours need them. */
    async look(id: number): Promise<void> {
        // A list of these is in the log of reads, row by row: nobody asked to see it.
        if (this.#looking || this.#type.logReads) return;
        this.#looking = true;
        try {
            const home = Math.floor((this.#state.at ?? 0) / this.#size);
            // The first row in sight is near the record, though the record may stand on the page before or after.
            for (const page of [home, home + 1, home - 1]) {
                if (this.#pageOf(id) !== undefined) break;
                await this.#read(page);
            }
            const page = this.#pageOf(id);
            if (page === undefined) return;
            const ids = this.#pages.get(page) ?? [];
            if (ids[0] === id) await this.#read(page - 1);
            if (ids.at(-1) === id) await this.#read(page + 1);
            this.ids = this.#around(page);
        } finally {
            this.#looking = false;
        }
    }

    #pageOf(id: number): number | undefined {
        for (const [page, ids] of this.#pages) if (ids.includes(id)) return page;
        return undefined;
    }

    /** The pages without a gap around this one. */
    #around(page: number): number[] {
        let first = page;
        while (this.#pages.has(first - 1)) first -= 1;
        const found: number[] = [];
        for (let at = first; this.#pages.has(at); at += 1) found.push(...(this.#pages.get(at) ?? []));
        return found;
    }

    async #read(page: number): Promise<void> {
        if (page < 0 || this.#pages.has(page) || (this.#total !== null && page * this.#size >= this.#total)) return;
        const filters = listFilters(this.#state, this.#type);
        const orderBy = (this.#state.orderBy ?? "").split(",").filter(Boolean);
        const tags = this.#state.tags ?? [];
        const body = {
            ...(filters.length > 0 ? { filters } : {}),
            ...(orderBy.length > 0 ? { orderBy } : {}),
            ...(tags.length > 0 ? { tags } : {}),
            showFields: ["id"],
            page: page + 1,
            perPage: this.#size,
        };
        const { data } = await call<Page | undefined>("POST", `collection/${this.#type.name}/search`, { body });
        this.#total = data?.stats.total ?? 0;
        this.#pages.set(
            page,
            (data?.data ?? []).map((row) => Number(row["id"])),
        );
    }
}
