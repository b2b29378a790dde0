// Imports, exports and bulk changes that run without their dialog: closed ones, and those of before a reload.

import { ApiError, base, call } from "../data/call";
import { model } from "../data/model";
import { hasEnded, saveUrl, waitForJob, type Job } from "../grid/jobs";
import { loadMoreTexts } from "../text";
import { hasProblems, saveProblems, tellEnd, type RunningJob } from "./jobEnds";
import { session } from "./session.svelte";

/** Begun jobs whose ids are kept in this browser. */
const MOST_NOTED = 30;

class RunningJobs {
    /**
     * The jobs that are shown, the oldest first. Exports stay until their file is taken, imports with problems until
     * these are.
     */
    list = $state.raw<readonly RunningJob[]>([]);

    /** The jobs that this page has begun: their dialogs show them. */
    readonly #begun = new Set<number>();

    /** Asks once for the jobs that this page has not begun. Those that ended while no page was open are told. */
    async ask(): Promise<void> {
        const { data } = await call<{ items: (Job & { kind: string; type: string | null })[] }>("GET", "job");
        const noted = this.#noted();
        for (const job of [...data.items].reverse()) {
            if (!isShown(job) || job.state === "uploaded" || job.dryRun === true) continue;
            if (this.#begun.has(job.id)) continue;
            if (hasEnded(job)) {
                // Another browser tells the ends of its own.
                if (noted.includes(job.id)) await this.#end(job, true);
                // Administrators are told the jobs of all users.
            } else if (job.own === true) this.follow(job);
        }
    }

    /** Notes that the user has begun a job in this browser. */
    note(id: number): void {
        this.#begun.add(id);
        localStorage.setItem(this.#place, JSON.stringify([...this.#noted(), id].slice(-MOST_NOTED)));
    }

    /** Forgets a job whose end the user was told. */
    seen(id: number): void {
        localStorage.setItem(this.#place, JSON.stringify(this.#noted().filter((one) => one !== id)));
    }

    /** Shows a job until it has ended, and tells its end. */
    follow(job: RunningJob): void {
        if (this.list.some(({ id }) => id === job.id)) return;
        this.list = [...this.list, job];
        void this.#watch(job);
    }

    /** Saves the file of an export that is ready. */
    take(job: RunningJob): void {
        const url = job.result?.url;
        if (typeof url === "string") saveUrl(url);
        this.drop(job.id);
    }

    /** Saves the bad rows of an import that has ended. */
    async takeProblems({ id, type }: RunningJob): Promise<void> {
        if (await saveProblems(id, type)) this.drop(id);
    }

    drop(id: number): void {
        this.list = this.list.filter((one) => one.id !== id);
    }

    async #watch(job: RunningJob): Promise<void> {
        const put = (state: Job): void => {
            this.list = this.list.map((one) => (one.id === job.id ? { ...one, ...state, away: state.away } : one));
        };
        try {
            await this.#end({ ...job, ...(await waitForJob(job.id, put)) }, false);
        } catch (error) {
            this.drop(job.id);
            // It is deleted, or the session has another user.
            if (!(error instanceof ApiError)) throw error;
        }
    }

    /** Tells an end. A file and bad rows keep the line until they are taken. */
    async #end(job: RunningJob, missed: boolean): Promise<void> {
        await loadMoreTexts();
        this.seen(job.id);
        this.drop(job.id);
        if (hasProblems(job) || (job.kind === "export" && job.state === "done")) this.list = [...this.list, job];
        tellEnd(job, missed);
    }

    get #place(): string {
        return `plinth-jobs ${base} ${session.user.id}`;
    }

    #noted(): number[] {
        try {
            const kept: unknown = JSON.parse(localStorage.getItem(this.#place) ?? "[]");
            return Array.isArray(kept) ? kept.filter((id) => typeof id === "number") : [];
        } catch {
            return [];
        }
    }
}

function isShown(job: Job & { kind: string; type: string | null }): job is RunningJob {
    return ["import", "export", "bulk"].includes(job.kind) && job.type !== null && model.type(job.type) !== undefined;
}

export const runningJobs = new RunningJobs();
