// Fields that a person has to fill in.

import type { PropertyModel, Row } from "../data/model";
import { isEmpty } from "./values";

/** True if a field is marked as required: a truth value with a default needs nothing of the person. */
export function isMarked(property: PropertyModel): boolean {
    return property.required && !(property.kind === "pBoolean" && !isEmpty(property.default));
}

interface Fields {
    readonly type: { readonly own: readonly PropertyModel[] };
    readonly edited: Row;
    writable: (property: PropertyModel) => boolean;
    state: (property: PropertyModel) => string;
}

/** The field in which a new record begins: the first that has to be filled in, else the first that can be. */
export function firstToFill(form: Fields): PropertyModel | undefined {
    const open = form.type.own.filter((property) => form.writable(property) && form.state(property) === "shown");
    return (
        open.find(
            (property) => isMarked(property) && isEmpty(property.default) && isEmpty(form.edited[property.identifier]),
        ) ?? open[0]
    );
}
