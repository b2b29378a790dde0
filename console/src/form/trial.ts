// Trial writes: 300 ms after a pause, one in flight, answers of older states dropped.

import { isAbort, type Answer } from "../data/call";

const pause = 300;

export interface TrialRun<T> {
    send: (signal: AbortSignal) => Promise<Answer<T>>;
    done: (answer: Answer<T>) => void;
    failed: (error: unknown) => void;
}

export class Trials<T> {
    #timer: ReturnType<typeof setTimeout> | undefined;
    #serial = 0;
    #running: AbortController | undefined;
    readonly #begin: () => TrialRun<T> | undefined;
    readonly #onbusy: (busy: boolean) => void;

    /** `begin` says what to send at the moment, or undefined for nothing. */
    constructor(begin: () => TrialRun<T> | undefined, onbusy: (busy: boolean) => void = () => undefined) {
        this.#begin = begin;
        this.#onbusy = onbusy;
    }

    /** A value changed: whatever is under way is of an older state. */
    schedule(wait: number = pause): void {
        this.#serial += 1;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#run(), wait);
    }

    /** Ends all: the record is saved, or left. */
    stop(): void {
        this.#serial += 1;
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.#running?.abort();
    }

    async #run(): Promise<void> {
        this.#timer = undefined;
        // The one in flight is of an older state; its end begins the next.
        if (this.#running) return;
        const run = this.#begin();
        if (!run) return;
        const serial = this.#serial;
        const controller = new AbortController();
        this.#running = controller;
        this.#onbusy(true);
        try {
            const answer = await run.send(controller.signal);
            if (serial === this.#serial) run.done(answer);
        } catch (error) {
            if (serial === this.#serial && !isAbort(error)) run.failed(error);
        } finally {
            this.#running = undefined;
            this.#onbusy(false);
            // A change came meanwhile, and its pause may be over already.
            if (serial !== this.#serial && this.#timer === undefined && !controller.signal.aborted) void this.#run();
        }
    }
}
