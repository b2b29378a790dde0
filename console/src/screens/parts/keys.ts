// API keys: what the server tells of one, and the scopes that can be chosen.

import type { TypeModel } from "../../data/model";

export interface ApiKey {
    id: number;
    description: string | null;
    scopes: string[];
    created: string;
    validTo: string | null;
    lastUsed: string | null;
    /** The text itself; only in the answer to its making. */
    key?: string;
}

export const actions = ["show", "create", "edit", "delete"] as const;
export type Action = (typeof actions)[number];

/** True if the user could use this scope at all. */
export function isUseful(type: TypeModel, action: Action): boolean {
    if (action === "create") return type.actions.create;
    if (action === "edit") return type.actions.update;
    return action === "delete" ? type.actions.delete : true;
}

export function scopeOf(type: string, action: Action): string {
    return `collection:${type}:${action}`;
}

export const expiries = ["30", "90", "365", "date", "never"] as const;
export type Expiry = (typeof expiries)[number];

/** The end of a key as the server takes it. `9999-12-31` is none. */
export function validTo(expiry: Expiry, date: string, now: Date = new Date()): string {
    if (expiry === "never") return "9999-12-31";
    if (expiry === "date") return date;
    const end = new Date(now);
    end.setDate(end.getDate() + Number(expiry));
    const two = (number: number): string => String(number).padStart(2, "0");
    return `${end.getFullYear()}-${two(end.getMonth() + 1)}-${two(end.getDate())}`;
}
