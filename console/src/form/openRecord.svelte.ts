// The record that a view has open: read, saved, merged, copied and deleted, and what the view asks before it is left.

import { tick } from "svelte";
import { go, href, parse, router } from "../app/router";
import { session } from "../app/session.svelte";
import { rowTitle, type Row, type TypeModel } from "../data/model";
import { text } from "../text";
import { say } from "../ui/toasts";
import { focusField, focusFirst } from "./fieldFocus";
import { backName, copyRecord, prefill, takeCopy } from "./prefill";
import { RecordForm } from "./record.svelte";
import { lastWriter, type Stale } from "./stale";

/** The place of the view, as it is now. */
export interface RecordFrame {
    type: () => TypeModel;
    id: () => string;
    values: () => Record<string, string>;
    panel: () => boolean;
    /** The record that takes the place of a deleted one. */
    neighbour: () => number | undefined;
    /** Begins the ids of the fields. */
    prefix: string;
    showForm: () => void;
    onid: (id: string, replace: boolean) => void;
    onclose: () => void;
}

/** The record whose draft the person asked for: it opens with what was typed. */
let wantedDraft: string | null = null;

export class OpenRecord {
    form = $state.raw<RecordForm | null>(null);
    problem = $state.raw<unknown>(null);
    stale = $state.raw<Stale | null>(null);
    /** True if the merge came of a save, which goes on after it. */
    mergeSaves = $state(false);
    asking = $state<"delete" | "discard" | null>(null);
    /** Grows when the record is to be read anew. */
    attempt = $state(0);
    #leaving: (() => void) | null = null;
    readonly #frame: RecordFrame;

    constructor(frame: RecordFrame) {
        this.#frame = frame;
    }

    get title(): string {
        const type = this.#frame.type();
        if (!this.form) return type.title;
        return this.form.isNew ? text.form.newRecord(type.title) : rowTitle(type, this.form.base);
    }

    /** Types with `logReads` have no drafts: what is typed is lost with the form, so it asks first. */
    get fragile(): boolean {
        return this.#frame.type().logReads && this.form?.dirty === true;
    }

