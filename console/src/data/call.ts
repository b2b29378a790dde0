// The one way to the API: `call`. It adds the proof of the session, repeats what may be repeated, and raises `ApiError`.

import { readJson, writeJson } from "./numbers";

export interface FieldError {
    property?: string;
    /** The place in the body of a batch: `/operations/1/set/name`. */
    pointer?: string;
    code: string;
    message: string;
}

/** An answer other than success; status 0 means that there is no network. */
export class ApiError extends Error {
    readonly status: number;
    readonly code: string;
    readonly detail: string;
    readonly requestId: string;
    readonly errors: FieldError[];
    readonly retryAfter?: number;

    constructor(problem: {
        status: number;
        code: string;
        detail: string;
        requestId?: string;
        errors?: FieldError[];
        retryAfter?: number;
    }) {
        super(problem.detail);
        this.name = "ApiError";
        this.status = problem.status;
        this.code = problem.code;
        this.detail = problem.detail;
        this.requestId = problem.requestId ?? "";
        this.errors = problem.errors ?? [];
        this.retryAfter = problem.retryAfter;
    }
}

export interface Answer<T> {
    data: T;
    etag: string | null;
    status: number;
    headers: Headers;
    /** Length of the body in characters. */
    size: number;
}

export interface CallOptions {
    query?: Record<string, string | number | boolean | undefined>;
    body?: unknown;
    ifMatch?: string | null;
    ifNoneMatch?: string | null;
    signal?: AbortSignal;
    headers?: Record<string, string>;
    /** A body that is not JSON. */
    raw?: Blob;
    /** `blob` returns the body as it is. */
    as?: "json" | "blob";
}

/** The shell's part in calls: proof and key for them, and its answers to what they meet. */
export const client = {
    proof: "",
    /** The key with which the person acts as another user; it stands in for the session then. */
    key: "",
    /** Runs when that key is refused. */
    keyEnded: (): void => undefined,
    /** Signs in again, over the screen; false gives up. Calls wait for it and are repeated. */
    signInAgain: (): Promise<boolean> => Promise.resolve(false),
    /** A call was refused until this time (milliseconds since 1970). */
    limited: (_until: number): void => undefined,
    online: (_yes: boolean): void => undefined,
    /** The state of the tenant's types, told by each answer. */
    schema: (_schema: string): void => undefined,
};

/** The tenant's place on the host: `/` or `/t/{tenant}/`. The built program stands in `{place}console/`. */
export const base: string = import.meta.env.DEV ? "/" : new URL(/* @vite-ignore */ "..", import.meta.url).pathname;

/** The address of a path of the API: `collection/ticket/5`. */
export function apiUrl(path: string, query?: CallOptions["query"]): string {
    const address = new URL(`${base}api/ext/v1/${path}`, location.origin);
    for (const [name, value] of Object.entries(query ?? {})) {
        if (value !== undefined) address.searchParams.set(name, String(value));
    }
    return address.href;
}

const waits = [300, 1200];
const longestWait = 60_000;
/** A call that is refused after that is refused for another reason than an old session. */
const mostSignIns = 3;

/** Sends a request below `api/ext/v1/`. An answer beyond 399 is an `ApiError`; 304 has no data. */
export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    let signIns = 0;
    for (let attempt = 0; ; attempt += 1) {
        try {
            return await send<T>(method, path, options);
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            if (error.code === "key_invalid" && usesKey(path)) client.keyEnded();
            else if (error.code === "key_invalid" && path !== "session") {
                signIns += 1;
                if (signIns > mostSignIns || !(await client.signInAgain())) throw error;
                attempt = -1;
                continue;
            }
            const wait = waitBefore(method, error, attempt);
            if (wait === null) throw error;
            await pause(wait, options.signal);
        }
    }
}

/** Milliseconds before another try, or null for none: only reading by GET is repeated. */
function waitBefore(method: string, error: ApiError, attempt: number): number | null {
    if (method !== "GET") return null;
    if (error.status === 429) {
        const wait = (error.retryAfter ?? 5) * 1000;
        return attempt < 3 && wait <= longestWait ? wait : null;
    }
    return [0, 502, 503, 504].includes(error.status) ? (waits[attempt] ?? null) : null;
}

