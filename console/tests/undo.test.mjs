// Undo without a keyboard, the sign of a write on its way, and the search beside the filters.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { violations } from "./support/axe.mjs";
import { eventually, launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { cellAt, grid, gridReady } from "./support/grid.mjs";
import { client, demo } from "./support/server.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const LIST = "c/ticket?cols=number,subject,status,priority&s=-id";
const SUBJECT = 1;

describe("undo and small signs", () => {
    let server, browser, api, state, visit, page, row;

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
    beforeEach(() => begin({}));
    afterEach(async () => {
        nothingNoted(visit.noted);
        await visit.context.close();
        visit = undefined;
    });

    async function begin(options) {
        await visit?.context.close();
        visit = await person(browser, server, { state, ...options });
        page = visit.page;
        const body = { orderBy: ["-id"], perPage: 1, showFields: ["id", "subject", "email"] };
        row = (await api("POST", "collection/ticket/search", body)).data[0];
    }

    const messages = () => page.getByRole("region", { name: "Notifications" });
    const undoButton = () => messages().getByRole("button", { name: "Undo" });
    const read = () => api("GET", `collection/ticket/${row.id}`);
    const has = (name, value) =>
        eventually(async () => (await read())[name] === value, `${name} of the ticket is not ${value}`);
    const more = () => page.getByRole("toolbar").getByRole("button", { name: "More" });
    const item = (name) => page.getByRole("menuitem", { name });
    const isDimmed = async (name) => (await item(name).getAttribute("aria-disabled")) === "true";

    async function saveForm(subject) {
        await page.locator("[data-field=subject] input, [data-field=subject] textarea").fill(subject);
        await page.getByRole("button", { name: "Save" }).click();
        await messages().getByText("Saved.").waitFor();
    }

    test("a form that was saved on a phone goes back by the button of its message", async () => {
        await begin(PHONE);
        await page.goto(`c/ticket/${row.id}`);
        await settled(page);
        await saveForm("Saved by a finger");
        await has("subject", "Saved by a finger");
        assert.deepEqual(await violations(page), []);
        await undoButton().tap();
        await has("subject", row.subject);
        await messages().getByText("1 row restored.").waitFor();
        const field = page.locator("[data-field=subject] input, [data-field=subject] textarea");
        await eventually(async () => (await field.inputValue()) === row.subject, "the form shows what was undone");
    });

    test("a saved form is not undone where somebody else changed the same field since", async () => {
        await page.goto(`c/ticket/${row.id}`);
        await settled(page);
        await saveForm("Saved first");
        await api("PATCH", `collection/ticket/${row.id}`, { subject: "Written by somebody else" });
        await undoButton().click();
        const refused = messages().getByText(
            "Nothing was undone. “Written by somebody else”: Subject has changed since it was shown.",
        );
        await refused.waitFor();
        assert.equal((await read()).subject, "Written by somebody else");
        assert.deepEqual(await violations(page), []);
        // It goes with the screen.
        await page.getByRole("link", { name: "Inbox" }).first().click();
        await refused.waitFor({ state: "detached" });
        await api("PATCH", `collection/ticket/${row.id}`, { subject: row.subject });
    });

    test("the menu of a list on a phone undoes and does again, and is dimmed before", async () => {
        await begin(PHONE);
        await page.goto(LIST);
        await page.locator(".card:not(.waiting)").first().waitFor();
        await more().tap();
        await item("Undo").waitFor();
        assert.ok((await isDimmed("Undo")) && (await isDimmed("Redo")), "there is nothing to undo yet");
        assert.deepEqual(await violations(page), []);
        await page.keyboard.press("Escape");
        await page.locator(".card:not(.waiting)").first().tap();
        await page.waitForURL(/\/c\/ticket\/\d+/);
        await settled(page);
        await saveForm("Changed on a card");
        await page.goBack();
        await page.locator(".card:not(.waiting)").first().waitFor();
        await more().tap();
        await item("Undo").tap();
        await has("subject", row.subject);
        await messages().getByText("1 row restored.").waitFor();
        await more().tap();
        assert.ok(await isDimmed("Undo"));
        await item("Redo").tap();
        await has("subject", "Changed on a card");
        await more().tap();
        await item("Undo").tap();
        await has("subject", row.subject);
    });

    test("a cell that is changed in the table of a phone has Undo in its message", async () => {
        await begin(PHONE);
        await page.goto(LIST);
        await page.locator(".card:not(.waiting)").first().waitFor();
        await more().tap();
        await item("Show as table").tap();
        await gridReady(page);
        await cellAt(page, 0, SUBJECT).dblclick();
        await page.locator(".cell-editor input").fill("Typed in a cell");
        await page.locator(".cell-editor input").press("Enter");
        await has("subject", "Typed in a cell");
        await messages().getByText("1 value changed").waitFor();
        await undoButton().tap();
        await has("subject", row.subject);
    });

    test("an undo by keys that is refused names the record, leads to it, and is closed by its cross", async () => {
        await page.goto(LIST);
        await gridReady(page);
        const change = async (subject) => {
            await cellAt(page, 0, SUBJECT).dblclick();
            await page.locator(".cell-editor input").fill(subject);
            await page.keyboard.press("Enter");
            await has("subject", subject);
            await api("PATCH", `collection/ticket/${row.id}`, { subject: "Of somebody else" });
            await page.keyboard.press("Control+z");
            await messages().getByText("Nothing was undone. “Of somebody else”: Subject has changed").waitFor();
        };
        await change("Mine");
        await messages().getByRole("button", { name: "Close" }).click();
        await eventually(async () => (await page.locator(".toast").count()) === 0);
        await page.reload();
        await gridReady(page);
        await change("Mine again");
        await messages().getByRole("link", { name: "Open record" }).click();
        await page.waitForURL(new RegExp(`/c/ticket/${row.id}$`));
        await eventually(async () => (await page.locator(".toast").count()) === 0);
        await api("PATCH", `collection/ticket/${row.id}`, { subject: row.subject });
    });

    test("undo with nothing to undo says so, in the grid and in a list without rows", async () => {
        await page.goto(LIST);
        await gridReady(page);
        await grid(page).focus();
        await page.keyboard.press("Control+z");
        await messages().getByText("Nothing to undo.").waitFor();
        await page.keyboard.press("Control+y");
        await messages().getByText("Nothing to redo.").waitFor();
        await page.goto("c/ticket?q=nothinghasthisword");
        await page.getByText("No results").waitFor();
        await page.keyboard.press("Control+z");
        await messages().getByText("Nothing to undo.").waitFor();
    });

    test("a value on its way has a sign after a moment, which moves nothing and goes with the answer", async () => {
        await page.goto(LIST);
        await gridReady(page);
        let go = () => undefined;
        const answered = new Promise((resolve) => (go = resolve));
        await page.route(`**/collection/ticket/${row.id}`, async (route) => {
            if (route.request().method() === "PATCH") await answered;
            await route.continue();
        });
        const cell = cellAt(page, 0, SUBJECT);
        const sign = () => cell.evaluate((box) => getComputedStyle(box, "::after").visibility);
        const before = await cell.boundingBox();
        await cell.dblclick();
        await page.locator(".cell-editor input").fill("On its way");
        await page.keyboard.press("Enter");
        await eventually(async () => /pending/.test(await cell.getAttribute("class")), "the value is not on its way");
        await eventually(async () => (await sign()) === "visible", "there is no sign");
        assert.match(await cell.evaluate((box) => getComputedStyle(box, "::after").content), /⋯/);
        assert.deepEqual(await cell.boundingBox(), before);
        assert.deepEqual(await violations(page), []);
        go();
        await has("subject", "On its way");
        await eventually(async () => !/pending/.test(await cell.getAttribute("class")), "the sign stays");
        await grid(page).focus();
        await page.keyboard.press("Control+z");
        await has("subject", row.subject);
    });

    for (const [width, options] of [
        [1280, {}],
        [390, PHONE],
    ]) {
        test(`the search stands beside the filters, and both are cleared together (${width})`, async () => {
            await begin(options);
            const filters = JSON.stringify([{ property: "status", type: "in", param: ["open"] }]);
            await page.goto(`${LIST}&q=printer&f=${encodeURIComponent(filters)}`);
            const chips = page.getByRole("list", { name: "Filters" });
            await chips.getByRole("button", { name: "Search: printer", exact: true }).click();
            const field = page.getByRole("searchbox");
            assert.ok(await field.evaluate((one) => one === document.activeElement), "the search has no focus");
            assert.deepEqual(await violations(page), []);
            await chips.getByRole("button", { name: "Remove search: printer" }).click();
            await page.waitForURL((url) => !url.searchParams.has("q") && url.searchParams.has("f"));
            await eventually(async () => (await field.inputValue()) === "", "the field keeps the words");
            await page.getByRole("button", { name: "Clear filters", exact: true }).waitFor();
            await page.goBack();
            await page.getByRole("button", { name: "Clear filters and search" }).click();
            await page.waitForURL((url) => !url.searchParams.has("q") && !url.searchParams.has("f"));
            await chips.waitFor({ state: "detached" });
        });
    }
});
