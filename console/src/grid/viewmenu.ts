// The menu of a list's views: the saved ones, and what can be done with the one that is shown.
import type { CollectionState } from "../app/places";
import { session } from "../app/session.svelte";
import { views, type SavedView } from "../data/views.svelte";
import { text } from "../text";
import type { MenuItem } from "../ui/menu";
import { isNarrowed, isPlain } from "./state";

interface Shown {
    type: string;
    saved: SavedView | null;
    shown: CollectionState;
    /** The list differs from its view. */
    changed: boolean;
    onview: (state: CollectionState) => void;
    onsave: (view: SavedView | null) => void;
    /** Keeps what was changed in the view. */
    onkeep: (view: SavedView) => Promise<void>;
}

export function viewMenu({ type, saved, shown, changed, onview, onsave, onkeep }: Shown): MenuItem[] {
    const mayChange = saved !== null && (saved.own || session.can("admin"));
    const own: MenuItem[] = [];
    if (saved && mayChange && changed)
        own.push({
            title: saved.shared === null ? text.grid.saveChanges : text.grid.saveChangesForAll,
            run: () => void onkeep(saved),
        });
    if (saved && changed)
        own.push({
            title: text.grid.discardChanges,
            icon: "undo-2",
            run: () => onview({ view: String(saved.id) }),
        });
    if (saved && mayChange) own.push({ title: text.grid.changeView, icon: "pencil", run: () => onsave(saved) });
    own.push({
        title: text.grid.saveView,
        icon: "bookmark",
        disabled: isPlain(shown),
        run: () => onsave(null),
    });
    return [
        { title: text.grid.noView, radio: true, checked: saved === null && !isNarrowed(shown), run: () => onview({}) },
        ...views.of(type).map((view, index): MenuItem => ({
            title: view.title,
            hint: view.shared === null ? undefined : view.own ? text.grid.shared : view.owner.name,
            radio: true,
            checked: saved?.id === view.id,
            separated: index === 0,
            run: () => onview({ view: String(view.id) }),
        })),
        ...own.map((item, index) => ({ ...item, separated: index === 0 })),
    ];
}
