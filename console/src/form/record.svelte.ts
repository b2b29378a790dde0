// The state of a form: the record as read, its trials and writes, what others wrote meanwhile, and its drafts.

import { session } from "../app/session.svelte";
import { draftKey, type KeptDraft } from "../data/drafts";
import { edits } from "../data/edits.svelte";
import { ApiError, call, type Answer } from "../data/call";
import type { Row, TypeModel } from "../data/model";
import { failuresOf } from "./failures";
import { FormDrafts } from "./formDrafts.svelte";
import { FormFields } from "./formFields.svelte";
import { compare } from "./merge";
import { RecordWrites } from "./recordWrites";
import type { Save } from "./saveUndo";
import { sortErrors } from "./refusal";
import { editedAfter, hasForeign, readStale, type Stale } from "./stale";
import { Trials, type TrialRun } from "./trial";

export class RecordForm extends FormFields {
    /** Why virtual calculations have no value, by property. */
    failures = $state.raw<Record<string, string>>({});
    trying = $state(false);
    saving = $state(false);
    /** Somebody else changed the record; found by a trial or a save. */
    outdated = $state(false);
    gone = $state(false);
    /** The last save of a record that was there before. */
    saved: Save | null = null;
    /** The values that a new record began with: they alone are not a draft. */
    #begun: Row | undefined;
    readonly #drafts: FormDrafts;
    readonly #writes = new RecordWrites();
    readonly #trials: Trials<Row>;

    /** The draft that is offered. */
    get draft(): KeptDraft | null {
        return this.#drafts.offered;
    }

    /** True if there is something that a draft would keep. */
    get typed(): boolean {
        return this.dirty && this.edited !== this.#begun;
    }

    /** True if what is typed stays when the form is left. */
    get keeps(): boolean {
        return this.#drafts.enabled && this.typed;
    }

