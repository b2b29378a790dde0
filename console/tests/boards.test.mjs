// Boards: rows without holes, a name for each bar, and one meaning of a word in the demo's board.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sideways, violations } from "./support/axe.mjs";
import { eventually, launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { client, demo, tenant } from "./support/server.mjs";

const towns = [
    ..."Shanghai,Beijing,Shenzhen,Guangzhou,Kinshasa,Istanbul,Lagos,Ho Chi Minh City,Chengdu,Lahore,Mumbai".split(","),
    ..."São Paulo,Mexico City,Karachi,Tianjin,Delhi,Wuhan,Moscow,Dhaka,Seoul".split(","),
];

const files = {
    "tenant.yaml": "tenant: boards\ntitle: Boards\n",
    "users/admin.yaml": "user: admin\nname: Administrator\nroles: [admin]\n",
    "roles/admin.yaml":
        'role: admin\ntitle: Administrator\nsystem: ["*"]\ntypes:\n' +
        '  "*": {show: true, create: true, edit: true, delete: true}\n',
    "types/town.yaml":
        "id: 20\nname: town\ntitle: Town\ntitleProperty: name\nproperties:\n" +
        "  name: {id: 200, kind: pString, title: Name}\n  people: {id: 201, kind: pInteger, title: People}\n",
    "queries/towns.yaml":
        "query: towns\ntitle: Towns\ntype: town\norderBy: -people\nfields: [name, people]\nperPage: 10\n" +
        "params:\n  least: {kind: pInteger, title: Least, default: 1000000, min: 0}\n" +
        "filters: [{property: people, type: gte, param: {$param: least}}]\n",
    "canvases/towns.yaml":
        "canvas: towns\ntitle: All towns\nparams:\n" +
        "  least: {kind: pInteger, title: Least, default: 1000000, min: 0}\nitems:\n" +
        "  - {kind: number, title: Number of towns, query: towns, params: {least: \"{=appParameter('least')}\"}," +
        ' value: "{=dataQueryCount()}"}\n' +
        "  - {kind: text, query: towns, text: \"The largest is {=dataQueryFetch('name')}.\"}\n" +
        "  - {kind: table, title: The largest, query: towns, limit: 12," +
        " rows: \"{=map(dataQueryFetchAll(), {Town: 'name', People: 'people'})}\"}\n" +
        "  - {kind: chart, chart: bar, title: People by town, query: towns," +
        " x: \"{=dataQueryFetchAll('name')}\", y: {People: \"{=dataQueryFetchAll('people')}\"}}\n" +
        "  - {kind: chart, chart: pie, title: Shares, query: towns," +
        " x: \"{=dataQueryFetchAll('name')}\", y: {People: \"{=dataQueryFetchAll('people')}\"}}\n",
};

test("all parts of the demo's board count cities by the same limit", () => {
    const board = readFileSync(new URL("../../examples/world/canvases/cities.yaml", import.meta.url), "utf8");
    const items = board
        .slice(board.indexOf("items:"))
        .split(/\n {2}- /)
        .slice(1);
    assert.equal(items.length, 5);
    for (const item of items) assert.match(item, /least: "\{=appParameter\('least'\)\}"/, item);
});

describe("a board", () => {
    let server, browser, state, visit, page;

    before(async () => {
        [server, browser] = await Promise.all([tenant(files), launch()]);
        const api = client(server);
        for (const [at, name] of towns.entries())
            await api("POST", "collection/town", { name, people: 24_000_000 - at * 700_000 });
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
        await page.goto("board/towns");
        await page.getByRole("heading", { name: "Shares" }).waitFor();
    });
    afterEach(async () => {
        nothingNoted(visit.noted);
        await visit.context.close();
    });

    /** The pixels that each row of items leaves empty at its end. */
    const holes = () =>
        page.locator(".board > div").evaluateAll((groups) =>
            groups.flatMap((group) => {
                const end = group.getBoundingClientRect().right;
                const rows = new Map();
                for (const item of group.children) {
                    const { top, right } = item.getBoundingClientRect();
                    rows.set(Math.round(top), Math.max(rows.get(Math.round(top)) ?? 0, right));
                }
                return [...rows.values()].map((right) => Math.round(end - right));
            }),
        );

    test("leaves no hole at any width, and a short text stands beside its number", async () => {
        for (const width of [1280, 390, 1000, 1800]) {
            await page.setViewportSize({ width, height: 900 });
            await settled(page);
            await eventually(async () => (await holes()).every((hole) => hole === 0), `${width}: ${await holes()}`);
        }
        const [number, words] = await Promise.all([
            page.locator(".figure").boundingBox(),
            page.getByText("The largest is Shanghai.").boundingBox(),
        ]);
        assert.equal(number.y, words.y);
        assert.ok(words.x > number.x + number.width);
    });

    const item = (title) => page.locator(".item").filter({ has: page.getByRole("heading", { name: title }) });
    /** True if the box has all of its rows in sight. */
    const isWhole = (box) => box.evaluate((one) => one.scrollHeight <= one.clientHeight);

    test("as a table, a chart has all of its rows and a heading for each column, and the button leads back", async () => {
        const chart = item("People by town");
        await chart.getByRole("button", { name: "Show as table" }).click();
        assert.deepEqual(
            (await chart.getByRole("columnheader").allTextContents()).map((words) => words.trim()),
            ["Town", "People"],
        );
        assert.equal(await chart.getByRole("rowheader").count(), towns.length);
        assert.ok(await isWhole(chart.getByRole("region")), "the table is cut");
        assert.deepEqual(await violations(page), []);
        await chart.getByRole("button", { name: "Show as chart" }).click();
        await chart.locator("canvas").waitFor();
        // A table of the board does not scroll in itself either.
        assert.ok(await isWhole(item("The largest").getByRole("region")), "the table scrolls in itself");
    });

    test("a longer table fades at its end, and tells its number of rows", async () => {
        await page.route("**/canvas/towns*", async (route) => {
            const response = await route.fetch();
            const answer = await response.json();
            for (const one of answer.items.filter(({ kind }) => kind === "chart")) {
                one.x = Array.from({ length: 59 }, (_, at) => `Town ${String.fromCharCode(65 + (at % 26))}${at}`);
                one.series = [{ title: "People", values: one.x.map((_, at) => 100 - at) }];
            }
            await route.fulfill({ response, json: answer });
        });
        await page.reload();
        const chart = item("People by town");
        await chart.getByRole("button", { name: "Show as table" }).click();
        await chart.getByText("59 rows", { exact: true }).waitFor();
        assert.ok(!(await isWhole(chart.getByRole("region"))), "59 rows take the whole page");
        assert.deepEqual([await violations(page), await sideways(page)], [[], []]);
    });

    test("the default of a parameter is its value, another one counts when the field is left, and Clear is beside it", async () => {
        const field = page.getByRole("textbox", { name: "Least" });
        assert.equal(await field.inputValue(), "1,000,000");
        const number = page.getByRole("link", { name: "Number of towns" });
        await number.getByText(String(towns.length), { exact: true }).waitFor();
        await field.fill("20000000");
        await page.getByRole("heading", { level: 1 }).click();
        await number.getByText("6", { exact: true }).waitFor();
        assert.equal(await field.inputValue(), "20,000,000");
        assert.match(page.url(), /least=20000000/);
        const [box, clear] = await Promise.all([
            field.boundingBox(),
            page.getByRole("button", { name: "Clear" }).boundingBox(),
        ]);
        const middle = ({ y, height }) => y + height / 2;
        assert.ok(Math.abs(middle(box) - middle(clear)) <= 3, `${middle(box)} and ${middle(clear)}`);
        await field.fill("");
        await field.press("Enter");
        await number.getByText(String(towns.length), { exact: true }).waitFor();
        assert.equal(await field.inputValue(), "1,000,000");
        assert.doesNotMatch(page.url(), /least/);
    });

    test("titles that lead to rows are links that look the same, shares have one number of decimals, columns line up", async () => {
        for (const title of ["The largest", "People by town", "Shares"])
            await item(title).getByRole("heading").getByRole("link", { name: title }).waitFor();
        const lines = await page
            .locator(".board h2 a, .board .figure .link")
            .evaluateAll((links) => links.map((link) => getComputedStyle(link).textDecorationLine));
        assert.deepEqual(lines, ["underline", "underline", "underline", "underline"]);
        const shares = await item("Shares").locator("li .muted.number").allTextContents();
        assert.ok(shares.length > 0);
        for (const share of shares) assert.match(share, /^\d+\.\d %$/);
        const edges = await page
            .locator(".board > div")
            .evaluateAll((groups) =>
                groups.slice(0, 2).map(({ children }) => Math.round(children[1].getBoundingClientRect().left)),
            );
        assert.equal(edges[0], edges[1]);
    });

    test("the pages of a query stand below its rows", async () => {
        await page.goto("query/towns");
        const table = page.getByRole("table");
        await table.waitFor();
        const [rows, pages] = [
            await table.boundingBox(),
            await page.getByRole("navigation", { name: "Pages" }).boundingBox(),
        ];
        assert.ok(pages.y - rows.y - rows.height < 40, `${pages.y - rows.y - rows.height} pixels below`);
    });

    test("names each bar: along the axis, and in a list where they have no room there", async () => {
        const chart = page.locator(".item").filter({ has: page.getByRole("heading", { name: "People by town" }) });
        await chart.getByRole("img").waitFor();
        await chart.locator("canvas").waitFor();
        for (const theme of ["light", "dark"]) {
            await page.emulateMedia({ colorScheme: theme });
            for (const width of [390, 1280]) {
                await page.setViewportSize({ width, height: 900 });
                if (width === 390) {
                    await chart
                        .getByRole("listitem")
                        .nth(towns.length - 1)
                        .waitFor();
                    const names = await chart
                        .getByRole("listitem")
                        .evaluateAll((all) => all.map((one) => one.querySelector("span").textContent));
                    assert.deepEqual(names, towns);
                    await chart.getByText("24,000,000").waitFor();
                } else await chart.locator("canvas").waitFor();
                await settled(page);
                assert.deepEqual([await violations(page), await sideways(page)], [[], []], `${theme} ${width}`);
            }
        }
    });
});

describe("the board of the shop", () => {
    let server, browser, visit;

    before(async () => {
        [server, browser] = await Promise.all([demo("shop"), launch()]);
        visit = await person(browser, server);
        await signIn(visit.page, server);
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });

    test("money has two decimals, in lists, too, and a status without a colour differs from the others", async () => {
        const { page } = visit;
        await page.goto("board/finance");
        const money = page.getByRole("table").first().locator("tbody td.number");
        await money.first().waitFor();
        for (const words of await money.allTextContents()) assert.match(words.trim(), /^[\d,]+\.\d\d$/);
        const draft = page.locator(".legend li", { hasText: "Draft" }).locator(".mark");
        // Not the blue of the theme: Sent has a blue.
        const colour = await draft.evaluate((mark) => getComputedStyle(mark).backgroundColor);
        assert.equal(colour, "rgb(194, 87, 12)");
        await page.goto("c/invoice?cols=number,net,total");
        await page.getByRole("gridcell", { name: "1,200.00", exact: true }).waitFor();
        nothingNoted(visit.noted);
    });
});
