// Parameters of queries and boards: texts in the address, values in the request, and mistakes in them.

import type { Values } from "../../app/places";
import { ApiError } from "../../data/call";
import type { ParameterModel, PropertyModel } from "../../data/model";
import { check, type Issue } from "../../form/check";
import { readNumber, writeNumber } from "../../form/decimal";

const several = new Set(["pEnums", "pRelations"]);
const numbers = new Set(["pInteger", "pFloat", "pDecimal"]);

export function isSeveral(parameter: ParameterModel): boolean {
    return several.has(parameter.kind);
}

export function isNumber(parameter: ParameterModel): boolean {
    return numbers.has(parameter.kind);
}

/** A parameter as a property, with the options of its kind. */
export function propertyOf(parameter: ParameterModel): PropertyModel {
    const common = { multiple: isSeveral(parameter), unique: false, readOnly: false, calculated: false };
    const title = parameter.title || parameter.name;
    return {
        description: "",
        sortable: false,
        write: true,
        create: true,
        filterTypes: [],
        ...common,
        ...parameter,
        identifier: parameter.name,
        title,
    };
}

/** The members of a parameter that takes several values. */
export function membersOf(value: string | undefined): string[] {
    return (value ?? "").split(",").filter(Boolean);
}

/** The parameters of an address: the server refuses names that it does not know. */
export function requestOf(parameters: readonly ParameterModel[], values: Values): Values {
    const names = new Set(parameters.map((parameter) => parameter.name));
    return Object.fromEntries(Object.entries(values).filter(([name, value]) => names.has(name) && value !== ""));
}

/** The required parameters that have neither a value nor a default. */
export function missingOf(parameters: readonly ParameterModel[], values: Values): ParameterModel[] {
    return parameters.filter(
        (parameter) => parameter.required && (parameter.default ?? null) === null && !values[parameter.name],
    );
}

/** Reads a typed text: the value for the address, or the mistake in it. Numbers have the separators of the language. */
export function readParameter(
    parameter: ParameterModel,
    typed: string,
    locale: string,
): { value: string } | { issue: Issue } {
    const words = typed.trim();
    if (words === "") return { value: "" };
    const value = isNumber(parameter) ? readNumber(words, locale) : words;
    if (typeof value !== "string")
        return { issue: { code: parameter.kind === "pInteger" ? "not_integer" : "not_number" } };
    const issue = check(propertyOf(parameter), value, false);
    return issue === undefined ? { value } : { issue };
}

/** The text of a value of the address, as people read it. */
export function shownParameter(parameter: ParameterModel, value: string, locale: string): string {
    return isNumber(parameter) ? writeNumber(value, locale, true) : value;
}

/** The value that counts while the address has none; empty where there is no single one, or an expression finds it. */
export function defaultOf(parameter: ParameterModel): string {
    const value = parameter.default;
    if (value === undefined || value === null || typeof value === "object" || isSeveral(parameter)) return "";
    const words = String(value);
    return words.startsWith("{=") ? "" : words;
}

/** The values of an address that break the options of their kind, by name. */
export function issuesOf(parameters: readonly ParameterModel[], values: Values): Record<string, Issue> {
    const issues: Record<string, Issue> = {};
    for (const parameter of parameters) {
        const value = values[parameter.name];
        if (!value || isSeveral(parameter)) continue;
        const issue = check(propertyOf(parameter), value, false);
        if (issue !== undefined) issues[parameter.name] = issue;
    }
    return issues;
}

/** Codes of the server that have other words here. */
const words: Record<string, string> = { parameter_missing: "required", not_reference: "relation_missing" };

/** The parameter that the server refused, as its answer names it. */
export function refusedOf(parameters: readonly ParameterModel[], error: unknown): Record<string, Issue> {
    if (!(error instanceof ApiError) || error.status !== 400) return {};
    const issues: Record<string, Issue> = {};
    for (const { property, code } of error.errors) {
        const parameter = parameters.find(({ name }) => name === property);
        if (parameter !== undefined) issues[parameter.name] = { code: words[code] ?? code };
    }
    return issues;
}
