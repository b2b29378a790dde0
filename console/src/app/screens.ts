// The screen of each place. Only screens that exist are in the table, and so in the navigation.

import type { Component } from "svelte";
import { loadMoreTexts } from "../text";
import type { Place } from "./places";

export type Screen = Component<{ place: Place }>;
type Loader = () => Promise<unknown>;

// A screen is a chunk of its own.
const files: Record<string, Loader> = import.meta.glob("../screens/*.svelte");

const names: Record<Exclude<Place["name"], "missing">, string> = {
    start: "Start",
    collection: "Collection",
    record: "Record",
    board: "Board",
    query: "Query",
    inbox: "Inbox",
    tags: "Tags",
    account: "Account",
    automations: "Automations",
    runs: "Runs",
    outbox: "Outbox",
    audit: "Audit",
    reads: "Reads",
};

/** Screens of the first load, which need no further texts. */
const early: ReadonlySet<Place["name"]> = new Set(["collection", "record"]);

function loaderOf(name: Place["name"]): Loader | undefined {
    return name === "missing" ? undefined : files[`../screens/${names[name]}.svelte`];
}

export function hasScreen(name: Place["name"]): boolean {
    return loaderOf(name) !== undefined;
}

/** Loads the screen of a place; null where there is none. */
export async function loadScreen(name: Place["name"]): Promise<Screen | null> {
    const loader = loaderOf(name);
    if (loader === undefined) return null;
    const [loaded] = await Promise.all([loader(), early.has(name) ? undefined : loadMoreTexts()]);
    return (loaded as { default: Screen }).default;
}
