// Keeps in a saved view what was changed in its list.
import type { CollectionState } from "../app/places";
import { ApiError } from "../data/call";
import { views, type SavedView } from "../data/views.svelte";
import { loadMoreTexts, text } from "../text";
import { problemText } from "../ui/problems";
import { say } from "../ui/toasts";
import { viewState } from "./state";

/** True once it is saved; what is in the way is told. */
export async function saveChanges({ id, type, title, shared }: SavedView, state: CollectionState): Promise<boolean> {
    await loadMoreTexts();
    try {
        await views.change(id, { type, title, shared, state: viewState(state) });
        say(text.more.list.viewSaved(title));
        return true;
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        say(problemText(error));
        return false;
    }
}
