// States of lists that no address can hold: kept as settings of the user, and named by the link.
import { SvelteMap } from "svelte/reactivity";
import type { CollectionState } from "../app/places";
import { ApiError, call } from "../data/call";
import { text } from "../text";
import { problemText } from "../ui/problems";
import { say } from "../ui/toasts";
import { isLong, newName, outdated, settingOf, shortLink } from "./longlinks";
import { viewState } from "./state";

/** States by name, as far as this page has seen them; null is gone, or another user's. */
const known = new SvelteMap<string, CollectionState | null>();
let saving: Promise<void> = Promise.resolve();

/** The link of a state: itself where an address can hold it, else one that names it. */
export function linkOf(type: string, state: CollectionState): CollectionState {
    if (!isLong(type, state)) return state;
    const kept = viewState(state);
    const json = JSON.stringify(kept);
    for (const [name, other] of known) if (JSON.stringify(other) === json) return shortLink(state, name);
    const name = newName(Date.now(), Math.random());
    known.set(name, kept);
    // One after the other: each counts those before it.
    saving = saving.then(() => save(name, kept));
    return shortLink(state, name);
}

async function save(name: string, state: CollectionState): Promise<void> {
    try {
        const { data } = await call<{ data: { name: string }[] }>("GET", "setting");
        for (const old of outdated(data.data.map((setting) => setting.name))) await call("DELETE", `setting/${old}`);
        await call("PUT", `setting/${settingOf(name)}`, { body: state });
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        say(text.grid.notKept, { error: true });
    }
}

/** The state of a name: undefined until it is read, null where it is not there. */
export function keptState(name: string): CollectionState | null | undefined {
    return known.get(name);
}

/** Reads the state of a name, unless it is known. */
export async function readKept(name: string): Promise<void> {
    if (known.has(name)) return;
    try {
        known.set(name, (await call<CollectionState>("GET", `setting/${settingOf(name)}`)).data);
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        known.set(name, null);
        say(error.status === 404 ? text.grid.linkGone : problemText(error), { error: true });
    }
}