async function send<T>(method: string, path: string, options: CallOptions): Promise<Answer<T>> {
    const response = await request(method, path, options);
    const schema = response.headers.get("plinth-schema");
    if (schema !== null) client.schema(schema);
    const answer = { etag: response.headers.get("etag"), status: response.status, headers: response.headers };
    if (response.ok && options.as === "blob") {
        const blob = await response.blob();
        return { ...answer, data: blob as T, size: blob.size };
    }
    const text = await response.text();
    if (!response.ok && response.status !== 304) throw problem(response, text);
    return { ...answer, data: (text === "" ? undefined : readJson(text)) as T, size: text.length };
}

/** Session, keys and settings are those of the person, also while they act as another user. */
function usesKey(path: string): boolean {
    return client.key !== "" && !/^(session|key|setting|login-as)(\/|$)/.test(path);
}

async function request(method: string, path: string, options: CallOptions): Promise<Response> {
    const headers = new Headers({ Accept: "application/json, application/problem+json", ...options.headers });
    // The session itself is asked without it: a proof of an older session would be refused.
    const proven = path !== "session" || method === "DELETE";
    if (usesKey(path)) headers.set("key", client.key);
    else if (client.proof !== "" && proven) headers.set("X-Plinth-Proof", client.proof);
    if (options.ifMatch) headers.set("If-Match", options.ifMatch);
    if (options.ifNoneMatch) headers.set("If-None-Match", options.ifNoneMatch);
    // Without a word of ours, `no-store` below makes browsers send `no-cache`, and the server never answers 304.
    headers.set("Cache-Control", "max-age=0");
    let body: BodyInit | undefined = options.raw;
    if (options.body !== undefined) {
        headers.set("Content-Type", "application/json");
        body = writeJson(options.body);
    }
    try {
        const response = await fetch(apiUrl(path, options.query), {
            method,
            headers,
            body,
            signal: options.signal,
            credentials: "same-origin",
            // Validators are ours: the browser's cache would answer 200 in the place of 304.
            cache: "no-store",
        });
        client.online(true);
        return response;
    } catch (error) {
        if (options.signal?.aborted) throw error;
        client.online(false);
        throw new ApiError({ status: 0, code: "offline", detail: String(error) });
    }
}

function problem(response: Response, text: string): ApiError {
    let found: Record<string, unknown> = {};
    try {
        const document = readJson(text);
        if (document !== null && typeof document === "object") found = document as Record<string, unknown>;
    } catch {
        // A proxy answers with a page: the status says enough.
    }
    const retryAfter = seconds(response.headers.get("retry-after"));
    if (response.status === 429) client.limited(Date.now() + (retryAfter ?? 5) * 1000);
    const word = (name: string): string | undefined => (typeof found[name] === "string" ? found[name] : undefined);
    return new ApiError({
        status: response.status,
        code: word("code") ?? `http_${response.status}`,
        detail: word("detail") ?? word("message") ?? word("title") ?? response.statusText,
        requestId: word("requestId") ?? response.headers.get("x-request-id") ?? "",
        errors: Array.isArray(found["errors"]) ? (found["errors"] as FieldError[]) : [],
        retryAfter,
    });
}

/** The seconds of `Retry-After`: a number, or a date. */
function seconds(header: string | null): number | undefined {
    if (header === null) return undefined;
    const number = Number(header);
    if (Number.isFinite(number)) return number;
    const date = Date.parse(header);
    return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
        const stop = (): void => {
            clearTimeout(timer);
            reject(signal?.reason instanceof Error ? signal.reason : new DOMException("Aborted", "AbortError"));
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
        }, milliseconds);
        signal?.addEventListener("abort", stop, { once: true });
    });
}

/** True if an error is the own end of a request that nobody waits for. */
export function isAbort(error: unknown): boolean {
    return error instanceof DOMException && error.name === "AbortError";
}
