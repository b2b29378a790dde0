// A record that somebody else changed meanwhile: what it is now, beside what was read and typed.

import { session } from "../app/session.svelte";
import { ApiError, call } from "../data/call";
import type { Row, TypeModel } from "../data/model";
import { compare, merged, type MergeLine } from "./merge";
import { sameValue } from "./values";

export interface Stale {
    lines: MergeLine[];
    theirs: Row;
    etag: string | null;
    by: { id: number | null; when: string | null };
}

/** Reads the record as it is now, and compares. Raises the error of the read. */
export async function readStale(type: TypeModel, id: number, base: Row, edited: Row): Promise<Stale> {
    const answer = await call<Row>("GET", `collection/${type.name}/${id}`);
    const lines = compare(type.own, base, answer.data, { ...base, ...edited });
    return { lines, theirs: answer.data, etag: answer.etag, by: await lastWriter(type, id) };
}

/** True if the user wrote the record last: in another tab, on another device, or by a program with their key. */
export async function isOwnWrite(type: TypeModel, id: number): Promise<boolean> {
    return isOwn(await lastWriter(type, id));
}

export function isOwn(by: Stale["by"]): boolean {
    return by.id !== null && by.id === session.user.id;
}

/** The last writer, where the type keeps it and the person may see it. */
export async function lastWriter(type: TypeModel, id: number): Promise<Stale["by"]> {
    const shown = ["updated", "updatedBy"].filter((name) => type.property(name));
    if (shown.length === 0) return { id: null, when: null };
    try {
        const { data } = await call<Row>("GET", `collection/${type.name}/${id}`, {
            query: { showFields: shown.join() },
        });
        const { updated, updatedBy } = data;
        return {
            id: typeof updatedBy === "number" ? updatedBy : null,
            when: typeof updated === "string" ? updated : null,
        };
    } catch (error) {
        if (error instanceof ApiError) return { id: null, when: null };
        throw error;
    }
}

/** True if somebody else changed a property. Otherwise the ETag alone is another one: addresses of files change each hour. */
export function hasForeign(stale: Stale): boolean {
    return stale.lines.some((line) => line.side !== "none" && line.side !== "yours");
}

/** The values that stay edited after the merge: those that differ from theirs. */
export function editedAfter(stale: Stale, choices: ReadonlyMap<string, "theirs" | "yours">): Row {
    const values = merged(stale.lines, choices);
    const edited: Row = {};
    for (const { property } of stale.lines) {
        const name = property.identifier;
        if (name in values && !sameValue(property, stale.theirs[name], values[name])) edited[name] = values[name];
    }
    return edited;
}
