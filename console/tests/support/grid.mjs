// The grid as its roles tell it: rows by index, cells by column.

import { eventually } from "./browser.mjs";

export const grid = (page) => page.getByRole("grid");

/** The grid with its rows, and not the list before it. */
export async function gridReady(page, total) {
    const box = grid(page);
    await box.waitFor();
    await eventually(async () => {
        if ((await box.getAttribute("aria-busy")) === "true") return false;
        if (total !== undefined && (await box.getAttribute("aria-rowcount")) !== String(total + 1)) return false;
        return (await box.locator("[role=row][aria-rowindex] [role=gridcell]").count()) > 0;
    }, "the grid has no rows");
    return box;
}

/** Column titles in their order. */
export async function columnTitles(page) {
    return grid(page).locator(".grid-head .column .name .cut").allTextContents();
}

export function headOf(page, title) {
    return page.getByRole("columnheader").filter({ has: page.locator(".name .cut").getByText(title, { exact: true }) });
}

/** The row of a list: 0 is the first one. Waits until it is read. */
export function rowAt(page, index) {
    return grid(page).locator(`.grid-body [role=row]:not([hidden])[aria-rowindex="${index + 2}"]`);
}

export function cellAt(page, index, column) {
    return rowAt(page, index).locator(`[role=gridcell][aria-colindex="${column + 2}"]`);
}

/** Texts of the cells in sight, by the index of the row. */
export async function rowsInSight(page) {
    return grid(page).evaluate((box) => {
        const frame = box.getBoundingClientRect();
        const rows = [...box.querySelectorAll(".grid-body [role=row][aria-rowindex]")];
        return Object.fromEntries(
            rows
                .filter((row) => {
                    const { top, bottom } = row.getBoundingClientRect();
                    return bottom > frame.top + 36 && top < frame.bottom && row.checkVisibility();
                })
                .map((row) => [
                    Number(row.getAttribute("aria-rowindex")) - 2,
                    [...row.querySelectorAll("[role=gridcell]")].map((cell) => cell.textContent.trim()),
                ]),
        );
    });
}

/** Moves the bar of the grid to a share of its way. */
export async function scrollTo(page, share) {
    await grid(page).evaluate((box, part) => {
        box.scrollTop = Math.round((box.scrollHeight - box.clientHeight) * part);
    }, share);
}
