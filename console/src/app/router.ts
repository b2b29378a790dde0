// The place of the user: `router.place`, `go` and `href`. Back and Forward are the browser's.

import { base } from "../data/call";
import { signal } from "../data/signal";
import { format, parse, type Place } from "./places";

export * from "./places";

const current = signal<Place>(read());
/** Asked before the place is left; false stays. */
const guards = new Set<(next: Place) => boolean>();
let shown = location.href;

function read(): Place {
    const path = location.pathname.startsWith(base) ? location.pathname.slice(base.length) : "";
    return parse(path, location.search);
}

export const router = {
    /** The place shown; a new object for each change. */
    get place(): Place {
        return current.value;
    },
};

/** The address of a place, for links. */
export function href(place: Place): string {
    return base + format(place);
}

/** Goes to a place; `replace` for what is typed, so that Back leads to the screen before. */
export function go(place: Place, options: { replace?: boolean } = {}): void {
    const address = href(place);
    if (!options.replace && !mayLeave(place)) return;
    if (options.replace || address === location.pathname + location.search) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    shown = location.href;
    current.value = place;
}

/** Asks `guard` before another place is gone to; returns how to stop that. */
export function beforeLeave(guard: (next: Place) => boolean): () => void {
    guards.add(guard);
    return () => guards.delete(guard);
}

function mayLeave(next: Place): boolean {
    return [...guards].every((guard) => guard(next));
}

/** Follows the browser's Back and Forward, and links within the console. Returns how to stop. */
export function startRouter(): () => void {
    const back = (): void => {
        const next = read();
        if (!mayLeave(next)) {
            history.pushState(null, "", shown);
            return;
        }
        shown = location.href;
        current.value = next;
    };
    const click = (event: MouseEvent): void => {
        if (event.defaultPrevented || event.button !== 0) return;
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        const link = event.target instanceof Element ? event.target.closest("a") : null;
        if (link === null || link.target !== "" || link.hasAttribute("download")) return;
        const url = new URL(link.href, location.href);
        if (url.origin !== location.origin || !url.pathname.startsWith(base)) return;
        const place = parse(url.pathname.slice(base.length), url.search);
        // Pages of the server stand below the same place: the browser goes there.
        if (place.name === "missing") return;
        event.preventDefault();
        go(place);
    };
    addEventListener("popstate", back);
    document.addEventListener("click", click);
    return () => {
        removeEventListener("popstate", back);
        document.removeEventListener("click", click);
    };
}
