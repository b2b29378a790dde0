// Hostile texts everywhere: no violation of the policy, no dialog, no request to another origin, no error of a page.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually, launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { grid, gridReady } from "./support/grid.mjs";
import { ADDRESS, files, fill, MARKUP, texts, WIDE } from "./support/hostile.mjs";
import { client, tenant } from "./support/server.mjs";

describe("hostile texts", () => {
    let server, browser, api, state, made;

    before(async () => {
        [server, browser] = await Promise.all([tenant(files), launch()]);
        api = client(server);
        const first = await person(browser, server);
        state = await signIn(first.page, server);
        const answer = await first.context.request.get("api/ext/v1/session", {
            headers: { "Sec-Fetch-Site": "same-origin" },
        });
        made = await fill(api, (await answer.json()).user.id);
        nothingNoted(first.noted);
        await first.context.close();
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });

    /** Narrow screens show the same texts by fewer parts: a few of each will do there. */
    const places = (some) => [
        "",
        "c/thing",
        `c/thing?cols=code,name,text,choice,choices,parent,others,data,url,email,color,made,person,count,tags`,
        ...texts
            .slice(0, some)
            .map(
                (text) =>
                    `c/thing?f=${encodeURIComponent(JSON.stringify([{ property: "name", type: "eq", param: text.slice(0, 200) }]))}`,
            ),
        `c/thing?q=${encodeURIComponent(MARKUP)}&s=${encodeURIComponent(MARKUP)}&cols=${encodeURIComponent(MARKUP)}&tags=${encodeURIComponent(MARKUP)}&view=${encodeURIComponent(MARKUP)}&open=${encodeURIComponent(MARKUP)}`,
        ...made.slice(0, some).map(({ id }) => `c/thing/${id}`),
        ...["related", "tags", "json"].map((tab) => `c/thing/${made[0].id}?tab=${tab}`),
        `c/thing/new?name=${encodeURIComponent(MARKUP)}&parent=${made[0].id}`,
        `c/thing?open=${made[0].id}`,
        "c/nothing",
        "board/board",
        `board/board?words=${encodeURIComponent(MARKUP)}`,
        "query/things",
        "inbox",
        "tags",
        "account/profile",
        "account/keys",
        "account/sessions",
        "operate/automations",
        "operate/runs",
        "operate/outbox",
        "operate/audit",
        "operate/reads",
    ];

    for (const width of [1280, 390]) {
        test(`all screens at ${width} pixels`, async () => {
            const { context, page, noted } = await person(browser, server, { state, viewport: { width, height: 800 } });
            for (const place of places(width > 640 ? 7 : 2)) {
                await page.goto(place);
                await settled(page);
                assert.equal(
                    await page.evaluate(
                        () =>
                            document.querySelectorAll(
                                "main script, main iframe, main img[src=x], main style, main link",
                            ).length,
                    ),
                    0,
                    place,
                );
                const links = await page.evaluate(() =>
                    [...document.querySelectorAll("a[href]")].map((link) => link.protocol),
                );
                assert.deepEqual(
                    links.filter((protocol) => !["http:", "https:", "mailto:", "tel:"].includes(protocol)),
                    [],
                    place,
                );
                // No text of any width makes the page scroll sideways.
                const over = await page.evaluate(
                    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
                );
                assert.ok(over <= 0, `${place} scrolls sideways by ${over} pixels`);
                nothingNoted(noted);
            }
            await context.close();
        });
    }

    test("editors, menus, dialogs, the command box and messages", async () => {
        const { context, page, noted } = await person(browser, server, { state });
        await page.goto("c/thing?cols=name,text,choice,choices,parent,others,data,url");
        await gridReady(page);
        await grid(page).focus();
        for (let column = 0; column < 8; column += 1) {
            await page.keyboard.press("Enter");
            await page.waitForTimeout(120);
            await page.keyboard.press("Escape");
            await page.keyboard.press("Escape");
            await grid(page).focus();
            await page.keyboard.press("ArrowRight");
        }
        await page.keyboard.press("Control+Home");
        // A letter alone begins a text in this cell.
        await page.keyboard.press("Alt+f");
        await page.getByRole("menuitem").first().click();
        await page.waitForURL(/[?&]f=/);
        await settled(page);
        for (const name of ["Sort", "Views", "More"]) {
            await page.getByRole("toolbar").getByRole("button", { name, exact: true }).click();
            await page.getByRole("menu").waitFor();
            await page.keyboard.press("Escape");
        }
        await page.getByRole("toolbar").getByRole("button", { name: "Filters" }).click();
        await page.getByRole("dialog").getByRole("tab", { name: "As curl" }).click();
        await page.keyboard.press("Escape");
        await page.keyboard.press("Control+K");
        await page.keyboard.type("img src");
        await eventually(async () => (await page.getByRole("option").count()) > 0);
        await page.waitForTimeout(400);
        await page.keyboard.press("Escape");

        // A message with the text, and a refusal with it.
        await page.goto("c/thing/new");
        await page.getByRole("form").waitFor();
        await page.locator('[data-field="name"] input').fill(MARKUP);
        await page.locator('[data-field="email"] input').fill(`${MARKUP}`);
        await page.keyboard.press("Control+S");
        await page.getByRole("alert").first().waitFor();
        await page.locator('[data-field="email"] input').fill("");
        await page.locator('[data-field="url"] input').fill(ADDRESS);
        assert.equal(await page.locator('[data-field="url"] a').count(), 0, "an address that runs is a link");
        await page.locator('[data-field="url"] input').fill("");
        await page.keyboard.press("Control+S");
        await page.waitForURL(/c\/thing\/\d+$/);
        await page.getByRole("status").filter({ hasText: "was created" }).first().waitFor({ state: "attached" });

        // An import whose head and rows are hostile.
        await page.goto("c/thing");
        await gridReady(page);
        await page.getByRole("toolbar").getByRole("button", { name: "More", exact: true }).click();
        await page.getByRole("menuitem", { name: /^Import/ }).click();
        const csv = ["name", MARKUP, WIDE].map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
        await page
            .getByRole("dialog")
            .locator("input[type=file]")
            .setInputFiles({
                name: `${MARKUP.replaceAll("/", "_")}.csv`,
                mimeType: "text/csv",
                buffer: Buffer.from(`${csv}\n${csv}\n${csv}\n`),
            });
        await page
            .getByRole("dialog")
            .getByText(/rows? in the file/)
            .waitFor();
        await page.getByRole("dialog").getByRole("button", { name: "Check the file" }).click();
        await page
            .getByRole("dialog")
            .getByText(/created/)
            .first()
            .waitFor();
        nothingNoted(noted);
        await context.close();
    });
});
