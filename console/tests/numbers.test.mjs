// Numbers in fields: grouped for reading, plain for editing, and read as they are pasted.

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { violations } from "./support/axe.mjs";
import { eventually, launch, nothingNoted, person, signIn } from "./support/browser.mjs";
import { gridReady } from "./support/grid.mjs";
import { client, tenant } from "./support/server.mjs";

const files = {
    "tenant.yaml": "tenant: numbers\ntitle: Numbers\n",
    "users/admin.yaml": "user: admin\nname: Administrator\nroles: [admin]\n",
    "roles/admin.yaml":
        'role: admin\ntitle: Administrator\nsystem: ["*"]\ntypes:\n' +
        '  "*": {show: true, create: true, edit: true, delete: true}\n',
    "types/place.yaml":
        "id: 20\nname: place\ntitle: Place\ntitleProperty: code\nproperties:\n" +
        "  code: {id: 200, kind: pInteger, title: Code, required: true, unique: true}\n" +
        "  people: {id: 201, kind: pInteger, title: People}\n" +
        "  money: {id: 202, kind: pDecimal, scale: 2, title: Money}\n",
};

describe("numbers", () => {
    let server, browser, api, id, visit, page;

    before(async () => {
        [server, browser] = await Promise.all([tenant(files), launch()]);
        api = client(server);
        ({ id } = await api("POST", "collection/place", { code: 1234567, people: 1234567, money: "9876.5" }));
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });
    afterEach(async () => {
        nothingNoted(visit.noted);
        await visit.context.close();
    });

    async function begin(language, options = {}) {
        visit = await person(browser, server, options);
        page = visit.page;
        await signIn(page, server);
        await api("PUT", "setting/console", { language });
        await page.addInitScript((kept) => localStorage.setItem("plinth-language", kept), language);
    }

    const field = (name) => page.locator(`[data-field="${name}"] input`);
    const values = async () => {
        const { people, money } = await api("GET", `collection/place/${id}`);
        return { people, money: String(money) };
    };
    /** Puts a text into the field with the focus, as a paste does. */
    const paste = (words) => page.evaluate((text) => document.execCommand("insertText", false, text), words);

    for (const [language, people, money, pasted, width] of [
        ["en", "1,234,567", "9,876.50", "12,345,678", 1280],
        ["cs", "1\u00a0234\u00a0567", "9\u00a0876,50", "12\u00a0345\u00a0678", 390],
    ]) {
        test(`${language}, ${width} pixels: grouped until edited; a code is not; a pasted one is read`, async () => {
            await api("PATCH", `collection/place/${id}`, { people: 1234567, money: "9876.5" });
            await begin(language, { viewport: { width, height: 800 } });
            await page.goto(`c/place/${id}`);
            await eventually(async () => (await field("people").inputValue()) === people);
            assert.equal(await field("money").inputValue(), money);
            assert.equal(await field("code").inputValue(), "1234567");
            assert.deepEqual(await violations(page), []);

            // By Tab the whole number is selected, and stays so without its groups: typing replaces it.
            await field("code").focus();
            await page.keyboard.press("Tab");
            await eventually(async () => (await field("people").inputValue()) === "1234567");
            await page.keyboard.type("7654321");
            await page.keyboard.press("Tab");
            assert.equal(
                await field("people").inputValue(),
                people.replace("1", "7").replace("234", "654").replace("567", "321"),
            );

            // A click beside the last digit, and one more digit.
            await field("people").click();
            await eventually(async () => (await field("people").inputValue()) === "7654321");
            await page.keyboard.press("End");
            await page.keyboard.type("0");
            assert.equal(await field("people").inputValue(), "76543210");

            await page.keyboard.press("Control+A");
            await paste(pasted);
            await page.keyboard.press("Control+S");
            await eventually(async () => (await values()).people === 12345678);
            assert.equal((await values()).money, "9876.5");
            await field("money").focus();
            await eventually(async () => (await field("people").inputValue()) === pasted);
        });
    }

    test("what is no number stays as it was typed", async () => {
        await begin("en");
        await page.goto(`c/place/${id}`);
        await field("people").fill("12,34,56");
        await field("money").focus();
        assert.equal(await field("people").inputValue(), "12,34,56");
        await page.getByText("This must be a whole number.").first().waitFor();
        await field("people").focus();
        assert.equal(await field("people").inputValue(), "12,34,56");
    });

    test("a digit typed into a grouped number of a filter makes no other number of it", async () => {
        await begin("en");
        const filters = [{ property: "people", type: "gte", param: 1234 }];
        await page.goto(`c/place?f=${encodeURIComponent(JSON.stringify(filters))}`);
        await gridReady(page, 1);
        await page.getByRole("button", { name: "Filters", exact: true }).click();
        const value = page.getByRole("dialog").getByRole("textbox", { name: "Value" });
        await value.focus();
        await eventually(async () => (await value.inputValue()) === "1234");
        await page.keyboard.press("End");
        await page.keyboard.type("5");
        assert.equal(await value.inputValue(), "12345");
        await page.keyboard.press("Tab");
        assert.equal(await value.inputValue(), "12,345");
        await page.getByRole("button", { name: "Apply" }).click();
        await page.waitForURL(/12345/);
    });
});
