// The menu of a list's order, and the order in words.
import { text } from "../text";
import type { MenuItem } from "../ui/menu";
import type { Column, SortKey } from "./columns";

const directionOf = (descending: boolean): string => (descending ? text.grid.descending : text.grid.ascending);

/** Each column in both directions; one key replaces all that there were. */
export function sortItems(columns: readonly Column[], sort: readonly SortKey[], onsort: (keys: SortKey[]) => void) {
    const sortable = columns.filter((column) => column.sortable);
    return [
        { title: text.grid.ownOrder, radio: true, checked: sort.length === 0, run: () => onsort([]) },
        ...sortable.flatMap(({ path, title, slow }, index) =>
            [false, true].map((descending): MenuItem => ({
                title,
                hint: `${descending ? "↓" : "↑"} ${directionOf(descending)}${slow ? `, ${text.grid.slow}` : ""}`,
                radio: true,
                checked: sort.some((key) => key.path === path && key.descending === descending),
                separated: index === 0 && !descending,
                run: () => onsort([{ path, descending }]),
            })),
        ),
    ] satisfies MenuItem[];
}

/** The order in words: each column with its direction, "Priority, descending". */
export function sortWords(columns: readonly Column[], sort: readonly SortKey[]): [column: string, direction: string][] {
    return sort.map(({ path, descending }) => [
        columns.find((one) => one.path === path)?.title ?? path,
        directionOf(descending),
    ]);
}
