// Drafts of forms in the browser's database: what was typed survives a reload. Never for types with `logReads`.

import type { Row } from './model'

export interface Draft {
  /** The record as it was read, and its ETag; null for a new one. */
  base: Row | null
  etag: string | null
  /** The values that differ from it. */
  values: Row
  /** What is wrong with texts that were not understood, by property. */
  unread?: Record<string, string>
  saved: number
}

const storeName = 'drafts'
const longest = 30 * 24 * 3600 * 1000
let opened: Promise<IDBDatabase> | undefined

function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('plinth-console', 1)
    request.onupgradeneeded = () => request.result.createObjectStore(storeName)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('no database'))
  })
  opened.catch(() => { opened = undefined })
  return opened
}

/** Runs one request. A browser without a database (private windows) has no drafts, and no errors of them. */
async function run<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  try {
    const store = (await database()).transaction(storeName, mode).objectStore(storeName)
    return await new Promise<T>((resolve, reject) => {
      const request = work(store)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('refused'))
    })
  } catch {
    return undefined
  }
}

/** Names a draft: accounts are per tenant, so both belong to the key. */
export function draftKey(tenant: string, user: number | string, type: string, id: number | string): string {
  return [tenant, user, type, id].map((part) => encodeURIComponent(String(part))).join('/')
}

/** Keeps a draft. Files that are not uploaded are not part of it; promises of uploads hold for a day. */
export async function keepDraft(key: string, draft: Draft): Promise<void> {
  await run('readwrite', (store) => store.put(structuredClone(draft), key))
}

export async function findDraft(key: string): Promise<Draft | undefined> {
  const draft = await run<Draft | undefined>('readonly', (store) => store.get(key) as IDBRequest<Draft | undefined>)
  if (!draft) return undefined
  if (Date.now() - draft.saved < longest) return draft
  await dropDraft(key)
  return undefined
}

export async function dropDraft(key: string): Promise<void> {
  await run('readwrite', (store) => store.delete(key))
}

/** Forgets all drafts of a user, or all of them: at sign-out. */
export async function dropDrafts(tenant?: string, user?: number | string): Promise<void> {
  if (tenant === undefined || user === undefined) {
    await run('readwrite', (store) => store.clear())
    return
  }
  const prefix = draftKey(tenant, user, '', '').slice(0, -1)
  await run('readwrite', (store) => store.delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`)))
}
