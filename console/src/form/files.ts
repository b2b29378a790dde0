// Addresses and previews of files.

import { apiUrl } from "../data/call";
import type { FileValue, StoredFile } from "./values";

const marker = "/api/ext/v1/";

/** The signed address at the console's own origin, whatever base the tenant names. */
export function fileAddress(file: StoredFile): string | undefined {
    if (file.url === undefined) return undefined;
    const at = file.url.indexOf(marker);
    if (at < 0) return undefined;
    // The path is signed as it stands; the name at its end is escaped already.
    return apiUrl("") + file.url.slice(at + marker.length);
}

const shownTypes = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

export function isImage(file: FileValue): boolean {
    return shownTypes.includes(file.mime);
}

// Pictures that were uploaded here and are not saved yet, by their promise.
const previews = new Map<string, string>();

export function keepPreview(promise: string, file: File): void {
    if (shownTypes.includes(file.type)) previews.set(promise, URL.createObjectURL(file));
}

export function previewOf(promise: string): string | undefined {
    return previews.get(promise);
}
