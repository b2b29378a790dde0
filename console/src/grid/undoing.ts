// Undo and redo of changed cells and forms: by keys, by the menu of a list, and by the button of a message.
import { edits, type Repeat } from "../data/edits.svelte";
import { loadMoreTexts, text } from "../text";
import { say } from "../ui/toasts";
import { told } from "./bulkundo";

/** Puts the last step back. Keys show it at its cells; a menu tells it in words, and a refusal is told by both. */
export async function undoLast(tells: boolean): Promise<void> {
    await loadMoreTexts();
    const step = await edits.undo();
    if (step === null) say(text.more.list.nothingToUndo);
    else if (tells || !step.done) await told(step.edits, step.done, !tells);
}

/** Does the last step again that was put back. */
export async function redoLast(tells: boolean): Promise<void> {
    await loadMoreTexts();
    const step = await edits.redo();
    if (step === null) say(text.more.list.nothingToRedo);
    else if (tells && step.done) say(text.more.list.written(step.edits.length));
    else if (!step.done) await told(step.edits, false, !tells);
}

/** Tells a change of cells with the button Undo, for hands without a keyboard. */
export async function offerUndo(undo: () => Promise<Repeat>, count: number): Promise<void> {
    await loadMoreTexts();
    say(text.more.list.written(count), { undo: () => void undo().then((step) => told(step.edits, step.done)) });
}
