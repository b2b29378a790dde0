// An answer that a screen waits for: old content stays while new comes, and only the last question counts.

import { isAbort } from "../../data/call";

export class Loader<T> {
    data = $state.raw<T | null>(null);
    error = $state.raw<unknown>(null);
    busy = $state(false);
    #asked: AbortController | null = null;

    /** Asks; an earlier question is given up. An error of a quiet one is not shown: old content is there. */
    async load(ask: (signal: AbortSignal) => Promise<T>, quiet = false): Promise<void> {
        this.#asked?.abort();
        const controller = new AbortController();
        this.#asked = controller;
        this.busy = true;
        try {
            const data = await ask(controller.signal);
            if (this.#asked !== controller) return;
            this.data = data;
            this.error = null;
        } catch (error) {
            if (this.#asked !== controller || isAbort(error)) return;
            if (!quiet || this.data === null) this.error = error;
        }
        this.busy = false;
    }

    /** Forgets what was there, before another thing is asked for. */
    clear(): void {
        this.#asked?.abort();
        this.#asked = null;
        this.data = null;
        this.error = null;
        this.busy = false;
    }
}

/** Asks again when the window is looked at, and every 30 seconds while it is. Returns how to stop. */
export function onRefresh(run: () => void, every = 30_000): () => void {
    const visible = (): void => {
        if (document.visibilityState === "visible") run();
    };
    const timer = setInterval(visible, every);
    document.addEventListener("visibilitychange", visible);
    return () => {
        clearInterval(timer);
        document.removeEventListener("visibilitychange", visible);
    };
}
