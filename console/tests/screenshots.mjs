// Makes pictures of the main screens: PLINTH=… node tests/screenshots.mjs FOLDER

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { gridReady } from "./support/grid.mjs";
import { client, demo } from "./support/server.mjs";

const folder = process.argv[2];
if (folder === undefined) throw new Error("node tests/screenshots.mjs FOLDER");
mkdirSync(folder, { recursive: true });

const [server, world, browser] = await Promise.all([demo("helpdesk"), demo("world"), launch()]);
try {
    await takeCities();
    const api = client(server);
    const first = await person(browser, server);
    const state = await signIn(first.page, server);
    await first.context.close();
    const open = [
        { property: "status", type: "in", param: ["open", "waiting"] },
        { property: "priority", type: "neq", param: "low" },
    ];
    await api("POST", "view", { type: "ticket", title: "Open and waiting", shared: "all", state: { filters: open } });
    await api("PUT", "setting/console", { theme: "system", unfolded: ["type ticket"] });
    const [ticket] = (
        await api("POST", "collection/ticket/search", { filters: open, orderBy: ["-opened"], perPage: 1 })
    ).data;
    const list = `c/ticket?cols=number:120,subject:300,status,priority,company,due,late&f=${encodeURIComponent(JSON.stringify(open))}`;

    for (const theme of ["light", "dark"]) {
        for (const width of [1280, 390]) {
            const { context, page, noted } = await person(browser, server, {
                state,
                colorScheme: theme,
                viewport: { width, height: width === 390 ? 844 : 800 },
                hasTouch: width === 390,
            });
            const wide = width === 1280;
            const take = async (name) => {
                await settled(page);
                await page.waitForTimeout(250);
                await page.screenshot({
                    path: join(folder, `${name}-${width}-${theme}.png`),
                    animations: "disabled",
                    caret: "hide",
                });
            };
            const show = async (place, name) => {
                await page.goto(place);
                await take(name);
            };

            await page.goto(list);
            if (wide) await gridReady(page);
            await take(wide ? "grid" : "cards");
            if (wide) await show(`${list}&open=${ticket.id}`, "panel");
            await show(`c/ticket/${ticket.id}`, "record");
            await show("board/board", "board");
            await show("", "start");

            await page.goto(list);
            await settled(page);
            await page
                .getByRole("button", { name: /^Filters/ })
                .first()
                .click();
            await page.getByRole("dialog").waitFor();
            await page.keyboard.press("Escape");
            await take("filters");

            await page.goto("c/company");
            await settled(page);
            await page.getByRole("toolbar").getByRole("button", { name: "More" }).click();
            await page.getByRole("menuitem", { name: /^Import/ }).click();
            const csv = "Domain,Name,Plan\none.example,One,gold\nNO DOMAIN,Two,silver\nthree.example,Three,platinum\n";
            await page
                .getByRole("dialog")
                .locator("input[type=file]")
                .setInputFiles({ name: "companies.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
            await page
                .getByRole("dialog")
                .getByText(/rows in the file/)
                .waitFor();
            await take("import");
            await page.getByRole("button", { name: "Check the file" }).click();
            await page.locator(".problems").waitFor();
            await take("import-problems");
            nothingNoted(noted);
            await context.close();
        }
    }
} finally {
    await browser.close();
    await Promise.all([server.stop(), world.stop()]);
}

/** The first sight of the demo: the cities, narrowed, and one of them open. */
async function takeCities() {
    const { context, page, noted } = await person(browser, world, { viewport: { width: 1280, height: 800 } });
    await signIn(page, world);
    const api = client(world);
    const filters = [{ property: "country.code", type: "in", param: ["CZ", "SK", "AT"] }];
    const { data } = await api("POST", "collection/city/search", { filters, orderBy: ["-population"], perPage: 2 });
    await page.goto(`c/city?f=${encodeURIComponent(JSON.stringify(filters))}&open=${data[1].id}`);
    await gridReady(page);
    await settled(page);
    await page.waitForTimeout(250);
    await page.screenshot({ path: join(folder, "cities-1280-light.png"), animations: "disabled", caret: "hide" });
    nothingNoted(noted);
    await context.close();
}
