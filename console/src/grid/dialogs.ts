// The dialogs of a list, as `ListDialogs.svelte` shows them.
import type { SavedView } from "../data/views.svelte";
import type { Column } from "./columns";
import type { Selection } from "./selection";

export type ListDialog =
    | { name: "filters"; focus: number | "new"; property?: { path: string; operator: string; param: unknown } }
    | { name: "columns" }
    | { name: "bulk"; action: "patch" | "delete"; selection: Selection }
    | { name: "export" }
    | { name: "import" }
    | { name: "view"; view: SavedView | null };

/** A new filter by the property of a column. */
export function filterBy(path: string, column: Column | undefined): ListDialog {
    const operator = column?.property.filterTypes[0] ?? "eq";
    return { name: "filters", focus: "new", property: { path, operator, param: null } };
}
