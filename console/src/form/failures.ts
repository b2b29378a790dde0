// Calculations without a value: they have failed, or came to nothing; the wrapped value tells.

import { ApiError, call } from "../data/call";
import type { Row, TypeModel } from "../data/model";
import { isObject } from "./values";

/** Reasons of failed calculations of a record, by property. */
export async function failuresOf(type: TypeModel, id: number | null, row: Row): Promise<Record<string, string>> {
    const names = type.own
        .filter((property) => property.kind === "pCalculated" && row[property.identifier] === null)
        .map((property) => property.identifier);
    if (names.length === 0 || id === null) return {};
    try {
        const query = { showFields: names.join(), wrapFields: names.join() };
        const { data } = await call<Row>("GET", `collection/${type.name}/${id}`, { query });
        return Object.fromEntries(
            names.flatMap((name) => {
                const value = data[name];
                return isObject(value) && typeof value["error"] === "string" ? [[name, value["error"]]] : [];
            }),
        );
    } catch (error) {
        // Without the reason the field says that it has no value.
        if (!(error instanceof ApiError)) throw error;
        return {};
    }
}
