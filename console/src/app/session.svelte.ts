// The session of the browser: its user, the user's rights, the tenant.

import { clear } from "../data/cache";
import { acting, resumeActing, revokeActing } from "./acting";
import { ApiError, base, call, client } from "../data/call";
import { dropDrafts } from "../data/drafts";
import { type ModelData, setModel } from "../data/model";

export interface SessionUser {
    id: number;
    login: string;
    name: string;
    roles: string[];
    permissions: string[];
}

export interface SessionTenant {
    name: string;
    title: string;
    locale: string;
    perPage: number;
    maxPageLength: number;
    /** True if a forgotten password can be asked for. */
    resets: boolean;
}

export interface SessionData {
    user: SessionUser;
    proof: string;
    ends: string;
    zone: string;
    tenant: SessionTenant;
    unread: number;
    schema: string;
    version: string;
    /** The administrator who acts as the user, in the answer to the key of `login-as`. */
    actor?: { id: number; name: string };
}

const nobody: SessionUser = { id: 0, login: "", name: "", roles: [], permissions: [] };
const nowhere: SessionTenant = { name: "", title: "", locale: "en", perPage: 50, maxPageLength: 500, resets: false };

/** Several tenants may stand on one host. */
const proofPlace = `plinth-proof ${base}`;
/** Set while this browser may have a session: its cookie is not readable. */
const sessionPlace = `plinth-session ${base}`;

class Session {
    /** The user whose rights hold: the person who signed in, or the one they act as. */
    user = $state.raw<SessionUser>(nobody);
    person = $state.raw<SessionUser>(nobody);
    tenant = $state.raw<SessionTenant>(nowhere);
    zone = $state("UTC");
    ends = $state("");
    unread = $state(0);
    version = $state("");
    /** The person who acts as the user, while one does. */
    actingAs = $state.raw<{ id: number; name: string } | null>(null);
    /** The session of the user acted as; `take` puts it in the place of the person's. */
    acted: SessionData | null = null;
    /** The session has ended; the dialog asks for the password, and calls wait. */
    ended = $state(false);

    /** True if the user has a permission of the system: `admin`, `restApi`, … */
    can(permission: string): boolean {
        const { permissions } = this.user;
        return permissions.includes(permission) || permissions.includes("admin");
    }

    take(data: SessionData): void {
        const shown = this.acted ?? data;
        const { user } = shown;
        if (this.user.id !== 0 && this.user.id !== user.id) clear();
        client.proof = data.proof;
        sessionStorage.setItem(proofPlace, data.proof);
        localStorage.setItem(sessionPlace, "1");
        this.user = user;
        this.person = data.user;
        this.tenant = data.tenant;
        this.zone = shown.zone;
        this.ends = data.ends;
        this.unread = shown.unread;
        this.version = data.version;
        this.actingAs = shown.actor ?? null;
    }
}

export const session = new Session();

/** Asks for the session, and for the user acted as beside it. */
async function readSession(): Promise<SessionData> {
    const [{ data }, acted] = await Promise.all([call<SessionData>("GET", "session"), readActed()]);
    session.acted = acted;
    return data;
}

/** The session of the user acted as, by the key that stands for it. */
async function readActed(): Promise<SessionData | null> {
    const as = acting();
    if (as === null) return null;
    try {
        return (await call<SessionData>("GET", "session", { headers: { key: as.key } })).data;
    } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 403) throw error;
        client.keyEnded();
        return null;
    }
}

let modelTag: string | null = null;
let schema = "";

/** Loads session and model side by side. False where the browser leaves for another page. */
export async function startSession(): Promise<boolean> {
    resumeActing();
    client.schema = (next) => {
        // A new configuration was applied: the types may be others.
        if (schema !== "" && next !== schema) void loadModel().catch(() => undefined);
        schema = next;
    };
    try {
        if (!(await mayHaveSession())) return toSignIn();
        const [own] = await Promise.all([readSession(), earlyModel()]);
        session.take(own);
        if (modelTag === null) await loadModel();
    } catch (error) {
        if (error instanceof ApiError && leave(error)) return false;
        throw error;
    }
    client.signInAgain = askToSignIn;
    return true;
}

/** False for a browser without a session. The page that signs in leads others on, and no error is in the browser's log. */
async function mayHaveSession(): Promise<boolean> {
    if (localStorage.getItem(sessionPlace) !== null) return true;
    const page = await fetch(`${base}sign-in`, { method: "HEAD", redirect: "manual" }).catch(() => null);
    return page?.status !== 200;
}

