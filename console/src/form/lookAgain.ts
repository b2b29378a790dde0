// A record that is looked at again: somebody else may have changed it meanwhile.

import { call } from "../data/call";
import type { Row } from "../data/model";
import type { RecordForm } from "./record.svelte";

/** Takes the record as it is now, or marks a form with changes as outdated. Nothing while a merge is open. */
export async function lookAgain(shown: () => RecordForm | null, merging: boolean): Promise<void> {
    const form = shown();
    if (!form || form.id === null || form.saving || merging || form.type.logReads) return;
    if (document.visibilityState !== "visible") return;
    try {
        const answer = await call<Row>("GET", `collection/${form.type.name}/${form.id}`, { ifNoneMatch: form.etag });
        if (answer.status === 304 || shown() !== form) return;
        if (form.dirty) form.outdated = true;
        else form.take(answer);
    } catch {
        // The next save tells.
    }
}
