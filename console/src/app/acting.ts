// Acting as another user: the key of `login-as` stands in for the session in this tab, until it is ended.

import { base, call, client } from "../data/call";
import { readJson } from "../data/numbers";

export interface Acting {
    /** The id of the key, by which it is revoked. */
    id: number;
    key: string;
    validTo: string;
}

interface LoginAs {
    authToken: { id: number; keyString: string; validTo: string };
}

// Of the tab alone, and gone with it: other tabs stay with the person. Tenants of one host have keys of their own.
const place = `acting ${base}`;

export function acting(): Acting | null {
    const kept = sessionStorage.getItem(place);
    if (kept === null) return null;
    const found = readJson(kept) as Acting;
    if (Date.parse(found.validTo) > Date.now()) return found;
    sessionStorage.removeItem(place);
    return null;
}

/** Makes the calls those of the user; called before the first one. */
export function resumeActing(): Acting | null {
    const found = acting();
    client.key = found?.key ?? "";
    client.keyEnded = () => {
        forgetActing();
        location.assign(base);
    };
    return found;
}

/** Begins to act; the console starts again, with nothing of the person before in it. */
export async function beginActing(user: number): Promise<void> {
    const { data } = await call<LoginAs>("POST", "login-as", { body: { user } });
    const { id, keyString, validTo } = data.authToken;
    sessionStorage.setItem(place, JSON.stringify({ id, key: keyString, validTo } satisfies Acting));
    location.assign(base);
}

export async function endActing(): Promise<void> {
    await revokeActing();
    location.assign(base);
}

/** Revokes the key. Where that fails it ends by itself within the hour: the person is let out all the same. */
export async function revokeActing(): Promise<void> {
    const found = acting();
    forgetActing();
    if (found === null) return;
    try {
        await call("DELETE", `login-as/${found.id}`);
    } catch (error) {
        console.warn(error);
    }
}

function forgetActing(): void {
    sessionStorage.removeItem(place);
    client.key = "";
}
