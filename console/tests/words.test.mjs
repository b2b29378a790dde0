// Words and numbers of lists: whole headings, the names of sums, titles of dialogs, one format of numbers.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sideways, violations } from "./support/axe.mjs";
import { eventually, launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
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

    test("the tools of a list are one row, with New at the right, whatever stands in it", async () => {
        const title = "Cities with more than fifty thousand people, in the order of their names";
        const state = { filters: [{ property: "population", type: "gt", param: 50_000 }] };
        const view = await api("POST", "view", { type: "city", title, state, shared: "all" });
        const rows = () => page.getByRole("grid").boundingBox();
        const add = () => page.getByRole("toolbar").getByRole("button", { name: "New" }).boundingBox();
        for (const place of ["c/city", `c/city?view=${view.id}`]) {
            await opened(place);
            const { y } = await rows();
            const first = await add();
            if (place.includes("view")) {
                await page.locator("[role=columnheader] .name", { hasText: "Population" }).click();
                await page.getByText("Edited", { exact: true }).waitFor();
                assert.equal((await rows()).y, y, "the sign of a changed view");
            }
            await page.getByRole("toolbar").getByRole("button", { name: "New" }).click();
            await page.getByRole("form").waitFor();
            await settled(page);
            assert.equal((await rows()).y, y, "the panel of a record");
            assert.equal((await add()).y, first.y);
            const list = await page.locator("section.list").boundingBox();
            const { x, width } = await add();
            assert.equal(list.x + list.width - x - width, 1264 + 16 - first.x - first.width);
            assert.deepEqual(await sideways(page), []);
        }
        await api("DELETE", `view/${view.id}`);
        // Beside a record on a small screen, some tools go, and New does not.
        await page.setViewportSize({ width: 1024, height: 800 });
        await page.goto("c/city?open=5");
        await page.getByRole("form").waitFor();
        await settled(page);
        const [list, last] = [await page.locator("section.list").boundingBox(), await add()];
        assert.equal(last.x + last.width, list.x + list.width - 16);
        await page.keyboard.press("F6");
        await page.getByRole("searchbox").focus();
        assert.ok((await page.getByRole("searchbox").boundingBox()).width > 200);
        assert.deepEqual(await sideways(page), []);
    });

    test("the first filter moves the list before it is applied, and not after", async () => {
        await opened("c/city");
        await page.getByRole("button", { name: "Filters", exact: true }).click();
        const dialog = page.getByRole("dialog", { name: "Filters" });
        await dialog.getByRole("option", { name: "Name", exact: true }).click();
        await dialog.getByRole("textbox", { name: "Value" }).fill("Brno");
        const { y } = await page.locator(".area").boundingBox();
        await dialog.getByRole("button", { name: "Apply" }).click();
        const chip = page.getByRole("list", { name: "Filters" }).getByRole("button").first();
        await chip.waitFor();
        await settled(page);
        assert.equal((await page.locator(".area").boundingBox()).y, y);
        // The ring of the chip is seen whole.
        await page.keyboard.press("Shift+Tab");
        await chip.focus();
        const room = await chip.evaluate((one) => {
            const { outlineWidth, outlineOffset } = getComputedStyle(one);
            const frame = one.closest(".chips").getBoundingClientRect();
            return one.getBoundingClientRect().top - parseFloat(outlineWidth) - parseFloat(outlineOffset) - frame.top;
        });
        assert.ok(room >= 0, `the ring is cut by ${-room} pixels`);
    });

    test("heads of numbers end where numbers do, sorted or not", async () => {
        await opened("c/city");
        const ends = () =>
            page.evaluate(() => {
                const head = [...document.querySelectorAll("[role=columnheader]")].find((one) =>
                    one.textContent.includes("Population"),
                );
                const index = head.getAttribute("aria-colindex");
                const cell = document.querySelector(`[role=gridcell][aria-colindex="${index}"]`);
                const name = head.querySelector(".name .cut").getBoundingClientRect();
                const range = document.createRange();
                range.selectNodeContents(cell);
                const more = head.querySelector(".more").getBoundingClientRect();
                return { head: name.right, cell: range.getBoundingClientRect().right, apart: more.right <= name.left };
            });
        const before = await ends();
        assert.ok(Math.abs(before.head - before.cell) <= 1, JSON.stringify(before));
        assert.equal(before.apart, true, "the menu lies over the name");
        await page.locator("[role=columnheader] .name", { hasText: "Population" }).click();
        await page.locator("[aria-sort=ascending]").waitFor();
        await settled(page);
        assert.equal((await ends()).head, before.head);
    });

    test("a shadow tells of columns that are out of sight, at both edges", async () => {
        for (const width of [1280, 390]) {
            await page.setViewportSize({ width, height: 800 });
            await page.goto("c/city?cols=geoname_id,name,country,population:400,timezone:400,latitude,longitude");
            await page.getByRole("toolbar").waitFor();
            if (width === 390) {
                await page.getByRole("button", { name: "More", exact: true }).first().click();
                await page.getByRole("menuitem", { name: "Show as table" }).click();
                await page.getByRole("grid").waitFor();
            }
            const [before, behind] = [page.locator(".grid-shade:not(.behind)"), page.locator(".grid-shade.behind")];
            await behind.waitFor();
            assert.equal(await before.count(), 0);
            const right = async (one) => one.evaluate((element) => element.getBoundingClientRect().right);
            const edge = await page
                .getByRole("grid")
                .evaluate((one) => one.getBoundingClientRect().left + one.clientWidth);
            assert.equal(await right(behind), edge);
            const scroll = (left) => page.getByRole("grid").evaluate((one, to) => (one.scrollLeft = to), left);
            await scroll(80);
            await before.waitFor();
            await scroll(10_000);
            await behind.waitFor({ state: "detached" });
            await scroll(0);
            await before.waitFor({ state: "detached" });
            assert.deepEqual(await violations(page), []);
        }
        await page.getByRole("button", { name: "More", exact: true }).first().click();
        await page.getByRole("menuitem", { name: "Show as cards" }).click();
        await page.locator(".card").first().waitFor();
        await eventually(async () => (await api("GET", "setting/grid")).table === false);
    });

    test("sums name their column, and numbers that name a record have none", async () => {
        await opened("c/city?cols=geoname_id,name,population&s=-population");
        const bar = page.getByRole("region", { name: "Selection" });
        await page.getByRole("grid").focus();
        await page.keyboard.press("Control+A");
        await bar.getByText(/All 34,006/).waitFor();
        await settled(page);
        // No field is empty, and the sum of names says nothing.
        for (const words of ["GeoNames id:", "Empty", "Sum"])
            assert.equal(await bar.getByText(words).count(), 0, words);
        await page.keyboard.press("End");
        await bar.getByText("Population:").waitFor();
        await bar.getByText(/^Sum \d{1,3}(,\d{3})+$/).waitFor();
        await settled(page);
        assert.deepEqual([await violations(page), await sideways(page)], [[], []]);
    });

    test("an empty list says what leaves rows out, columns name their widths, and no tags are no matches", async () => {
        for (const [link, words, button] of [
            ["q=zzzzzz", "No rows match this search.", "Clear search"],
            [
                `f=${encodeURIComponent('[{"property":"name","type":"eq","param":"zzz"}]')}`,
                "No rows match these filters.",
                "Clear filters",
            ],
        ]) {
            await page.goto(`c/country?${link}`);
            await page.getByText(words, { exact: true }).waitFor();
            await page.locator(".area").getByRole("button", { name: button, exact: true }).waitFor();
        }
        await opened("c/country");
        await page.getByRole("button", { name: "Filter by tags" }).click();
        await page.getByText("No tags yet").waitFor();
        await page.keyboard.press("Escape");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Columns", exact: true }).click();
        const dialog = page.getByRole("dialog");
        const [heading, field] = [dialog.getByText("Width", { exact: true }), dialog.getByRole("spinbutton").first()];
        await heading.waitFor();
        assert.equal((await heading.boundingBox()).x, (await field.boundingBox()).x);
    });

    test("a number is edited where it stands, in the width of its cell", async () => {
        await opened("c/city?cols=geoname_id,name,latitude,country");
        const cell = page.locator('[role=row][aria-rowindex="3"] [role=gridcell][aria-colindex="4"]');
        const text = (one) =>
            one.evaluate((element) => {
                const { paddingRight, borderRightWidth } = getComputedStyle(element);
                const { left, right } = element.getBoundingClientRect();
                return { left, right, end: right - parseFloat(paddingRight) - parseFloat(borderRightWidth) };
            });
        const before = await text(cell);
        await cell.dblclick();
        const input = page.locator(".cell-editor input");
        await input.waitFor();
        const after = await text(input);
        // The line between columns is a pixel of the cell.
        for (const side of ["left", "right", "end"])
            assert.ok(Math.abs(after[side] - before[side]) <= 1, `${side}: ${before[side]}, then ${after[side]}`);
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
