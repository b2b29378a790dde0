// Jobs of the server: imports, bulk changes and exports that take their time.
import { call } from "../data/call";

export interface JobProblem {
    line: number;
    property?: string;
    column?: string;
    code: string;
    message: string;
}

export interface Job {
    id: number;
    state: "uploaded" | "waiting" | "checking" | "running" | "done" | "failed" | "canceled";
    done?: number;
    total?: number;
    failed?: number;
    problems?: JobProblem[];
    result?: Record<string, unknown> | null;
}

const ended = new Set(["done", "failed", "canceled"]);

/** Asks for a job until it has ended: soon at first, later once a second. */
export async function waitForJob(id: number, onstate: (job: Job) => void, signal?: AbortSignal): Promise<Job> {
    for (let wait = 150; ; wait = Math.min(1_000, wait * 1.5)) {
        const { data } = await call<Job>("GET", `job/${id}`, { signal });
        onstate(data);
        if (ended.has(data.state)) return data;
        await new Promise((resolve) => setTimeout(resolve, wait));
        signal?.throwIfAborted();
    }
}

export async function cancelJob(id: number): Promise<void> {
    await call("DELETE", `job/${id}`);
}

/** Gives a file to the person, under a name. */
export function saveFile(blob: Blob, name: string): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
