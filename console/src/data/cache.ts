// Answers that were read before: shown at once, then asked again with their validator.

import { type Answer, call, type CallOptions } from "./call";

export interface CachedAnswer<T> {
    /** The answer of before, if it is still kept. */
    stale: Answer<T> | null;
    /** The answer of now; the same object as `stale` where the server says 304. */
    fresh: Promise<Answer<T>>;
}

interface Entry {
    path: string;
    answer: Answer<unknown>;
    bytes: number;
}

const limit = 16 * 1024 * 1024;
// The order of a Map is the order of the last use: the oldest comes first.
const entries = new Map<string, Entry>();
let bytes = 0;
let generation = 0;

export interface AskOptions extends CallOptions {
    /** False for types with `logReads`: nothing of them is kept. */
    keep?: boolean;
}

/** Reads through the cache: by GET, or by the search of a list. */
export function ask<T>(method: string, path: string, options: AskOptions = {}): CachedAnswer<T> {
    const { keep = true, ...rest } = options;
    if (!keep) return { stale: null, fresh: call<T>(method, path, rest) };
    const key = JSON.stringify([method, path, options.query ?? null, options.body ?? null]);
    const entry = entries.get(key);
    if (entry === undefined) return { stale: null, fresh: read<T>(key, method, path, rest) };
    entries.delete(key);
    entries.set(key, entry);
    const stale = entry.answer as Answer<T>;
    return { stale, fresh: read<T>(key, method, path, { ...rest, ifNoneMatch: stale.etag }, stale) };
}

/** The kept answer alone, without a request. */
export function peek<T>(method: string, path: string, options: AskOptions = {}): Answer<T> | null {
    const entry = entries.get(JSON.stringify([method, path, options.query ?? null, options.body ?? null]));
    return entry === undefined ? null : (entry.answer as Answer<T>);
}

async function read<T>(
    key: string,
    method: string,
    path: string,
    options: CallOptions,
    stale?: Answer<T>,
): Promise<Answer<T>> {
    const begun = generation;
    const answer = await call<T>(method, path, options);
    if (answer.status === 304 && stale !== undefined) return stale;
    // A write came between: this answer may be of before it.
    if (begun === generation && answer.etag !== null) store(key, { path, answer, bytes: 2 * answer.size + 300 });
    return answer;
}

function store(key: string, entry: Entry): void {
    drop(key);
    if (entry.bytes > limit / 4) return;
    entries.set(key, entry);
    bytes += entry.bytes;
    for (const oldest of entries.keys()) {
        if (bytes <= limit) break;
        drop(oldest);
    }
}

function drop(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    bytes -= entry.bytes;
}

/** Drops the answers whose path begins so: `collection/ticket` after a write of tickets. */
export function forget(prefix: string): void {
    generation += 1;
    for (const [key, entry] of [...entries]) {
        if (entry.path === prefix || entry.path.startsWith(`${prefix}/`)) drop(key);
    }
}

/** Drops everything: at sign-out, and when another user acts. */
export function clear(): void {
    generation += 1;
    entries.clear();
    bytes = 0;
}
