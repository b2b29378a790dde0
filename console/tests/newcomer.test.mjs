// Stumbling blocks of a newcomer: words, check boxes, orders of choices, operators, messages at their places.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sideways, violations } from "./support/axe.mjs";
import { eventually, launch, nothingNoted, person, signIn } from "./support/browser.mjs";
import { cellAt, gridReady, rowAt } from "./support/grid.mjs";
import { chooseFile } from "./support/imports.mjs";
import { client, demo } from "./support/server.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const themes = [{ colorScheme: "light" }, { colorScheme: "dark" }, { colorScheme: "dark", contrast: "more" }];

describe("a newcomer", () => {
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
    }

    /** The contrast of a row's check box with the row, and its border. */
    const boxOf = (row) =>
        row.evaluate((element) => {
            const light = (color) => {
                const parts = color
                    .match(/[\d.]+/g)
                    .slice(0, 3)
                    .map((part) => Number(part) / 255);
                const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const { visibility, borderTopColor } = getComputedStyle(element.querySelector(".head-cell"), "::before");
            const [one, other] = [light(borderTopColor), light(getComputedStyle(element).backgroundColor)];
            const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
            return { visibility, border: borderTopColor, contrast };
        });

    test("sees the check boxes of rows in all themes, and stronger ones where rows are selected", async () => {
        for (const theme of themes) {
            await begin(theme);
            await page.goto("c/ticket");
            await gridReady(page);
            await page.mouse.move(2, 2);
            const rest = await boxOf(rowAt(page, 2));
            assert.equal(rest.visibility, "visible");
            assert.ok(rest.contrast >= 3, `${JSON.stringify(theme)}: ${rest.contrast}`);
            await rowAt(page, 0)
                .locator(".head-cell")
                .click({ position: { x: 14, y: 16 } });
            await page.mouse.move(2, 2);
            await page.getByText("1 row selected").waitFor();
            const strong = await boxOf(rowAt(page, 2));
            assert.ok(strong.contrast > rest.contrast || theme.contrast === "more", JSON.stringify({ rest, strong }));
        }
    });

    test("sees the value that was added to a filter: its list closes, and opens again for more", async () => {
        const filters = JSON.stringify([{ property: "status", type: "in", param: ["open"] }]);
        await page.goto(`c/ticket?cols=number,subject&f=${encodeURIComponent(filters)}`);
        await gridReady(page);
        await page.getByRole("button", { name: "Filters", exact: true }).click();
        const dialog = page.getByRole("dialog", { name: "Filters" });
        const value = dialog.getByRole("combobox", { name: "Value" });
        // Filters that are there are shown as they are: no empty one is begun, whose list would cover them.
        await value.waitFor();
        assert.equal(await dialog.getByRole("button", { name: "Remove filter" }).count(), 1);
        for (const name of ["Solved", "Closed"]) {
            await value.click();
            await dialog.getByRole("option", { name }).click();
            await dialog.getByRole("listbox").waitFor({ state: "detached" });
            const chip = dialog.locator(".member").filter({ hasText: name });
            // Nothing lies on it.
            await chip.click({ trial: true, position: { x: 4, y: 4 } });
            assert.equal(await value.evaluate((field) => field === document.activeElement), true);
        }
        assert.deepEqual(await violations(page), []);
        await page.keyboard.press("ArrowDown");
        await dialog.getByRole("listbox").getByRole("option").first().waitFor();
    });

    test("has no empty foot at the first step of an import", async () => {
        await page.goto("c/company");
        await gridReady(page);
        await page.getByRole("toolbar").getByRole("button", { name: "More" }).click();
        await page.getByRole("menuitem", { name: /^Import/ }).click();
        const dialog = page.getByRole("dialog");
        await dialog.locator("button", { hasText: "Choose a file" }).waitFor();
        assert.equal(await dialog.locator("footer").isVisible(), false);
    });

    test("finds the search of a list by its word, and by /", async () => {
        await page.goto("c/ticket");
        await gridReady(page);
        const field = page.getByPlaceholder("Search this list");
        await page.keyboard.press("/");
        await eventually(() => field.evaluate((one) => document.activeElement === one));
        await begin({ language: "cs" });
        await page.goto("c/ticket");
        await page.getByPlaceholder("Hledat v seznamu").waitFor();
    });

    test("is offered one operator for what is empty, and two where empty is not null", async () => {
        await page.goto("c/ticket");
        await gridReady(page);
        const operators = async (property) => {
            await page.keyboard.press("Shift+F");
            const dialog = page.getByRole("dialog");
            await dialog.getByRole("option", { name: property, exact: true }).click();
            const list = await dialog.getByRole("combobox", { name: "Operator" }).locator("option").allTextContents();
            await page.keyboard.press("Escape");
            await dialog.waitFor({ state: "detached" });
            return list.filter((name) => /empty|value|null/.test(name));
        };
        assert.deepEqual(await operators("Company"), ["is empty", "is not empty"]);
        assert.deepEqual(
            (await operators("Subject")).sort(),
            ["is empty", "is not empty", "is not set (null)", "is set (not null)"].sort(),
        );
        const filters = [{ property: "company", type: "isNull" }];
        await page.goto(`c/ticket?f=${encodeURIComponent(JSON.stringify(filters))}`);
        await page
            .getByRole("button", { name: /Company is empty/ })
            .first()
            .waitFor();
    });

    test("finds the button of the filters in its place, however many values are chosen", async () => {
        for (const options of [{}, PHONE]) {
            await begin(options);
            const filters = [{ property: "subject", type: "in", param: ["first"] }];
            await page.goto(`c/ticket?f=${encodeURIComponent(JSON.stringify(filters))}`);
            await page.getByRole("button", { name: /^Subject/ }).waitFor();
            await page.getByRole("button", { name: /^Subject/ }).click();
            const dialog = page.getByRole("dialog", { name: "Filters" });
            const apply = dialog.getByRole("button", { name: "Apply" });
            const value = dialog.getByRole("textbox", { name: "Value" });
            await value.waitFor();
            await dialog.evaluate((one) => Promise.all(one.getAnimations().map(({ finished }) => finished)));
            const before = await apply.boundingBox();
            for (let at = 0; at < 24; at += 1) {
                await value.fill(`a value of some words ${at}`);
                await value.press("Enter");
            }
            await dialog.getByText("a value of some words 23").waitFor();
            assert.deepEqual(await apply.boundingBox(), before);
            assert.deepEqual(await sideways(page), []);
            await apply.click();
            await dialog.waitFor({ state: "detached" });
        }
    });

    test("chooses records in the order of their titles", async () => {
        const { data } = await api("POST", "collection/company/search", { orderBy: ["name"], perPage: 8 });
        const wanted = data.map(({ name }) => name);
        const [ticket] = (await api("GET", "collection/ticket?perPage=1")).data;
        await page.goto(`c/ticket/${ticket.id}`);
        await page.getByRole("form").waitFor();
        await page.locator('[data-field="company"]').getByRole("combobox").click();
        await eventually(async () => {
            const shown = await page.getByRole("option").locator(".title").allTextContents();
            assert.deepEqual(shown.slice(0, 8), wanted);
            return true;
        });
    });

    test("is told no number of results before anything is typed", async () => {
        await page.goto("");
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.keyboard.press("Control+K");
        await page.getByRole("dialog").getByRole("option").first().waitFor();
        assert.equal(await page.getByText(/\d results?/).count(), 0);
        await page.keyboard.type("ticket");
        await page.getByText(/\d results?/).waitFor();
    });

    test("reads what is wrong with the title of a view below it", async () => {
        await page.route("**/api/ext/v1/view", (route) =>
            route.request().method() !== "POST"
                ? route.continue()
                : route.fulfill({
                      status: 400,
                      contentType: "application/problem+json",
                      body: JSON.stringify({
                          status: 400,
                          code: "invalid",
                          detail: "title is wrong.",
                          errors: [{ property: "title", code: "text_invalid", message: "The title is wrong." }],
                      }),
                  }),
        );
        await page.goto("c/ticket?s=-id");
        await gridReady(page);
        await page.getByRole("button", { name: "Views", exact: true }).click();
        await page.getByRole("menuitem", { name: /Save as view/ }).click();
        const dialog = page.getByRole("dialog", { name: /Save as view/ });
        const field = dialog.getByRole("textbox").first();
        await field.fill("A title");
        await dialog.getByRole("button", { name: "Save" }).click();
        await dialog.getByText("The title is wrong.").waitFor();
        assert.equal(await field.getAttribute("aria-invalid"), "true");
        const [error, first] = [
            await dialog.getByText("The title is wrong.").boundingBox(),
            await dialog.getByRole("radio").first().boundingBox(),
        ];
        assert.ok(error.y < first.y, "the error stands below the choice of sharing");
        await field.fill("Another title");
        await dialog.getByText("The title is wrong.").waitFor({ state: "detached" });
    });

    test("reads titles in the table of a board, and not ids and values", async () => {
        const [company] = (await api("POST", "collection/company/search", { orderBy: ["name"], perPage: 1 })).data;
        await page.route("**/api/ext/v1/canvas/board*", (route) =>
            route.fulfill({
                json: {
                    canvas: "board",
                    title: "The helpdesk",
                    items: [
                        {
                            kind: "table",
                            title: "By company",
                            query: "board",
                            params: {},
                            columns: ["company", "status", "Tickets"],
                            rows: [[company.id, "waiting", 3]],
                            total: 1,
                        },
                    ],
                },
            }),
        );
        await page.goto("board/board");
        const table = page.getByRole("region", { name: "By company" });
        await table.getByRole("link", { name: company.name }).waitFor();
        assert.deepEqual(await table.getByRole("columnheader").allTextContents(), ["Company", "Status", "Tickets"]);
        assert.deepEqual(
            (await table.getByRole("cell").allTextContents()).map((one) => one.trim()),
            [company.name, "Waiting for an answer", "3"],
        );
    });

    test("maps the columns of an import on a phone without scrolling sideways", async () => {
        await begin(PHONE);
        await page.goto("c/company");
        await page.getByRole("toolbar").waitFor();
        const dialog = await chooseFile(
            page,
            "companies.csv",
            `Domain,Name,Plan,A column with a very long name that is not cut\none.example,One,gold,${"word ".repeat(40)}\n`,
        );
        const wide = await dialog.evaluate((box) =>
            [...box.querySelectorAll("*")]
                .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === "auto")
                .map((one) => one.className),
        );
        assert.deepEqual(wide, []);
        const name = await dialog.getByRole("rowheader", { name: "Domain" }).boundingBox();
        const choice = await dialog.getByRole("combobox", { name: "Field: Domain" }).boundingBox();
        assert.ok(choice.y >= name.y + name.height, "the property does not stand below its column");
        assert.deepEqual(await sideways(page), []);
        assert.deepEqual(await violations(page), []);
        const button = await dialog.getByRole("button", { name: "Check the file" }).boundingBox();
        assert.ok(button.y + button.height <= 844 && button.y > 700, "the button is not at the foot");
        await dialog.getByRole("button", { name: "Check the file" }).tap();
        await dialog.getByText("1 row to create").waitFor();
        assert.deepEqual(await sideways(page), []);
    });

    test("is told how a cell is edited until the first edit, and that its value is saved", async () => {
        const hint = page.getByText("To edit a cell, double-click it or press Enter.");
        await page.goto("c/ticket?cols=number,subject,status");
        await gridReady(page);
        assert.equal(await hint.count(), 0);
        await cellAt(page, 1, 1).click();
        await hint.waitFor();
        assert.deepEqual(await violations(page), []);
        await page.keyboard.press("?");
        await page.getByRole("dialog").getByText("Edit the cell, as a double-click does").waitFor();
        await page.keyboard.press("Escape");
        const cell = cellAt(page, 1, 1);
        await cell.dblclick();
        await page.locator(".cell-editor input").fill("A subject of mine");
        await page.keyboard.press("Enter");
        await eventually(async () => /saved/.test(await cell.getAttribute("class")));
        assert.match(await cell.evaluate((one) => getComputedStyle(one, "::after").content), /✓/);
        await page.getByRole("status").getByText("Saved.", { exact: true }).waitFor({ state: "attached" });
        await eventually(async () => !/saved/.test(await cell.getAttribute("class")));
        assert.equal((await cell.textContent()).trim(), "A subject of mine");
        await hint.waitFor({ state: "detached" });
        // It has been told for good.
        await eventually(async () => (await api("GET", "setting/console")).hinted === true);
        await page.reload();
        await gridReady(page);
        await cellAt(page, 1, 1).click();
        await page.waitForTimeout(300);
        assert.equal(await hint.count(), 0);
    });

    test("sees the check box of the head above those of rows, and the whole editor of the first row", async () => {
        await page.goto("c/ticket?cols=number,subject,status");
        await gridReady(page);
        const lefts = await page.evaluate(() => {
            const cell = document.querySelector(".grid .row .head-cell");
            const box = document.querySelector(".grid-head input").getBoundingClientRect();
            const { paddingLeft } = getComputedStyle(cell);
            const { width } = getComputedStyle(cell, "::before");
            return [
                box.left,
                box.width,
                cell.getBoundingClientRect().left + parseFloat(paddingLeft),
                parseFloat(width),
            ];
        });
        assert.deepEqual(lefts.slice(0, 2), lefts.slice(2));
        await cellAt(page, 0, 1).dblclick();
        await page.locator(".cell-editor input").waitFor();
        const seen = await page.evaluate(() => {
            const editor = document.querySelector(".cell-editor");
            const { outlineOffset, outlineWidth } = getComputedStyle(editor);
            const head = document.querySelector(".grid-head").getBoundingClientRect();
            return (
                editor.getBoundingClientRect().top - parseFloat(outlineOffset) - parseFloat(outlineWidth) >= head.bottom
            );
        });
        assert.equal(seen, true);
    });

    test("empties the search of a list by one cross, and its tools have letters of one size", async () => {
        await page.goto("c/ticket");
        await gridReady(page);
        const sizes = await page
            .locator("header.tools")
            .locator("button, input, .total")
            .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).fontSize))]);
        assert.equal(sizes.length, 1, sizes.join());
        const field = page.getByRole("searchbox", { name: "Search in Ticket" });
        await field.fill("printer");
        await page.waitForURL(/q=printer/);
        await page.getByRole("button", { name: "Clear", exact: true }).click();
        await eventually(async () => !/q=/.test(page.url()));
        assert.equal(await field.evaluate((one) => document.activeElement === one && one.value === ""), true);
    });

    test("adds the first value of a filter without moving a field or a button", async () => {
        for (const options of [{}, PHONE]) {
            await begin(options);
            const filters = [{ property: "status", type: "in", param: [] }];
            await page.goto(`c/ticket?f=${encodeURIComponent(JSON.stringify(filters))}`);
            await page.getByRole("button", { name: "Filters", exact: true }).first().click();
            const dialog = page.getByRole("dialog", { name: "Filters" });
            const value = dialog.getByRole("combobox", { name: "Value" });
            const add = dialog.getByRole("button", { name: "Add filter" });
            await value.waitFor();
            const places = async () => [(await value.boundingBox()).y, (await add.boundingBox()).y];
            const before = await places();
            await value.click();
            await dialog.getByRole("option", { name: "Open" }).click();
            await dialog.locator(".member").waitFor();
            assert.deepEqual(await places(), before);
        }
    });

    test("reads what a value is calculated from in words, and the expression on demand", async () => {
        const [{ id }] = (await api("POST", "collection/ticket/search", { perPage: 1 })).data;
        await page.goto(`c/ticket/${id}`);
        const hours = page.locator("[data-field=hours]");
        const words = hours.getByText("Calculated from Priority", { exact: true });
        await words.waitFor();
        const code = hours.locator("code");
        assert.equal(await code.isVisible(), false);
        await page.locator("[data-field=due]").getByText("Calculated from Opened, Hours to solve it").waitFor();
        assert.deepEqual(await violations(page), []);
        await words.click();
        await code.waitFor();
        assert.match(await code.textContent(), /^\{=priority ==/);
    });
});
