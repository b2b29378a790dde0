// Undo of a saved form: the values that the save changed, written back unless others changed them since.

import type { Edit } from "../data/edits.svelte";
import type { Row, TypeModel } from "../data/model";
import { undoOf } from "../grid/bulkundo";
import { loadMoreTexts, text } from "../text";
import { say } from "../ui/toasts";
import { sameValue } from "./values";

/** A save: the record before and after it, and the names that were sent. */
export interface Save {
    before: Row;
    after: Row;
    sent: readonly string[];
}

/** The values that a save changed; none where one of them cannot be put back. */
export function editsOf(type: TypeModel, { before, after, sent }: Save): Edit[] {
    const id = Number(after["id"]);
    const edits: Edit[] = [];
    for (const property of type.own) {
        const name = property.identifier;
        if (!property.write || property.calculated) continue;
        if (!(name in before)) {
            // One that did not apply before goes with its condition. The old value of another one is not known.
            if (sent.includes(name) && !property.conditional) return [];
        } else if (!sameValue(property, before[name], after[name])) {
            if (property.writeOnce) return [];
            edits.push({ type: type.name, id, property, before: before[name], value: after[name] });
        }
    }
    return edits;
}

/** Tells a save, with the button Undo where it can be undone. */
export async function tellSave(type: TypeModel, save: Save): Promise<void> {
    await loadMoreTexts();
    const edits = editsOf(type, save);
    say(text.form.saved, edits.length > 0 ? { undo: undoOf(edits, () => {}) } : {});
}
