// Jobs of the server: imports, bulk changes and exports that take their time.
import { ApiError, call } from "../data/call";

export interface JobProblem {
    line: number;
    /** The record that refused a bulk change. */
    id?: number;
    property?: string;
    column?: string;
    code: string;
    message: string;
    /** The value that has the problem, cut where it is long. */
    value?: string;
}

export interface Job {
    id: number;
    state: "uploaded" | "waiting" | "checking" | "running" | "done" | "failed" | "canceled";
    done?: number;
    total?: number;
    failed?: number;
    problems?: JobProblem[];
    result?: Record<string, unknown> | null;
    /** True for an import that is only tried. */
    dryRun?: boolean;
    /** True for a job of this user: administrators are told those of others, too. */
    own?: boolean;
    /** True for an import that stopped, and can go on. */
    resumable?: boolean;
    /** The change of a bulk job. */
    action?: "patch" | "delete" | "tag";
    /** The server does not answer; this is what it told last. */
    away?: boolean;
}

export function hasEnded({ state }: Job): boolean {
    return ["done", "failed", "canceled"].includes(state);
}

/** Asks for a job until it has ended: soon at first, later once a second. */
export async function waitForJob(id: number, onstate: (job: Job) => void, signal?: AbortSignal): Promise<Job> {
    let last: Job | undefined;
    for (let wait = 150; ; wait = Math.min(1_000, wait * 1.5)) {
        last = await stateOfJob(id, onstate, signal, last);
        if (hasEnded(last)) return last;
        await pause(wait, signal);
    }
}

const unreachable: ReadonlySet<number> = new Set([0, 502, 503, 504]);

/** The state of a job. A server that is away comes back, and its jobs go on: it is asked until it answers. */
export async function stateOfJob(
    id: number,
    onstate: (job: Job) => void,
    signal?: AbortSignal,
    last: Job = { id, state: "waiting" },
): Promise<Job> {
    for (;;) {
        try {
            const { data } = await call<Job>("GET", `job/${id}`, { signal });
            onstate(data);
            return data;
        } catch (error) {
            if (!(error instanceof ApiError) || !unreachable.has(error.status)) throw error;
        }
        onstate({ ...last, away: true });
        await pause(1_000, signal);
    }
}

async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    signal?.throwIfAborted();
}

export async function cancelJob(id: number): Promise<void> {
    await call("DELETE", `job/${id}`);
}

/** Gives the file of an address of the server to the person, under the name that the server tells. */
export function saveUrl(url: string, name = ""): void {
    const link = document.createElement("a");
    link.href = new URL(url, location.href).href;
    link.download = name;
    link.click();
}

/** Gives a file to the person, under a name. */
export function saveFile(blob: Blob, name: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
