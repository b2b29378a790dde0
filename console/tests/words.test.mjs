// Words and numbers of lists: whole headings, the names of sums, titles of dialogs, one format of numbers.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sideways, violations } from "./support/axe.mjs";
import { launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { client, demo } from "./support/server.mjs";

describe("words of a list", () => {
    let server, browser, api, state, visit, page;

    before(async () => {
        [server, browser] = await Promise.all([demo("world"), launch()]);
        api = client(server);
        await api("PUT", "setting/console", { language: "en" });
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

    const opened = async (place) => {
        await page.goto(place);
        await page.getByRole("toolbar").waitFor();
        await page.locator(".cell").first().waitFor();
    };

    test("no heading of a column is cut at first", async () => {
        for (const type of ["city", "country"]) {
            await opened(`c/${type}`);
            const cut = await page
                .locator("[role=columnheader] .name .cut")
                .evaluateAll((all) =>
                    all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
                );
            assert.deepEqual(cut, [], type);
        }
    });

    test("sums name their column, and numbers that name a record have none", async () => {
        await opened("c/city?cols=geoname_id,name,population&s=-population");
        const bar = page.getByRole("region", { name: "Selection" });
        await page.getByRole("grid").focus();
        await page.keyboard.press("Control+A");
        await bar.getByText("GeoNames id:").waitFor();
        await bar.getByText("Empty").waitFor();
        assert.equal(await bar.getByText("Sum").count(), 0);
        await page.keyboard.press("End");
        await bar.getByText("Population:").waitFor();
        await bar.getByText(/^Sum \d{1,3}(,\d{3})+$/).waitFor();
        await settled(page);
        assert.deepEqual([await violations(page), await sideways(page)], [[], []]);
    });

    test("the order without a sort, and the dialog of a view, have usual names", async () => {
        await opened("c/country?cols=name");
        await page.getByRole("button", { name: "Sort", exact: false }).first().click();
        await page.getByRole("menuitemradio", { name: "Default order" }).waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Views", exact: false }).first().click();
        await page.getByRole("menuitem", { name: "Save as view …" }).click();
        await page.getByRole("dialog", { name: "Save as view", exact: true }).waitFor();
    });

    test("a large number has groups in the grid, on cards and as the default of a board", async () => {
        await opened("c/country?cols=name,population&s=-population");
        const [most] = (await api("POST", "collection/country/search", { orderBy: ["-population"], perPage: 1 })).data;
        const words = most.population.toLocaleString("en");
        await page.getByText(words, { exact: true }).waitFor();
        await page.setViewportSize({ width: 390, height: 800 });
        await page.locator(".card").first().getByText(words).waitFor();
        await page.goto("board/cities");
        const least = page.getByRole("textbox").first();
        assert.equal(await least.inputValue(), "10,000,000");
    });

    test("a hit whose code is a number of another system has the name of its type beside it", async () => {
        await opened("c/country?cols=code,name");
        await page.keyboard.press("Control+K");
        await page.getByRole("combobox").waitFor();
        await page.keyboard.type("Prague");
        const hit = page.getByRole("option", { name: "Prague" });
        await hit.waitFor();
        assert.match((await hit.textContent()).trim(), /^Prague\s*City$/);
        // A code in letters stays: people know it.
        await page.getByRole("combobox").fill("Czechia");
        const country = page.getByRole("option", { name: "Czechia" });
        await country.waitFor();
        assert.match((await country.textContent()).trim(), /^Czechia\s*CZ$/);
    });

    test("a query of groups has the titles of options, also of a related type", async () => {
        await page.goto("query/continents");
        const table = page.getByRole("table");
        await table.getByRole("cell", { name: "Asia" }).waitFor();
        assert.equal(await table.getByRole("cell", { name: /^(AS|AF|SA)$/ }).count(), 0);
    });

    test("a chart of one series does not repeat its heading, and tells numbers under the pointer", async () => {
        await page.goto("board/cities");
        const chart = page.locator(".item").filter({ has: page.getByRole("heading", { name: "People", exact: true }) });
        await chart.locator("canvas").waitFor();
        assert.equal(await chart.locator(".legend").count(), 0);
        const { x, y, width, height } = await chart.locator(".plot").boundingBox();
        const head = await chart.locator(".head").boundingBox();
        assert.ok(y - head.y - head.height <= 12, `${y - head.y - head.height} pixels are empty above the picture`);
        await page.mouse.move(x + width / 2, y + height / 2);
        await chart.locator(".glance b").waitFor();
        const after = await chart.locator(".plot").boundingBox();
        assert.equal(after.y, y);
    });
});
