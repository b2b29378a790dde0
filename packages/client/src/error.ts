// The one error of requests.

/** A mistake of a request: where it is, and a sentence. */
export interface Mistake {
    property?: string;
    /** The place in the body (RFC 6901). */
    pointer?: string;
    code: string;
    message: string;
}

/** A request that failed. */
export class PlinthError extends Error {
    /** The status of the answer; 0 if there was none. */
    readonly status: number;
    /** A word for programs, such as `unique`; `network` if there was no answer. */
    readonly code: string;
    /** A sentence for people. */
    readonly detail: string;
    /** All mistakes that the server tells of. */
    readonly errors: readonly Mistake[];
    /** The name of the request in the server's log. */
    readonly requestId: string | undefined;
    /** The index of the operation of a batch that failed. */
    readonly operation: number | undefined;

    constructor(status: number, problem: Problem, cause?: unknown) {
        const detail = problem.detail ?? problem.message ?? problem.title ?? `The server answered with ${status}.`;
        super(detail, cause === undefined ? undefined : { cause });
        this.name = "PlinthError";
        this.status = status;
        this.code = problem.code ?? "";
        this.detail = detail;
        this.errors = problem.errors ?? [];
        this.requestId = problem.requestId;
        this.operation = problem.operation;
    }
}

/** The body of an error (RFC 9457), or a message alone. */
export interface Problem {
    title?: string;
    detail?: string;
    message?: string;
    code?: string;
    errors?: Mistake[];
    requestId?: string;
    operation?: number;
}
