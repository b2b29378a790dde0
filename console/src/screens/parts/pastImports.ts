// Imports of the last day: what one created is deleted by an undo, and one that stopped goes on.

import { runningJobs } from "../../app/runningJobs.svelte";
import { forget } from "../../data/cache";
import { ApiError, call } from "../../data/call";
import { model, type TypeModel } from "../../data/model";
import { cancelJob, hasEnded, type Job } from "../../grid/jobs";
import { tellRefused } from "../../grid/refusedundo";
import { text } from "../../text";
import { say } from "../../ui/toasts";
import type { Trial } from "./BulkTrial.svelte";
import { problemWords } from "./problemWords";

export interface PastImport extends Job {
    kind: string;
    type: string | null;
    created: string;
}

/** The number of records that an import created. */
export function createdBy({ result }: Pick<Job, "result">): number {
    return Number(result?.["created"] ?? 0);
}

/** The most records that an undo deletes: the server keeps the ids of no more. */
const MOST = 100_000;

/** True for a file of which an import may create more records than can be deleted. */
export function isTooLarge(rows: number): boolean {
    return rows > MOST;
}

/** True for an import whose records the user can delete. */
export function isUndoable(type: TypeModel, job: Pick<Job, "result">): boolean {
    const created = createdBy(job);
    return type.actions.delete && created > 0 && created <= MOST && job.result?.["kept"] !== false;
}

/** The pages of jobs that are looked through: administrators are told those of all users. */
const MOST_PAGES = 5;

/** The imports of the user into a type that can be undone or go on, the latest first. */
export async function pastImports(type: TypeModel): Promise<PastImport[]> {
    const found: PastImport[] = [];
    let before: number | null = null;
    for (let page = 0; page < MOST_PAGES; page += 1) {
        const query: Record<string, number> = before === null ? {} : { before };
        const { data } = await call<{ items: PastImport[]; next: number | null }>("GET", "job", { query });
        found.push(
            ...data.items.filter((job) => {
                const isOwn = job.kind === "import" && job.type === type.name && job.own === true;
                const isOver = isOwn && hasEnded(job) && job.dryRun !== true;
                return isOver && (isUndoable(type, job) || job.resumable === true);
            }),
        );
        before = data.next;
        if (before === null) break;
    }
    return found;
}

/** Gives up the rest of an import that stopped: the server keeps its file no longer. */
export async function discardRest(id: number): Promise<void> {
    await cancelJob(id);
    runningJobs.drop(id);
}

function deletion(id: number): Record<string, unknown> {
    return { action: "delete", imported: id, limit: MOST };
}

/** Returns true where nothing is left of what an import created. Nothing is tried: any other number is refused. */
export async function isGone(type: string, id: number): Promise<boolean> {
    try {
        await call("POST", `bulk/${type}`, { body: { ...deletion(id), limit: 1, expect: 0, dryRun: true } });
        return true;
    } catch (error) {
        // What cannot be found out is told when the undo is asked for.
        if (error instanceof ApiError) return false;
        throw error;
    }
}

/** Tries the undo of an import, without deleting anything. */
export async function tryUndo(type: string, id: number): Promise<Trial> {
    const body = { ...deletion(id), dryRun: true, skip: true };
    const { data } = await call<Trial>("POST", `bulk/${type}`, { body });
    return { ...data, refused: data.refused ?? [], same: null };
}

/**
 * Deletes the records that an import created, which are as they were at the trial. Many are a job, which the shell shows.
 * Resolves to true where none is left.
 */
export async function undoImport(type: string, id: number, trial: Trial): Promise<boolean> {
    const digest = trial.digest === undefined ? {} : { digest: trial.digest };
    const body = { ...deletion(id), expect: trial.matched, skip: true, ...digest };
    const { data, status } = await call<Trial & Job>("POST", `bulk/${type}`, { body });
    if (status === 202) {
        runningJobs.note(data.id);
        runningJobs.follow({ ...data, kind: "bulk", type });
        return false;
    }
    forget(`collection/${type}`);
    if (data.changed > 0) say(text.more.list.deletedRows(data.changed));
    const refused = data.refused ?? [];
    await tellRefusals(type, refused);
    return refused.length === 0;
}

/** Tells the records that an undo left, with the reason of the first. */
async function tellRefusals(name: string, refused: Trial["refused"]): Promise<void> {
    const type = model.type(name);
    const [first] = refused;
    if (type === undefined || first === undefined) return;
    const { code, problems = [{ code }] } = first;
    const reason = problems.map((problem) => problemWords(type, problem)).join(" ");
    await tellRefused({ type: name, ids: refused.map(({ id }) => id), reason }, text.more.list.notDeleted);
}

/** Has an import that stopped go on behind the rows that it wrote. The shell shows it. */
export async function resumeImport(type: string, id: number): Promise<void> {
    const body = { resume: true, keepGoing: true };
    const { data } = await call<Job>("POST", `import/${id}/run`, { body });
    runningJobs.note(id);
    runningJobs.drop(id);
    runningJobs.follow({ ...data, kind: "import", type });
}
