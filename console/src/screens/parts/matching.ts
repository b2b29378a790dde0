// Properties by which the cells of a column find records of a relation.
import type { TypeModel } from "../../data/model";

export interface Matching {
    /** The column of the file. */
    column: string;
    /** The relation's title. */
    title: string;
    /** The targets that the column may be mapped to: the relation itself is by code, title, id or uuid; a path is by that property. */
    ways: { value: string; by: string | null; names: string[] }[];
}

export function matchingOf(
    type: TypeModel,
    mapping: Readonly<Record<string, string | null>>,
    related: (name: string) => TypeModel | undefined,
): Matching[] {
    return Object.entries(mapping).flatMap(([column, path]) => {
        const [name = ""] = (path ?? "").split(".");
        const property = type.property(name);
        const target = property?.relation?.type ?? (property?.kind === "pUser" ? "user" : undefined);
        if (!property || target === undefined) return [];
        const to = related(target);
        const named = new Set([to?.codeProperty, to?.titleProperty].filter((one) => typeof one === "string"));
        const names = [...named].map((one) => to?.property(one)?.title ?? one);
        const unique = property.multiple
            ? []
            : (to?.properties ?? []).filter(
                  (one) => one.unique && one.identifier !== "id" && one.identifier !== "uuid",
              );
        const ways = [
            { value: name, by: null, names },
            ...unique.map((one) => ({
                value: `${name}.${one.identifier}`,
                by: one.title || one.identifier,
                names: [],
            })),
        ];
        return [{ column, title: property.title || name, ways }];
    });
}
