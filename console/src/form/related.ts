// Related records: the values beside their titles.

import type { PropertyModel, TypeModel } from "../data/model";
import { titleNames } from "./titleNames";

const telling = new Set(["pString", "pText", "pEmail", "pUser", "pEnum", "pDate", "pDateTime"]);
const counting = new Set(["pInteger", "pDecimal", "pAutonumber"]);

/** Two properties that say most beside the title: texts, people, options and days, then numbers, then Yes or No. */
export function besideTitle(target: TypeModel, relation: string): string[] {
    const titled = new Set(titleNames(target));
    const free = target.own.filter(({ identifier }) => identifier !== relation && !titled.has(identifier));
    const people = (name: string | undefined): boolean => name === "user";
    const first = free.filter(
        ({ kind, relation: to }) => telling.has(kind) || (kind === "pRelation" && people(to?.type)),
    );
    const numbers = free.filter(({ kind }) => counting.has(kind));
    const flags = free.filter(({ kind }) => kind === "pBoolean");
    return [...first, ...numbers, ...flags].slice(0, 2).map(({ identifier }) => identifier);
}

/** A value beside the title. A bare number or Yes says nothing: it has its name, and a No is left out. */
export function besideText(property: PropertyModel, value: unknown, shown: string): string {
    if (shown === "") return "";
    if (property.kind === "pBoolean") return value === true ? property.title : "";
    return counting.has(property.kind) ? `${property.title}: ${shown}` : shown;
}
