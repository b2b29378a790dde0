// The uploads of a field: one after the other, so that files keep their order; each can be stopped and tried again.

import { ApiError, isAbort } from "../data/call";
import { text } from "../text";
import { keepPreview } from "./files";
import { upload, type Upload } from "./upload";
import type { PromisedFile } from "./values";

export interface RunningUpload {
    key: number;
    file: File;
    share: number;
    error: string;
    upload: Upload | undefined;
}

export class Uploads {
    running = $state<RunningUpload[]>([]);
    #last = 0;
    #queue: Promise<void> = Promise.resolve();
    readonly #of: () => { type: string | undefined; property: string };
    readonly #done: (file: PromisedFile) => void;

    constructor(of: () => { type: string | undefined; property: string }, done: (file: PromisedFile) => void) {
        this.#of = of;
        this.#done = done;
    }

    add(file: File): void {
        this.#last += 1;
        const key = this.#last;
        this.running.push({ key, file, share: 0, error: "", upload: undefined });
        this.#queue = this.#queue.then(() => this.send(key));
    }

    async send(key: number): Promise<void> {
        const entry = this.running.find((one) => one.key === key);
        const { type, property } = this.#of();
        if (!entry || type === undefined) return;
        entry.error = "";
        entry.share = 0;
        const begun = upload(type, property, entry.file, (share) => {
            entry.share = share;
        });
        entry.upload = begun;
        try {
            const promised = await begun.done;
            keepPreview(promised.promise, entry.file);
            this.drop(key);
            this.#done(promised);
        } catch (error) {
            if (isAbort(error)) return;
            if (!(error instanceof ApiError)) throw error;
            entry.error = error.detail || text.form.uploadFailed(entry.file.name);
            entry.upload = undefined;
        }
    }

    drop(key: number): void {
        this.running = this.running.filter((one) => one.key !== key);
    }

    stop(entry: RunningUpload): void {
        entry.upload?.abort();
        this.drop(entry.key);
    }

    stopAll(): void {
        for (const entry of this.running) entry.upload?.abort();
        this.running = [];
    }
}
