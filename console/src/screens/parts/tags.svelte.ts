// The tags of the tenant: read, moved, ordered and deleted; shown at once, and put back where the server refuses.

import { session } from "../../app/session.svelte";
import { forget } from "../../data/cache";
import { ApiError, call } from "../../data/call";
import { text } from "../../text";
import { problemText } from "../../ui/problems";
import { say } from "../../ui/toasts";
import { Loader } from "./loader.svelte";
import { below, type Change, isWithin, reorder, type Tag } from "./tagtree";

type Page = { stats: { total: number }; data: Tag[] } | undefined;

export class Tags {
    readonly list = new Loader<Tag[]>();
    readonly all = $derived(this.list.data ?? []);
    // Those who manage tags see fields that others do not have.
    readonly manages = $derived(session.can("manageTags") || this.all.some((tag) => tag.usage !== undefined));
    readonly creates = $derived(this.manages || session.can("createPrivateTags"));

    readonly load = (): void => {
        void this.list.load(readAll);
    };

    find(id: string | null): Tag | undefined {
        return this.all.find((tag) => tag.id === id);
    }

    mayChange(tag: Tag): boolean {
        return this.manages || (tag.private && tag.owner === session.user.id && this.creates);
    }

    /** True if the tag may go below `parent`, or to the top. */
    mayMove(tag: Tag, parent: string | null | undefined): parent is string | null {
        if (parent === undefined || parent === tag.parent) return false;
        return this.mayChange(tag) && !isWithin(this.all, parent, tag.id);
    }

    async move(tag: Tag, parent: string | null): Promise<void> {
        const target = this.find(parent);
        await this.#write(
            [{ id: tag.id, change: { parent } }],
            target === undefined ? text.more.tagAtTop(tag.name) : text.more.tagMoved(tag.name, target.name),
        );
    }

    async shuffle(tag: Tag, step: 1 | -1): Promise<void> {
        if (this.manages) await this.#write(reorder(this.all, tag, step), text.more.tagReordered(tag.name));
    }

    /** Deletes the tag and those below it. False where the server refused it, which is said. */
    async remove(tag: Tag): Promise<boolean> {
        const gone = new Set([tag.id, ...below(this.all, tag.id).map((one) => one.id)]);
        try {
            await call("DELETE", `collection/tags/${encodeURIComponent(tag.id)}`, {
                query: gone.size > 1 ? { _cascade: 1 } : {},
            });
        } catch (error) {
            say(problemText(error), { error: true });
            return false;
        }
        this.list.data = this.all.filter((one) => !gone.has(one.id));
        this.#changed();
        say(text.more.tagDeleted(tag.name));
        return true;
    }

    /** Puts a saved tag into its place in the list. */
    put(tag: Tag): void {
        this.list.data =
            this.find(tag.id) === undefined
                ? [...this.all, tag]
                : this.all.map((one) => (one.id === tag.id ? tag : one));
        this.#changed();
    }

    async #write(changes: Change[], said: string): Promise<void> {
        if (changes.length === 0) return;
        const before = this.list.data;
        const next = new Map(changes.map(({ id, change }) => [id, change]));
        this.list.data = this.all.map((tag) => ({ ...tag, ...next.get(tag.id) }));
        try {
            for (const { id, change } of changes)
                await call("PATCH", `collection/tags/${encodeURIComponent(id)}`, { body: change });
            this.#changed();
            say(said);
        } catch (error) {
            this.list.data = before;
            say(refusal(error), { error: true });
            this.load();
        }
    }

    /** Tags are parts of lists: answers of before are old. */
    #changed(): void {
        forget("collection");
        this.load();
    }
}

function refusal(error: unknown): string {
    return error instanceof ApiError && error.status < 500 && error.detail !== "" ? error.detail : problemText(error);
}

async function readAll(signal: AbortSignal): Promise<Tag[]> {
    const all: Tag[] = [];
    for (let page = 1; ; page += 1) {
        const { data } = await call<Page>("GET", "collection/tags", { query: { page, perPage: 500 }, signal });
        all.push(...(data?.data ?? []));
        if (data === undefined || data.data.length === 0 || all.length >= data.stats.total) return all;
    }
}
