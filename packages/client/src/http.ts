// Requests: their addresses, their headers, and another try where one may help.

import { PlinthError, type Problem } from "./error.js";
import { prove } from "./proof.js";

/** The server, the tenant and the key. */
export interface Options {
    /** The address of the server, such as `https://example.com`. */
    url: string;
    /** An API key. Without one, the requests have the rights of the public role. */
    key?: string;
    /** The tenant, if the server knows it by its path: `/t/<tenant>`. */
    tenant?: string;
    /** The function that sends requests; `fetch` without it. */
    fetch?: typeof globalThis.fetch;
    /** `text` has decimals, and integers beyond 2^53, come as texts with all digits. Types made with it set it. */
    decimals?: "number" | "text";
    /** The version of the API that the types were made of. */
    schema?: string;
    /** Is called once when the server has another version for the key: the types are out of date. */
    onOutdated?: (version: string) => void;
}

/** A request below `/api/ext/v1/`. */
export interface Call {
    query?: Record<string, string>;
    body?: unknown;
    ifMatch?: string | undefined;
    signal?: AbortSignal | undefined;
    /** True if the answer has values of resources, whose decimals may be wanted as texts. */
    values?: boolean;
    /** True for what changes something: it gets a name, so that a second try changes nothing more. */
    writes?: boolean;
    /** A file to send in the place of a body. It has no name, so it is sent once. */
    file?: { media: string; content: Blob | string };
    /** True if the answer is a file. */
    bytes?: boolean;
}

/** The answer of a request. */
export interface Reply {
    status: number;
    headers: Headers;
    /** The JSON of the body, or another text; undefined if it is empty. */
    body: unknown;
}

export type Send = (method: string, path: string, call?: Call) => Promise<Reply>;

const ATTEMPTS = 3;
/** The first pause in milliseconds; each later one is twice as long. */
const PAUSE = 250;
/** The longest pause in milliseconds that a server may ask for. */
const LONGEST = 60_000;

const etags = new WeakMap<object, string>();

/**
 * Returns the ETag of a resource that came alone: for `ifMatch`. Throws for a copy and for a resource of a list, which
 * have none: a write without it would go over the changes of others.
 */
export function etagOf(resource: object): string {
    const etag = etags.get(resource);
    if (etag === undefined) throw new TypeError("This object has no ETag: pass the one that get, by or a write returned, and no copy of it.");
    return etag;
}

/** Makes the function that sends requests. */
export function sender(options: Options): Send {
    const tenant = options.tenant === undefined ? "" : `/t/${encodeURIComponent(options.tenant)}`;
    const root = `${options.url.replace(/\/+$/, "")}${tenant}/api/ext/v1/`;
    let { onOutdated } = options;
    const fetch: typeof globalThis.fetch = async (input, init) => {
        const response = await (options.fetch ?? globalThis.fetch)(input, init);
        const version = response.headers.get("Plinth-Schema");
        if (options.schema && version && version !== options.schema) {
            onOutdated?.(version);
            onOutdated = undefined;
        }
        return response;
    };
    return async (method, path, call = {}) => {
        const parameters = new URLSearchParams(call.query);
        if (call.values && options.decimals === "text") parameters.set("_decimals", "text");
        const query = `${parameters}` && `?${parameters}`;
        const headers: Record<string, string> = { Accept: "application/json, application/problem+json" };
        if (options.key !== undefined) headers["Authorization"] = `Bearer ${options.key}`;
        if (call.body !== undefined) headers["Content-Type"] = "application/json";
        if (call.ifMatch !== undefined) headers["If-Match"] = call.ifMatch;
        if (call.writes) headers["Idempotency-Key"] = uuid();
        const request: RequestInit = { method, headers };
        if (call.body !== undefined) request.body = JSON.stringify(call.body);
        if (call.file) {
            request.body = call.file.content;
            headers["Content-Type"] = call.file.media;
        }
        if (call.signal) request.signal = call.signal;
        const ask = () => tried(() => fetch(root + path + query, request), call);
        try {
            return await ask();
        } catch (error) {
            if (!(error instanceof PlinthError) || error.code !== "proof_missing") throw error;
        }
        // Creating without a key takes a proof of work here.
        const { body } = await tried(() => fetch(`${root}challenge`), {});
        const { challenge, difficulty } = body as { challenge: string; difficulty: number };
        headers["Plinth-Proof"] = await prove(challenge, difficulty, call.signal);
        return ask();
    };
}

/** Sends a request up to three times, until there is an answer that another try would not change. */
async function tried(ask: () => Promise<Response>, { signal, bytes, file }: Call): Promise<Reply> {
    for (let attempt = 1; ; attempt++) {
        let failure: PlinthError;
        let wait = PAUSE * 2 ** (attempt - 1) * (0.5 + Math.random());
        try {
            const response = await ask();
            if (response.ok && bytes) return { status: response.status, headers: response.headers, body: await response.blob() };
            const text = await response.text();
            if (response.ok) return reply(response, text);
            failure = new PlinthError(response.status, problem(text));
            if (!mayPass(failure)) throw failure;
            wait = retryAfter(response) ?? wait;
        } catch (error) {
            if (error instanceof PlinthError || signal?.aborted) throw error;
            const detail = `The server did not answer: ${error instanceof Error ? error.message : error}.`;
            failure = new PlinthError(0, { code: "network", detail }, error);
            // It may have been taken.
            if (file) throw failure;
        }
        if (attempt === ATTEMPTS || wait > LONGEST) throw failure;
        await pause(wait, signal ?? undefined);
    }
}

function reply(response: Response, text: string): Reply {
    const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
    const body: unknown = text === "" ? undefined : isJson ? JSON.parse(text) : text;
    const etag = response.headers.get("ETag");
    if (etag !== null && typeof body === "object" && body !== null) etags.set(body, etag);
    return { status: response.status, headers: response.headers, body };
}

/** Returns true if the same request may succeed in a moment. */
function mayPass(error: PlinthError): boolean {
    return error.status === 429 || error.status === 503 || error.code === "idempotency_running";
}

function problem(text: string): Problem {
    try {
        const body: unknown = JSON.parse(text);
        if (typeof body === "object" && body !== null) return body;
    } catch {
        // A proxy answers in its own words.
    }
    return {};
}

/** Returns the milliseconds that the server asks for, and a little more, so that clients do not come together. */
function retryAfter(response: Response): number | undefined {
    const text = response.headers.get("Retry-After");
    if (text === null) return undefined;
    const seconds = Number(text);
    const wait = Number.isNaN(seconds) ? Date.parse(text) - Date.now() : seconds * 1000;
    return Number.isNaN(wait) ? undefined : Math.max(wait, 0) + Math.random() * PAUSE;
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(timer);
            reject(signal?.reason);
        };
        const timer = setTimeout(() => {
            signal?.removeEventListener("abort", stop);
            resolve();
        }, milliseconds);
        signal?.addEventListener("abort", stop, { once: true });
    });
}

/** Makes a UUID, also on pages without HTTPS, where browsers have no `randomUUID`. */
function uuid(): string {
    if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
