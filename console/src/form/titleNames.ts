// The fields that a title of a record is made of.

import type { TypeModel } from "../data/model";

export function titleNames(type: TypeModel): string[] {
    const names = ["id", type.titleProperty, type.codeProperty].filter(
        (name): name is string => (name !== null && type.property(name) !== undefined) || name === "id",
    );
    return [...new Set(names)];
}
