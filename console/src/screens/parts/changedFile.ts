// A chosen file whose bytes on the disk are others by now: browsers refuse to read it.

/** Throws where the browser can read a file no more. */
export async function checkReadable(file: Blob): Promise<void> {
    await file.slice(0, 1).arrayBuffer();
}

/** True for the error of a file that was changed, moved or deleted since it was chosen. */
export function isUnreadable(error: unknown): boolean {
    return error instanceof DOMException && ["NotReadableError", "NotFoundError"].includes(error.name);
}
