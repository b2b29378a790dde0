// Bulk dialogs and their neighbours: deletions at the end of a list, refused rows, titles of views, numbers, phones.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { eventually, launch, nothingNoted, person, signIn } from "./support/browser.mjs";
import { cellAt, grid, gridReady } from "./support/grid.mjs";
import { client, demo } from "./support/server.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describe("bulk dialogs and numbers", () => {
    let server, browser, api, state, visit, page;

    before(async () => {
        [server, browser] = await Promise.all([demo("helpdesk"), launch()]);
        api = client(server);
        const first = await person(browser, server);
        state = await signIn(first.page, server);
        await first.context.close();
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });
    beforeEach(async () => {
        visit = await person(browser, server, { state });
        page = visit.page;
    });
    afterEach(async () => {
        nothingNoted(visit.noted);
        await visit.context.close();
    });

    const dialog = () => page.getByRole("dialog");
    const search = async (type, body) => (await api("POST", `collection/${type}/search`, body)).data;

    /** Opens the list of these tickets, with the selected ones. */
    async function select(ids, indexes) {
        const filters = JSON.stringify([{ property: "id", type: "in", param: ids }]);
        await page.goto(`c/ticket?cols=number,subject,status&s=id&f=${encodeURIComponent(filters)}`);
        await gridReady(page, ids.length);
        await grid(page).focus();
        for (const index of indexes) {
            await cellAt(page, index, 1).click();
            await page.keyboard.press("Space");
        }
    }

    test("the last row is deleted: no empty row stays, and the dialog does not count the row twice", async () => {
        const ids = (await search("ticket", { orderBy: ["-id"], perPage: 5 })).map(({ id }) => id);
        await select(ids, [4]);
        await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Delete" }).click();
        await dialog().getByText("1 row would be deleted.").waitFor();
        assert.equal(
            await dialog()
                .getByText(/^Ticket: 1$/)
                .count(),
            0,
        );
        await dialog().getByRole("button", { name: "Delete 1 row" }).click();
        await dialog().waitFor({ state: "detached" });
        await gridReady(page, 4);
        const rows = grid(page).locator(".grid-body [role=row]:not([hidden])");
        await eventually(async () => (await rows.count()) === 4, "an empty row stays");
        await eventually(async () => /active/.test(await cellAt(page, 3, 1).getAttribute("class")), "no focus");

        await cellAt(page, 2, 1).click();
        await page.keyboard.press("Space");
        await cellAt(page, 3, 1).click();
        await page.keyboard.press("Space");
        await page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Delete" }).click();
        await dialog().getByRole("button", { name: "Delete 2 rows" }).click();
        await dialog().waitFor({ state: "detached" });
        await gridReady(page, 2);
        await eventually(async () => (await rows.count()) === 2, "an empty row stays");
    });

    test("the value of a chosen property has the focus; refused rows have their titles", async () => {
        const found = await search("ticket", { orderBy: ["id"], perPage: 25 });
        await select(
            found.map(({ id }) => id),
            [],
        );
        await page.keyboard.press("Control+A");
        await page.keyboard.press("e");
        await dialog().getByRole("combobox").first().waitFor();
        await page.keyboard.type("E-mail");
        await page.keyboard.press("Enter");
        const field = dialog().getByRole("textbox", { name: /mail/i });
        await eventually(() => field.evaluate((input) => input === document.activeElement), "the value has no focus");
        await page.keyboard.type("no address");
        await dialog()
            .getByRole("checkbox", { name: /^Skip rows/ })
            .check();
        await dialog().getByRole("button", { name: "Preview changes" }).click();
        const items = dialog().locator(".refused li");
        await items.first().waitFor();
        await items.filter({ hasText: found[0].subject }).first().waitFor();
        assert.equal(await items.count(), 21);
        assert.equal((await items.last().textContent()).trim(), "and 5 more");
    });

    test("a press on the check box right after a date is typed counts", async () => {
        const [{ id }] = await search("ticket", { orderBy: ["-id"], perPage: 1 });
        await select([id], [0]);
        await page.keyboard.press("e");
        await dialog().getByRole("combobox").first().waitFor();
        await page.keyboard.type("Opened");
        await page.keyboard.press("Enter");
        const field = dialog().getByRole("textbox", { name: "Opened" });
        await eventually(() => field.evaluate((input) => input === document.activeElement), "the value has no focus");
        await page.keyboard.type("tomorrow");
        const meant = dialog().locator(".meant");
        await meant.waitFor();
        const check = dialog().getByRole("checkbox", { name: /^Skip rows/ });
        const { x, y, width, height } = await check.boundingBox();
        await page.mouse.move(x + width / 2, y + height / 2);
        await page.mouse.down();
        await eventually(() => check.evaluate((box) => box === document.activeElement), "the press moved the focus");
        await page.mouse.up();
        assert.ok(await check.isChecked(), "the press was missed");
        // The words of what was meant go with the focus, after the press.
        await meant.waitFor({ state: "detached" });
    });

    test("the title of a view has at most 200 characters, which is told at the field", async () => {
        await page.goto("c/ticket?cols=number,subject");
        await gridReady(page);
        await page.getByRole("toolbar").getByRole("button", { name: "Views" }).click();
        await page.getByRole("menuitem", { name: /^Save as view/ }).click();
        const title = dialog().getByRole("textbox", { name: "Name" });
        await title.fill("x".repeat(201));
        assert.equal((await title.inputValue()).length, 200);
        await dialog().getByText("At most 200 characters.").waitFor();
        await dialog().getByRole("button", { name: "Save" }).click();
        await dialog().waitFor({ state: "detached" });
    });

    test("on a phone: the list of a filter closes after a choice, and tables of a board have no box that scrolls", async () => {
        const phone = await person(browser, server, { state, ...PHONE });
        const { page: small } = phone;
        const filters = JSON.stringify([{ property: "status", type: "in", param: ["open"] }]);
        await small.goto(`c/ticket?cols=number,subject&f=${encodeURIComponent(filters)}`);
        await small.getByRole("list", { name: "Filters" }).getByRole("button").first().tap();
        const sheet = small.getByRole("dialog", { name: "Filters" });
        const value = sheet.getByRole("combobox", { name: "Value" });
        await value.tap();
        await sheet.getByRole("listbox").getByRole("option").nth(2).tap();
        await eventually(async () => (await sheet.locator(".member").count()) === 2, "nothing was chosen");
        await eventually(async () => (await value.getAttribute("aria-expanded")) === "false", "the list stays open");
        await value.tap();
        await sheet.getByRole("listbox").getByRole("option").first().waitFor();

        await small.goto("board/board");
        await small.getByRole("table").first().waitFor();
        const scrolling = await small
            .locator(".board .scroll")
            .evaluateAll((boxes) => boxes.map((box) => getComputedStyle(box).maxHeight));
        assert.ok(scrolling.length > 0);
        assert.deepEqual([...new Set(scrolling)], ["none"]);
        nothingNoted(phone.noted);
        await phone.context.close();
    });
});
