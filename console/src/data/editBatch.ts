// Edits of several values, written as one batch: all of them, or none.

import { bodyValue } from "../form/values";
import { ApiError, call } from "./call";
import { recordKey, refuseStale, type Edit } from "./edit";
import type { Row } from "./model";

interface BatchResult {
    status: number;
    etag: string | null;
    data: Row;
}

// A batch holds at most a thousand operations.
const largestBatch = 1000;

/** Writes the edits, and returns the row of each. Throws what was refused: `refusedBy` tells the error of each edit. */
export async function writeBatch(edits: readonly Edit[]): Promise<Row[]> {
    const groups = [...byRecord(edits).values()];
    if (groups.length > largestBatch)
        throw new ApiError({
            status: 400,
            code: "batch_too_large",
            detail: `At most ${largestBatch} records at once.`,
        });
    const reads = await batch(groups.map((group) => ({ op: "get", ...target(group) })));
    const operations = groups.map((group, index) => {
        const read = reads[index];
        for (const edit of group) if (read) refuseStale(edit, read.data);
        const set = Object.fromEntries(
            group.map((edit) => [edit.property.identifier, bodyValue(edit.property, edit.value)]),
        );
        return { op: "patch", ...target(group), ifMatch: read?.etag ?? undefined, set };
    });
    const results = await batch(operations).catch((error: unknown) => {
        throw error instanceof ApiError ? new Undone(error, groups) : error;
    });
    return edits.map((edit) => results[groups.findIndex((group) => group.includes(edit))]?.data ?? {});
}

/** The error of one edit of a batch that was refused. */
export function refusedBy(error: ApiError, edit: Edit): ApiError {
    return error instanceof Undone ? error.of(edit) : error;
}

function byRecord(edits: readonly Edit[]): Map<string, Edit[]> {
    const records = new Map<string, Edit[]>();
    for (const edit of edits) {
        const key = recordKey(edit.type, edit.id);
        records.set(key, [...(records.get(key) ?? []), edit]);
    }
    return records;
}

function target(group: readonly Edit[]): { type: string | undefined; item: number | undefined } {
    return { type: group[0]?.type, item: group[0]?.id };
}

/** A batch that was undone: the mistakes of its values, by the pointers of the answer. */
class Undone extends ApiError {
    readonly #groups: readonly Edit[][];

    constructor(error: ApiError, groups: readonly Edit[][]) {
        super(error);
        this.#groups = groups;
    }

    /** The error of one value; the others were right, and undone with those that were not. */
    of(edit: Edit): ApiError {
        const marked = this.errors.filter((one) => /^\/operations\/\d+\/set\//.test(one.pointer ?? ""));
        if (marked.length === 0) return this;
        const at = this.#groups.findIndex((group) => group.includes(edit));
        const own = marked.filter((one) => one.pointer === `/operations/${at}/set/${edit.property.identifier}`);
        const [first] = own;
        if (first)
            return new ApiError({
                status: this.status,
                code: first.code,
                detail: first.message,
                requestId: this.requestId,
                errors: own,
            });
        return new ApiError({
            status: this.status,
            code: "batch_undone",
            detail: this.detail,
            requestId: this.requestId,
        });
    }
}

async function batch(operations: unknown[]): Promise<BatchResult[]> {
    const answer = await call<{ results: BatchResult[] }>("POST", "batch", { body: { operations, validate: "all" } });
    return answer.data.results;
}
