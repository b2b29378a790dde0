// The tree of tags: made, moved by keys and by drag, ordered, renamed and deleted; a refused change is put back.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually, launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { client, demo } from "./support/server.mjs";

describe("tags", () => {
    let server, browser, api, state;

    before(async () => {
        [server, browser] = await Promise.all([demo("helpdesk"), launch()]);
        api = client(server);
        const first = await person(browser, server);
        state = await signIn(first.page, server);
        await first.context.close();
        for (const name of ["One", "Two", "Three"]) await api("POST", "collection/tags", { name });
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });

    /** Rows as the tree tells them: the level and the name. */
    const rows = (page) =>
        page
            .getByRole("treeitem")
            .evaluateAll((items) =>
                items.map((item) => `${item.getAttribute("aria-level")} ${item.querySelector(".name").textContent}`),
            );
    const shows = (page, expected) =>
        eventually(
            async () => {
                assert.deepEqual(await rows(page), expected);
                return true;
            },
            `the tree is not ${expected.join(", ")}`,
        );
    const item = (page, name) => page.getByRole("treeitem", { name: new RegExp(`^${name}`) });

    /** Types a name once the dialog has given the focus to its field. */
    async function fill(page, name) {
        const field = page.getByRole("dialog").getByLabel("Name");
        await field.and(page.locator(":focus")).waitFor();
        await field.fill(name);
    }

    test("by keys: order, level, rename, delete", async () => {
        const { context, page, noted } = await person(browser, server, { state });
        await page.goto("tags");
        await settled(page);
        await shows(page, ["1 One", "1 Three", "1 Two"]);
        await item(page, "Two").focus();
        await page.keyboard.press("Alt+ArrowUp");
        await shows(page, ["1 One", "1 Two", "1 Three"]);
        await settled(page);
        await page.keyboard.press("Alt+ArrowRight");
        await shows(page, ["1 One", "2 Two", "1 Three"]);
        await settled(page);
        await page.keyboard.press("ArrowLeft");
        await eventually(() => item(page, "One").evaluate((row) => row === document.activeElement));
        await page.keyboard.press("ArrowLeft");
        await shows(page, ["1 One", "1 Three"]);
        await page.keyboard.press("ArrowRight");
        await shows(page, ["1 One", "2 Two", "1 Three"]);

        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog");
        await fill(page, "Second");
        await page.keyboard.press("Enter");
        await shows(page, ["1 One", "2 Second", "1 Three"]);

        await item(page, "One").focus();
        await page.keyboard.press("Delete");
        await dialog.getByText(/under/).waitFor();
        await dialog.getByRole("button", { name: "Delete" }).click();
        await shows(page, ["1 Three"]);
        const { data } = await api("GET", "collection/tags");
        assert.deepEqual(
            data.map((tag) => tag.name),
            ["Three"],
        );
        nothingNoted(noted);
        await context.close();
    });

    test("by mouse: a new one, and dragging it below another; a refused move is put back", async () => {
        const { context, page, noted } = await person(browser, server, { state });
        await page.goto("tags");
        await settled(page);
        await page.getByRole("button", { name: "New tag" }).click();
        await fill(page, "Four");
        await page.keyboard.press("Enter");
        await shows(page, ["1 Four", "1 Three"]);
        await settled(page);
        await item(page, "Four").dragTo(item(page, "Three"));
        await shows(page, ["1 Three", "2 Four"]);
        await settled(page);

        await page.route(/collection\/tags\//, (route) =>
            route.fulfill({ status: 409, json: { status: 409, code: "conflict", detail: "It stays there." } }),
        );
        await item(page, "Four").focus();
        await page.keyboard.press("Alt+ArrowLeft");
        await page.getByText("It stays there.").first().waitFor();
        await shows(page, ["1 Three", "2 Four"]);
        nothingNoted(noted);
        await context.close();
    });
});
