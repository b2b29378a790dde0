// Parameters of queries and boards: texts in the address, values in the request.

import type { Values } from "../../app/places";
import type { ParameterModel } from "../../data/model";

const several = new Set(["pEnums", "pRelations"]);

export function isSeveral(parameter: ParameterModel): boolean {
    return several.has(parameter.kind);
}

/** The members of a parameter that takes several values. */
export function membersOf(value: string | undefined): string[] {
    return (value ?? "").split(",").filter(Boolean);
}

/** What of the address are parameters: the server refuses names that it does not know. */
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
