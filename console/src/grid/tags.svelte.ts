// The tags of the tenant, for filters and their names: read once, and again when a tag is not known.
import { ask } from "../data/cache";
import { call, isAbort } from "../data/call";

export interface Tag {
    id: string;
    code: string | null;
    name: string;
    color: string | null;
    path: string[];
}

interface TagList {
    data: Tag[];
}

class Tags {
    private readonly known = $state<Record<string, Tag>>({});
    private loading: Promise<void> | null = null;

    /** A tag by its id or code; undefined until it is read. */
    find(key: string): Tag | undefined {
        const found = this.known[key];
        if (!found) this.loading ??= this.load();
        return found;
    }

    async search(words: string, signal: AbortSignal): Promise<Tag[]> {
        const query = { ...(words === "" ? {} : { search: words }), perPage: 50 };
        const { data } = await call<TagList | undefined>("GET", "collection/tags", { query, signal });
        const list = data?.data ?? [];
        this.learn(list);
        return list;
    }

    private learn(list: Tag[]): void {
        for (const tag of list) {
            this.known[tag.id] = tag;
            if (tag.code !== null) this.known[tag.code] = tag;
        }
    }

    private async load(): Promise<void> {
        try {
            const { data } = await ask<TagList | undefined>("GET", "collection/tags", { query: { perPage: 500 } })
                .fresh;
            this.learn(data?.data ?? []);
        } catch (error) {
            // Without names the ids are shown.
            if (!isAbort(error)) console.warn(error);
        }
    }
}

export const tags = new Tags();
