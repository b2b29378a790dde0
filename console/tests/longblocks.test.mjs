// Blocks of cells with more rows than are loaded: emptied, copied, pasted and summed whole, or refused.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { eventually, launch, nothingNoted, person, signIn } from "./support/browser.mjs";
import { cellAt, grid, gridReady, scrollTo } from "./support/grid.mjs";
import { client, demo } from "./support/server.mjs";

const ALL = 5_000;
const SUBJECT = 1;
const EMAIL = 2;
const HOURS = 3;
const COMPANY = 4;
const READS = /ext\/v1\/collection\/ticket(\/search)?(\?|$)/;

describe("blocks with rows that are not loaded", () => {
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
        await page.goto("c/ticket?cols=number,subject,email,hours,company&s=-id");
        await gridReady(page, ALL);
        await grid(page).focus();
    });
    afterEach(async () => {
        nothingNoted(visit.noted);
        await visit.context.close();
    });

    const told = (words) => page.getByRole("region", { name: "Notifications" }).getByText(words).waitFor();
    const put = (words) => page.evaluate((text) => navigator.clipboard.writeText(text), words);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

    /** Rows of the list by their places, as the server has them. */
    async function rowsOf(count) {
        const rows = [];
        for (let number = 1; rows.length < count; number += 1) {
            const body = { orderBy: ["-id"], perPage: 500, page: number };
            const showFields = ["id", "subject", "email", "company"];
            rows.push(...(await api("POST", "collection/ticket/search", { ...body, showFields })).data);
        }
        return rows.slice(0, count);
    }

    /** Tickets that have an e-mail address. */
    async function withEmail() {
        const filters = [{ property: "email", type: "isNotEmpty" }];
        return (await api("POST", "collection/ticket/search", { filters, perPage: 1 })).stats.total;
    }

    /** Marks from the first row to one far below, without the rows between; returns the number of rows. */
    async function markFar(column, share) {
        await page.keyboard.press("Control+Home");
        // Beside the text, which may be a link.
        const position = { x: 240, y: 6 };
        await cellAt(page, 0, column).click({ position });
        await scrollTo(page, share);
        const far = Math.round(ALL * share) + 5;
        await cellAt(page, far, column).click({ position, modifiers: ["Shift"] });
        return far + 1;
    }

    async function markAll(column) {
        await page.keyboard.press("Control+Home");
        for (let step = 0; step < column; step += 1) await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Control+Shift+ArrowDown");
    }

    test("Delete empties each row of the block, loaded or not; more rows than a batch holds stay whole", async () => {
        const before = await withEmail();
        await markAll(EMAIL);
        await page.keyboard.press("Delete");
        await told("At most 1,000 rows can be changed at once.");
        assert.equal(await withEmail(), before);

        const rows = await markFar(EMAIL, 0.14);
        const filled = (await rowsOf(rows)).filter((row) => row.email !== null).length;
        assert.ok(rows > 600 && filled > 300, `${rows} rows, ${filled} addresses`);
        await page.keyboard.press("Delete");
        await told(`${filled} values changed`);
        assert.equal(await withEmail(), before - filled);
        assert.ok((await rowsOf(rows)).every((row) => row.email === null));
        await page.keyboard.press("Control+z");
        await eventually(async () => (await withEmail()) === before, "the addresses are not back");
    });

    test("Ctrl+Z beside a Delete that reads its rows takes this Delete back", async () => {
        const before = await withEmail();
        const first = await cellAt(page, 0, SUBJECT).textContent();
        await put("An edit from before");
        await cellAt(page, 0, SUBJECT).click();
        await page.keyboard.press("Control+v");
        await eventually(async () => (await rowsOf(1))[0].subject === "An edit from before");

        await markFar(EMAIL, 0.14);
        await page.route(READS, async (route) => {
            await new Promise((resolve) => setTimeout(resolve, 500));
            // The list may ask again as the test ends.
            await route.continue().catch(() => undefined);
        });
        await page.keyboard.press("Delete");
        await page.keyboard.press("Control+z");
        await told(/values changed/);
        await eventually(async () => (await withEmail()) === before, "the addresses are not back");
        assert.equal((await rowsOf(1))[0].subject, "An edit from before");
        await page.unroute(READS);
        await page.keyboard.press("Control+z");
        await eventually(async () => (await rowsOf(1))[0].subject === first);
    });

    test("a copy has each row of the block, and tells how many they are", async () => {
        await markAll(SUBJECT);
        await page.keyboard.press("Control+c");
        await told("5,000 cells copied (5,000 rows)");
        const lines = (await clipboard()).trimEnd().split(/\r?\n/);
        assert.equal(lines.length, ALL);
        const rows = await rowsOf(ALL);
        for (const at of [0, 99, 300, 2_500, 4_999]) assert.equal(lines[at], rows[at].subject);
    });

    test("a copy that the browser keeps from its clipboard is ready for the second key", async () => {
        await page.evaluate(() => {
            navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
        });
        await markAll(SUBJECT);
        await page.keyboard.press("Control+c");
        await told("All rows are loaded now. Press Ctrl+C again to copy them.");
        await page.keyboard.press("Control+c");
        await told("5,000 cells copied (5,000 rows)");
        assert.equal((await clipboard()).trimEnd().split(/\r?\n/).length, ALL);
    });

    test("a paste longer than what is loaded is written whole; one that is too long is refused", async () => {
        const before = await rowsOf(700);
        await put(before.map((_, at) => `Pasted ${at}`).join("\n"));
        await cellAt(page, 0, SUBJECT).click();
        await page.keyboard.press("Control+v");
        await told("700 values changed");
        assert.ok((await rowsOf(700)).every((row, at) => row.subject === `Pasted ${at}`));
        await page.keyboard.press("Control+z");
        await eventually(async () => (await rowsOf(700)).every((row, at) => row.subject === before[at].subject));

        await put(Array.from({ length: 1_001 }, (_, at) => `Too many ${at}`).join("\n"));
        await cellAt(page, 0, SUBJECT).click();
        await page.keyboard.press("Control+v");
        await told("At most 1,000 rows can be changed at once.");
        assert.equal((await rowsOf(1))[0].subject, before[0].subject);
    });

    test("one value goes to each row of a block, loaded or not", async () => {
        const rows = await markFar(SUBJECT, 0.14);
        const before = await rowsOf(rows);
        await put("The same for all");
        await page.keyboard.press("Control+v");
        await told(`${rows} values changed`);
        assert.ok((await rowsOf(rows)).every((row) => row.subject === "The same for all"));
        await page.keyboard.press("Control+z");
        await eventually(async () => (await rowsOf(rows)).every((row, at) => row.subject === before[at].subject));
    });

    test("sums are of all rows of the block", async () => {
        const { data } = await api("POST", "aggregate/ticket", {
            values: { sum: { function: "sum", property: "hours" } },
        });
        await markAll(HOURS);
        const sum = Number(data[0].sum).toLocaleString("en");
        await page.getByRole("region", { name: "Selection" }).getByText(`Sum ${sum}`).waitFor();
        assert.equal(await page.getByText(/of 5,000 rows only/).count(), 0);
    });

    test("names of records: more than a page of them are found; one that several have is refused", async () => {
        const make = (name, at) => ({ op: "create", type: "company", set: { domain: `c${at}.example`, name } });
        const names = Array.from({ length: 600 }, (_, at) => `Company of row ${at}`);
        await api("POST", "batch", { operations: [...names, "Twin", "Twin"].map(make) });
        const before = await rowsOf(600);
        await put(names.join("\n"));
        await cellAt(page, 0, COMPANY).click();
        await page.keyboard.press("Control+v");
        await told("600 values changed");
        assert.equal(new Set((await rowsOf(600)).map((row) => row.company)).size, 600);
        await page.keyboard.press("Control+z");
        await eventually(async () => (await rowsOf(600)).every((row, at) => row.company === before[at].company));

        await put("Twin\nCompany of row 1");
        await cellAt(page, 0, COMPANY).click();
        await page.keyboard.press("Control+v");
        await told("Nothing was pasted. See the marked cells.");
        await cellAt(page, 0, COMPANY).click();
        await page.getByText("Several records have the title “Twin”. Use the code, the id or the uuid.").waitFor();
        assert.equal((await rowsOf(2))[1].company, before[1].company);
        await put("c600.example");
        await page.keyboard.press("Control+v");
        await eventually(async () => (await rowsOf(1))[0].company !== before[0].company, "the code finds no company");
    });
});

test("a block of more than 10,000 rows: its sums and its copy tell that they are of the first ones", async () => {
    const [server, browser] = await Promise.all([demo("world"), launch()]);
    try {
        const first = await person(browser, server);
        const state = await signIn(first.page, server);
        const { page, noted } = await person(browser, server, { state });
        await page.goto("c/city?cols=name,population");
        await gridReady(page);
        await grid(page).focus();
        await page.keyboard.press("Control+Home");
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Control+Shift+ArrowDown");
        const foot = page.getByRole("region", { name: "Selection" });
        await foot.getByText(/^\(10,000 of 34,\d{3} rows only\)$/).waitFor();
        await page.keyboard.press("Control+c");
        const told = page.getByRole("region", { name: "Notifications" });
        await told.getByText(/^10,000 cells copied: the first 10,000 of 34,\d{3} rows\. Export/).waitFor();
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        assert.equal(copied.trimEnd().split(/\r?\n/).length, 10_000);
        nothingNoted(noted);
    } finally {
        await browser.close();
        await server.stop();
    }
});
