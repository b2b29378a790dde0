// Links of lists that are too long for an address: which they are, and the part of them that is kept elsewhere.
import { format, type CollectionState } from "../app/places";
import { viewState } from "./state";

/** The longest address, in bytes: proxies and chats cut longer ones. */
const LONGEST = 4_096;

export function isLong(type: string, state: CollectionState): boolean {
    return format({ name: "collection", type, state }).length > LONGEST;
}

/** The link in the place of a long one. */
export function shortLink({ view, at, open, tab }: CollectionState, name: string): CollectionState {
    const link: CollectionState = { kept: `~${name}` };
    if (view) link.view = view;
    if (at) link.at = at;
    if (open) link.open = open;
    if (tab) link.tab = tab;
    return link;
}

/** The link that a short one stands for. Without what was kept, its view and its place are left. */
export function longLink({ kept: _, ...link }: CollectionState, kept: CollectionState | null): CollectionState {
    return { ...(kept === null ? {} : viewState(kept)), ...link };
}

/** The name in a link; undefined where there is none that could be kept. */
export function keptName(link: CollectionState): string | undefined {
    return /^~([a-z0-9]{1,40})$/.exec(link.kept ?? "")?.[1];
}

/** A name that sorts by its time, so that the oldest ones are known. */
export function newName(now: number, random: number): string {
    const part = Math.floor(random * 36 ** 4);
    return `${now.toString(36).padStart(9, "0")}${part.toString(36).padStart(4, "0")}`;
}
