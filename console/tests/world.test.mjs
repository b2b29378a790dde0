// 34,006 cities in the grid: sign-in, total, rows at any place, order, words, filters, and the address that keeps them.

import assert from "node:assert/strict";
import { after, before, beforeEach, afterEach, describe, test } from "node:test";
import { eventually, launch, nothingNoted, person, signIn } from "./support/browser.mjs";
import { cellAt, columnTitles, grid, gridReady, headOf, rowsInSight, scrollTo } from "./support/grid.mjs";
import { client, demo } from "./support/server.mjs";

const CITIES = 34_006;
const COLUMNS = "cols=geoname_id,name,country,population";

describe("the grid over many rows", () => {
    let server, browser, api, state, visit;

    before(async () => {
        [server, browser] = await Promise.all([demo("world"), launch()]);
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
    });
    afterEach(async () => {
        nothingNoted(visit.noted);
        await visit.context.close();
    });

    /** The rows as the API has them, by their index in the list. */
    async function expected(first, orderBy, filters = []) {
        const perPage = 100;
        const page = Math.floor(first / perPage) + 1;
        const { data } = await api("POST", "collection/city/search", {
            filters,
            orderBy,
            showFields: ["id", "geoname_id", "name", "population"],
            page,
            perPage,
        });
        return new Map(data.map((row, at) => [(page - 1) * perPage + at, row]));
    }

    /** The rows in sight are those of the API at these places. Numbers are compared without the signs between their digits. */
    async function sameAsApi(page, orderBy, filters) {
        await eventually(async () => {
            const shown = Object.entries(await rowsInSight(page));
            assert.ok(shown.length > 8, "too few rows in sight");
            for (const [index, [id, name]] of shown) {
                const row = (await expected(Number(index), orderBy, filters)).get(Number(index));
                assert.ok(row, `the API has no row ${index}`);
                assert.equal(id.replace(/\D/g, ""), String(row.geoname_id));
                assert.equal(name, row.name);
            }
            return true;
        }, "the rows are others than those of the API");
        return Object.keys(await rowsInSight(page)).map(Number);
    }

    test("the place of the console leads to the sign-in page and back to where one was", async () => {
        const { page, context, noted } = await person(browser, server);
        await page.goto(`c/city?${COLUMNS}&s=-population`);
        await page.waitForURL(/\/sign-in\?next=/);
        await page.locator("input[name=user]").fill(server.user);
        await page.locator("input[name=password]").fill("wrong");
        await page.locator("form button").click();
        await page.locator("[role=alert], .error, .problem").first().waitFor();
        await page.locator("input[name=user]").fill(server.user);
        await page.locator("input[name=password]").fill(server.password);
        await page.locator("form button").click();
        await page.waitForURL(/\/c\/city\?/);
        assert.match(page.url(), /s=-population/);
        await gridReady(page, CITIES);
        nothingNoted(noted);
        await context.close();
    });

    test("the total is exact, and the middle and the end have the right rows", async () => {
        const { page } = visit;
        await page.goto(`c/city?${COLUMNS}&s=-population`);
        const box = await gridReady(page, CITIES);
        assert.match(await page.getByRole("heading", { level: 1 }).textContent(), /34,006/);
        assert.equal(await box.getAttribute("aria-rowcount"), String(CITIES + 1));
        assert.deepEqual(await columnTitles(page), ["GeoNames id", "Name", "Country", "Population"]);
        await sameAsApi(page, ["-population"]);

        await scrollTo(page, 0.5);
        const middle = await sameAsApi(page, ["-population"]);
        assert.ok(
            middle.some((index) => index > CITIES * 0.45 && index < CITIES * 0.55),
            `the middle begins at ${middle[0]}`,
        );

        await scrollTo(page, 1);
        const end = await sameAsApi(page, ["-population"]);
        assert.ok(end.includes(CITIES - 1), "the last row is not in sight");

        await page.keyboard.press("Tab");
        await grid(page).focus();
        await page.keyboard.press("Control+Home");
        assert.ok((await sameAsApi(page, ["-population"])).includes(0));
        await page.keyboard.press("Control+End");
        assert.ok((await sameAsApi(page, ["-population"])).includes(CITIES - 1));
        for (let press = 0; press < 3; press += 1) await page.keyboard.press("PageUp");
        const above = await sameAsApi(page, ["-population"]);
        assert.ok(!above.includes(CITIES - 1));
    });

    test("few rows are in the page, and few requests are on the way, however far one scrolls", async () => {
        const { page } = visit;
        let running = 0;
        let most = 0;
        const isList = (request) => request.url().includes("/search");
        page.on("request", (request) => isList(request) && (most = Math.max(most, (running += 1))));
        page.on("requestfinished", (request) => isList(request) && (running -= 1));
        page.on("requestfailed", (request) => isList(request) && (running -= 1));
        await page.goto(`c/city?${COLUMNS}`);
        await gridReady(page, CITIES);
        await grid(page).hover();
        for (let turn = 0; turn < 60; turn += 1) {
            await page.mouse.wheel(0, turn % 20 < 10 ? 30_000 : -20_000);
            if (turn % 5 === 0) assert.ok((await grid(page).locator("[role=row]").count()) < 120);
        }
        await sameAsApi(page, []);
        // Those that were given up are counted until the browser tells.
        assert.ok(most <= 8, `${most} lists were asked for at a time`);
    });

    test("a list that has not changed is answered with 304", async () => {
        const { page } = visit;
        const answers = [];
        page.on("response", (response) => response.url().includes("/city/search") && answers.push(response.status()));
        await page.goto(`c/city?${COLUMNS}`);
        await gridReady(page, CITIES);
        await page.waitForLoadState("networkidle");
        answers.length = 0;
        await page.evaluate(() => dispatchEvent(new Event("focus")));
        await eventually(() => answers.length > 0);
        await page.waitForLoadState("networkidle");
        assert.deepEqual([...new Set(answers)], [304]);
    });

    test("order by a click, by the menu and by several columns", async () => {
        const { page } = visit;
        await page.goto(`c/city?${COLUMNS}`);
        await gridReady(page, CITIES);
        const head = headOf(page, "Name");
        await head.locator("button.name").click();
        await page.waitForURL(/[?&]s=name/);
        await sameAsApi(page, ["name"]);
        assert.equal(await head.getAttribute("aria-sort"), "ascending");
        await head.locator("button.name").click();
        await page.waitForURL(/[?&]s=-name/);
        await sameAsApi(page, ["-name"]);
        await headOf(page, "Population")
            .locator("button.name")
            .click({ modifiers: ["Shift"] });
        await page.waitForURL(/s=-name,population/);
        await sameAsApi(page, ["-name", "population"]);
        await page.getByRole("button", { name: "Sort" }).click();
        const down = page.getByRole("menuitemradio", { name: "Population ↓" });
        const up = page.getByRole("menuitemradio", { name: "Population ↑" });
        const [one, other] = [await up.boundingBox(), await down.boundingBox()];
        assert.deepEqual([one.y, one.x + one.width], [other.y, other.x], "both directions are on one line");
        assert.equal(await page.getByRole("menu").getByText(/slow/i).count(), 0);
        await page.keyboard.press("Home");
        for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"])
            await page.keyboard.press(key);
        assert.equal(await down.evaluate((item) => item === document.activeElement), true);
        await down.click();
        await page.waitForURL(/s=-population/);
        await sameAsApi(page, ["-population"]);
    });

    test("words and filters narrow the list; reload and Back keep the state", async () => {
        const { page } = visit;
        await page.goto(`c/city?${COLUMNS}&s=-population`);
        await gridReady(page, CITIES);
        await grid(page).focus();
        await page.keyboard.press("/");
        await page.keyboard.type("london");
        await page.waitForURL(/q=london/);
        const words = [{ property: "*", type: "search", param: "london" }];
        await eventually(async () => Number(await grid(page).getAttribute("aria-rowcount")) < 100);
        const few = (await api("POST", "collection/city/search", { filters: words, perPage: 1 }))?.stats.total ?? 0;
        assert.equal(await grid(page).getAttribute("aria-rowcount"), String(few + 1));
        await page.keyboard.press("Escape");
        await page.waitForURL((url) => !url.search.includes("q="));
        await gridReady(page, CITIES);

        // By the value under the cursor, which stays with its row when the list changes.
        await page.keyboard.press("Control+Home");
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("f");
        const first = (await rowsInSight(page))[0];
        await page.getByRole("menuitem").first().waitFor();
        await page.keyboard.press("Enter");
        await page.waitForURL(/[?&]f=/);
        const filters = JSON.parse(new URL(page.url()).searchParams.get("f"));
        assert.equal(filters[0].property.split(".")[0], "country");
        const { stats } = await api("POST", "collection/city/search", { filters, perPage: 1 });
        await gridReady(page, stats.total);
        assert.ok(stats.total < CITIES);
        for (const [, , country] of Object.values(await rowsInSight(page))) assert.equal(country, first[2]);

        // The state of the address survives a reload.
        const address = page.url();
        await page.reload();
        await gridReady(page, stats.total);
        assert.equal(page.url(), address);
        assert.equal(await page.locator(".chips").count(), 1);

        // A click on the chip edits; the cross deletes; Back brings it again.
        await page.getByRole("button", { name: /^Remove filter/ }).click();
        await gridReady(page, CITIES);
        await page.goBack();
        await gridReady(page, stats.total);
        await page.goBack();
        await gridReady(page, CITIES);
        await page.goForward();
        await gridReady(page, stats.total);
    });

    test("the filter builder: any property by keys, behind a relation, as JSON and as curl", async () => {
        const { page } = visit;
        await page.goto(`c/city?${COLUMNS}`);
        await gridReady(page, CITIES);
        await grid(page).focus();
        await page.keyboard.press("Shift+F");
        const dialog = page.getByRole("dialog", { name: "Filters" });
        await dialog.waitFor();
        await dialog.getByRole("tab", { name: "As JSON" }).click();
        await dialog
            .getByRole("textbox")
            .fill(
                '[{"property":"country.continent","type":"eq","param":"OC"},{"property":"population","type":"gte","param":100000}]',
            );
        await dialog.getByRole("tab", { name: "As curl" }).click();
        const curl = await dialog.locator("pre").textContent();
        assert.match(curl, /\$PLINTH_KEY/);
        assert.match(curl, /country\.continent/);
        await dialog.getByRole("tab", { name: "Builder" }).click();
        assert.equal(await dialog.getByRole("combobox", { name: "Operator" }).count(), 2);
        await dialog.getByRole("button", { name: "Apply" }).click();
        const filters = [
            { property: "country.continent", type: "eq", param: "OC" },
            { property: "population", type: "gte", param: 100000 },
        ];
        const { stats } = await api("POST", "collection/city/search", { filters, perPage: 1 });
        await gridReady(page, stats.total);
        assert.deepEqual(JSON.parse(new URL(page.url()).searchParams.get("f")), filters);
        await sameAsApi(page, [], filters);
    });

    test("the filter builder: properties in the order of the type; a click on an operator leads to the value", async () => {
        const { page } = visit;
        await page.goto(`c/city?${COLUMNS}`);
        await gridReady(page, CITIES);
        const views = page.getByRole("button", { name: "Views" });
        const allRows = page.getByRole("menuitemradio", { name: "All rows" });
        await views.click();
        assert.equal(await allRows.getAttribute("aria-checked"), "true");
        await page.keyboard.press("Escape");

        await page.getByRole("button", { name: "Filters" }).click();
        const dialog = page.getByRole("dialog", { name: "Filters" });
        await dialog.getByRole("listbox").getByRole("option").first().waitFor();
        const { types } = await api("GET", "model");
        const system = ["id", "uuid", "version", "created", "updated", "createdBy", "updatedBy"];
        const own = types
            .find(({ name }) => name === "city")
            .properties.filter(({ identifier, filterTypes }) => !system.includes(identifier) && filterTypes.length > 0);
        const titles = (await dialog.getByRole("listbox").getByRole("option").allTextContents()).map((title) =>
            title.trim(),
        );
        assert.deepEqual(
            titles.slice(0, own.length),
            own.map(({ title }) => title),
        );
        await dialog.getByRole("option", { name: "Population", exact: true }).click();
        const operator = dialog.getByRole("combobox", { name: "Operator" });
        await eventually(() => operator.evaluate((field) => document.activeElement === field));
        // A choice out of the opened list of the browser is a change without a key.
        await operator.selectOption("gte");
        const value = dialog.getByLabel("Value");
        await eventually(() => value.evaluate((field) => document.activeElement === field));
        await page.keyboard.type("5000000");
        await page.keyboard.press("Enter");
        const filters = [{ property: "population", type: "gte", param: 5000000 }];
        const { stats } = await api("POST", "collection/city/search", { filters, perPage: 1 });
        await gridReady(page, stats.total);
        await views.click();
        assert.equal(await allRows.getAttribute("aria-checked"), "false");
        await page.keyboard.press("Escape");

        // The chip leads to the value.
        await page.getByRole("list", { name: "Filters" }).getByRole("button").first().click();
        await eventually(() => value.evaluate((field) => document.activeElement === field));
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
    });

    test("on a phone: cards without empty lines; a filter is added, changed, removed, and the sheet closed", async () => {
        const phone = await person(browser, server, {
            state,
            viewport: { width: 390, height: 844 },
            isMobile: true,
            hasTouch: true,
        });
        const { page } = phone;
        await page.goto("c/city?cols=geoname_id,country,admin1_code,name,latitude,longitude,population");
        const list = page.getByRole("list", { name: "City" });
        const cards = list.getByRole("listitem").filter({ visible: true });
        await cards.first().waitFor();
        await eventually(async () => (await list.locator(".card:not(.waiting)").count()) > 3);
        for (const card of await cards.all()) {
            const lines = await card.locator(".card-line").allTextContents();
            assert.ok(lines.length <= 4, `${lines.length} lines`);
            const labels = await card.locator(".card-line .card-label").allTextContents();
            lines.forEach((line, index) => assert.ok(line.length > labels[index].length, `an empty line: ${line}`));
        }
        const total = async () =>
            Number((await list.getByRole("listitem").first().getAttribute("aria-setsize")) ?? Number.NaN);
        const found = async (filters) =>
            (await api("POST", "collection/city/search", { filters, perPage: 1 }))?.stats.total ?? 0;
        const sheet = page.getByRole("dialog", { name: "Filters" });
        const inSight = async (target) => {
            const { x, y, width, height } = await target.boundingBox();
            assert.ok(x >= 0 && x + width <= 390 && y >= 0 && y + height <= 844, "it is not whole in sight");
        };

        await page.getByRole("button", { name: "Filters" }).tap();
        await sheet.getByRole("option", { name: "Population", exact: true }).tap();
        await sheet.getByRole("combobox", { name: "Operator" }).selectOption("gte");
        await sheet.getByLabel("Value").fill("5000000");
        await inSight(sheet.getByRole("button", { name: "Apply" }));
        await inSight(sheet.getByRole("button", { name: "Remove filter" }));
        await sheet.getByRole("button", { name: "Apply" }).tap();
        await sheet.waitFor({ state: "detached" });
        const large = { property: "population", type: "gte", param: 5000000 };
        const many = await found([large]);
        await eventually(async () => (await total()) === many, "the filter was not added");

        const chips = page.getByRole("list", { name: "Filters" });
        await chips.getByRole("button").first().tap();
        await sheet.getByLabel("Value").fill("10000000");
        await sheet.getByRole("button", { name: "Add filter" }).tap();
        await sheet.getByRole("option", { name: "Name", exact: true }).tap();
        await sheet.getByRole("combobox", { name: "Operator" }).nth(1).selectOption("isNotEmpty");
        await sheet.getByRole("button", { name: "Apply" }).tap();
        await sheet.waitFor({ state: "detached" });
        const few = await found([{ ...large, param: 10000000 }]);
        assert.ok(few > 0 && few < many);
        await eventually(async () => (await total()) === few, "the filter was not changed");
        assert.equal(await chips.getByRole("listitem").count(), 2);

        await chips.getByRole("button").first().tap();
        await sheet.getByRole("button", { name: "Remove filter" }).first().tap();
        assert.equal(await sheet.getByRole("button", { name: "Remove filter" }).count(), 1);
        await sheet.getByRole("button", { name: "Apply" }).tap();
        await sheet.waitFor({ state: "detached" });
        await eventually(async () => (await chips.getByRole("listitem").count()) === 1, "the filter was not removed");

        // Closed without Apply, nothing changes.
        await chips.getByRole("button").first().tap();
        await sheet.getByRole("button", { name: "Remove filter" }).tap();
        await sheet.getByRole("button", { name: "Close" }).tap();
        await sheet.waitFor({ state: "detached" });
        assert.equal(await chips.getByRole("listitem").count(), 1);
        nothingNoted(phone.noted);
        await phone.context.close();
    });

    test("filters beyond 4 KB: the address names them; reload and Back lead to them; twenty are kept", async () => {
        const { page } = visit;
        const kept = async () => {
            const { data } = await api("GET", "setting");
            return data.map(({ name }) => name).filter((name) => name.startsWith("list-"));
        };
        const old = Array.from({ length: 20 }, (_, index) => `list-000000000${1000 + index}`);
        for (const name of old) await api("PUT", `setting/${name}`, {});
        const { data } = await api("POST", "collection/city/search", { showFields: ["id", "name"], perPage: 500 });
        const filters = [{ property: "name", type: "in", param: data.map(({ name }) => name) }];
        const found = (await api("POST", "collection/city/search", { filters, perPage: 1 })).stats.total;
        await page.goto(`c/city?${COLUMNS}`);
        await gridReady(page, CITIES);
        await grid(page).focus();
        await page.keyboard.press("Shift+F");
        const dialog = page.getByRole("dialog", { name: "Filters" });
        await dialog.getByRole("tab", { name: "As JSON" }).click();
        await dialog.getByRole("textbox").fill(JSON.stringify(filters));
        await dialog.getByRole("button", { name: "Apply" }).click();
        await gridReady(page, found);
        const first = new URL(page.url());
        assert.match(first.search, /^\?v=~[a-z0-9]+$/);
        await eventually(async () => (await kept()).includes(`list-${first.searchParams.get("v").slice(1)}`));
        assert.equal((await kept()).length, 20);
        assert.ok(!(await kept()).includes(old[0]), "the oldest one is still there");

        await page.reload();
        await gridReady(page, found);
        assert.deepEqual(await columnTitles(page), ["GeoNames id", "Name", "Country", "Population"]);
        await sameAsApi(page, [], filters);

        // Another order is another state with a name of its own.
        await headOf(page, "Name").locator(".name").click();
        await sameAsApi(page, ["name"], filters);
        assert.notEqual(new URL(page.url()).search, first.search);
        assert.match(page.url(), /v=~/);
        await page.goBack();
        assert.equal(new URL(page.url()).search, first.search);
        await sameAsApi(page, [], filters);
        // A record's page knows its neighbours of this list.
        const [one, next] = (
            await api("POST", "collection/city/search", { filters, showFields: ["id", "name"], perPage: 2 })
        ).data;
        await page.keyboard.press("Control+Home");
        await grid(page).focus();
        await page.keyboard.press("Control+Home");
        await page.keyboard.press("Control+Enter");
        await page.getByRole("heading", { level: 1, name: one.name }).waitFor();
        const button = page.getByRole("button", { name: "Next record" });
        await eventually(() => button.isEnabled(), "the record has no neighbours");
        await button.click();
        await page.getByRole("heading", { level: 1, name: next.name }).waitFor();
        await page.goBack();
        await gridReady(page, found);
        await page.getByRole("button", { name: "Clear filters" }).click();
        await gridReady(page, CITIES);
        assert.doesNotMatch(page.url(), /v=~/);
        await page.goBack();
        await gridReady(page, found);

        // A name that nobody kept: all rows, and a word about it.
        await page.goto("c/city?v=~nosuch1");
        await gridReady(page, CITIES);
        await page
            .getByRole("region", { name: "Notifications" })
            .getByText(/leads to someone else’s list/)
            .waitFor();
    });

    test("another filter typed fast: old answers never stand in the place of new ones", async () => {
        const { page } = visit;
        await page.goto(`c/city?${COLUMNS}`);
        await gridReady(page, CITIES);
        const field = page.getByRole("searchbox");
        for (const words of ["lo", "lon", "lond", "londo", "london"]) {
            await field.fill(words);
            await page.waitForTimeout(60);
        }
        const { stats } = await api("POST", "collection/city/search", {
            filters: [{ property: "*", type: "search", param: "london" }],
            perPage: 1,
        });
        await gridReady(page, stats.total);
        await page.waitForTimeout(600);
        assert.equal(await grid(page).getAttribute("aria-rowcount"), String(stats.total + 1));
        for (const [, name] of Object.values(await rowsInSight(page))) assert.ok(name.length > 0);
    });

    test("numbers of a column are grouped alike, and those that name a record are not", async () => {
        const { page } = visit;
        const between = [{ property: "population", type: "between", param: [1000, 20_000] }];
        await page.goto(`c/city?${COLUMNS}&s=population&f=${encodeURIComponent(JSON.stringify(between))}`);
        await gridReady(page);
        assert.match(await cellAt(page, 0, 3).textContent(), /^\d,\d{3}$/);
        const id = (await cellAt(page, 0, 0).textContent()).trim();
        assert.match(id, /^\d{5,}$/);
        const named = [{ property: "geoname_id", type: "eq", param: Number(id) }];
        await page.goto(`c/city?${COLUMNS}&f=${encodeURIComponent(JSON.stringify(named))}`);
        await page.getByRole("list", { name: "Filters" }).getByText(id).waitFor();
    });

    test("columns: hidden, added behind a relation, moved by keys; the address has them", async () => {
        const { page } = visit;
        await page.goto(`c/city?${COLUMNS}`);
        await gridReady(page, CITIES);
        await page.getByRole("button", { name: "Menu of the column Country" }).click();
        await page.getByRole("menuitem", { name: "Move left" }).click();
        await eventually(async () => (await columnTitles(page)).join() === "GeoNames id,Country,Name,Population");
        await page.getByRole("button", { name: "Menu of the column Name" }).click();
        await page.getByRole("menuitem", { name: "Hide" }).click();
        await eventually(async () => (await columnTitles(page)).join() === "GeoNames id,Country,Population");
        assert.match(page.url(), /cols=geoname_id/);
        await page.reload();
        await gridReady(page, CITIES);
        assert.deepEqual(await columnTitles(page), ["GeoNames id", "Country", "Population"]);
    });

    test("the columns up to the title stay in sight, and the cell with the focus beside them", async () => {
        const { page } = visit;
        const wide =
            "cols=geoname_id,name,country,admin1_code,latitude,longitude,elevation,timezone,population,created";
        await page.goto(`c/city?${wide}`);
        const box = await gridReady(page, CITIES);
        await box.focus();
        const at = async (column) => {
            const { x, width } = await cellAt(page, 0, column).boundingBox();
            return { left: x, right: x + width };
        };
        const last = (await columnTitles(page)).length - 1;
        const before = await at(1);
        const frame = await box.boundingBox();
        await page.keyboard.press("End");
        await eventually(
            async () => (await at(last)).right <= frame.x + frame.width + 1,
            "the last cell is not in sight",
        );
        assert.deepEqual(await at(1), before);
        assert.ok(Math.abs((await headOf(page, "Name").boundingBox()).x - before.left) < 1, "the head has moved");
        for (let column = last - 1; column > 1; column -= 1) {
            await page.keyboard.press("ArrowLeft");
            await eventually(async () => (await at(column)).left >= before.right - 1, `cell ${column} is covered`);
        }
        // A cell that stays is edited where it stands.
        await page.keyboard.press("End");
        await cellAt(page, 0, 1).dblclick();
        const editor = page.locator(".cell-editor");
        await editor.waitFor();
        assert.ok(Math.abs((await editor.boundingBox()).x - before.left) <= 2, "the editor is not over its cell");
        await page.keyboard.press("Escape");
    });

    test("without a choice, the columns that people look for are in sight", async () => {
        const { page } = visit;
        await page.goto("c/city");
        const box = await gridReady(page, CITIES);
        const frame = await box.boundingBox();
        for (const title of ["Name", "Country", "Population"]) {
            const { x, width } = await headOf(page, title).boundingBox();
            assert.ok(x + width <= frame.x + frame.width, `${title} is out of sight`);
        }
    });

    test("tools have words on a wide screen, and a tooltip for the keyboard on others", async () => {
        const { page } = visit;
        await page.goto(`c/city?${COLUMNS}`);
        await gridReady(page, CITIES);
        const tools = page.getByRole("toolbar");
        for (const word of ["Filters", "Sort", "Columns", "Tags", "Views"])
            await tools.getByText(word, { exact: true }).waitFor();
        await page.setViewportSize({ width: 1000, height: 800 });
        await tools.getByText("Columns", { exact: true }).waitFor({ state: "detached" });
        await tools.getByRole("button", { name: "Filters" }).focus();
        await page.keyboard.press("Tab");
        const tip = () =>
            page.evaluate(() => getComputedStyle(document.activeElement, "::after").content.replaceAll('"', ""));
        assert.equal(await tip(), "Sort");
    });

    test("a link to a row far down opens there, and the link of a record opens the record", async () => {
        const { page } = visit;
        await page.goto(`c/city?${COLUMNS}&s=name&at=20000`);
        await gridReady(page, CITIES);
        const inSight = await sameAsApi(page, ["name"]);
        assert.ok(inSight.includes(20_000), `rows ${inSight[0]} and on are in sight`);
        await cellAt(page, inSight[3], 2).locator("a").click();
        await page.waitForURL(/\/c\/country\/\d+/);
        await page.getByRole("form").waitFor();
        await page.goBack();
        await gridReady(page, CITIES);
        assert.ok((await sameAsApi(page, ["name"])).includes(20_000));
    });
});
