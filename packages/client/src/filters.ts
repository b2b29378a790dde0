// Filters: from objects to the form that the API takes.

import type { Filter } from "./filter-types.js";

/** Filter types without a parameter, and those that do without one. */
const WITHOUT = new Set(["isNull", "isNotNull", "isEmpty", "isNotEmpty"]);
const OPTIONAL = new Set(["onDay", "within", "withinMonth", "withinYear"]);
/** Filter types whose parameter is filters on the related type. */
const RELATED = new Set(["some", "none", "every"]);

/** Returns the filters that an object stands for; all of them must hold. */
export function filters(where: object, path = ""): Filter[] {
    return Object.entries(where).flatMap(([name, value]) => {
        if (value === undefined) throw new TypeError(`The filter ${path}${name} is undefined. Leave its name out.`);
        return name.startsWith("$") ? group(name, value, path) : conditions(path + name, value);
    });
}

function group(name: string, value: unknown, path: string): Filter[] {
    const all = (one: object): Filter => {
        const inner = filters(one, path);
        return inner.length === 1 ? inner[0]! : { property: "*", type: "and", param: inner };
    };
    switch (name) {
        case "$and":
        case "$or":
            return [{ property: "*", type: name.slice(1), param: (value as object[]).map(all) }];
        case "$not":
            return [{ property: "*", type: "not", param: filters(value as object, path) }];
        case "$search":
            if (path === "") return [{ property: "*", type: "search", param: value }];
            break;
        case "$filters":
            return (value as Filter[]).map((filter) => ({ ...filter, property: path + filter.property }));
    }
    throw new TypeError(`There is no ${name} in the filter ${path || "of a list"}.`);
}

function conditions(property: string, value: unknown): Filter[] {
    if (typeof value !== "object" || value === null) return [{ property, type: "eq", param: value }];
    if (Array.isArray(value)) throw new TypeError(`The filter ${property} is an array. Write {in: […]} or {anyOf: […]}.`);
    const { fold, ...types } = value as { fold?: boolean };
    return Object.entries(types).flatMap(([type, param]: [string, unknown]): Filter[] => {
        if (param === undefined) throw new TypeError(`The filter ${property}.${type} is undefined. Leave its name out.`);
        if (type === "is") return filters(param as object, `${property}.`);
        if (WITHOUT.has(type) || (OPTIONAL.has(type) && param === true)) return [{ property, type }];
        const filter: Filter = { property, type, param: RELATED.has(type) ? filters(param as object) : param };
        return [fold && FOLDING.has(type) ? { ...filter, fold } : filter];
    });
}

const FOLDING = new Set(["contains", "notContains", "startsWith", "notStartsWith", "endsWith", "notEndsWith"]);
