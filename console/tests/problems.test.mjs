// Questions before an import, and reasons why rows refuse a change: days with slashes, texts of workbooks, refused rows.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sideways, violations } from "./support/axe.mjs";
import { launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { grid, gridReady } from "./support/grid.mjs";
import { chooseFile } from "./support/imports.mjs";
import { client, tenant } from "./support/server.mjs";

const files = {
    "tenant.yaml": "tenant: problems\ntitle: Problems\n",
    "users/admin.yaml": "user: admin\nname: Administrator\nroles: [admin]\n",
    "roles/admin.yaml":
        'role: admin\ntitle: Administrator\nsystem: ["*"]\ntypes:\n' +
        '  "*": {show: true, create: true, edit: true, delete: true}\n',
    "types/thing.yaml":
        "id: 20\nname: thing\ntitle: Thing\ntitleProperty: code\nproperties:\n" +
        "  code: {id: 200, kind: pString, title: Code, required: true, unique: true}\n" +
        "  score: {id: 201, kind: pDecimal, scale: 1, max: 90, title: Score}\n" +
        "  day: {id: 202, kind: pDate, title: Day}\n" +
        "  rank: {id: 204, kind: pInteger, max: 5, title: Rank}\n" +
        '  until: {id: 203, kind: pDate, title: Until, validate: [{rule: "{=until >= day}", message: Over too soon.}]}\n',
    // Its rows are a workbook with texts alone.
    "types/sheet.yaml":
        "id: 21\nname: sheet\ntitle: Sheet\ntitleProperty: code\nproperties:\n" +
        "  code: {id: 210, kind: pString, title: Code}\n" +
        "  score: {id: 211, kind: pString, title: Score}\n" +
        "  day: {id: 212, kind: pString, title: Day}\n",
};

const words = {
    en: {
        more: "More",
        import: /^Import/,
        tryIt: "Check the file",
        good: /^Skip rows/,
        run: "Import 2 rows",
        days: "Format of dates such as 1/2/2026",
        choose: "Choose the date format.",
        wrong: "Day: “2/13/2026” — this is not a date in the chosen format.",
        done: "2 rows created.",
        tooLarge: ["Rank: At most 5.", "Score: At most 90."],
    },
    cs: {
        more: "Další",
        import: /^Importovat/,
        tryIt: "Zkontrolovat soubor",
        good: /^Přeskočit řádky/,
        run: "Importovat 2 řádky",
        days: "Formát dat jako 1/2/2026",
        choose: "Vyberte formát dat.",
        wrong: "Day: „2/13/2026“ — ve vybraném formátu to není datum.",
        done: "Vytvořeno: 2 řádky.",
        tooLarge: ["Rank: Nejvýše 5.", "Score: Nejvýše 90."],
    },
};

describe("problems of files and of changes", () => {
    let server, browser, api, state, visit, page;

    before(async () => {
        [server, browser] = await Promise.all([tenant(files), launch()]);
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
        page = visit.page;
    });
    afterEach(async () => {
        nothingNoted(visit.noted);
        await visit.context.close();
    });

    const dialog = () => page.getByRole("dialog");
    const found = async (start) => {
        const filters = [{ property: "code", type: "startsWith", param: start }];
        return (await api("POST", "collection/thing/search", { filters, orderBy: ["code"] })).data;
    };

    /** Opens a list in a language. */
    async function open(place, language = "en") {
        await api("PUT", "setting/console", { language });
        // A list begins anew when the model comes in another language than the one of the last visit.
        await page.addInitScript((kept) => localStorage.setItem("plinth-language", kept), language);
        await page.goto(place);
        await page.getByRole("toolbar").waitFor();
    }

    /** Looks at what is shown, wide and on the width of a phone. */
    async function look() {
        for (const width of [390, 1280]) {
            await page.setViewportSize({ width, height: 800 });
            await settled(page);
            assert.deepEqual([await violations(page), await sideways(page)], [[], []], `${width} pixels`);
        }
    }

    /** Gives a property of a bulk change its value. */
    async function setValue(title, value) {
        await dialog().getByRole("combobox").last().fill(title);
        await page.keyboard.press("Enter");
        await dialog().getByRole("textbox", { name: title }).fill(value);
    }

    /** The refused rows of the trial, by their titles, with the reasons of each. */
    async function refusals(expected) {
        const rows = dialog().locator(".refused li");
        for (const title of Object.keys(expected)) await rows.filter({ hasText: title }).waitFor();
        const told = await rows.evaluateAll((all) =>
            all.map((row) => [...row.querySelectorAll("b, p")].map((part) => part.textContent.trim())),
        );
        assert.deepEqual(Object.fromEntries(told.map(([title, ...reasons]) => [title, reasons.sort()])), expected);
    }

    for (const [language, say] of Object.entries(words)) {
        test(`days with slashes are read in the order that is chosen by keys (${language})`, async () => {
            await open("c/thing", language);
            const rows = ["1/2/2026", "13/2/2026", "2/13/2026"].map((day, at) => `${language}-${at};${day}`);
            await chooseFile(page, "days.csv", `code;day\n${rows.join("\n")}\n`, say);
            const order = dialog().getByRole("combobox", { name: say.days });
            const tryIt = dialog().getByRole("button", { name: say.tryIt });
            assert.equal(await order.inputValue(), "", "an order is guessed");
            await dialog().getByText(say.choose).waitFor();
            assert.ok(await tryIt.isDisabled());
            await look();
            await order.focus();
            await page.keyboard.press("ArrowDown");
            assert.equal(await order.inputValue(), "dmy");
            await tryIt.press("Enter");
            await dialog().getByText(say.wrong).waitFor();
            await look();
            await dialog().getByRole("checkbox", { name: say.good }).check();
            await dialog().getByRole("button", { name: say.run }).click();
            await dialog().getByText(say.done).waitFor();
            assert.deepEqual(
                (await found(`${language}-`)).map(({ day }) => day),
                ["2026-02-01", "2026-02-13"],
            );
        });

        test(`refused rows tell each property and what is wrong with it (${language})`, async () => {
            const codes = [0, 1, 2].map((at) => `refusing-${language}-${at}`);
            for (const [at, code] of codes.entries())
                await api("POST", "collection/thing", {
                    code,
                    day: "2026-01-01",
                    until: at === 2 ? "2026-12-31" : "2026-01-31",
                });
            const filters = JSON.stringify([{ property: "code", type: "in", param: codes }]);
            await open(`c/thing?cols=code,score,day,until&s=code&f=${encodeURIComponent(filters)}`, language);
            await gridReady(page, 3);
            await grid(page).focus();
            await page.keyboard.press("Control+A");
            await grid(page).locator('[aria-selected="true"]').first().waitFor();
            await page.keyboard.press("e");
            await dialog().getByRole("combobox").first().waitFor();
            await setValue("Day", "2026-06-01");
            await dialog().getByRole("checkbox").press("Space");
            await page.keyboard.press("Control+Enter");
            // A rule of another property than the changed one.
            const soon = ["Until: Over too soon."];
            await refusals({ [codes[0]]: soon, [codes[1]]: soon });
            await setValue("Score", "95");
            await setValue("Rank", "9");
            await page.keyboard.press("Control+Enter");
            await refusals(Object.fromEntries(codes.map((code) => [code, say.tooLarge])));
            await look();
        });
    }

    test("the order that days show is chosen at first, and no choice is there for a column of texts", async () => {
        await open("c/thing");
        await chooseFile(page, "shown.csv", "code;day\n1/2/2026;2/13/2026\n");
        const order = dialog().getByRole("combobox", { name: /^Format of dates/ });
        assert.equal(await order.inputValue(), "mdy");
        await dialog().getByRole("button", { name: "Check the file" }).click();
        await dialog().getByText("1 row to create").waitFor();
        await dialog().getByRole("button", { name: "Back" }).click();
        await dialog().getByRole("combobox", { name: "Field: day" }).selectOption({ label: "Do not import" });
        await order.waitFor({ state: "detached" });
    });

    test("texts of a workbook are read by both choices", async () => {
        await api("POST", "collection/sheet", { code: "book-1", score: "12,5", day: "1/2/2026" });
        const path = `${server.url}/api/ext/v1/export/sheet?format=xlsx&showFields=code,score,day`;
        const answer = await fetch(path, { headers: { key: server.key } });
        assert.equal(answer.status, 200);
        await open("c/thing");
        await chooseFile(page, "book.xlsx", await answer.arrayBuffer());
        await dialog().getByRole("combobox", { name: "Field: id" }).selectOption({ label: "Do not import" });
        assert.equal(
            await dialog()
                .getByRole("combobox", { name: /such as 12,5/ })
                .inputValue(),
            ",",
        );
        const order = dialog().getByRole("combobox", { name: words.en.days });
        await order.selectOption({ label: "Month first (12/31/2026)" });
        await dialog().getByRole("button", { name: "Check the file" }).click();
        await dialog().getByRole("button", { name: "Import 1 row" }).click();
        await dialog().getByText("1 row created.").waitFor();
        const [{ score, day }] = await found("book-");
        assert.deepEqual([score, day], [12.5, "2026-01-02"]);
    });
});
