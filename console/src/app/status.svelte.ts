// True if the server is reached, and whether it wants us to wait.

import { client } from "../data/call";
import { loadModel } from "./session.svelte";

class Status {
    online = $state(true);
    /** Calls are refused until then (milliseconds since 1970); 0 for no limit. */
    limitedUntil = $state(0);
}

export const status = new Status();

const interval = 5000;

/** Follows the connection; returns how to stop. */
export function watchConnection(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const retry = (): void => {
        clearTimeout(timer);
        // Any small answer will do; this one is 304.
        loadModel().catch(() => {
            if (!status.online) timer = setTimeout(retry, interval);
        });
    };
    client.online = (yes) => {
        if (yes === status.online) return;
        status.online = yes;
        clearTimeout(timer);
        if (!yes) timer = setTimeout(retry, interval);
    };
    client.limited = (until) => {
        status.limitedUntil = Math.max(status.limitedUntil, until);
    };
    const lost = (): void => client.online(false);
    addEventListener("offline", lost);
    addEventListener("online", retry);
    return () => {
        clearTimeout(timer);
        removeEventListener("offline", lost);
        removeEventListener("online", retry);
    };
}
