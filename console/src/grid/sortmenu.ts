// The menu of a list's order, and the order in words.
import { text } from "../text";
import type { MenuItem } from "../ui/menu";
import type { Column, SortKey } from "./columns";

const arrow = (descending: boolean): string => (descending ? "↓" : "↑");

/** Each column in both directions; one key replaces all that there were. */
export function sortItems(columns: readonly Column[], sort: readonly SortKey[], onsort: (keys: SortKey[]) => void) {
    const sortable = columns.filter((column) => column.sortable);
    return [
        { title: text.grid.ownOrder, radio: true, checked: sort.length === 0, run: () => onsort([]) },
        ...sortable.flatMap(({ path, title, slow }, index) =>
            [false, true].map((descending): MenuItem => ({
                title: `${title} ${arrow(descending)}`,
                hint: slow ? text.grid.slow : undefined,
                radio: true,
                checked: sort.some((key) => key.path === path && key.descending === descending),
                separated: index === 0 && !descending,
                run: () => onsort([{ path, descending }]),
            })),
        ),
    ] satisfies MenuItem[];
}

/** The order as people read it: "Priority ↓, Subject ↑". */
export function sortWords(columns: readonly Column[], sort: readonly SortKey[]): string {
    if (sort.length === 0) return text.grid.ownOrder;
    return sort
        .map(({ path, descending }) => {
            const column = columns.find((one) => one.path === path);
            return `${column?.title ?? path} ${arrow(descending)}`;
        })
        .join(", ");
}
