// The state of a form: the record as read, what was edited, what a trial of the write came to, and mistakes by field.

import { session } from "../app/session.svelte";
import { dropDraft, draftKey, findDrafts, keepDraft, newDraftKey, type KeptDraft } from "../data/drafts";
import { edits } from "../data/edits.svelte";
import { ApiError, call, type Answer } from "../data/call";
import type { PropertyModel, Row, TypeModel } from "../data/model";
import { check, type Issue } from "./check";
import { compare } from "./merge";
import { sortErrors, type FieldProblem } from "./refusal";
import { editedAfter, hasForeign, readStale, type Stale } from "./stale";
import { Steps } from "./steps.svelte";
import { Trials, type TrialRun } from "./trial";
import { bodyValue, defaultValue, isEmpty, isObject, sameValue } from "./values";

const draftPause = 500;

export class RecordForm {
    readonly type: TypeModel;
    id = $state<number | null>(null);
    base = $state.raw<Row>({});
    etag = $state<string | null>(null);
    /** Values that were edited, by name. */
    edited = $state.raw<Row>({});
    /** Texts that are not understood, by property: the widget's words. */
    unread = $state.raw<Record<string, string>>({});
    /** The answer of the last trial. */
    result = $state.raw<Row | null>(null);
    /** The body that the trial was of: its own values are answered as they were typed then. */
    #tried = $state.raw<Row>({});
    /** Mistakes that the server found, by property. */
    found = $state.raw<Record<string, FieldProblem[]>>({});
    /** A refusal that is of no field. */
    problem = $state.raw<ApiError | null>(null);
    /** Properties of which the server said that they do not apply, or that they do. */
    #applies = $state.raw<Record<string, boolean>>({});
    /** Why virtual calculations have no value, by property. */
    failures = $state.raw<Record<string, string>>({});
    trying = $state(false);
    saving = $state(false);
    /** Saving was tried, so missing values are mistakes now. */
    attempted = $state(false);
    /** Somebody else changed the record; found by a trial or a save. */
    outdated = $state(false);
    gone = $state(false);
    /** Drafts of other times, the latest first; each stays until it is taken or thrown away. */
    #offered = $state.raw<readonly KeptDraft[]>([]);
    /** The key of the draft of this form, once there is one. */
    #ownDraft: string | undefined;
    /** The values that a new record began with: they alone are no draft. */
    #begun: Row | undefined;
    /** The draft whose merge is open. */
    #merging: KeptDraft | undefined;
    readonly #steps = new Steps();
    #draftTimer: ReturnType<typeof setTimeout> | undefined;
    #createKey: { body: string; key: string } | undefined;
    readonly #trials: Trials<Row>;

    /** True if what is typed survives a reload. */
    readonly #drafts: boolean;

    /** The draft that is offered. */
    get draft(): KeptDraft | null {
        return this.#offered[0] ?? null;
    }

    /** True if there is something that a draft would keep. */
    get typed(): boolean {
        return this.dirty && this.edited !== this.#begun;
    }

    /** True if what is typed stays when the form is left. */
    get keeps(): boolean {
        return this.#drafts && this.typed;
    }

