// Errors as sentences in the user's language.

import { ApiError } from "../data/call";
import { text } from "../text";

/** The sentence for an error: the console's own by its code, else the server's. */
export function problemText(error: unknown): string {
    if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
    return text.app.codes[error.code] ?? ofStatus(error.status) ?? error.detail;
}

function ofStatus(status: number): string | undefined {
    const { codes } = text.app;
    if (status === 403) return codes["permission_missing"];
    if (status === 404) return codes["item_missing"];
    if (status >= 500) return codes["internal"];
    return undefined;
}

/** True if the thing is not there, or not visible. */
export function isGone(error: unknown): boolean {
    return error instanceof ApiError && error.status === 404;
}

export function isRefused(error: unknown): boolean {
    return error instanceof ApiError && error.status === 403;
}