    async open(type: TypeModel, wanted: string, over: () => boolean): Promise<void> {
        this.problem = null;
        // Typed values are a draft before the next form asks for drafts.
        void this.form?.keepDraft();
        const next = new RecordForm(type);
        try {
            if (wanted === "new")
                await next.begin({ ...takeCopy(type), ...prefill(type, this.#frame.values(), session.zone) });
            else await next.load(wanted);
        } catch (error) {
            if (over()) return;
            this.form?.leave();
            this.form = null;
            this.problem = error;
            return;
        }
        if (over()) return;
        this.form?.leave();
        this.form = next;
        this.stale = null;
        if (wantedDraft === `${type.name} ${wanted}`) await this.restore();
        wantedDraft = null;
        if (wanted === "new") await focusFirst(next, this.#frame.prefix);
    }

    /** Closes the record: what is typed stays as a draft, and the message leads back to it. */
    close(): void {
        const left = this.form;
        const here = router.place;
        if (left?.keeps) {
            void left.keepDraft();
            const draft = `${left.type.name} ${left.id ?? "new"}`;
            const run = (): void => {
                wantedDraft = draft;
                go(here);
            };
            say(text.form.draftKept(this.title), { action: { title: text.form.draftOpen, run } });
        }
        this.goAway();
    }

    /** From a new record to the one that it was made for, as that was left; else where the screen goes. */
    goAway(): void {
        const back = this.#frame.values()[backName];
        if (back === undefined) {
            this.#frame.onclose();
            return;
        }
        const [path = "", query = ""] = back.split("?");
        go(parse(path, query), { replace: true });
    }

    async save(then: "stay" | "new" = "stay"): Promise<void> {
        const { form } = this;
        if (!form || form.saving) return;
        this.#frame.showForm();
        const wasNew = form.isNew;
        const focused = document.activeElement?.id ?? "";
        if (!wasNew && !form.dirty && then === "stay") {
            say(text.form.nothingChanged);
            return;
        }
        const row = await form.save();
        if (!row) {
            if (form.outdated) await this.merge(true);
            else await focusField(form.faulty[0]?.identifier, this.#frame.prefix);
            return;
        }
        await this.#saved(row, wasNew, then);
        // The tabs come with the first save, and the form is drawn anew in them.
        if (wasNew && then === "stay" && focused !== "") {
            await tick();
            document.getElementById(focused)?.focus();
        }
    }

    async #saved(row: Row, wasNew: boolean, then: "stay" | "new"): Promise<void> {
        const { prefix, onid } = this.#frame;
        const type = this.#frame.type();
        const save = this.form?.saved;
        if (wasNew || !save) say(wasNew ? text.form.created(rowTitle(type, row)) : text.form.saved);
        else
            import("./saveUndo").then(
                ({ tellSave }) => void tellSave(type, save),
                () => say(text.form.saved),
            );
        if (then === "new") {
            if (this.#frame.id() === "new") {
                const next = new RecordForm(type);
                await next.begin(prefill(type, this.#frame.values(), session.zone));
                this.form = next;
                await focusFirst(next, prefix);
            } else {
                onid("new", false);
            }
        } else if (wasNew && this.#frame.values()[backName] !== undefined) {
            this.goAway();
        } else if (wasNew) {
            onid(String(row["id"]), true);
        }
    }

    async merge(saves: boolean): Promise<void> {
        this.mergeSaves = saves;
        this.stale = (await this.form?.compareStale()) ?? null;
    }

    async merged(choices: ReadonlyMap<string, "theirs" | "yours">): Promise<void> {
        const { form, stale } = this;
        if (!form || !stale) return;
        form.applyMerge(stale, choices);
        this.stale = null;
        if (!this.mergeSaves) return;
        if (form.dirty) await this.save();
        else say(text.form.saved);
    }

    async takeTheirs(): Promise<void> {
        this.stale = null;
        await this.form?.takeTheirs();
        this.attempt += 1;
    }

    /** Continues with the draft that is offered. */
    async restore(): Promise<void> {
        const { form } = this;
        const found = form?.restoreDraft();
        if (!form || !found) return;
        const by = form.id === null ? found.by : await lastWriter(form.type, form.id);
        if (this.form !== form) return;
        this.mergeSaves = false;
        this.stale = { ...found, by };
    }

    async remove(): Promise<void> {
        const { form, title } = this;
        this.asking = null;
        if (!form) return;
        const next = this.#frame.neighbour();
        if (await form.remove()) {
            say(text.form.deleted(title));
            this.form = null;
            if (this.#frame.panel() && next !== undefined) this.#frame.onid(String(next), true);
            else this.#frame.onclose();
        } else if (form.outdated) {
            await this.merge(false);
        }
    }

    duplicate(): void {
        if (!this.form) return;
        copyRecord(this.#frame.type(), { ...this.form.base, ...this.form.edited });
        this.#frame.onid("new", false);
    }

    async copyLink(): Promise<void> {
        const place = { name: "record", type: this.#frame.type().name, id: this.#frame.id(), values: {} } as const;
        await navigator.clipboard.writeText(new URL(href(place), location.href).href);
        say(text.form.linkCopied);
    }

    reload(): void {
        if (this.form?.dirty) this.asking = "discard";
        else this.attempt += 1;
    }

    /** The question is taken back. */
    stay(): void {
        this.asking = null;
        this.#leaving = null;
    }

    async discard(): Promise<void> {
        this.asking = null;
        const then = this.#leaving;
        this.#leaving = null;
        await this.form?.discard();
        if (then) then();
        else if (this.form?.isNew) this.goAway();
        else this.attempt += 1;
    }

    /** Leaves the record by `run`; a fragile form asks first. */
    leaveBy(run: () => void): void {
        if (!this.fragile) {
            run();
            return;
        }
        this.#leaving = run;
        this.asking = "discard";
    }
}