function toSignIn(): false {
    location.assign(signInPage());
    return false;
}

/** Asks for the model before the proof is known: the one of the last visit may still be right. */
async function earlyModel(): Promise<void> {
    const kept = sessionStorage.getItem(proofPlace);
    if (kept === null) return;
    client.proof = kept;
    try {
        await loadModel();
    } catch {
        // The session may have answered meanwhile, with the right one.
        if (client.proof === kept) client.proof = "";
    }
}

/** Reads the types again, if they are others than before. They hold once `ready` lets them. */
export async function loadModel(ready?: () => Promise<void>): Promise<void> {
    const kept = localStorage.getItem("plinth-language");
    const answer = await call<ModelData>("GET", "model", {
        ifNoneMatch: modelTag,
        headers: kept === null ? {} : { "Accept-Language": kept },
    });
    // The same types must stay the same objects: screens begin anew with other ones.
    if (answer.status === 304 || (answer.etag !== null && answer.etag === modelTag)) return;
    await ready?.();
    modelTag = answer.etag ?? "";
    clear();
    setModel(answer.data);
}

function leave(error: ApiError): boolean {
    if (error.code === "key_invalid") {
        localStorage.removeItem(sessionPlace);
        return !toSignIn();
    }
    if (error.code === "rest_api_missing") {
        location.assign(`${base}account`);
        return true;
    }
    return false;
}

let waiting: { promise: Promise<boolean>; done: (yes: boolean) => void } | null = null;

/** Opens the dialog over the screen; all calls that were refused wait for the same answer. */
function askToSignIn(): Promise<boolean> {
    if (waiting === null) {
        let done: (yes: boolean) => void = () => undefined;
        const promise = new Promise<boolean>((resolve) => {
            done = resolve;
        });
        waiting = { promise, done };
        // Perhaps another tab has signed in again: then only the proof is old.
        void refreshSession();
    }
    return waiting.promise;
}

/** Signs in with a password, in the dialog. Another user than before begins with a new page. */
export async function signInAgain(user: string, password: string): Promise<void> {
    const before = session.person.id;
    client.proof = "";
    const answer = await call<SessionData>("POST", "session", { body: { user, password } });
    if (answer.data.user.id !== before) {
        location.reload();
        return;
    }
    session.take(answer.data);
    endWaiting(true);
}

function endWaiting(yes: boolean): void {
    session.ended = false;
    waiting?.done(yes);
    waiting = null;
}

/** Asks for the session, which keeps it alive; also the count of unread notifications. */
export async function refreshSession(): Promise<void> {
    try {
        const data = await readSession();
        if (data.user.id !== session.person.id) {
            // Another tab signed in as somebody else: what is shown here is not theirs.
            location.reload();
            return;
        }
        session.take(data);
        endWaiting(true);
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // Without an answer the dialog opens, too: signing in there tells what is wrong.
        if (error.code !== "key_invalid" && waiting === null) return;
        session.ended = true;
    }
}

/** Once a minute, if there was a key or a pointer event since: an untouched page lets the session end. */
export function keepAlive(): () => void {
    let active = false;
    const touch = (): void => {
        active = true;
    };
    const timer = setInterval(() => {
        if (!active || session.ended) return;
        active = false;
        void refreshSession();
    }, 60_000);
    const events = ["keydown", "pointerdown"] as const;
    for (const event of events) addEventListener(event, touch, { passive: true, capture: true });
    return () => {
        clearInterval(timer);
        for (const event of events) removeEventListener(event, touch, { capture: true });
    };
}

/** The page that signs in, and leads back here: the server takes paths below the tenant's place alone. */
export function signInPage(): string {
    const here = location.pathname.slice(base.length) + location.search;
    return here === "" ? `${base}sign-in` : `${base}sign-in?next=${encodeURIComponent(here)}`;
}

/** Ends the session and goes to the sign-in page. */
export async function signOut(): Promise<void> {
    for (const before of beforeSignOut) await before();
    await dropDrafts(session.tenant.name, session.user.id);
    await revokeActing();
    try {
        await call("DELETE", "session");
    } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "key_invalid") throw error;
    }
    clear();
    localStorage.removeItem(sessionPlace);
    location.assign(`${base}sign-in?signed-out`);
}

const beforeSignOut = new Set<() => Promise<void> | void>();

/** Runs before the session ends: drafts are deleted then. */
export function onSignOut(run: () => Promise<void> | void): void {
    beforeSignOut.add(run);
}
