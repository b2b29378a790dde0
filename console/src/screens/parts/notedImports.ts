// Names of imported files, and the imports that were undone: in this browser, for the server keeps neither.

import { session } from "../../app/session.svelte";
import { base } from "../../data/call";

export interface NotedImport {
    /** The name of the file. */
    name?: string;
    /** Nothing that it created is left. */
    undone?: boolean;
}

/** Imports that are noted at most; the server keeps each for a day. */
const MOST = 50;

function place(): string {
    return `plinth-imports ${base} ${session.user.id}`;
}

function all(): [number, NotedImport][] {
    try {
        const kept: unknown = JSON.parse(localStorage.getItem(place()) ?? "[]");
        return Array.isArray(kept) ? (kept as [number, NotedImport][]) : [];
    } catch {
        return [];
    }
}

/** What this browser knows of an import. */
export function notedImport(id: number): NotedImport {
    return all().find(([one]) => one === id)?.[1] ?? {};
}

/** Notes more about an import. */
export function noteImport(id: number, note: NotedImport): void {
    const others = all().filter(([one]) => one !== id);
    const kept = [...others, [id, { ...notedImport(id), ...note }]].slice(-MOST);
    localStorage.setItem(place(), JSON.stringify(kept));
}
