// The drafts of one form: the own one, and those of other times, which are offered.

import { dropDraft, findDrafts, keepDraft, newDraftKey, type Draft, type KeptDraft } from "../data/drafts";
import { isEmpty } from "./values";

const pause = 500;

export class FormDrafts {
    /** True if what is typed survives a reload. */
    readonly enabled: boolean;
    /** The draft whose merge is open. */
    merging: KeptDraft | undefined;
    /** Drafts of other times, the latest first; each stays until it is taken or thrown away. */
    #offered = $state.raw<readonly KeptDraft[]>([]);
    /** The key of the draft of this form, once there is one. */
    #own: string | undefined;
    #timer: ReturnType<typeof setTimeout> | undefined;
    /** Names the record that the drafts are of. */
    readonly #key: () => string;

    constructor(enabled: boolean, key: () => string) {
        this.enabled = enabled;
        this.#key = key;
    }

    /** The draft that is offered. */
    get offered(): KeptDraft | null {
        return this.#offered[0] ?? null;
    }

    async offer(isNew: boolean): Promise<void> {
        this.#offered = [];
        if (!this.enabled) return;
        const found = await findDrafts(this.#key());
        this.#offered = found.filter(
            ({ key, values }) =>
                key !== this.#own &&
                (isNew ? Object.values(values).some((value) => !isEmpty(value)) : Object.keys(values).length > 0),
        );
    }

    /** Drafts of other new records are offered with the next one. */
    offerNone(): void {
        this.#offered = [];
    }

    /** Keeps the draft soon. */
    schedule(keep: () => void): void {
        clearTimeout(this.#timer);
        if (this.enabled) this.#timer = setTimeout(keep, pause);
    }

    stop(): void {
        clearTimeout(this.#timer);
    }

    async keep(draft: Draft): Promise<void> {
        this.#own ??= newDraftKey(this.#key());
        await keepDraft(this.#own, draft);
    }

    async dropOwn(): Promise<void> {
        clearTimeout(this.#timer);
        const key = this.#own;
        this.#own = undefined;
        if (key !== undefined) await dropDraft(key);
    }

    /** Throws away the draft that is offered. */
    async dropOffered(): Promise<void> {
        const draft = this.offered;
        if (!draft) return;
        this.#offered = this.#offered.slice(1);
        await dropDraft(draft.key);
    }

    /** The record is gone, and with it all of its drafts. */
    async dropAll(): Promise<void> {
        await this.dropOwn();
        for (const draft of this.#offered) await dropDraft(draft.key);
    }

    /** The draft is that of this form now. The others are offered another time: two at once would mix. */
    adopt(draft: KeptDraft): void {
        const own = this.#own;
        if (own !== undefined && own !== draft.key) void dropDraft(own);
        this.#own = draft.key;
        this.merging = undefined;
        this.#offered = [];
    }
}