    constructor(type: TypeModel, options: { drafts?: boolean } = {}) {
        this.type = type;
        this.#drafts = !type.logReads && options.drafts !== false;
        this.#trials = new Trials<Row>(
            () => this.#trial(),
            (busy) => {
                this.trying = busy;
            },
        );
    }

    get isNew(): boolean {
        return this.id === null;
    }

    // Getters, and no derived values: those would end with the effect in which a form is made.

    /** The changes as the body of a write. */
    get body(): Row {
        return this.#body(true);
    }

    get dirty(): boolean {
        return this.changes > 0;
    }

    get changes(): number {
        return new Set([...Object.keys(this.body), ...Object.keys(this.unread)]).size;
    }

    #body(withUnread: boolean): Row {
        const body: Row = {};
        for (const [name, value] of Object.entries(this.edited)) {
            const property = this.type.property(name);
            if (!property || !this.writable(property) || this.#applies[name] === false) continue;
            if (!withUnread && name in this.unread) continue;
            // A new record says even "no value", so that the default does not come back.
            if (!this.isNew && sameValue(property, this.base[name], value)) continue;
            if (!(name in this.unread)) body[name] = bodyValue(property, value);
        }
        return body;
    }

    /** True if the person may type into the field. */
    writable(property: PropertyModel): boolean {
        if (property.writeOnce === true && !isEmpty(this.base[property.identifier])) return false;
        return (
            property.write && !property.calculated && (this.isNew ? this.type.actions.create : this.type.actions.update)
        );
    }

    /** What a field shows: what was edited, else what a trial came to, else what was read. */
    value(name: string): unknown {
        if (name in this.edited) return this.edited[name];
        if (this.result && name in this.result && !(name in this.#tried)) return this.result[name];
        if (name in this.base) return this.base[name];
        const property = this.type.property(name);
        return this.isNew && property ? defaultValue(property) : null;
    }

    /** True if a field stands in the form, is hidden since it does not apply, or is not visible to the person. */
    state(property: PropertyModel): "shown" | "hidden" | "invisible" {
        const name = property.identifier;
        const row = this.result ?? this.base;
        if (property.conditional) {
            const told = this.#applies[name];
            if (told !== undefined) return told ? "shown" : "hidden";
            return name in row ? "shown" : "hidden";
        }
        return this.isNew || name in row || name in this.base ? "shown" : "invisible";
    }

    /** The mistakes of a field that are to be shown. */
    problems(property: PropertyModel): FieldProblem[] {
        const name = property.identifier;
        const unread = this.unread[name];
        if (unread !== undefined) return [{ code: "unread", message: unread }];
        const own = this.#issue(property);
        if (own) return [own];
        return (this.found[name] ?? []).filter(
            (problem) => problem.code !== "required" || this.attempted || name in this.edited,
        );
    }

    #issue(property: PropertyModel): Issue | undefined {
        const name = property.identifier;
        if (!this.writable(property) || this.state(property) !== "shown") return undefined;
        const edited = name in this.edited && !sameValue(property, this.base[name], this.edited[name]);
        if (!edited && !(this.attempted && this.isNew)) return undefined;
        return check(property, this.value(name), this.attempted || name in this.edited);
    }

    /** All fields with mistakes, in the order of the type. */
    get faulty(): PropertyModel[] {
        return this.type.own.filter((property) => this.problems(property).length > 0);
    }

    /** Reads the record anew; what was edited is given up. */
    async load(id: string): Promise<void> {
        const answer = await call<Row>("GET", `collection/${this.type.name}/${encodeURIComponent(id)}`);
        const own = answer.data["id"];
        this.id = typeof own === "number" ? own : Number(id);
        this.take(answer);
        await this.#offerDraft();
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
        await this.#offerDraft();
    }

    take(answer: Answer<Row>): void {
        this.#reset();
        this.base = answer.data;
        this.etag = answer.etag;
        void this.#askFailures();
    }

    /** A calculation without a value has failed, or came to nothing: the wrapped value tells. */
    async #askFailures(): Promise<void> {
        this.failures = {};
        const names = this.type.own
            .filter((property) => property.kind === "pCalculated" && this.base[property.identifier] === null)
            .map((property) => property.identifier);
        if (names.length === 0 || this.id === null) return;
        const id = this.id;
        try {
            const query = { showFields: names.join(), wrapFields: names.join() };
            const { data } = await call<Row>("GET", `collection/${this.type.name}/${id}`, { query });
            if (this.id !== id) return;
            this.failures = Object.fromEntries(
                names.flatMap((name) => {
                    const value = data[name];
                    return isObject(value) && typeof value["error"] === "string" ? [[name, value["error"]]] : [];
                }),
            );
        } catch (error) {
            // Without the reason the field says that it has no value.
            if (!(error instanceof ApiError)) throw error;
        }
    }

    #reset(): void {
        this.#trials.stop();
        clearTimeout(this.#draftTimer);
        this.edited = {};
        this.unread = {};
        this.result = null;
        this.found = {};
        this.problem = null;
        this.#applies = {};
        this.attempted = false;
        this.outdated = false;
        this.#steps.clear();
    }

    /** A field was edited. `unread` is what is wrong with a text that is not understood. */
    edit(name: string, value: unknown, unread?: string): void {
        this.#steps.note(name, this.edited);
        this.#set({ ...this.edited, [name]: value });
        const { [name]: _unread, ...others } = this.unread;
        this.unread = unread === undefined ? others : { ...others, [name]: unread };
        const { [name]: _found, ...found } = this.found;
        this.found = found;
    }

    #set(edited: Row): void {
        this.edited = edited;
        this.problem = null;
        this.#changed();
    }

    #changed(): void {
        this.#trials.schedule();
        clearTimeout(this.#draftTimer);
        if (this.#drafts) this.#draftTimer = setTimeout(() => void this.keepDraft(), draftPause);
    }

    /** Takes the last step back. Returns the name of its field. */
    undo(): string | undefined {
        const step = this.#steps.undo(this.edited);
        if (!step) return undefined;
        this.unread = {};
        this.#set(step.edited);
        return step.name;
    }

    redo(): string | undefined {
        const step = this.#steps.redo(this.edited);
        if (!step) return undefined;
        this.#set(step.edited);
        return step.name;
    }

    /** Gives up what was edited. */
    async discard(): Promise<void> {
        const { data, etag } = { data: this.base, etag: this.etag };
        const outdated = this.outdated;
        this.#reset();
        this.base = data;
        this.etag = etag;
        this.outdated = outdated;
        await this.#dropOwn();
    }

    #trial(): TrialRun<Row> | undefined {
        const body = this.#body(false);
        if (Object.keys(body).length === 0) {
            this.result = null;
            this.found = {};
            this.#applies = {};
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
                this.#tried = body;
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

    /** What was left out since it did not apply stays out, until an answer shows the property. */
    #takeApplied(row: Row): void {
        const refused = Object.keys(this.#applies).filter((name) => this.#applies[name] === false);
        this.#applies = Object.fromEntries(refused.filter((name) => !(name in row)).map((name) => [name, false]));
        if (refused.some((name) => name in row && name in this.edited)) this.#trials.schedule(0);
    }

    /** Puts the errors to their fields; those of no field stand above the form. */
    #takeErrors(error: ApiError, saving: boolean): void {
        const { found, applies, told, ofNoField } = sortErrors(this.type, error, this.#applies);
        if (ofNoField) {
            if (saving) this.problem = error;
            return;
        }
        this.#applies = applies;
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
                (property) => this.unread[property.identifier] !== undefined || this.#issue(property) !== undefined,
            )
        )
            return undefined;
        const body = this.#body(true);
        if (!this.isNew && Object.keys(body).length === 0) return this.base;
        this.#trials.stop();
        this.saving = true;
        try {
            const answer = await this.#send(body);
            const wasNew = this.isNew;
            const id = answer.data["id"];
            this.take(answer);
            if (wasNew && typeof id === "number") {
                this.id = id;
                // Drafts of other new records are offered with the next one.
                this.#offered = [];
            }
            await this.#dropOwn();
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

    #send(body: Row): Promise<Answer<Row>> {
        const path = `collection/${this.type.name}`;
        if (this.id !== null) return call<Row>("PATCH", `${path}/${this.id}`, { body, ifMatch: this.etag });
        // The same body has the same key, so a second try after a broken connection makes no second record.
        const text = JSON.stringify(body);
        if (this.#createKey?.body !== text) this.#createKey = { body: text, key: randomKey() };
        return call<Row>("POST", path, { body, headers: { "Idempotency-Key": this.#createKey.key } });
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
            await this.#dropOwn();
            for (const draft of this.#offered) await dropDraft(draft.key);
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
        this.#merging = undefined;
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
        const unread = { ...this.unread, ...this.#merging?.unread };
        if (this.#merging) this.#adopt(this.#merging);
        this.#reset();
        this.base = stale.theirs;
        this.etag = stale.etag;
        this.edited = edited;
        this.unread = Object.fromEntries(Object.entries(unread).filter(([name]) => name in edited));
        if (Object.keys(edited).length > 0) this.#changed();
        else void this.#dropOwn();
    }

    #draftKey(): string {
        return draftKey(session.tenant.name, session.user.id, this.type.name, this.id ?? "new");
    }

    async #offerDraft(): Promise<void> {
        this.#offered = [];
        if (!this.#drafts) return;
        const found = await findDrafts(this.#draftKey());
        this.#offered = found.filter(
            ({ key, values }) =>
                key !== this.#ownDraft &&
                (this.id === null
                    ? Object.values(values).some((value) => !isEmpty(value))
                    : Object.keys(values).length > 0),
        );
    }

    /** Keeps what is typed, now; nothing where nothing is. */
    async keepDraft(): Promise<void> {
        clearTimeout(this.#draftTimer);
        if (!this.#drafts || this.saving) return;
        const values = $state.snapshot(this.edited) as Row;
        if (!this.typed) {
            await this.#dropOwn();
            return;
        }
        this.#ownDraft ??= newDraftKey(this.#draftKey());
        await keepDraft(this.#ownDraft, {
            base: this.isNew ? null : this.base,
            etag: this.etag,
            values,
            unread: { ...this.unread },
            saved: Date.now(),
        });
    }

    async #dropOwn(): Promise<void> {
        clearTimeout(this.#draftTimer);
        const key = this.#ownDraft;
        this.#ownDraft = undefined;
        if (key !== undefined) await dropDraft(key);
    }

    /** Throws away the draft that is offered. */
    async dropDraft(): Promise<void> {
        const draft = this.draft;
        if (!draft) return;
        this.#offered = this.#offered.slice(1);
        await dropDraft(draft.key);
    }

    /** The draft is that of this form now. The others are offered another time: two at once would mix. */
    #adopt(draft: KeptDraft): void {
        const own = this.#ownDraft;
        if (own !== undefined && own !== draft.key) void dropDraft(own);
        this.#ownDraft = draft.key;
        this.#merging = undefined;
        this.#offered = [];
    }

    /** Continues with the draft. Resolves to the comparison, where the record has changed since: the draft stays until it is merged. */
    restoreDraft(): Stale | undefined {
        const draft = this.draft;
        if (!draft) return undefined;
        if (draft.base === null || draft.etag === this.etag) {
            this.#adopt(draft);
            this.unread = { ...this.unread, ...draft.unread };
            this.#set({ ...this.edited, ...draft.values });
            return undefined;
        }
        this.#merging = draft;
        const lines = compare(this.type.own, draft.base, this.base, { ...draft.base, ...this.edited, ...draft.values });
        return { lines, theirs: this.base, etag: this.etag, by: { id: null, when: null } };
    }

    /** The merge is given up for the record as it is: with it what was typed, or the draft. */
    async takeTheirs(): Promise<void> {
        if (this.#merging) await this.dropDraft();
        this.#merging = undefined;
        await this.discard();
    }

    /** Leaves the form: what is typed becomes a draft. */
    leave(): void {
        this.#trials.stop();
        void this.keepDraft();
    }
}

function randomKey(): string {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
        "",
    );
}
