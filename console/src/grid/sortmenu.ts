// The menu of a list's order, and the order in words.
import { text } from "../text";
import type { MenuItem } from "../ui/menu";
import type { Column, SortKey } from "./columns";

const directionOf = (descending: boolean): string => (descending ? text.grid.descending : text.grid.ascending);

/** A line for each column, with both directions; one key replaces all that there were. */
export function sortItems(columns: readonly Column[], sort: readonly SortKey[], onsort: (keys: SortKey[]) => void) {
    const choice = ({ path, title, slow }: Column, descending: boolean): MenuItem => ({
        title,
        label: `${title} ${descending ? "↓" : "↑"} ${directionOf(descending)}`,
        tip: slow ? text.grid.slow : undefined,
        icon: descending ? "arrow-down" : undefined,
        radio: true,
        checked: sort.some((key) => key.path === path && key.descending === descending),
        run: () => onsort([{ path, descending }]),
    });
    return [
        { title: text.grid.ownOrder, radio: true, checked: sort.length === 0, run: () => onsort([]) },
        ...columns
            .filter((column) => column.sortable)
            .map((column, index) => ({
                ...choice(column, false),
                separated: index === 0,
                aside: choice(column, true),
            })),
    ] satisfies MenuItem[];
}

/** The order in words: each column with its direction, "Priority, descending". */
export function sortWords(columns: readonly Column[], sort: readonly SortKey[]): [column: string, direction: string][] {
    return sort.map(({ path, descending }) => [
        columns.find((one) => one.path === path)?.title ?? path,
        directionOf(descending),
    ]);
}
