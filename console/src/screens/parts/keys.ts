// API keys as the server tells of them, the scopes that can be chosen, and the words for scopes.

import { model, type TypeModel } from "../../data/model";
import { text } from "../../text";

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

/** The scopes of a key in words: each type with its actions, then the others. An unknown scope is its code. */
export function scopeWords(scopes: readonly string[]): string[] {
    if (scopes.includes("*")) return [text.more.allRights];
    const ofTypes = new Map<string, string[]>();
    const others: string[] = [];
    for (const scope of scopes) {
        const [kind, name = "", action] = scope.split(":");
        const words = actions.find((one) => one === action);
        if (kind === "collection" && words !== undefined) {
            const type = model.types.find((one) => one.name === name || String(one.id) === name);
            const title = name === "*" ? text.more.everyType : (type?.title ?? name);
            ofTypes.set(title, [...(ofTypes.get(title) ?? []), text.more.scopeActions[words].toLocaleLowerCase()]);
        } else others.push(text.more.otherScopes[scope] ?? scope);
    }
    return [...[...ofTypes].map(([title, words]) => `${title}: ${words.join(", ")}`), ...others];
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
