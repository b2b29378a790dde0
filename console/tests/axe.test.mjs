// Each screen without a violation that axe finds: light and dark, 1280 and 390 pixels, English and Czech.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { violations } from "./support/axe.mjs";
import { launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { grid, gridReady } from "./support/grid.mjs";
import { client, demo } from "./support/server.mjs";

/** Each theme, width and language is seen; with `ALL=1` in all eight combinations. */
const looks = [
    { theme: "light", width: 1280, language: "en" },
    { theme: "dark", width: 390, language: "cs" },
    ...(process.env["ALL"] === "1"
        ? [
              { theme: "dark", width: 1280, language: "en" },
              { theme: "light", width: 390, language: "en" },
              { theme: "light", width: 1280, language: "cs" },
              { theme: "dark", width: 390, language: "en" },
              { theme: "dark", width: 1280, language: "cs" },
              { theme: "light", width: 390, language: "cs" },
          ]
        : []),
];

describe("accessibility by axe", () => {
    let server, browser, api, state, ticket;

    before(async () => {
        [server, browser] = await Promise.all([demo("helpdesk"), launch()]);
        api = client(server);
        const first = await person(browser, server);
        state = await signIn(first.page, server);
        const answer = await first.context.request.get("api/ext/v1/session", {
            headers: { "Sec-Fetch-Site": "same-origin" },
        });
        const { user } = await answer.json();
        [ticket] = (await api("GET", "collection/ticket?perPage=1")).data;
        await api("POST", "notifications", {
            recipients: [{ userId: user.id }],
            title: "A word",
            body: "And more of them",
            target: { type: "ticket", item: ticket.id },
        });
        const tag = await api("POST", "collection/tags", { name: "VIP", color: "#cc3322" });
        await api("POST", "../../v1/app/tags.assign", {
            type: "ticket",
            item: ticket.id,
            operation: "add",
            tags: [tag.id],
        });
        await api("POST", "view", {
            type: "ticket",
            title: "Urgent ones",
            shared: "all",
            state: { filters: [{ property: "priority", type: "eq", param: "urgent" }] },
        });
        await first.context.close();
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });

    for (const { theme, width, language } of looks) {
        test(`${theme}, ${width} pixels, ${language}`, async () => {
            const found = [];
            await api("PUT", "setting/console", { theme: "system", language });
            const { context, page, noted } = await person(browser, server, {
                state,
                language,
                colorScheme: theme,
                viewport: { width, height: 800 },
                hasTouch: width < 500,
            });
            const check = async (name) => {
                for (const violation of await violations(page)) found.push({ screen: name, ...violation });
            };
            const visit = async (place, name = place) => {
                await page.goto(place);
                await settled(page);
                await check(name);
            };

            await visit("", "start");
            assert.equal(await page.evaluate(() => document.documentElement.lang), language);
            await visit(
                "c/ticket?cols=number,subject,status,company,late,tags&f=%5B%7B%22property%22:%22status%22,%22type%22:%22eq%22,%22param%22:%22open%22%7D%5D",
                "grid",
            );
            await visit("c/ticket?q=nothingofthatkind", "grid without hits");
            await visit(`c/ticket?open=${ticket.id}`, "panel");
            await visit(`c/ticket/${ticket.id}`, "record");
            await visit(`c/ticket/${ticket.id}?tab=related`, "related");
            await visit(`c/ticket/${ticket.id}?tab=tags`, "tags of a record");
            await visit(`c/ticket/${ticket.id}?tab=json`, "json");
            await visit("c/ticket/999999", "a record that is gone");
            await visit("board/board", "board");
            await visit("query/open", "query");
            await visit("inbox", "inbox");
            await visit("tags", "tags");
            for (const section of ["profile", "keys", "sessions"]) await visit(`account/${section}`);
            for (const part of ["automations", "runs", "outbox", "audit", "reads"]) await visit(`operate/${part}`);
            await visit("c/none", "a type that is not there");

            // Errors of a form.
            await page.goto("c/ticket/new");
            await page.getByRole("form").waitFor();
            await page.keyboard.press("Control+S");
            await page.getByRole("alert").first().waitFor();
            await settled(page);
            await check("new record with errors");

            // Layers.
            await page.goto("c/ticket");
            if (width > 640) await gridReady(page);
            await settled(page);
            await page.keyboard.press("Control+K");
            await page.getByRole("dialog").waitFor();
            await check("command box");
            await page.keyboard.press("Escape");
            await page.getByRole("dialog").waitFor({ state: "detached" });
            await page.locator("main").focus();
            await page.keyboard.press("?");
            await page.getByRole("dialog").waitFor();
            await check("help");
            await page.keyboard.press("Escape");
            await page.getByRole("dialog").waitFor({ state: "detached" });
            const tools = page.getByRole("toolbar").getByRole("button");
            await tools.first().click();
            await page.getByRole("dialog").waitFor();
            await settled(page);
            await check("filters");
            await page.keyboard.press("Escape");
            await page.keyboard.press("Escape");
            await page.getByRole("dialog").waitFor({ state: "detached" });
            await tools.nth(2).click();
            await page.getByRole("dialog").waitFor();
            await check("columns");
            await page.keyboard.press("Escape");
            await page.getByRole("dialog").waitFor({ state: "detached" });
            await tools.nth(5).click();
            await page.getByRole("menu").waitFor();
            await check("menu");
            await page.keyboard.press("End");
            await page.keyboard.press("Enter");
            await page.getByRole("dialog").waitFor();
            await check("import");
            await page
                .getByRole("dialog")
                .locator("input[type=file]")
                .setInputFiles({
                    name: "a.csv",
                    mimeType: "text/csv",
                    buffer: Buffer.from("subject,status\nOne,open\nTwo,wrong\n"),
                });
            await page.getByRole("dialog").locator("table").first().waitFor();
            await check("columns of an import");
            await page.getByRole("dialog").locator("footer .primary").click();
            await page.locator(".problems").waitFor();
            await check("problems of an import");
            await page.keyboard.press("Escape");
            await page.getByRole("dialog").waitFor({ state: "detached" });

            if (width > 640) {
                await grid(page).focus();
                await page.keyboard.press("ArrowRight");
                await page.keyboard.press("ArrowRight");
                await page.keyboard.press("Enter");
                await page.getByRole("listbox").waitFor();
                await check("cell editor");
                await page.keyboard.press("Escape");
                await page.keyboard.press("Control+A");
                await page.keyboard.press("e");
                await page.getByRole("dialog").waitFor();
                await check("bulk edit");
                await page.keyboard.press("Escape");
            }
            nothingNoted(noted);
            await context.close();
            assert.deepEqual(merged(found), []);
        });
    }
});

/** A violation of many screens is told once. */
function merged(found) {
    const rules = new Map();
    for (const { screen, id, help, nodes } of found) {
        const rule = rules.get(id) ?? { id, help, screens: [], nodes: [] };
        rule.screens.push(screen);
        for (const node of nodes) if (rule.nodes.length < 12 && !rule.nodes.includes(node)) rule.nodes.push(node);
        rules.set(id, rule);
    }
    return [...rules.values()];
}
