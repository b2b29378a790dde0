// Filters in words, for chips and for people who listen.
import { isNaming, model, type Filter, type PropertyModel } from "../data/model";
import { titles } from "../form/titles.svelte";
import { writeNumber } from "../form/decimal";
import { localDate } from "../grid/paint";
import { locale, text } from "../text";
import { operatorName, shapeOf } from "./shapes";
import { resolvePath, targetOf } from "./paths";

/** One filter as a sentence: `Status is one of Open, Waiting`. Titles of records come when they are known. */
export function describe(filter: Filter, typeName: string): string {
    if (filter.property === "*") return describeGroup(filter, typeName);
    const found = resolvePath(model, typeName, filter.property);
    const title = found?.title ?? filter.property;
    const operator = text.grid.operators[operatorName(found?.property.kind, filter.type)] ?? filter.type;
    if (shapeOf(filter.type) === "filters") {
        const inner = found ? targetOf(found.property) : null;
        const list = Array.isArray(filter.param) ? (filter.param as Filter[]) : [];
        return `${title} ${operator}: ${list.map((one) => describe(one, inner ?? typeName)).join(text.grid.and)}`;
    }
    const value = describeParam(filter, found?.property);
    return value === "" ? `${title} ${operator}` : `${title} ${operator} ${value}`;
}

function describeGroup(filter: Filter, typeName: string): string {
    if (filter.type === "search") return text.grid.wordsAre(String(filter.param));
    const list = Array.isArray(filter.param) ? (filter.param as Filter[]) : [];
    const parts = list.map((one) => describe(one, typeName));
    const inner = parts.join(filter.type === "or" ? text.grid.or : text.grid.and);
    return filter.type === "not" ? text.grid.not(inner) : parts.length > 1 ? `(${inner})` : inner;
}

function describeParam(filter: Filter, property: PropertyModel | undefined): string {
    const { param } = filter;
    switch (shapeOf(filter.type)) {
        case "none":
            return "";
        case "day":
            return param === undefined ? text.grid.periods.today : describeValue(param, property);
        case "period":
            return text.grid.periods[String(param) as keyof typeof text.grid.periods] ?? String(param);
        case "span":
            return describeSpan(String(param));
        case "range": {
            const [from, to] = Array.isArray(param) ? (param as unknown[]) : [];
            if (from === null || from === undefined) return `≤ ${describeValue(to, property)}`;
            if (to === null || to === undefined) return `≥ ${describeValue(from, property)}`;
            return `${describeValue(from, property)} – ${describeValue(to, property)}`;
        }
        case "values": {
            const values = Array.isArray(param) ? (param as unknown[]) : [];
            const shown = values
                .slice(0, 5)
                .map((one) => describeValue(one, property))
                .join(", ");
            return values.length > 5 ? `${shown} … (${values.length})` : shown;
        }
        case "size":
            return typeof param === "object" && param !== null
                ? Object.entries(param)
                      .map(([operator, count]) => `${text.grid.operators[operator] ?? operator} ${String(count)}`)
                      .join(" ")
                : String(param);
        default:
            return describeValue(param, property);
    }
}

function describeSpan(span: string): string {
    const found = /^\s*(\d+)\s*([a-z]+?)s?\s*$/.exec(span);
    const unit = text.grid.units[`${found?.[2] ?? ""}s` as keyof typeof text.grid.units];
    return found && unit ? `${found[1]} ${unit}` : span;
}

export function describeValue(value: unknown, property: PropertyModel | undefined): string {
    if (value === null || value === undefined) return text.grid.noValue;
    if (typeof value === "object") return "$user" in value ? text.grid.me : JSON.stringify(value);
    if (property) {
        const option = property.options?.find((one) => one.value === value);
        if (option) return option.title;
        const target = targetOf(property);
        if (target !== null) return titles.of(target, value) ?? `#${String(value)}`;
        if (["pDate", "pMonth", "pTime", "pDateTime"].includes(property.kind))
            return localDate(property.kind, String(value), locale());
    }
    if (typeof value === "number") return writeNumber(value, locale(), !property || !isNaming(property));
    if (typeof value === "boolean") return value ? text.grid.yes : text.grid.no;
    return typeof value === "string" ? `“${value.length > 40 ? `${value.slice(0, 40)}…` : value}”` : String(value);
}
