// Edits of single values, in cells and blocks: shown at once, written with the ETag, undone by a write back.

import { SvelteMap, SvelteSet } from "svelte/reactivity";
import { bodyValue, sameValue } from "../form/values";
import { forget } from "./cache";
import { ApiError, call, type Answer } from "./call";
import { asWritten, cellKey, cellOf, recordKey, refuseStale, Stale, stale, type Edit, type Refusal } from "./edit";
import type { Row } from "./model";

export { cellKey, type Edit, type Refusal };

interface Step {
    edits: Edit[];
}

/** A step that was put back, or done again, unless it was refused. */
export interface Repeat extends Step {
    done: boolean;
}

const steps = 50;
/** The time for which a value has the sign that it was saved, in ms. */
const SIGN = 1_500;
/** Takes a row that a write returned; resolves once what it shows is no longer older. */
type RowListener = (type: string, row: Row) => void | Promise<void>;

export class Edits {
    /** Values on their way, by `cellKey`: a cell shows them in the place of its row's. */
    readonly pending = new SvelteMap<string, unknown>();
    /** Refused edits, by `cellKey`, until they are tried again or dismissed. */
    readonly refusals = new SvelteMap<string, Refusal>();
    /** Values that were saved a moment ago, by `cellKey`. */
    readonly saved = new SvelteSet<string>();
    #undo = $state.raw<Step[]>([]);
    #redo = $state.raw<Step[]>([]);
    readonly #reads = new Map<string, Promise<Answer<Row>>>();
    readonly #running = new Set<Promise<unknown>>();
    readonly #queues = new Map<string, Promise<void>>();
    readonly #listeners = new Set<RowListener>();
    readonly #removals = new Set<(type: string, id: number) => void>();

    get canUndo(): boolean {
        return this.#undo.length > 0;
    }

    get canRedo(): boolean {
        return this.#redo.length > 0;
    }

    /** Calls back with each row that a write returned, and its type. Returns the function that ends it. */
    onrow(listener: RowListener): () => void {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }

