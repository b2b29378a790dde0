// The entries of the navigation: only what exists, and what the rights allow.

import { model } from "../data/model";
import { views } from "../data/views.svelte";
import { text } from "../text";
import type { IconName } from "../ui/icons";
import type { Place } from "./places";
import { hasScreen } from "./screens";
import { session } from "./session.svelte";

export interface NavEntry {
    /** Unique among all entries. */
    key: string;
    title: string;
    place: Place;
    icon?: IconName;
    /** A number after the title. */
    count?: number;
    /** The saved views of a type. */
    views?: NavEntry[];
    /** A view that others have, too. */
    shared?: boolean;
    /** The letter after `g`. */
    letter?: string;
    /** The part of the navigation that the letter leads to. */
    part?: string;
}

export interface NavSection {
    name: "data" | "boards" | "queries" | "operate";
    title: string;
    entries: NavEntry[];
}

/** The sections that have entries. */
export function navigation(): NavSection[] {
    const all: NavSection[] = [
        { name: "data", title: text.app.data, entries: dataEntries() },
        { name: "boards", title: text.app.boards, entries: boardEntries() },
        { name: "queries", title: text.app.queries, entries: queryEntries() },
        { name: "operate", title: text.app.operate, entries: operateEntries() },
    ];
    return all.filter((section) => section.entries.length > 0);
}

/** Start and inbox, which stand above the sections. */
export function topEntries(): NavEntry[] {
    const all: NavEntry[] = [
        { key: "start", title: text.app.start, place: { name: "start" }, icon: "house", letter: "h" },
        {
            key: "inbox",
            title: text.app.inbox,
            place: { name: "inbox" },
            icon: "inbox",
            letter: "i",
            count: session.unread,
        },
    ];
    return all.filter(({ key, place }) => hasScreen(place.name) && (key !== "inbox" || session.can("notifications")));
}

export function accountEntries(): NavEntry[] {
    if (!hasScreen("account")) return [];
    return [
        {
            key: "profile",
            title: text.app.profile,
            place: { name: "account", section: "profile" },
            icon: "user",
            letter: "a",
        },
        { key: "keys", title: text.app.keys, place: { name: "account", section: "keys" }, icon: "key" },
        { key: "sessions", title: text.app.sessions, place: { name: "account", section: "sessions" }, icon: "globe" },
    ];
}

function dataEntries(): NavEntry[] {
    if (!hasScreen("collection")) return [];
    // Users are a type, too, and seldom what is meant by data.
    const main = model.types.find((type) => type.name !== "user") ?? model.types[0];
    const types = model.types.map((type): NavEntry => ({
        key: `type ${type.name}`,
        title: type.title,
        place: { name: "collection", type: type.name, state: {} },
        icon: "table",
        letter: type === main ? "d" : undefined,
        part: text.app.data,
        views: views.of(type.name).map((view) => ({
            key: `view ${view.id}`,
            title: view.title,
            place: { name: "collection", type: type.name, state: { view: String(view.id) } },
            icon: "bookmark",
            shared: view.shared !== null,
        })),
    }));
    if (!hasScreen("tags")) return types;
    return [...types, { key: "tags", title: text.app.tags, place: { name: "tags" }, icon: "tag", letter: "t" }];
}

function boardEntries(): NavEntry[] {
    if (!hasScreen("board")) return [];
    return model.canvases.map((canvas, index) => ({
        key: `board ${canvas.name}`,
        title: canvas.title,
        place: { name: "board", board: canvas.name, values: {} },
        icon: "layout-dashboard",
        letter: index === 0 ? "b" : undefined,
        part: text.app.boards,
    }));
}

function queryEntries(): NavEntry[] {
    if (!hasScreen("query")) return [];
    return model.queries.map((query, index) => ({
        key: `query ${query.name}`,
        title: query.title,
        place: { name: "query", query: query.name, values: {} },
        icon: "list",
        letter: index === 0 ? "q" : undefined,
        part: text.app.queries,
    }));
}

function operateEntries(): NavEntry[] {
    if (!session.can("admin")) return [];
    const all: NavEntry[] = [
        {
            key: "automations",
            title: text.app.automations,
            place: { name: "automations", values: {} },
            icon: "workflow",
            letter: "w",
        },
        { key: "runs", title: text.app.runs, place: { name: "runs", values: {} }, icon: "activity", letter: "r" },
        { key: "outbox", title: text.app.outbox, place: { name: "outbox", values: {} }, icon: "send", letter: "o" },
        { key: "audit", title: text.app.audit, place: { name: "audit", values: {} }, icon: "history", letter: "u" },
        { key: "reads", title: text.app.reads, place: { name: "reads", values: {} }, icon: "eye", letter: "e" },
    ];
    return all.filter((entry) => hasScreen(entry.place.name));
}

/** All entries in one row, views after their type. */
export function allEntries(): NavEntry[] {
    const sections = navigation().flatMap((section) => section.entries);
    return [...topEntries(), ...sections.flatMap((entry) => [entry, ...(entry.views ?? [])]), ...accountEntries()];
}

/** True if the entry is where the user is. */
export function isCurrent(entry: NavEntry, place: Place): boolean {
    const own = entry.place;
    switch (own.name) {
        case "collection":
            if (place.name !== "collection")
                return place.name === "record" && place.type === own.type && !own.state.view;
            return place.type === own.type && (place.state.view ?? "") === (own.state.view ?? "");
        case "board":
            return place.name === "board" && place.board === own.board;
        case "query":
            return place.name === "query" && place.query === own.query;
        case "account":
            return place.name === "account" && place.section === own.section;
        default:
            return place.name === own.name;
    }
}

/** The name of a place, for the title of the page. */
export function placeTitle(place: Place): string {
    switch (place.name) {
        case "collection": {
            const view = place.state.view === undefined ? undefined : views.find(place.state.view);
            return view?.title ?? model.type(place.type)?.title ?? place.type;
        }
        case "record":
            return [model.type(place.type)?.title ?? place.type, place.id === "new" ? "" : place.id]
                .filter(Boolean)
                .join(" ");
        case "board":
            return model.canvas(place.board)?.title ?? place.board;
        case "query":
            return model.query(place.query)?.title ?? place.query;
        case "account":
            return text.app[place.section];
        case "missing":
            return text.app.missingPage;
        default:
            return text.app[place.name];
    }
}
