// The errors of a refused write, put to the fields of a form.

import type { ApiError } from "../data/call";
import type { TypeModel } from "../data/model";

/** A mistake of a field: of a check of the browser, or of the server. */
export interface FieldProblem {
    code: string;
    limit?: string;
    message?: string;
}

export interface SortedErrors {
    found: Record<string, FieldProblem[]>;
    /** Of properties with a condition: whether the server said that they apply. */
    applies: Record<string, boolean>;
    /** The server told so just now: the next trial has another body. */
    told: boolean;
    /** No error is of a field of this form. */
    ofNoField: boolean;
}

export function sortErrors(type: TypeModel, error: ApiError, before: Readonly<Record<string, boolean>>): SortedErrors {
    const found: Record<string, FieldProblem[]> = {};
    const applies = { ...before };
    let told = false;
    let ofNoField = true;
    for (const { property: path, code, message } of error.errors) {
        const name = path?.split(".")[0];
        const property = name === undefined ? undefined : type.property(name);
        if (name === undefined || !property) continue;
        ofNoField = false;
        if (property.conditional && code === "not_applicable" && applies[name] !== false) {
            applies[name] = false;
            told = true;
            continue;
        }
        if (property.conditional && code === "required" && applies[name] !== true) {
            // A value that was left out goes into the next body; otherwise nothing changes.
            told ||= applies[name] === false;
            applies[name] = true;
        }
        found[name] = [...(found[name] ?? []), { code, message }];
    }
    return { found, applies, told, ofNoField };
}