    constructor(type: TypeModel, options: { drafts?: boolean } = {}) {
        super(type);
        this.#drafts = new FormDrafts(!type.logReads && options.drafts !== false, () => this.#draftKey());
        this.#trials = new Trials<Row>(
            () => this.#trial(),
            (busy) => {
                this.trying = busy;
            },
        );
    }

    /** Reads the record anew; what was edited is given up. */
    async load(id: string): Promise<void> {
        const answer = await call<Row>("GET", `collection/${this.type.name}/${encodeURIComponent(id)}`);
        const own = answer.data["id"];
        this.id = typeof own === "number" ? own : Number(id);
        this.take(answer);
        await this.#drafts.offer(this.isNew);
    }

    /** Begins a new record, with values filled in. */
    async begin(values: Row): Promise<void> {
        this.#reset();
        this.id = null;
        this.base = {};
        this.etag = null;
        this.edited = values;
        this.#begun = values;
        if (Object.keys(values).length > 0) this.#trials.schedule(0);
        await this.#drafts.offer(this.isNew);
    }

    take(answer: Answer<Row>): void {
        this.#reset();
        this.base = answer.data;
        this.etag = answer.etag;
        this.failures = {};
        void failuresOf(this.type, this.id, this.base).then((failures) => {
            if (this.base === answer.data) this.failures = failures;
        });
    }

    #reset(): void {
        this.#trials.stop();
        this.#drafts.stop();
        this.edited = {};
        this.unread = {};
        this.result = null;
        this.found = {};
        this.problem = null;
        this.applies = {};
        this.attempted = false;
        this.outdated = false;
        this.steps.clear();
    }

    protected override changed(): void {
        this.#trials.schedule();
        this.#drafts.schedule(() => void this.keepDraft());
    }

    /** Gives up what was edited. */
    async discard(): Promise<void> {
        const { data, etag } = { data: this.base, etag: this.etag };
        const outdated = this.outdated;
        this.#reset();
        this.base = data;
        this.etag = etag;
        this.outdated = outdated;
        await this.#drafts.dropOwn();
    }

    #trial(): TrialRun<Row> | undefined {
        const body = this.bodyOf(false);
        if (Object.keys(body).length === 0) {
            this.result = null;
            this.found = {};
            this.applies = {};
            return undefined;
        }
        const path = `collection/${this.type.name}`;
        const query = { trial: 1 };
        return {
            send: (signal) =>
                this.id === null
                    ? call<Row>("POST", path, { query, body, signal })
                    : call<Row>("PATCH", `${path}/${this.id}`, { query, body, signal, ifMatch: this.etag }),
            done: (answer) => {
                this.result = answer.data;
                this.tried = body;
                this.found = {};
                this.outdated = false;
                this.#takeApplied(answer.data);
            },
            failed: (error) => {
                if (!(error instanceof ApiError)) return;
                if (error.status === 412) void this.#lookAtStale();
                else if (error.status === 404 && this.id !== null) this.gone = true;
                else this.#takeErrors(error, false);
            },
        };
    }

    /** A value that was left out since it did not apply stays out, until an answer shows the property. */
    #takeApplied(row: Row): void {
        const refused = Object.keys(this.applies).filter((name) => this.applies[name] === false);
        this.applies = Object.fromEntries(refused.filter((name) => !(name in row)).map((name) => [name, false]));
        if (refused.some((name) => name in row && name in this.edited)) this.#trials.schedule(0);
    }

    /** Puts the errors to their fields; those of no field stand above the form. */
    #takeErrors(error: ApiError, saving: boolean): void {
        const { found, applies, told, ofNoField } = sortErrors(this.type, error, this.applies);
        if (ofNoField) {
            if (saving) this.problem = error;
            return;
        }
        this.applies = applies;
        this.found = found;
        // The body is another one now: what the rest of it comes to is not known yet.
        if (told) this.#trials.schedule(0);
    }

    /** Writes what changed. Resolves to the row, or to undefined where it was refused. */
    async save(again = true): Promise<Row | undefined> {
        if (this.saving) return undefined;
        this.attempted = true;
        this.problem = null;
        if (
            this.faulty.some(
                (property) => this.unread[property.identifier] !== undefined || this.issue(property) !== undefined,
            )
        )
            return undefined;
        const body = this.bodyOf(true);
        if (!this.isNew && Object.keys(body).length === 0) return this.base;
        this.#trials.stop();
        this.saving = true;
        try {
            const answer = await this.#writes.send(this.type, this.id, body, this.etag);
            const wasNew = this.isNew;
            const id = answer.data["id"];
            this.saved = wasNew ? null : { before: this.base, after: answer.data, sent: Object.keys(body) };
            this.take(answer);
            if (wasNew && typeof id === "number") {
                this.id = id;
                this.#drafts.offerNone();
            }
            await this.#drafts.dropOwn();
            edits.wrote(this.type.name, answer.data);
            return answer.data;
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            if (error.status !== 412 || !again) {
                this.#refused(error);
                return undefined;
            }
        } finally {
            this.saving = false;
        }
        return this.#saveAgain();
    }

    /** After a 412: where nobody else changed anything, the write goes on with the new ETag. */
    async #saveAgain(): Promise<Row | undefined> {
        const stale = await this.compareStale();
        if (!stale) return undefined;
        if (hasForeign(stale)) {
            this.outdated = true;
            return undefined;
        }
        this.#retag(stale);
        return this.save(false);
    }

    #refused(error: ApiError): void {
        if (error.status === 412) this.outdated = true;
        else if (error.status === 404 && this.id !== null) this.gone = true;
        else this.#takeErrors(error, true);
    }

    async remove(): Promise<boolean> {
        if (this.id === null) return false;
        this.saving = true;
        this.problem = null;
        try {
            await call("DELETE", `collection/${this.type.name}/${this.id}`, { ifMatch: this.etag });
            await this.#drafts.dropAll();
            edits.removed(this.type.name, this.id);
            return true;
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            if (error.status === 412) this.outdated = true;
            else if (error.status === 404) this.gone = true;
            else this.problem = error;
            return false;
        } finally {
            this.saving = false;
        }
    }

    /** Reads the record as it is now, and compares it with what was read and what was typed. */
    async compareStale(): Promise<Stale | undefined> {
        if (this.id === null) return undefined;
        this.#drafts.merging = undefined;
        try {
            return await readStale(this.type, this.id, this.base, this.edited);
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            if (error.status === 404) this.gone = true;
            else this.problem = error;
            return undefined;
        }
    }

    /** A trial met another ETag. */
    async #lookAtStale(): Promise<void> {
        const stale = await this.compareStale();
        if (!stale || stale.etag === this.etag) return;
        if (hasForeign(stale)) {
            this.outdated = true;
            return;
        }
        this.#retag(stale);
        this.#trials.schedule(0);
    }

    #retag(stale: Stale): void {
        this.base = stale.theirs;
        this.etag = stale.etag;
        this.outdated = false;
    }

    /** Takes the merge into the form: the record is theirs, and what is yours stays edited. */
    applyMerge(stale: Stale, choices: ReadonlyMap<string, "theirs" | "yours">): void {
        const edited = editedAfter(stale, choices);
        const unread = { ...this.unread, ...this.#drafts.merging?.unread };
        if (this.#drafts.merging) this.#drafts.adopt(this.#drafts.merging);
        this.#reset();
        this.base = stale.theirs;
        this.etag = stale.etag;
        this.edited = edited;
        this.unread = Object.fromEntries(Object.entries(unread).filter(([name]) => name in edited));
        if (Object.keys(edited).length > 0) this.changed();
        else void this.#drafts.dropOwn();
    }

    #draftKey(): string {
        return draftKey(session.tenant.name, session.user.id, this.type.name, this.id ?? "new");
    }

    /** Keeps what is typed, now; nothing where nothing is. */
    async keepDraft(): Promise<void> {
        this.#drafts.stop();
        if (!this.#drafts.enabled || this.saving) return;
        const values = $state.snapshot(this.edited) as Row;
        if (!this.typed) {
            await this.#drafts.dropOwn();
            return;
        }
        await this.#drafts.keep({
            base: this.isNew ? null : this.base,
            etag: this.etag,
            values,
            unread: { ...this.unread },
            saved: Date.now(),
        });
    }

    /** Throws away the draft that is offered. */
    dropDraft(): Promise<void> {
        return this.#drafts.dropOffered();
    }

    /** Continues with the draft. Resolves to the comparison, where the record has changed since: the draft stays until it is merged. */
    restoreDraft(): Stale | undefined {
        const draft = this.draft;
        if (!draft) return undefined;
        if (draft.base === null || draft.etag === this.etag) {
            this.#drafts.adopt(draft);
            this.unread = { ...this.unread, ...draft.unread };
            this.set({ ...this.edited, ...draft.values });
            return undefined;
        }
        this.#drafts.merging = draft;
        const lines = compare(this.type.own, draft.base, this.base, { ...draft.base, ...this.edited, ...draft.values });
        return { lines, theirs: this.base, etag: this.etag, by: { id: null, when: null } };
    }

    /** The merge is given up for the record as it is: with it what was typed, or the draft. */
    async takeTheirs(): Promise<void> {
        if (this.#drafts.merging) await this.#drafts.dropOffered();
        this.#drafts.merging = undefined;
        await this.discard();
    }

    /** Leaves the form: what is typed becomes a draft. */
    leave(): void {
        this.#trials.stop();
        void this.keepDraft();
    }
}
