// Drafts of forms in the browser's database: what was typed survives a reload. Never for types with `logReads`.
// The database answers later, perhaps after the page is gone: until it does, a draft also stands in the storage of the tab.

import type { Row } from "./model";
import { readJson, writeJson } from "./numbers";

export interface Draft {
    /** The record as it was read, and its ETag; null for a new one. */
    base: Row | null;
    etag: string | null;
    /** The values that differ from it. */
    values: Row;
    /** Errors of texts that were not understood, by property. */
    unread?: Record<string, string>;
    saved: number;
}

/** A draft with the key that it is kept by. */
export interface KeptDraft extends Draft {
    key: string;
}

const storeName = "drafts";
const longest = 30 * 24 * 3600 * 1000;
let opened: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
    opened ??= new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open("plinth-console", 1);
        request.onupgradeneeded = () => request.result.createObjectStore(storeName);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("no database"));
    });
    opened.catch(() => {
        opened = undefined;
    });
    return opened;
}

/** Runs one request. A browser without a database (private windows) has no drafts, and no errors of them. */
async function run<T>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
    try {
        const store = (await database()).transaction(storeName, mode).objectStore(storeName);
        return await new Promise<T>((resolve, reject) => {
            const request = work(store);
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error ?? new Error("refused"));
        });
    } catch {
        return undefined;
    }
}

/** Names what a form is of: accounts are per tenant, so both belong to the key. Drafts have keys below it. */
export function draftKey(tenant: string, user: number | string, type: string, id: number | string): string {
    return [tenant, user, type, id].map((part) => encodeURIComponent(String(part))).join("/");
}

/** A key for the draft of one form: two forms of one record do not replace each other's drafts. */
export function newDraftKey(of: string): string {
    return `${of}/${crypto.getRandomValues(new Uint32Array(2)).join("")}`;
}

const waitingPrefix = "plinth-draft:";

function tabStorage(): Storage | undefined {
    try {
        return globalThis.sessionStorage;
    } catch {
        return undefined;
    }
}

/** Keeps a draft. Files that are not uploaded are not part of it; promises of uploads hold for a day. */
export async function keepDraft(key: string, draft: Draft): Promise<void> {
    const words = writeJson(draft);
    try {
        tabStorage()?.setItem(waitingPrefix + key, words);
    } catch {
        // It is full: the database alone keeps the draft.
    }
    await toDatabase(key, draft, words);
}

async function toDatabase(key: string, draft: Draft, words: string): Promise<void> {
    const written = await run("readwrite", (store) => store.put(structuredClone(draft), key));
    const storage = tabStorage();
    // A later state may wait by now.
    if (written !== undefined && storage?.getItem(waitingPrefix + key) === words)
        storage.removeItem(waitingPrefix + key);
}

/** Drafts that the database may not have yet, by key. */
function waitingDrafts(): Map<string, Draft> {
    const storage = tabStorage();
    const found = new Map<string, Draft>();
    if (!storage) return found;
    for (let at = 0; at < storage.length; at += 1) {
        const name = storage.key(at);
        const words = name?.startsWith(waitingPrefix) === true ? storage.getItem(name) : null;
        if (name && words !== null) found.set(name.slice(waitingPrefix.length), readJson(words) as Draft);
    }
    return found;
}

/** Moves drafts that did not get into the database before the page was left: at the start. */
export async function recoverDrafts(): Promise<void> {
    await Promise.all([...waitingDrafts()].map(([key, draft]) => toDatabase(key, draft, writeJson(draft))));
}

/** The drafts of a record, the latest first. */
export async function findDrafts(of: string): Promise<KeptDraft[]> {
    const found = new Map<string, Draft>();
    const add = (key: string, draft: Draft): void => {
        if (key === of || key.startsWith(`${of}/`)) found.set(key, draft);
    };
    const range = (): IDBKeyRange => IDBKeyRange.bound(of, `${of}/\uffff`);
    const keys = (await run("readonly", (store) => store.getAllKeys(range()))) ?? [];
    const drafts = await Promise.all(
        keys.map((key) =>
            run<Draft | undefined>("readonly", (store) => store.get(key) as IDBRequest<Draft | undefined>),
        ),
    );
    for (const [at, key] of keys.entries()) {
        const draft = drafts[at];
        if (draft) add(String(key), draft);
    }
    for (const [key, draft] of waitingDrafts()) add(key, draft);
    const kept: KeptDraft[] = [];
    for (const [key, draft] of found) {
        if (Date.now() - draft.saved < longest) kept.push({ ...draft, key });
        else await dropDraft(key);
    }
    return kept.sort((one, other) => other.saved - one.saved);
}

export async function dropDraft(key: string): Promise<void> {
    tabStorage()?.removeItem(waitingPrefix + key);
    await run("readwrite", (store) => store.delete(key));
}

/** Forgets all drafts of a user, or all of them: at sign-out. */
export async function dropDrafts(tenant?: string, user?: number | string): Promise<void> {
    const prefix = tenant === undefined || user === undefined ? "" : draftKey(tenant, user, "", "").slice(0, -1);
    for (const key of waitingDrafts().keys()) if (key.startsWith(prefix)) tabStorage()?.removeItem(waitingPrefix + key);
    await run("readwrite", (store) =>
        prefix === "" ? store.clear() : store.delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`)),
    );
}

void recoverDrafts();
