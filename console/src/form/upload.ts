// Uploads of files with their progress, which `fetch` does not tell.

import { ApiError, apiUrl, client, type FieldError } from "../data/call";
import { readJson } from "../data/numbers";
import { uploadPath } from "./paths";
import type { PromisedFile } from "./values";

export interface Upload {
    done: Promise<PromisedFile>;
    abort: () => void;
}

export function upload(type: string, property: string, file: File, onprogress: (share: number) => void): Upload {
    const request = new XMLHttpRequest();
    const done = new Promise<PromisedFile>((resolve, reject) => {
        request.open("POST", apiUrl(uploadPath(type, property)));
        request.setRequestHeader("Accept", "application/json, application/problem+json");
        if (client.proof !== "") request.setRequestHeader("X-Plinth-Proof", client.proof);
        request.upload.onprogress = (event) => {
            if (event.lengthComputable) onprogress(event.loaded / event.total);
        };
        request.onload = () => {
            const document = read(request.responseText);
            if (
                request.status >= 200 &&
                request.status < 300 &&
                Array.isArray(document) &&
                typeof document[0] === "string"
            ) {
                resolve({ promise: document[0], name: file.name, size: file.size, mime: file.type });
            } else {
                reject(problem(request, document));
            }
        };
        request.onerror = () => reject(new ApiError({ status: 0, code: "offline", detail: "" }));
        request.onabort = () => reject(new DOMException("Aborted", "AbortError"));
        const form = new FormData();
        form.append("file", file, file.name);
        request.send(form);
    });
    return { done, abort: () => request.abort() };
}

function read(text: string): unknown {
    try {
        return readJson(text);
    } catch {
        // A proxy answers with a page: the status says enough.
        return undefined;
    }
}

function problem(request: XMLHttpRequest, document: unknown): ApiError {
    const found = (typeof document === "object" && document !== null ? document : {}) as Record<string, unknown>;
    const word = (name: string): string | undefined => (typeof found[name] === "string" ? found[name] : undefined);
    return new ApiError({
        status: request.status,
        code: word("code") ?? `http_${request.status}`,
        detail: word("detail") ?? word("message") ?? request.statusText,
        requestId: word("requestId") ?? request.getResponseHeader("x-request-id") ?? "",
        errors: Array.isArray(found["errors"]) ? (found["errors"] as FieldError[]) : [],
    });
}
