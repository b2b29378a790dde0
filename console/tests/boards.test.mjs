// Boards: rows without holes, a name for each bar, and one meaning of a word in the demo's board.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sideways, violations } from "./support/axe.mjs";
import { eventually, launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { client, tenant } from "./support/server.mjs";

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
    "queries/towns.yaml": "query: towns\ntitle: Towns\ntype: town\norderBy: -people\nfields: [name, people]\n",
    "canvases/towns.yaml":
        "canvas: towns\ntitle: All towns\nitems:\n" +
        '  - {kind: number, title: Towns, query: towns, value: "{=dataQueryCount()}"}\n' +
        "  - {kind: text, query: towns, text: \"The largest is {=dataQueryFetch('name')}.\"}\n" +
        "  - {kind: table, title: The largest, query: towns, limit: 5," +
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
