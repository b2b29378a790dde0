// The lines of a card: the first columns of the view that have a value.
import type { Row, TypeModel } from "../data/model";
import type { Column } from "./columns";
import type { Painted } from "./paint";

export const MOST_LINES = 4;

export interface CardLine {
    title: string;
    painted: Painted;
}

/** Columns that lines are chosen from, in their order: the head of a card has the title and the tags. */
export function lineColumns(type: Pick<TypeModel, "titleProperty">, columns: readonly Column[]): number[] {
    return columns.flatMap(({ path, property }, index) =>
        path === type.titleProperty || property.kind === "tags" ? [] : [index],
    );
}

/** The lines of a row: at most four, none of them empty. */
export function cardLines(
    row: Row,
    columns: readonly Column[],
    chosen: readonly number[],
    cells: (row: Row) => Painted[],
): CardLine[] {
    const painted = cells(row);
    const lines: CardLine[] = [];
    for (const index of chosen) {
        const cell = painted[index];
        const column = columns[index];
        if (cell && column && hasValue(cell)) lines.push({ title: column.title, painted: cell });
        if (lines.length === MOST_LINES) break;
    }
    return lines;
}

function hasValue(cell: Painted): boolean {
    if (cell.mode === "hidden") return false;
    return cell.mode === "dots" ? (cell.dots ?? []).some((dot) => dot.text !== "") : cell.text !== "";
}
