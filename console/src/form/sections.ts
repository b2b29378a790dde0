// The sections of a form: properties under the titles of the type's file, the others last and without a title.

import type { PropertyModel, TypeModel } from "../data/model";

export interface FormPart {
    title: string;
    properties: PropertyModel[];
}

/** Puts the properties that are shown into their sections; one without any is left out. */
export function partsOf(type: TypeModel, shown: readonly PropertyModel[]): FormPart[] {
    const rest = new Map(shown.map((property) => [property.identifier, property]));
    const parts = type.sections.map(({ title, properties }) => ({
        title,
        properties: properties.flatMap((name) => {
            const property = rest.get(name);
            rest.delete(name);
            return property ?? [];
        }),
    }));
    return [...parts, { title: "", properties: [...rest.values()] }].filter(({ properties }) => properties.length > 0);
}
