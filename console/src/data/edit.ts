// An edit of one value, and how it is refused.

import { sameValue } from "../form/values";
import { ApiError } from "./call";
import type { PropertyModel, Row } from "./model";

/** One value of one record. `before` is what the person saw when they began. */
export interface Edit {
    type: string;
    id: number;
    property: PropertyModel;
    before: unknown;
    value: unknown;
}

/** An edit that the server refused: the old value is back, and what was typed is kept beside it. */
export interface Refusal {
    edit: Edit;
    error: ApiError;
    /** The value of the server, where somebody else changed it meanwhile. */
    theirs?: unknown;
}

export function recordKey(type: string, id: number): string {
    return `${type}/${id}`;
}

export function cellKey(type: string, id: number, property: string): string {
    return `${type}/${id}/${property}`;
}

export function cellOf(edit: Edit): string {
    return cellKey(edit.type, edit.id, edit.property.identifier);
}

/** The error of a value that changed on the server since it was shown. */
export function stale(edit: Edit): ApiError {
    return new ApiError({
        status: 412,
        code: "precondition_failed",
        detail: `${edit.property.title} has changed since it was shown.`,
        errors: [],
    });
}

/** Somebody else changed this value since it was shown. */
export class Stale extends ApiError {
    readonly edit: Edit;
    readonly theirs: unknown;

    constructor(edit: Edit, theirs: unknown) {
        const { status, code, detail } = stale(edit);
        super({ status, code, detail });
        this.edit = edit;
        this.theirs = theirs;
    }
}

/** Throws where the record, as it was read, has another value than the person saw. */
export function refuseStale(edit: Edit, row: Row): void {
    const name = edit.property.identifier;
    if (name in row && !sameValue(edit.property, row[name], edit.before)) throw new Stale(edit, row[name]);
}

/** The edit as it was written: the server may keep a value in another form, such as a domain in small letters. */
export function asWritten(edit: Edit, row: Row | undefined): Edit {
    const name = edit.property.identifier;
    return row !== undefined && name in row ? { ...edit, value: row[name] } : edit;
}
