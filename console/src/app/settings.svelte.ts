// Settings of a person, kept on the server: `setting(name, fallback)`.

import { ApiError, call } from "../data/call";

const delay = 1000;

/** The names of the settings that there are: asked once, so that none is asked for in vain. */
let names: Promise<ReadonlySet<string>> | undefined;

function namesOfSettings(): Promise<ReadonlySet<string>> {
    names ??= call<{ data: { name: string }[] }>("GET", "setting").then(
        (answer) => new Set(answer.data.data.map((entry) => entry.name)),
    );
    return names;
}

/** A setting: `value` is the fallback until the server has answered. */
export class Setting<T> {
    readonly name: string;
    loaded = $state(false);
    #value = $state.raw<T>() as T;
    #etag: string | null = null;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #saving: Promise<void> = Promise.resolve();
    #dirty = false;

    constructor(name: string, fallback: T) {
        this.name = name;
        this.#value = fallback;
    }

    get value(): T {
        return this.#value;
    }

    /** Shown at once, saved one second after the last change. */
    set value(next: T) {
        this.#value = next;
        this.#dirty = true;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#queue(), delay);
    }

    /** Saves now: before the page goes. */
    flush(): Promise<void> {
        clearTimeout(this.#timer);
        this.#queue();
        return this.#saving;
    }

    async load(): Promise<void> {
        try {
            if ((await namesOfSettings()).has(this.name)) {
                const answer = await call<T>("GET", `setting/${this.name}`);
                this.#etag = answer.etag;
                if (!this.#dirty) this.#value = answer.data;
            }
        } catch (error) {
            // Without an answer the fallback serves.
            if (!(error instanceof ApiError)) throw error;
            names = undefined;
        }
        this.loaded = true;
    }

    #queue(): void {
        if (!this.#dirty) return;
        this.#saving = this.#saving.then(() => this.#save());
    }

    async #save(): Promise<void> {
        if (!this.#dirty) return;
        this.#dirty = false;
        try {
            await this.#put();
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            // Another window wrote in between: the last change counts.
            if (error.status === 412) await this.#overwrite();
        }
    }

    async #overwrite(): Promise<void> {
        try {
            const answer = await call<T>("GET", `setting/${this.name}`);
            this.#etag = answer.etag;
            await this.#put();
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
        }
    }

    async #put(): Promise<void> {
        const answer = await call("PUT", `setting/${this.name}`, { body: this.#value, ifMatch: this.#etag });
        this.#etag = answer.etag;
    }
}

const settings = new Map<string, Setting<unknown>>();

/** The setting of this name; one object for all who ask. It begins to load with the first. */
export function setting<T>(name: string, fallback: T): Setting<T> {
    const known = settings.get(name);
    if (known !== undefined) return known as Setting<T>;
    const made = new Setting<T>(name, fallback);
    settings.set(name, made as Setting<unknown>);
    void made.load();
    return made;
}

/** Saves what waits: when the page is hidden. */
export function flushSettings(): void {
    for (const entry of settings.values()) void entry.flush();
}
