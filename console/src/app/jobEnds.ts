// The ends of jobs as they are told: numbers, the way to the list, and the bad rows of an import.

import { forget } from "../data/cache";
import { ApiError, call } from "../data/call";
import { model } from "../data/model";
import { skipsRows, stoppedAt } from "../grid/importing";
import { hasEnded, saveFile, type Job } from "../grid/jobs";
import { tellRefused } from "../grid/refusedundo";
import { text } from "../text";
import { problemText } from "../ui/problems";
import { say, type SayOptions, type ToastAction } from "../ui/toasts";
import { go } from "./router";

export interface RunningJob extends Job {
    kind: "import" | "export" | "bulk";
    type: string;
}

/** Returns true for an import that has ended, and has rows with problems. */
export function hasProblems(job: RunningJob): boolean {
    return job.kind === "import" && hasEnded(job) && (job.failed ?? 0) > 0;
}

/** Saves the bad rows of an import as the server keeps them. Returns false where it keeps none any more. */
export async function saveProblems(id: number, type: string): Promise<boolean> {
    try {
        const query = { format: "csv", safe: 1 };
        const { data } = await call<Blob>("GET", `job/${id}/problems`, { query, as: "blob" });
        const { badRowsOfJob } = await import("../screens/parts/badRows");
        saveFile(new Blob([badRowsOfJob(await data.text())], { type: "text/csv" }), `${type}-problems.csv`);
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

/** Tells the end of a job. One that was missed names its type, for it is told on any screen. */
export function tellEnd(job: RunningJob, missed: boolean): void {
    const title = missed ? `${titleOf(job)}. ` : "";
    if (job.kind === "import") tellImport(job, title);
    else if (job.kind === "export") tellExport(job, title);
    else tellBulk(job, title);
}

/** The name of a job: what it does, and of which type. */
export function titleOf({ kind, type, action }: RunningJob): string {
    const title = model.type(type)?.title ?? type;
    return action === "delete" ? text.more.list.deletionOf(title) : text.more.list.jobs[kind](title);
}

/** Tells the end of an import, with a way to its list or to its problems. */
export function tellImport(job: EndedImport, title = ""): void {
    const tell = (words: string, options: SayOptions = {}): unknown => say(title + words, options);
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
    const action = rowsChanged(job.type);
    const { id } = job;
    const bad = {
        error: true,
        ...(id !== null && failed > 0
            ? { action: { title: list.badRows, run: () => void saveProblems(id, job.type) } }
            : {}),
    };
    if (count > 0) tell(text.more.list.imported(count), { action });
    const stopped = stoppedAt({ ...job, result: job.result ?? {} });
    if (job.state === "canceled") tell(list.canceled, { action });
    else if (stopped !== null) {
        const reason = stopped.line === null ? (job.problems?.at(-1)?.message ?? "") : "";
        tell(`${list.importStopped(stopped.line, stopped.left)} ${reason}`.trim(), bad);
    } else if (failed > 0) {
        const left = { state: job.state, result: job.result ?? {} };
        const problems = skipsRows(left) ? list.importSkipped(failed) : list.importProblems(failed);
        tell(count === 0 && !skipsRows(left) ? list.importFailed(problems) : `${problems}.`, bad);
    } else if (job.state === "failed") tell(list.importFailed(job.problems?.[0]?.message ?? ""), { error: true });
    else if (count === 0) tell(list.importSame, { action });
}

function tellExport(job: RunningJob, title: string): void {
    if (job.state === "done") say(title + text.more.list.exportReady);
    else if (job.state === "canceled") say(title + text.more.list.exportStopped);
    else say(title + text.more.list.exportFailed(job.problems?.[0]?.message ?? ""), { error: true });
}

function tellBulk(job: RunningJob, title: string): void {
    const { list } = text.more;
    const action = rowsChanged(job.type);
    const changed = Number(job.result?.["changed"] ?? 0);
    if (job.state === "canceled") say(title + list.canceled, { action });
    else if (job.state === "failed") say(title + list.bulkFailed(job.problems?.[0]?.message ?? ""), { error: true });
    else say(title + (job.action === "delete" ? list.deletedRows(changed) : list.bulkDone(changed)), { action });
    const left = (job.problems ?? []).flatMap(({ id }) => id ?? []);
    if (job.action === "delete" && left.length > 0) {
        const reason = job.problems?.[0]?.message ?? "";
        void tellRefused({ type: job.type, ids: [...new Set(left)], reason, count: job.failed }, list.notDeleted);
    } else if ((job.failed ?? 0) > 0) say(`${title}${list.refusedRows(job.failed ?? 0)}.`, { error: true });
}

/** Has lists read the rows of a type anew. Returns the way to its list. */
function rowsChanged(type: string): ToastAction {
    forget(`collection/${type}`);
    // Lists ask again when the window gets the focus.
    dispatchEvent(new Event("focus"));
    return { title: text.more.list.showList, run: () => go({ name: "collection", type, state: {} }) };
}
