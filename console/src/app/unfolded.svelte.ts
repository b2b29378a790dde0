// The types whose views the sidebar shows. Places are kept for views that are on their way, and while the pointer is there.

import { untrack } from "svelte";
import { base } from "../data/call";
import { views } from "../data/views.svelte";
import { isCurrent, type NavEntry } from "./navigation";
import { prefer, preferences, preferencesLoaded } from "./preferences.svelte";
import { router } from "./router";

const name = `plinth-unfolded ${base}`;
/** So few views are shown at first. */
const few = 5;

/** The person wants these views to be shown, at the next visit, too. */
function isWanted(key: string, count: number): boolean {
    const { unfolded, refolded } = preferences();
    return unfolded.includes(key) || (count <= few && !refolded.includes(key));
}

class Unfolded {
    /** The number of views of each type that is unfolded, by its key: at first those chosen at the last visit. */
    rows = $state.raw<Record<string, number>>(JSON.parse(localStorage.getItem(name) ?? "{}"));
    /** The pointer is over the sidebar: nothing moves by itself. */
    held = $state(false);

    /** Unfolds what the person wants to see unfolded. A type stays so when its view is left. */
    follow(entries: NavEntry[]): void {
        const { place } = router;
        if (!views.settled || !preferencesLoaded() || this.held) return;
        untrack(() => {
            this.#keep(
                entries.flatMap(({ key, views: own = [] }): [string, number][] =>
                    own.length > 0 &&
                    (key in this.rows || isWanted(key, own.length) || own.some((view) => isCurrent(view, place)))
                        ? [[key, own.length]]
                        : [],
                ),
            );
        });
    }

    toggle({ key, views: own = [] }: NavEntry): void {
        const others = Object.entries(this.rows).filter(([other]) => other !== key);
        const rows: [string, number][] = key in this.rows ? others : [...others, [key, own.length]];
        const { unfolded, refolded } = preferences();
        const [shown, away] = [unfolded, refolded].map((list) => list.filter((other) => other !== key));
        prefer(
            key in this.rows
                ? { unfolded: shown, refolded: [...(away ?? []), key] }
                : { unfolded: [...(shown ?? []), key], refolded: away },
        );
        this.#keep(rows);
    }

    #keep(rows: [string, number][]): void {
        this.rows = Object.fromEntries(rows);
        // One that is unfolded for its view alone is folded at the next visit.
        const kept = rows.filter(([key, count]) => isWanted(key, count));
        localStorage.setItem(name, JSON.stringify(Object.fromEntries(kept)));
    }
}

export const unfolded = new Unfolded();
