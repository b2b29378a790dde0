// States of lists that no address can hold: kept as settings of the user, and named by the link.
import { SvelteMap } from "svelte/reactivity";
import type { CollectionState } from "../app/places";
import { say } from "../ui/toasts";
import { isLong, keptName, longLink, newName, shortLink } from "./longlinks";
import { viewState } from "./state";

/** States by name, as far as this page has seen them; null is gone, or another user's. */
const known = new SvelteMap<string, CollectionState | null>();
/** Few lists are that long: their settings are not part of the first load. */
const store = (): Promise<typeof import("./keptstore")> => import("./keptstore");
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
    saving = saving.then(async () => (await store()).save(name, kept));
    return shortLink(state, name);
}

/** The state of a name: undefined until it is read, null where it is not there. */
export function keptState(name: string): CollectionState | null | undefined {
    return known.get(name);
}

/** Reads the state of a name, unless it is known. Resolves to the words of what went wrong. */
async function read(name: string): Promise<string | null> {
    if (known.has(name)) return null;
    const found = await (await store()).load(name);
    known.set(name, found.state);
    return found.problem;
}

/** Reads the state of a name for the list itself, which tells where it is not there. */
export async function readKept(name: string): Promise<void> {
    const problem = await read(name);
    if (problem !== null) say(problem, { error: true });
}

/** The state that a link stands for; null where it was kept, and is not there any more. */
export async function fullLink(link: CollectionState): Promise<CollectionState | null> {
    const name = keptName(link);
    if (name === undefined) return link;
    await read(name);
    const kept = known.get(name) ?? null;
    return kept && longLink(link, kept);
}
