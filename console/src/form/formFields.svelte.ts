// The fields of a form: values as read, as edited and as a trial came to, with undo; the body of a write; mistakes by field.

import type { PropertyModel, Row, TypeModel } from "../data/model";
import type { ApiError } from "../data/call";
import { check, type Issue } from "./check";
import type { FieldProblem } from "./refusal";
import { Steps } from "./steps.svelte";
import { bodyValue, defaultValue, isEmpty, sameValue } from "./values";

export class FormFields {
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
    protected tried = $state.raw<Row>({});
    /** Mistakes that the server found, by property. */
    found = $state.raw<Record<string, FieldProblem[]>>({});
    /** A refusal that is of no field. */
    problem = $state.raw<ApiError | null>(null);
    /** Properties of which the server said that they do not apply, or that they do. */
    protected applies = $state.raw<Record<string, boolean>>({});
    /** Saving was tried, so missing values are mistakes now. */
    attempted = $state(false);

    protected readonly steps = new Steps();

    constructor(type: TypeModel) {
        this.type = type;
    }

    get isNew(): boolean {
        return this.id === null;
    }

    // Getters, and no derived values: those would end with the effect in which a form is made.

    /** The changes as the body of a write. */
    get body(): Row {
        return this.bodyOf(true);
    }

    get dirty(): boolean {
        return this.changes > 0;
    }

    get changes(): number {
        return new Set([...Object.keys(this.body), ...Object.keys(this.unread)]).size;
    }

    protected bodyOf(withUnread: boolean): Row {
        const body: Row = {};
        for (const [name, value] of Object.entries(this.edited)) {
            const property = this.type.property(name);
            if (!property || !this.writable(property) || this.applies[name] === false) continue;
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
        if (property.calculated) return false;
        return this.isNew ? property.create && this.type.actions.create : property.write && this.type.actions.update;
    }

    /** The value that a field shows: the edited one, else that of a trial, else the one that was read. */
    value(name: string): unknown {
        if (name in this.edited) return this.edited[name];
        if (this.result && name in this.result && !(name in this.tried)) return this.result[name];
        if (name in this.base) return this.base[name];
        const property = this.type.property(name);
        return this.isNew && property ? defaultValue(property) : null;
    }

    /** True if a field stands in the form, is hidden since it does not apply, or is not visible to the person. */
    state(property: PropertyModel): "shown" | "hidden" | "invisible" {
        const name = property.identifier;
        const row = this.result ?? this.base;
        if (property.conditional) {
            const told = this.applies[name];
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
        const own = this.issue(property);
        if (own) return [own];
        return (this.found[name] ?? []).filter(
            (problem) => problem.code !== "required" || this.attempted || name in this.edited,
        );
    }

    protected issue(property: PropertyModel): Issue | undefined {
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

    /** A field was edited. `unread` is what is wrong with a text that is not understood. */
    edit(name: string, value: unknown, unread?: string): void {
        this.steps.note(name, this.edited);
        this.set({ ...this.edited, [name]: value });
        const { [name]: _unread, ...others } = this.unread;
        this.unread = unread === undefined ? others : { ...others, [name]: unread };
        const { [name]: _found, ...found } = this.found;
        this.found = found;
    }

    protected set(edited: Row): void {
        this.edited = edited;
        this.problem = null;
        this.changed();
    }

    /** Takes the last step back. Returns the name of its field. */
    undo(): string | undefined {
        const step = this.steps.undo(this.edited);
        if (!step) return undefined;
        this.unread = {};
        this.set(step.edited);
        return step.name;
    }

    redo(): string | undefined {
        const step = this.steps.redo(this.edited);
        if (!step) return undefined;
        this.set(step.edited);
        return step.name;
    }

    /** Values were edited, or put back. */
    protected changed(): void {}
}