    /** Tells of a row that was written, here or in a form. Resolves once all lists show it. */
    async wrote(type: string, row: Row): Promise<void> {
        forget(`collection/${type}`);
        await Promise.all([...this.#listeners].map((listener) => listener(type, row)));
    }

    /** Calls back with each record that was deleted. Returns the function that ends it. */
    onremoved(listener: (type: string, id: number) => void): () => void {
        this.#removals.add(listener);
        return () => this.#removals.delete(listener);
    }

    removed(type: string, id: number): void {
        forget(`collection/${type}`);
        for (const listener of this.#removals) listener(type, id);
    }

    /** Begins to read the record's ETag, when its cell is opened: lists have none by row. */
    open(type: string, id: number): void {
        const key = recordKey(type, id);
        if (this.#reads.has(key)) return;
        const read = call<Row>("GET", `collection/${type}/${id}`);
        this.#reads.set(key, read);
        read.catch(() => {
            if (this.#reads.get(key) === read) this.#reads.delete(key);
        });
    }

    /** Ends what `open` began, where the cell was left without a change. */
    close(type: string, id: number): void {
        this.#reads.delete(recordKey(type, id));
    }

    /** The shown value of a cell: the one on its way, else that of its row. */
    shown(type: string, id: number, property: string, value: unknown): unknown {
        const key = cellKey(type, id, property);
        return this.pending.has(key) ? this.pending.get(key) : value;
    }

    /** Writes one value. Resolves to the row as answered, or to undefined where the edit was refused. */
    async edit(edit: Edit): Promise<Row | undefined> {
        if (sameValue(edit.property, edit.before, edit.value)) return undefined;
        const row = await this.follow(this.#write(edit));
        if (row) this.#done({ edits: [asWritten(edit, row)] });
        return row;
    }

    /** Writes several values in one transaction: all of them, or none. Resolves to whether they were written. */
    async editAll(edits: readonly Edit[]): Promise<boolean> {
        const changed = edits.filter((edit) => !sameValue(edit.property, edit.before, edit.value));
        if (changed.length === 0) return true;
        const written = await this.follow(this.#writeAll(changed));
        if (written) this.#done({ edits: written });
        return written !== null;
    }

    /** Notes values that were written elsewhere as one step. Returns the undo of this step, later ones or not. */
    noted(edits: readonly Edit[]): () => Promise<boolean> {
        const step = { edits: [...edits] };
        this.#done(step);
        return () => this.#putBack(step);
    }

    /** Returns the undo of the step that is the last one now, later ones or not. */
    undoOfLast(): () => Promise<Repeat> {
        const step = this.#undo.at(-1) ?? { edits: [] };
        return async () => ({ ...step, done: await this.#putBack(step) });
    }

    /** Puts the last step back, once it is written. Resolves to null where there is none. */
    async undo(): Promise<Repeat | null> {
        // Its writer is told first, and notes the step.
        await Promise.allSettled(this.#running);
        const step = this.#undo.at(-1);
        return step ? { ...step, done: await this.#putBack(step) } : null;
    }

    async #putBack(step: Step): Promise<boolean> {
        // It was put back before: there is nothing left to do.
        if (!this.#undo.includes(step)) return true;
        this.#undo = this.#undo.filter((other) => other !== step);
        const back = step.edits.map((edit) => ({ ...edit, before: edit.value, value: edit.before }));
        const written = await this.#writeStep(back);
        if (written) this.#redo = [...this.#redo, step].slice(-steps);
        return written;
    }

    async redo(): Promise<Repeat | null> {
        const step = this.#redo.at(-1);
        if (!step) return null;
        this.#redo = this.#redo.slice(0, -1);
        const done = await this.#writeStep(step.edits);
        if (done) this.#undo = [...this.#undo, step].slice(-steps);
        return { ...step, done };
    }

    dismiss(type: string, id: number, property: string): void {
        this.refusals.delete(cellKey(type, id, property));
    }

    /** Forgets everything: at sign-out, and when another user acts. */
    clear(): void {
        this.pending.clear();
        this.refusals.clear();
        this.saved.clear();
        this.#reads.clear();
        this.#undo = [];
        this.#redo = [];
    }

    /** Has an undo wait for an edit on its way, or for one that is being prepared. */
    async follow<T>(written: Promise<T>): Promise<T> {
        this.#running.add(written);
        try {
            return await written;
        } finally {
            this.#running.delete(written);
        }
    }

    #done(step: Step): void {
        this.#undo = [...this.#undo, step].slice(-steps);
        this.#redo = [];
    }

    async #writeStep(edits: Edit[]): Promise<boolean> {
        const [only] = edits;
        if (edits.length === 1 && only) return (await this.#write(only)) !== undefined;
        return (await this.#writeAll(edits)) !== null;
    }

    /** One write at a time per record: the next one needs the ETag of the one before. */
    async #write(edit: Edit): Promise<Row | undefined> {
        const record = recordKey(edit.type, edit.id);
        const cell = cellOf(edit);
        this.pending.set(cell, edit.value);
        this.refusals.delete(cell);
        const before = this.#queues.get(record) ?? Promise.resolve();
        let row: Row | undefined;
        let shown = Promise.resolve();
        const turn = before.then(async () => {
            try {
                row = await this.#send(edit);
            } catch (error) {
                if (!(error instanceof ApiError)) throw error;
                this.refusals.set(cell, { edit, error, ...(error instanceof Stale ? { theirs: error.theirs } : {}) });
            }
        });
        this.#queues.set(record, turn);
        try {
            await turn;
            if (row) shown = this.wrote(edit.type, row);
        } finally {
            if (this.#queues.get(record) === turn) {
                this.#queues.delete(record);
                this.#reads.delete(record);
            }
            void this.#settle([edit], shown, row !== undefined);
        }
        return row;
    }

    async #send(edit: Edit): Promise<Row> {
        const path = `collection/${edit.type}/${edit.id}`;
        const record = recordKey(edit.type, edit.id);
        const name = edit.property.identifier;
        for (let attempt = 0; ; attempt += 1) {
            this.open(edit.type, edit.id);
            const read = await this.#reads.get(record);
            if (!read) throw stale(edit);
            refuseStale(edit, read.data);
            try {
                const answer = await call<Row>("PATCH", path, {
                    ifMatch: read.etag,
                    body: { [name]: bodyValue(edit.property, edit.value) },
                });
                this.#reads.set(record, Promise.resolve(answer));
                return answer.data;
            } catch (error) {
                this.#reads.delete(record);
                // Another property was changed meanwhile: read again, and write with the new ETag.
                if (!(error instanceof ApiError) || error.status !== 412 || attempt >= 2) throw error;
            }
        }
    }

    /** Ends values on their way once their lists show them, so that no cell shows the old one in between. */
    async #settle(edits: readonly Edit[], shown: Promise<unknown>, saved: boolean): Promise<void> {
        await shown;
        for (const edit of edits) {
            const cell = cellOf(edit);
            if (this.pending.get(cell) === edit.value) this.pending.delete(cell);
            if (saved) this.saved.add(cell);
        }
        setTimeout(() => edits.forEach((edit) => this.saved.delete(cellOf(edit))), SIGN);
    }

    /** Writes edits of several values. Returns them as they were written, or null where they were refused. */
    async #writeAll(edits: readonly Edit[]): Promise<Edit[] | null> {
        // Loaded when it is needed first.
        const { refusedBy, writeBatch } = await import("./editBatch");
        const shown: Promise<void>[] = [];
        let saved = false;
        for (const edit of edits) {
            this.pending.set(cellOf(edit), edit.value);
            this.refusals.delete(cellOf(edit));
        }
        try {
            const rows = await writeBatch(edits);
            const known = new Set<Row>();
            edits.forEach((edit, index) => {
                const row = rows[index];
                if (row === undefined || known.has(row)) return;
                known.add(row);
                shown.push(this.wrote(edit.type, row));
            });
            saved = true;
            return edits.map((edit, index) => asWritten(edit, rows[index]));
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            const isStale = error instanceof Stale;
            for (const edit of isStale ? [error.edit] : edits)
                this.refusals.set(cellOf(edit), {
                    edit,
                    error: refusedBy(error, edit),
                    ...(isStale ? { theirs: error.theirs } : {}),
                });
            return null;
        } finally {
            void this.#settle(edits, Promise.all(shown), saved);
        }
    }
}

export const edits = new Edits();
