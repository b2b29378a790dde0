// A phone: the order of cards in words, cards that are selected; and messages that cover no buttons, on wide screens, too.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sideways } from "./support/axe.mjs";
import { eventually, launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { cellAt, grid, gridReady } from "./support/grid.mjs";
import { client, demo } from "./support/server.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const LIST = "c/ticket?cols=number,subject,status,priority";

describe("phones, and messages over feet", () => {
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
        visit = await person(browser, server, { state, ...PHONE });
        page = visit.page;
    });
    afterEach(async () => {
        nothingNoted(visit.noted);
        await visit.context.close();
    });

    const card = (index) => page.locator(`.card:not(.waiting)[aria-posinset="${index + 1}"]`);
    const selection = (words) => page.getByRole("region", { name: "Selection" }).getByText(words);
    const messages = () => page.getByRole("region", { name: "Notifications" });

    /** Changes the selected rows by the dialog, so that a message with Undo is shown. */
    async function changeSelected(channel) {
        await page.getByRole("button", { name: "Bulk edit" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("combobox").first().fill("Channel");
        await dialog.getByRole("option", { name: "Channel" }).click();
        await dialog.getByRole("radio", { name: channel }).check();
        await dialog.getByRole("button", { name: "Preview changes" }).click();
        await dialog.getByRole("button", { name: /^Change \d rows?$/ }).click();
        await dialog.waitFor({ state: "detached" });
        await messages().getByRole("button", { name: "Undo" }).waitFor();
    }

    /** The buttons of the screen, or of the dialog over it, that a message lies on. */
    const covered = () =>
        page.evaluate(() => {
            const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
            const layer = document.querySelector(".toasts");
            const boxes = [...layer.querySelectorAll(".toast")].map((toast) => toast.getBoundingClientRect());
            if (boxes.length === 0) return ["no message is there"];
            return [...root.querySelectorAll("footer button, .bottom > *, .bar button, .button.primary")]
                .filter((button) => {
                    const one = button.getBoundingClientRect();
                    return boxes.some(
                        (box) =>
                            one.left < box.right &&
                            one.right > box.left &&
                            one.top < box.bottom &&
                            one.bottom > box.top,
                    );
                })
                .map((button) => button.textContent || button.getAttribute("aria-label"));
        });
    const coversNothing = (where) =>
        eventually(async () => {
            assert.deepEqual(await covered(), []);
            return true;
        }, `a message covers buttons ${where}`);

    test("the order is told above the cards, and changed there", async () => {
        await page.goto(`${LIST}&s=-priority`);
        await card(0).waitFor();
        await page.getByRole("button", { name: "Sort: Priority, descending", exact: true }).tap();
        await page.getByRole("menuitemradio", { name: "Subject ↓ descending" }).tap();
        const order = page.getByRole("button", { name: "Sort: Subject, descending", exact: true });
        await order.waitFor();
        assert.equal((await order.textContent()).trim(), "Sort: Subject, descending");
        assert.match(page.url(), /s=-subject/);
        const [first] = (await api("POST", "collection/ticket/search", { orderBy: ["-subject"], perPage: 1 })).data;
        await card(0).getByText(first.subject, { exact: true }).waitFor();
        // Of several keys, the first is seen, and all are heard.
        await page.goto(`${LIST}&s=-priority,subject`);
        const several = page.getByRole("button", {
            name: "Sort: Priority, descending; Subject, ascending",
            exact: true,
        });
        assert.equal((await several.textContent()).trim(), "Sort: Priority, descending +1");
        assert.deepEqual(await sideways(page), []);
    });

    test("cards are selected by taps after Select, and by a long press", async () => {
        await page.goto(LIST);
        await card(2).waitFor();
        await page.getByRole("button", { name: "Select", exact: true }).tap();
        await page.getByRole("checkbox").first().waitFor();
        await card(0).tap();
        await card(2).tap();
        await selection("2 rows selected").waitFor();
        assert.equal(await page.getByRole("checkbox", { checked: true }).count(), 2);
        await card(0).tap();
        await selection("1 row selected").waitFor();
        assert.match(page.url(), /\/c\/ticket\?/);
        await page.getByRole("button", { name: "Done" }).tap();
        await selection("1 row selected").waitFor({ state: "detached" });
        assert.equal(await page.getByRole("checkbox").count(), 0);

        const { x, y } = await card(1).boundingBox();
        const session = await visit.context.newCDPSession(page);
        const touchPoints = [{ x: x + 150, y: y + 20 }];
        await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
        await selection("1 row selected").waitFor();
        await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
        // A click in the moment after it would be that of the long press.
        await page.waitForTimeout(100);
        await card(2).tap();
        await selection("2 rows selected").waitFor();
        assert.match(page.url(), /\/c\/ticket\?/);
        await page.getByRole("button", { name: "Clear selection" }).tap();
        await card(2).tap();
        await page.waitForURL(/\/c\/ticket\/\d+/);
    });

    test("messages cover no buttons of a phone: the foot, the selection, Save and the sheet of a dialog", async () => {
        await page.goto(LIST);
        await card(2).waitFor();
        await page.getByRole("button", { name: "Select", exact: true }).tap();
        await card(0).tap();
        await changeSelected("Phone");
        await coversNothing("of the list");
        await page.getByRole("button", { name: "Select", exact: true }).tap();
        await card(1).tap();
        await selection("1 row selected").waitFor();
        await coversNothing("of the selection");
        await page.getByRole("button", { name: "Bulk edit" }).tap();
        await page.getByRole("dialog").getByRole("button", { name: "Preview changes" }).waitFor();
        await coversNothing("of the sheet");
        // The list of properties, then the dialog.
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Clear selection" }).tap();
        await card(1).tap();
        await page.waitForURL(/\/c\/ticket\/\d+/);
        await settled(page);
        await page.locator("[data-field=subject] input, [data-field=subject] textarea").fill("Another subject");
        await page.getByRole("button", { name: "Save" }).waitFor();
        await coversNothing("of the record");
    });

    test("a long message wraps on a phone, beside no buttons, and covers none", async () => {
        const subject = "A ticket about a printer that does not print ".repeat(5).trim().slice(0, 190);
        const { id } = await api("POST", "collection/ticket", { subject });
        await page.goto(LIST);
        await card(2).waitFor();
        await page.goto(`c/ticket/${id}`);
        await settled(page);
        await page.getByRole("main").getByRole("button", { name: "More" }).tap();
        await page.getByRole("menuitem", { name: "Delete" }).tap();
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).tap();
        const words = messages().getByText("was deleted");
        await words.waitFor();
        const [message, line] = [await messages().locator(".toast").boundingBox(), await words.boundingBox()];
        assert.ok(message.x >= 0 && message.x + message.width <= 390, JSON.stringify(message));
        assert.ok(line.height > 60, `the words have ${line.height} pixels: they are cut`);
        assert.ok(line.width > 250, `the words have ${line.width} pixels`);
        assert.ok(await words.evaluate((one) => one.scrollWidth <= one.clientWidth));
        await coversNothing("behind a long message");
    });

    test("messages cover no buttons of a wide screen: the selection, and Save beside the list", async () => {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(LIST);
        await gridReady(page);
        await grid(page).focus();
        await page.keyboard.press("Space");
        await changeSelected("Web");
        await grid(page).focus();
        await page.keyboard.press("Space");
        await selection("1 row selected").waitFor();
        await coversNothing("of the selection");
        await page.keyboard.press("Escape");
        await cellAt(page, 0, 1).locator("xpath=..").locator(".row-open").click();
        await page.waitForURL(/open=\d+/);
        const form = page.getByRole("form");
        await form.locator("[data-field=subject] input, [data-field=subject] textarea").fill("Yet another subject");
        await page.getByRole("button", { name: "Save" }).waitFor();
        await coversNothing("of the record");
    });

    test("one tap on its cross empties the search, and nothing covers the ring of its field", async () => {
        await page.goto("c/ticket?q=printer");
        const field = page.getByRole("searchbox", { name: "Search in Ticket" });
        await card(0).waitFor();
        const { width } = await field.boundingBox();
        await page.getByRole("button", { name: "Clear", exact: true }).tap();
        await eventually(async () => !/q=/.test(page.url()), "the search is still there");
        assert.equal(await field.inputValue(), "");
        assert.equal((await field.boundingBox()).width, width);
        await field.fill("printer");
        const { x, y, width: wide } = await field.boundingBox();
        const top = await page.evaluate(
            ([left, over]) => document.elementFromPoint(left, over)?.closest("button")?.textContent ?? "",
            [x + wide - 30, y + 1],
        );
        assert.equal(top.trim(), "");
        const layers = await page.evaluate(() =>
            [".words", ".buttons .primary"].map(
                (one) => Number(getComputedStyle(document.querySelector(`.tools ${one}`)).zIndex) || 0,
            ),
        );
        assert.ok(layers[0] > layers[1], layers.join());
        await page.getByRole("button", { name: "Clear", exact: true }).tap();
        await eventually(async () => !/q=/.test(page.url()), "the search is still there");
    });

    test("rows have three quarters of a phone, fields to choose from are on it, and a board has room below it", async () => {
        await page.goto("c/ticket");
        const list = page.getByRole("list", { name: "Ticket" });
        await list.waitFor();
        assert.ok((await list.boundingBox()).y < 844 / 4);
        await page.getByRole("searchbox").fill("printer");
        await page.waitForURL(/q=printer/);
        assert.deepEqual(await sideways(page), []);
        const filters = [{ property: "status", type: "in", param: ["open"] }];
        await page.goto(`c/ticket?f=${encodeURIComponent(JSON.stringify(filters))}`);
        await page.getByRole("button", { name: "Filters", exact: true }).first().click();
        const dialog = page.getByRole("dialog", { name: "Filters" });
        await dialog.getByRole("button", { name: "Add filter" }).click();
        const fields = dialog.getByRole("listbox");
        await fields.getByRole("option").first().waitFor();
        // Above its field, it leaves the head of the dialog in sight.
        const { y, height } = await page.locator(".popover").boundingBox();
        const heading = await dialog.getByRole("heading", { name: "Filters" }).boundingBox();
        assert.ok(y >= heading.y + heading.height && y + height <= 844, JSON.stringify({ y, height, heading }));
        await page.goto("board/board");
        await page.locator(".board .item").last().waitFor();
        const left = await page.evaluate(() => {
            const main = document.querySelector("main");
            main.scrollTop = main.scrollHeight;
            return (
                main.getBoundingClientRect().bottom - document.querySelector(".board").getBoundingClientRect().bottom
            );
        });
        assert.ok(left >= 12, String(left));
    });
});
