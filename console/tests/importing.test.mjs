// An import is not lost: by a double click, a press beside it, Esc or Back, nor while its rows are written.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { violations } from "./support/axe.mjs";
import { eventually, launch, nothingNoted, person, signIn } from "./support/browser.mjs";
import { gridReady } from "./support/grid.mjs";
import { chooseFile, openImport } from "./support/imports.mjs";
import { client, tenant } from "./support/server.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const files = {
    "tenant.yaml": "tenant: imports\ntitle: Imports\n",
    "users/admin.yaml": "user: admin\nname: Administrator\nroles: [admin]\n",
    "roles/admin.yaml":
        'role: admin\ntitle: Administrator\nsystem: ["*"]\ntypes:\n' +
        '  "*": {show: true, create: true, edit: true, delete: true}\n',
    "types/thing.yaml":
        "id: 20\nname: thing\ntitle: Thing\ntitleProperty: code\nproperties:\n" +
        "  code: {id: 200, kind: pString, title: Code, required: true, unique: true}\n" +
        "  score: {id: 201, kind: pDecimal, scale: 1, max: 90, title: Score}\n",
};

describe("an import that is not lost", () => {
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
        await page.goto("c/thing");
        await page.getByRole("toolbar").waitFor();
    });
    afterEach(async () => {
        nothingNoted(visit.noted);
        await visit.context.close();
    });

    const question = () => page.getByRole("dialog", { name: "Discard this import?" });
    const messages = () => page.getByRole("region", { name: "Notifications" });
    const tryIt = (dialog) => dialog.getByRole("button", { name: "Check the file" });
    const veil = () => page.mouse.click(8, 400);
    /** True if the browser asks before the page is left. */
    const isHeld = () => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
    const total = async () => (await api("POST", "collection/thing/search", { perPage: 1 })).stats.total;

    test("neither a double click nor a press on the veil ends it", async () => {
        const rows = Array.from({ length: 40 }, (_, at) => `double-${at},1`).join("\n");
        const dialog = await chooseFile(page, "double.csv", `code,score\n${rows}\n`);
        const before = await total();
        await tryIt(dialog).dblclick();
        await dialog.getByText("40 rows to create").waitFor();
        await veil();
        await page.waitForTimeout(500);
        await veil();
        assert.ok(await dialog.getByText("40 rows to create").isVisible());
        assert.equal(await total(), before, "the second click imported the rows");
    });

    test("a press on the veil closes other dialogs while nothing is typed in them", async () => {
        const openExport = async () => {
            await page.getByRole("toolbar").getByRole("button", { name: "More" }).click();
            await page.getByRole("menuitem", { name: /^Export/ }).click();
            const dialog = page.getByRole("dialog", { name: /^Export/ });
            await dialog.waitFor();
            await page.waitForTimeout(500);
            return dialog;
        };
        const untouched = await openExport();
        await veil();
        await untouched.waitFor({ state: "detached" });
        const touched = await openExport();
        await touched.getByRole("radio", { name: "JSON", exact: true }).check();
        await page.waitForTimeout(500);
        await veil();
        assert.ok(await touched.isVisible());
    });

    test("Esc and Back ask before they throw it away", async () => {
        // Back leads to another screen of the console, and not to another page.
        await page.goto("");
        await page.getByRole("navigation").getByRole("link", { name: "Thing" }).first().click();
        await page.getByRole("toolbar").waitFor();
        const dialog = await chooseFile(page, "kept.csv", "code,score\nkept,1\n");
        assert.ok(await isHeld(), "the page may be left with the file");
        await page.keyboard.press("Escape");
        await question().waitFor();
        await question().getByRole("button", { name: "Keep editing" }).click();
        await question().waitFor({ state: "detached" });
        await page.evaluate(() => history.back());
        await question().waitFor();
        assert.match(page.url(), /c\/thing/);
        assert.ok(await dialog.getByText("1 row in the file").isVisible());
        await question().getByRole("button", { name: "Discard" }).click();
        await dialog.waitFor({ state: "detached" });
        assert.ok(!(await isHeld()), "a page without an import is held");
    });

    test("a run goes on when its dialog is closed, and tells its end", async () => {
        const dialog = await chooseFile(page, "behind.csv", "code,score\nbehind-1,1\nbehind-2,2\n");
        await tryIt(dialog).click();
        await dialog.getByText("2 rows to create").waitFor();
        const before = await total();
        let go = () => undefined;
        const waits = new Promise((resolve) => (go = resolve));
        await page.route("**/import/*/run", async (route) => {
            await waits;
            await route.continue();
        });
        await dialog.getByRole("button", { name: "Import 2 rows" }).click();
        await dialog.getByText("You can close this").waitFor();
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await messages().getByText("Still importing 2 rows.").waitFor();
        assert.ok(await isHeld(), "the page may be left while rows are written");
        go();
        await messages().getByText("2 rows imported.").waitFor();
        await gridReady(page, before + 2);
        await eventually(async () => !(await isHeld()));
    });

    test("a button that cannot be pressed tells why, and a problem names the column and the value", async () => {
        const dialog = await chooseFile(page, "why.csv", "code,score\nwhy-1,95.1\nwhy-2,1\n");
        for (const name of ["code", "score"])
            await dialog.getByRole("combobox", { name: `Field: ${name}` }).selectOption({ label: "Do not import" });
        await dialog.getByText("Choose a field for at least one column.").waitFor();
        assert.ok(await tryIt(dialog).isDisabled());
        for (const [name, label] of [
            ["code", "Code"],
            ["score", "Score"],
        ])
            await dialog.getByRole("combobox", { name: `Field: ${name}` }).selectOption({ label });
        await tryIt(dialog).click();
        await dialog.getByText("Score: “95.1” — at most 90.").waitFor();
        await dialog.getByText("Correct the file, or tick").waitFor();
        await dialog.getByRole("checkbox", { name: /^Skip rows/ }).check();
        assert.ok(await dialog.getByRole("button", { name: "Import 1 row" }).isEnabled());
    });

    test("a large import that stops tells its line, the rows that are left out, and what to do", async () => {
        await api("POST", "collection/thing", { code: "stop-10000" });
        const rows = Array.from({ length: 10_500 }, (_, at) => `stop-${at},1`).join("\n");
        const dialog = await chooseFile(page, "stops.csv", `code,score\n${rows}\n`);
        await tryIt(dialog).click();
        await dialog.getByText("10,500 rows were read.").waitFor();
        // The tick is in sight before the run, though the trial has found nothing.
        await dialog.getByText("a row with an error stops the import").waitFor();
        const good = dialog.getByRole("checkbox", { name: /^Skip rows/ });
        await good.check();
        await dialog.getByText("a row with an error stops the import").waitFor({ state: "detached" });
        await good.uncheck();
        const before = await total();
        await dialog.getByRole("button", { name: "Import 10,500 rows" }).click();
        await dialog.getByText(/The import stopped at line 10,002: the last [\d,]+ rows/).waitFor();
        const written = (await total()) - before;
        const left = (10_500 - written).toLocaleString("en-US");
        await dialog.getByText(`the last ${left} rows of the file were not imported.`).waitFor();
        // Closed and opened again, the dialog knows it still: the rest goes on from there, without the bad row.
        await dialog.getByRole("button", { name: "Close" }).last().click();
        const again = await openImport(page);
        const past = again.getByRole("region", { name: "Recent imports" });
        await past.getByText(`the last ${left} rows`).waitFor();
        await past.getByRole("button", { name: "Import the rest, skip rows with errors" }).click();
        await messages().getByText("1 row skipped because of errors").waitFor();
        assert.equal((await total()) - before, 10_499);
    });

    test("the rest of an import that stopped is discarded", async () => {
        await api("POST", "collection/thing", { code: "rest-1100" });
        const rows = Array.from({ length: 1_200 }, (_, at) => `rest-${at},1`).join("\n");
        const { id } = await api("POST", "import/thing?run=1", `code,score\n${rows}\n`, {
            "Content-Type": "text/csv",
        });
        await eventually(async () => (await api("GET", `job/${id}`)).state === "failed");
        const past = (await openImport(page)).getByRole("region", { name: "Recent imports" });
        const discard = past.getByRole("button", { name: "Discard the rest" });
        await discard.click();
        await discard.waitFor({ state: "detached" });
        assert.equal((await api("GET", `job/${id}`)).state, "canceled");
        // What it created can be deleted still.
        await past.getByRole("button", { name: "Undo the import" }).first().waitFor();
    });

    test("an import is undone: what it created goes, and what it changed stays", async () => {
        await api("POST", "collection/thing", { code: "undo-1", score: 1 });
        const before = await total();
        const dialog = await chooseFile(page, "undone.csv", "code,score\nundo-1,2\nundo-2,2\nundo-3,3\n");
        await dialog.locator("select", { hasText: "Update or create the record" }).selectOption("upsert");
        await tryIt(dialog).click();
        await dialog.getByText("2 rows to create").waitFor();
        await dialog.getByRole("button", { name: "Import 3 rows" }).click();
        await dialog.getByText("2 rows created, 1 updated").waitFor();
        await dialog.getByRole("button", { name: "Undo the import" }).click();
        const undoing = page.getByRole("dialog", { name: "Undo this import?" });
        await undoing.getByText("2 rows would be deleted.").waitFor();
        assert.equal(await total(), before + 2);
        await undoing.getByRole("button", { name: "Delete 2 rows" }).click();
        await undoing.waitFor({ state: "detached" });
        await messages().getByText("2 rows deleted.").waitFor();
        assert.equal(await total(), before);
        // Here and among the recent imports, it is told as undone, by the name of its file.
        await dialog.getByText("2 rows created, then undone, 1 updated.").waitFor();
        assert.equal(await dialog.getByRole("button", { name: "Undo the import" }).count(), 0);
        await dialog.getByRole("button", { name: "Choose another file" }).click();
        const recent = dialog.getByRole("listitem").filter({ hasText: "undone.csv" });
        await recent.getByText("2 rows created, then undone").waitFor();
        assert.equal(await recent.getByRole("button", { name: "Undo the import" }).count(), 0);
        assert.deepEqual(await violations(page), []);
        await page.keyboard.press("Escape");
        await gridReady(page, before);
        // Another browser has no names, and finds out at once that nothing is left.
        await page.evaluate(() =>
            localStorage.removeItem(Object.keys(localStorage).find((key) => /imports/.test(key))),
        );
        const again = await openImport(page);
        await again.getByText("Names of files are known only in the browser that sent them.").waitFor();
        const gone = again.getByRole("listitem").filter({ hasText: "Undone, or deleted since" }).first();
        await gone.getByText("2 rows created").waitFor();
        assert.equal(await gone.getByRole("button").count(), 0);
        assert.deepEqual(await violations(page), []);
    });

    test("an undo of rows that are deleted by then says so, and has nothing to delete", async () => {
        const dialog = await chooseFile(page, "deleted.csv", "code,score\ndeleted-1,1\n");
        await tryIt(dialog).click();
        await dialog.getByRole("button", { name: "Import 1 row" }).click();
        await dialog.getByText("1 row created.").waitFor();
        const filters = [{ property: "code", type: "eq", param: "deleted-1" }];
        const [{ id }] = (await api("POST", "collection/thing/search", { filters })).data;
        await api("DELETE", `collection/thing/${id}`);
        await dialog.getByRole("button", { name: "Undo the import" }).click();
        const undoing = page.getByRole("dialog", { name: "Undo this import?" });
        await undoing.getByText("Nothing that this import created is left.").waitFor();
        assert.equal(await undoing.getByRole("button", { name: /^Delete/ }).count(), 0);
        await undoing.getByRole("button", { name: "Close" }).last().click();
        await undoing.waitFor({ state: "detached" });
    });

    test("the new rows of an import are shown, though a filter hides them", async () => {
        const filters = [{ property: "code", type: "eq", param: "no such code" }];
        await page.goto(`c/thing?f=${encodeURIComponent(JSON.stringify(filters))}`);
        await page.getByRole("toolbar").waitFor();
        const dialog = await chooseFile(page, "shown.csv", "code,score\nshown-1,1\nshown-2,2\n");
        await tryIt(dialog).click();
        await dialog.getByRole("button", { name: "Import 2 rows" }).click();
        await dialog.getByRole("button", { name: "Show the 2 new rows" }).click();
        await dialog.waitFor({ state: "detached" });
        await gridReady(page, 2);
        await page.getByText("shown-1", { exact: true }).waitFor();
        // What others make in the meantime is another person's.
        assert.match(decodeURIComponent(page.url()), /"created"/);
    });

    test("a required field without a column is told before the check, and a column named as the type has its titles", async () => {
        const dialog = await chooseFile(page, "things.csv", "Thing,score\nnamed-1,1\n");
        const field = dialog.getByRole("combobox", { name: "Field: Thing" });
        assert.equal(await field.inputValue(), "code");
        await field.selectOption({ label: "Do not import" });
        await dialog.getByText("Code is required: choose its column.").waitFor();
        // A preset may give it: the check is possible.
        assert.ok(await tryIt(dialog).isEnabled());
        assert.deepEqual(await violations(page), []);
        await dialog.getByRole("combobox", { name: "For each row" }).selectOption("update");
        assert.equal(await dialog.getByText(/is required/).count(), 0);
        await dialog.getByRole("combobox", { name: "For each row" }).selectOption("upsert");
        await dialog.getByText(/for new records: choose/).waitFor();
        await field.selectOption({ label: "Code" });
        await dialog.getByText(/is required/).waitFor({ state: "detached" });
    });

    test("a corrected file of bad rows has the mapping that was chosen for the first one", async () => {
        const first = await chooseFile(page, "kept.csv", "what,much\nmapped-1,99\nmapped-2,2\n");
        await first.getByRole("combobox", { name: "Field: what" }).selectOption({ label: "Code" });
        await first.getByRole("combobox", { name: "Field: much" }).selectOption({ label: "Score" });
        await tryIt(first).click();
        await first.getByText("1 row has an error.").waitFor();
        const [download] = await Promise.all([
            page.waitForEvent("download"),
            first.getByRole("button", { name: "Download rows with errors" }).click(),
        ]);
        const bad = readFileSync(await download.path(), "utf8");
        await page.keyboard.press("Escape");
        await question().getByRole("button", { name: "Discard" }).click();
        const dialog = await chooseFile(page, "corrected.csv", bad.replace(",99,", ",9,"));
        assert.equal(await dialog.getByRole("combobox", { name: "Field: what" }).inputValue(), "code");
        assert.equal(await dialog.getByRole("combobox", { name: "Field: much" }).inputValue(), "score");
        assert.equal(await dialog.getByRole("combobox", { name: "Field: problem" }).inputValue(), "");
        await dialog.getByText("that you chose for a file with these columns before").waitFor();
        await tryIt(dialog).click();
        await dialog.getByRole("button", { name: "Import 1 row" }).click();
        await dialog.getByText("1 row created.").waitFor();
    });

    test("columns without a name are left out, and a name that stands twice is told", async () => {
        const dialog = await chooseFile(page, "empty.csv", "code,score,,\nempty-columns,1,x,y\n");
        assert.deepEqual(await dialog.getByRole("rowheader").allTextContents(), ["code", "score"]);
        await tryIt(dialog).click();
        await dialog.getByRole("button", { name: "Import 1 row" }).click();
        await dialog.getByRole("button", { name: "Close" }).last().click();
        await eventually(async () => {
            const filters = [{ property: "code", type: "eq", param: "empty-columns" }];
            return (await api("POST", "collection/thing/search", { filters })).stats.total === 1;
        }, "the row is not imported");

        const second = await openImport(page);
        const buffer = Buffer.from("code,score,score\ntwice,1,2\n");
        await second.locator("input[type=file]").setInputFiles({ name: "twice.csv", mimeType: "text/csv", buffer });
        await second.getByText("The column “score” is given twice.").first().waitFor();
        assert.ok(await second.getByText("Drop a file here").isVisible());
    });

    test("a phone is asked for no file to be dropped", async () => {
        const phone = await person(browser, server, { state, ...PHONE });
        await phone.page.goto("c/thing");
        await phone.page.getByRole("toolbar").waitFor();
        const dialog = await openImport(phone.page);
        await dialog.locator("button", { hasText: "Choose a file" }).waitFor();
        assert.ok(await dialog.getByText("Drop a file here").isHidden());
        assert.deepEqual(await violations(phone.page), []);
        nothingNoted(phone.noted);
        await phone.context.close();
    });

    test("a file that is changed on the disk is told, and chosen anew with all that was chosen for it", async () => {
        const folder = mkdtempSync(join(tmpdir(), "plinth-file-"));
        const path = join(folder, "disk.csv");
        try {
            writeFileSync(path, "first,score\ndisk-1,99\ndisk-2,2\n");
            const dialog = await openImport(page);
            await dialog.locator("input[type=file]").setInputFiles(path);
            await dialog.getByRole("combobox", { name: "Field: first" }).selectOption({ label: "Code" });
            await tryIt(dialog).click();
            await dialog.getByText("1 row has an error").waitFor();
            writeFileSync(path, "first,score,more\ndisk-1,9,a\ndisk-2,2,b\ndisk-3,3,c\n");
            await dialog.getByRole("button", { name: "Check again" }).click();
            await dialog
                .getByRole("alert")
                .getByText(/^The file disk.csv was changed/)
                .waitFor();
            assert.deepEqual(await violations(page), []);
            await dialog.getByRole("button", { name: "Check the earlier version" }).click();
            await dialog.getByText("1 row has an error").waitFor();
            await dialog.getByRole("button", { name: "Check again" }).click();
            const [chooser] = await Promise.all([
                page.waitForEvent("filechooser"),
                dialog.getByRole("button", { name: "Choose the file again" }).click(),
            ]);
            await chooser.setFiles(path);
            await dialog.getByText("3 rows to create").waitFor();
            assert.equal(await dialog.getByRole("alert").count(), 0);
            // It is told at the step of the columns, too.
            writeFileSync(path, "first,score\ndisk-1,99\ndisk-2,2\n");
            await dialog.getByRole("button", { name: "Back" }).click();
            await tryIt(dialog).click();
            await dialog.getByRole("button", { name: "Choose the file again" }).waitFor();
            await dialog.getByRole("button", { name: "Check the earlier version" }).click();
            await dialog.getByText("3 rows to create").waitFor();
        } finally {
            rmSync(folder, { recursive: true });
        }
    });

    test("the button of the trial has its name after it, is away during the run, and the end has no message", async () => {
        const dialog = await chooseFile(page, "again.csv", "code,score\nagain-1,99\nagain-2,2\nagain-3,3\n");
        await tryIt(dialog).click();
        await dialog.getByText("1 row has an error").waitFor();
        await dialog.getByRole("button", { name: "Check again" }).waitFor();
        await dialog.getByRole("checkbox", { name: /^Skip rows/ }).check();
        let go = () => undefined;
        const waits = new Promise((resolve) => (go = resolve));
        await page.route("**/import/*/run", async (route) => {
            await waits;
            await route.continue();
        });
        await dialog.getByRole("button", { name: "Import 2 rows" }).click();
        await dialog.getByText("You can close this").waitFor();
        assert.equal(await dialog.getByRole("button", { name: /^Check/ }).count(), 0);
        go();
        await dialog.getByText("2 rows created.").waitFor();
        await gridReady(page, await total());
        assert.equal(
            await messages()
                .getByText(/imported/)
                .count(),
            0,
            "a message lies over the dialog",
        );
    });

    test("the trial of a large file says how many rows were read", async () => {
        const rows = Array.from({ length: 10_100 }, (_, at) => `large-${at},${at < 2 ? 99 : 1}`).join("\n");
        const dialog = await chooseFile(page, "large.csv", `code,score\n${rows}\n`);
        await tryIt(dialog).click();
        await dialog.getByText("10,100 rows were read.").waitFor();
        await dialog.getByText("2 rows have errors").waitFor();
        assert.equal(await dialog.getByText("0 rows created").count(), 0);
    });
});
