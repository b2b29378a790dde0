// Mappings of the files that were checked or imported, by type and headings: in this browser, so that a corrected file
// needs no second choice.

import { session } from "../../app/session.svelte";
import { base } from "../../data/call";
import { ownColumns } from "../../grid/importing";

type Mapping = Record<string, string | null>;

interface Kept {
    type: string;
    mapping: Mapping;
}

/** Mappings that are kept at most, and the letters of one. */
const MOST = 20;
const LONGEST = 20_000;

function place(): string {
    return `plinth-mappings ${base} ${session.user.id}`;
}

function all(): Kept[] {
    try {
        const kept: unknown = JSON.parse(localStorage.getItem(place()) ?? "[]");
        return Array.isArray(kept) ? (kept as Kept[]) : [];
    } catch {
        return [];
    }
}

/** The headings of a file in any order, without the two columns of a file of bad rows. */
function headings(columns: readonly string[]): string[] {
    return columns.slice(0, ownColumns(columns)).sort();
}

function isOf(kept: Kept, type: string, names: readonly string[]): boolean {
    return kept.type === type && Object.keys(kept.mapping).sort().join("\n") === names.join("\n");
}

/** The mapping of an earlier file of these columns, as far as its targets are there; null where there was none. */
export function keptMapping(type: string, columns: readonly string[], targets: ReadonlySet<string>): Mapping | null {
    const names = headings(columns);
    const found = all().find((kept) => isOf(kept, type, names));
    if (found === undefined) return null;
    const there = (target: string | null): string | null => (target !== null && targets.has(target) ? target : null);
    return Object.fromEntries(Object.entries(found.mapping).map(([column, target]) => [column, there(target)]));
}

/** Keeps the mapping of a file. Where the browser keeps nothing, the next file is mapped anew. */
export function keepMapping(type: string, columns: readonly string[], mapping: Readonly<Mapping>): void {
    const names = headings(columns);
    const one = { type, mapping: Object.fromEntries(names.map((name) => [name, mapping[name] ?? null])) };
    if (JSON.stringify(one).length > LONGEST) return;
    const others = all().filter((kept) => !isOf(kept, type, names));
    try {
        localStorage.setItem(place(), JSON.stringify([...others, one].slice(-MOST)));
    } catch {
        // Its room is full.
    }
}
