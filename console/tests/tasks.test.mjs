// The tasks of the design, with no more clicks and keys than it allows; the first six by keys alone.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { eventually, launch, nothingNoted, person, signIn } from "./support/browser.mjs";
import { cellAt, grid, gridReady } from "./support/grid.mjs";
import { hands } from "./support/hands.mjs";
import { client, demo } from "./support/server.mjs";

const SUBJECT = "The plotter of the ninth floor smokes";

describe("tasks within their clicks and keys", () => {
    let server, browser, api, state, visit, page, by;

    before(async () => {
        [server, browser] = await Promise.all([demo("helpdesk"), launch()]);
        api = client(server);
        await api("POST", "collection/ticket", { subject: SUBJECT });
        const filters = [{ property: "status", type: "eq", param: "waiting" }];
        await api("POST", "view", { type: "ticket", title: "My waiting tickets", shared: null, state: { filters } });
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
        by = hands(page, { keyboardOnly: true });
    });
    afterEach(async () => {
        nothingNoted(visit.noted);
        await visit.context.close();
    });

    async function list(address = "c/ticket?cols=number,subject,status,priority&s=-id") {
        await page.goto(address);
        await gridReady(page);
        // Editing is loaded after the first rows.
        await page.waitForLoadState("networkidle");
        // The grid has the keys without a click: by Tab, or at once.
        await grid(page).focus();
    }
    const total = async (filters) =>
        (await api("POST", "collection/ticket/search", { filters, perPage: 1 }))?.stats.total ?? 0;

    test("1: find a record by words: 3 keys", async () => {
        await page.goto("");
        await page.getByRole("heading", { level: 1 }).waitFor();
        await by.press("Control+K");
        await page.getByRole("dialog").waitFor();
        await by.type("plotter ninth");
        await page.getByRole("option", { name: SUBJECT }).waitFor();
        while ((await page.getByRole("option", { selected: true }).textContent())?.includes(SUBJECT) === false)
            await by.press("ArrowDown");
        await by.press("Enter");
        await page.waitForURL(/\/c\/ticket\/\d+/);
        await page.getByRole("heading", { level: 1, name: SUBJECT }).waitFor();
        assert.ok(by.count <= 3, `${by.count} keys`);
    });

    test("2: open a saved view: 2 keys, or 2 clicks", async () => {
        await page.goto("");
        await page.getByRole("heading", { level: 1 }).waitFor();
        await by.press("Control+K");
        await by.type("My waiting");
        await page
            .getByRole("option", { name: /My waiting tickets/ })
            .first()
            .waitFor();
        await by.press("Enter");
        await page.getByRole("heading", { level: 1, name: /My waiting tickets/ }).waitFor();
        await gridReady(page, await total([{ property: "status", type: "eq", param: "waiting" }]));
        assert.ok(by.count <= 2, `${by.count} keys`);

        const mouse = hands(page);
        await page.goto("c/company");
        await gridReady(page);
        await mouse.click(page.getByRole("navigation").getByRole("link", { name: "My waiting tickets" }));
        await page.getByRole("heading", { level: 1, name: /My waiting tickets/ }).waitFor();
        assert.ok(mouse.count <= 2, `${mouse.count} clicks`);
    });

    test("3: change one value in the grid: 3 keys, or 3 clicks", async () => {
        const { id } = await api("POST", "collection/ticket", { subject: "For one change" });
        await list();
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowRight");
        await by.press("Enter", "ArrowDown", "Enter");
        await eventually(async () => (await api("GET", `collection/ticket/${id}`)).status === "waiting");
        assert.ok(by.count <= 3);

        const mouse = hands(page);
        await mouse.doubleClick(cellAt(page, 0, 2));
        await mouse.click(page.getByRole("option", { name: "Solved" }));
        await eventually(async () => (await api("GET", `collection/ticket/${id}`)).status === "solved");
        assert.ok(mouse.count <= 3, `${mouse.count} clicks`);
    });

    test("4: create a record: 2 keys and a Tab for each field; the next one at once", async () => {
        await list();
        await by.press("n");
        await eventually(() =>
            page.evaluate(
                () => document.activeElement?.closest("[data-field]")?.getAttribute("data-field") === "subject",
            ),
        );
        await by.type("Made with few keys");
        await by.press("Tab");
        await by.type("A text of it");
        await by.press("Control+Shift+Enter");
        await eventually(async () => (await page.locator('[data-field="subject"] input').inputValue()) === "");
        const { data } = await api("POST", "collection/ticket/search", { orderBy: ["-id"], perPage: 1 });
        assert.equal(data[0].subject, "Made with few keys");
        assert.equal(data[0].text, "A text of it");
        assert.equal(by.count, 3);
        await eventually(() =>
            page.evaluate(
                () => document.activeElement?.closest("[data-field]")?.getAttribute("data-field") === "subject",
            ),
        );
        await by.type("And the next");
        await by.press("Control+Enter");
        await page.getByRole("heading", { name: "And the next" }).waitFor();
    });

    test("5: set a relation: 2 keys; create its target in place: 4", async () => {
        const [company] = (await api("GET", "collection/company?perPage=1&orderBy=-id")).data;
        const { id } = await api("POST", "collection/ticket", { subject: "For a relation" });
        await page.goto(`c/ticket/${id}`);
        await page.getByRole("form").waitFor();
        const field = page.locator('[data-field="company"]').getByRole("combobox");
        const found = async () => {
            await page.getByRole("listbox").waitFor();
            await eventually(async () => (await page.getByRole("listbox").getAttribute("aria-busy")) !== "true");
        };
        await field.focus();
        await by.type(company.name);
        // At once: Enter waits for the hits of what was typed.
        await by.press("Enter");
        await eventually(
            async () => (await field.inputValue()) === company.name && (await page.getByRole("listbox").count()) === 0,
        );
        await page.keyboard.press("Control+S");
        await eventually(async () => (await api("GET", `collection/ticket/${id}`)).company === company.id);
        assert.ok(by.count <= 2);

        by.count = 0;
        await page.keyboard.press("Control+A");
        await by.type("Never seen before");
        await page.getByRole("option", { name: /Create “Never seen before”/ }).waitFor();
        await found();
        if ((await page.getByRole("option").count()) > 1) await by.press("ArrowUp");
        await by.press("Enter");
        const dialog = page.getByRole("dialog", { name: /Create/ });
        await eventually(() => page.evaluate(() => document.activeElement?.closest("dialog [data-field]") !== null));
        await by.type("never-seen.example");
        await by.press("Control+Enter");
        await dialog.waitFor({ state: "detached" });
        await eventually(async () => (await field.inputValue()) === "Never seen before");
        assert.ok(by.count <= 4, `${by.count} keys`);
    });

    test("6: filter by the value under the cursor: 2 keys; by any property: 5", async () => {
        await list();
        const value = (await api("POST", "collection/ticket/search", { orderBy: ["-id"], perPage: 1 })).data[0]
            .priority;
        for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowRight");
        await by.press("f");
        await page.getByRole("menu").waitFor();
        await by.press("Enter");
        await gridReady(page, await total([{ property: "priority", type: "eq", param: value }]));
        assert.ok(by.count <= 2);

        await list();
        by.count = 0;
        await by.press("Shift+F");
        await page.getByRole("dialog").getByRole("listbox").waitFor();
        await by.type("Minutes");
        await by.press("Enter");
        await page.getByRole("combobox", { name: "Operator" }).waitFor();
        const at = () =>
            page.evaluate(
                () =>
                    document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.getAttribute("role"),
            );
        await eventually(async () => (await at()) === "Operator", "the operator does not take the focus");
        // Letters choose in a list of the browser.
        await by.type("is at least");
        await by.press("Enter");
        await eventually(async () => (await at()) === "Value", "the value does not take the focus");
        await by.type("60");
        await by.press("Enter");
        await gridReady(page, await total([{ property: "minutes", type: "gte", param: 60 }]));
        assert.ok(by.count <= 5, `${by.count} keys`);
    });

    test("7: change all that a filter finds: 6 clicks", async () => {
        const filters = [
            { property: "priority", type: "eq", param: "low" },
            { property: "channel", type: "eq", param: "phone" },
        ];
        const found = await total(filters);
        assert.ok(found > 100);
        await list(`c/ticket?f=${encodeURIComponent(JSON.stringify(filters))}`);
        const mouse = hands(page);
        await mouse.click(page.getByRole("checkbox", { name: "Select all matching rows" }));
        await mouse.click(page.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Bulk edit" }));
        const dialog = page.getByRole("dialog");
        await mouse.click(dialog.getByRole("option", { name: "Channel" }));
        await mouse.click(dialog.locator("label").filter({ hasText: "Mail" }));
        await mouse.click(dialog.getByRole("button", { name: "Preview changes" }));
        await dialog.getByText(`${found} would change`).waitFor();
        await mouse.click(dialog.getByRole("button", { name: `Change ${found} rows` }));
        await dialog.waitFor({ state: "detached" });
        assert.equal(await total(filters), 0);
        assert.ok(mouse.count <= 6, `${mouse.count} clicks`);
    });
});
