// Imports and exports that run without their dialog: closed ones, and those of before a reload.

import { ApiError, base, call } from "../data/call";
import { forget } from "../data/cache";
import { model } from "../data/model";
import { stoppedAt } from "../grid/importing";
import { hasEnded, saveFile, saveUrl, waitForJob, type Job } from "../grid/jobs";
import { loadMoreTexts, text } from "../text";
import { problemText } from "../ui/problems";
import { say } from "../ui/toasts";
import { go } from "./router";
import { session } from "./session.svelte";

export interface RunningJob extends Job {
    kind: "import" | "export";
    type: string;
}

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

    /** Asks once for the jobs that this page has not begun. */
    async ask(): Promise<void> {
        const { data } = await call<{ items: (Job & { kind: string; type: string | null })[] }>("GET", "job");
        const noted = this.#noted();
        for (const job of [...data.items].reverse()) {
            if (!isShown(job) || hasEnded(job) || job.state === "uploaded" || job.dryRun === true) continue;
            if (this.#begun.has(job.id)) continue;
            // Administrators are told the jobs of all users.
            if (session.can("admin") && !noted.includes(job.id)) continue;
            this.follow(job);
        }
    }

    /** Notes that the user has begun a job in this browser. */
    note(id: number): void {
        this.#begun.add(id);
        localStorage.setItem(this.#place, JSON.stringify([...this.#noted(), id].slice(-MOST_NOTED)));
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
            const end = { ...job, ...(await waitForJob(job.id, put)) };
            await loadMoreTexts();
            if (job.kind === "import" ? !hasProblems(end) : end.state !== "done") this.drop(job.id);
            if (job.kind === "import") tellImport(end);
            else tellExport(end);
        } catch (error) {
            this.drop(job.id);
            // It is deleted, or the session has another user.
            if (!(error instanceof ApiError)) throw error;
        }
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
    return (job.kind === "import" || job.kind === "export") && job.type !== null && model.type(job.type) !== undefined;
}

/** Returns true for an import that has ended, and has rows with problems. */
export function hasProblems(job: RunningJob): boolean {
    return job.kind === "import" && hasEnded(job) && (job.failed ?? 0) > 0;
}

/** Saves the bad rows of an import as the server keeps them. Returns false where it keeps none any more. */
async function saveProblems(id: number, type: string): Promise<boolean> {
    try {
        const query = { format: "csv", safe: 1 };
        const { data } = await call<Blob>("GET", `job/${id}/problems`, { query, as: "blob" });
        saveFile(data, `${type}-problems.csv`);
        return true;
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        say(problemText(error), { error: true });
        return false;
    }
}

type EndedImport = Pick<RunningJob, "done" | "total" | "failed" | "problems" | "result" | "type"> & {
    /** The job whose problems the server keeps. */
    id: number | null;
    state: string;
};

/** Tells the end of an import, with a way to its list or to its problems. */
export function tellImport(job: EndedImport): void {
    const {
        created = 0,
        updated = 0,
        kept,
    } = (job.result ?? {}) as {
        created?: number;
        updated?: number;
        kept?: boolean;
    };
    const count = kept === false ? 0 : created + updated;
    const failed = job.failed ?? 0;
    const list = text.more.list;
    forget(`collection/${job.type}`);
    // Lists ask again when the window gets the focus.
    dispatchEvent(new Event("focus"));
    const action = {
        title: list.showList,
        run: () => go({ name: "collection", type: job.type, state: {} }),
    };
    const { id } = job;
    const bad = {
        error: true,
        ...(id !== null && failed > 0
            ? { action: { title: list.badRows, run: () => void saveProblems(id, job.type) } }
            : {}),
    };
    if (count > 0) say(text.more.list.imported(count), { action });
    const stopped = stoppedAt({ ...job, result: job.result ?? {} });
    if (job.state === "canceled") say(list.canceled, { action });
    else if (stopped !== null) {
        const reason = stopped.line === null ? (job.problems?.at(-1)?.message ?? "") : "";
        say(`${list.importStopped(stopped.line, stopped.left)} ${reason}`.trim(), bad);
    } else if (failed > 0) {
        const problems = list.importProblems(failed);
        say(count === 0 ? list.importFailed(problems) : `${problems}.`, bad);
    } else if (job.state === "failed") say(list.importFailed(job.problems?.[0]?.message ?? ""), { error: true });
    else if (count === 0) say(list.importSame, { action });
}

function tellExport(job: RunningJob): void {
    if (job.state === "done") say(text.more.list.exportReady);
    else if (job.state === "canceled") say(text.more.list.exportStopped);
    else say(text.more.list.exportFailed(job.problems?.[0]?.message ?? ""), { error: true });
}

export const runningJobs = new RunningJobs();
