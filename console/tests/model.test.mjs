// The model beyond kinds and limits: sections of forms, help on totals, titles by language, axes of charts.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventually, launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { client, tenant } from "./support/server.mjs";

const files = {
    "tenant.yaml": "tenant: model\ntitle: Model\ntimezone: Europe/Prague\nlocale: en\n",
    "types/firm.yaml":
        "name: firm\ntitle: Firm\ntitleProperty: name\nsections:\n  - {title: Address, properties: [city, street]}\n  - {title: Money, properties: [total, twice]}\nproperties:\n" +
        "  name: {kind: pString, title: Name}\n  street: {kind: pString, title: Street}\n  city: {kind: pString, title: City}\n" +
        "  total: {kind: pRollup, title: Total, relation: bill.firm, function: sum, property: amount}\n" +
        '  twice: {kind: pCalculated, title: Twice, calculate: "{=(total ?? 0) * 2}"}\n',
    "types/bill.yaml":
        "name: bill\ntitle: Bill\nproperties:\n  firm: {kind: pRelation, type: firm, title: Payer}\n  amount: {kind: pInteger, title: Amount}\n",
    "queries/by_firm.yaml":
        "query: by_firm\ntitle: By firm\ntype: bill\nparams: {least: {kind: pInteger, title: Least, min: 1, max: 9}}\n" +
        "filters: [{property: amount, type: gte, param: {$param: least}}]\n" +
        "groupBy: firm\nvalues: {sum: {function: sum, property: amount}}\n",
    "canvases/money.yaml":
        "canvas: money\ntitle: Money\nitems:\n  - {kind: chart, chart: bar, title: Sums, query: by_firm, x: firm, y: sum}\n",
    "roles/admin.yaml":
        'role: admin\ntitle: Administrator\nsystem: ["*"]\ntypes:\n  "*": {show: true, create: true, edit: true, delete: true}\n',
    "users/admin.yaml": "user: admin\nname: Administrator\nroles: [admin]\n",
};

describe("the model of the tenant", () => {
    let server, browser, state;

    before(async () => {
        [server, browser] = await Promise.all([tenant(files), launch()]);
        const api = client(server);
        const first = await person(browser, server);
        state = await signIn(first.page, server);
        await first.context.close();
        await api("POST", "collection/firm", { name: "Acme" });
        await api("POST", "collection/bill", { firm: 1, amount: 5 });
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });

    test("a form has its sections in order, and help on what is calculated", async () => {
        const { context, page, noted } = await person(browser, server, { state });
        await page.goto("c/firm/1");
        const form = page.getByRole("form");
        await form.waitFor();
        const sections = await form.getByRole("heading").allInnerTexts();
        assert.deepEqual(sections, ["Address", "Money"]);
        const fields = form.locator("[data-field]");
        const names = await fields.evaluateAll((all) => all.map((one) => one.dataset.field));
        assert.deepEqual(names, ["city", "street", "total", "twice", "name"]);
        const address = form.getByRole("region", { name: "Address" });
        assert.equal(await address.locator("[data-field]").count(), 2);
        await form.getByText("Sum of Amount (Bill)").waitFor();
        await form.getByText("Calculated from Total", { exact: true }).click();
        await form.getByText("{=(total ?? 0) * 2}").waitFor();
        nothingNoted(noted);
        await context.close();
    });

    test("a chart has the titles of its properties, and relations by their names", async () => {
        const { context, page, noted } = await person(browser, server, { state });
        await page.goto("board/money");
        await page.getByRole("button", { name: "Show as table" }).first().click();
        await page.getByRole("columnheader", { name: "Payer" }).waitFor();
        await page.getByRole("rowheader", { name: "Acme" }).waitFor();
        nothingNoted(noted);
        await context.close();
    });

    test("built-in titles have the language of the person", async () => {
        const { context, page, noted } = await person(browser, server, { state, language: "cs" });
        const asked = [];
        page.on("response", async (response) => {
            if (response.url().endsWith("/api/ext/v1/model")) asked.push(response.headers()["content-language"]);
        });
        await page.goto("c/firm");
        await settled(page);
        // The browser kept English from the visit before: the model is asked for again.
        await eventually(() => asked.at(-1) === "cs");
        nothingNoted(noted);
        await context.close();
    });
});
