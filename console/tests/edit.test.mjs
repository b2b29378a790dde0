// Values changed in the grid: by keys, by mouse, in blocks, for all found rows; undone, refused, and in conflict.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { eventually, launch, nothingNoted, person, signIn } from "./support/browser.mjs";
import { cellAt, grid, gridReady } from "./support/grid.mjs";
import { client, demo } from "./support/server.mjs";

const COLUMNS = "cols=number,subject,status,priority,channel,email,hours";
const SUBJECT = 1;
const STATUS = 2;
const PRIORITY = 3;
const EMAIL = 5;
const HOURS = 6;

describe("editing in the grid", () => {
    let server, browser, api, state, visit, page, rows;

    before(async () => {
        [server, browser] = await Promise.all([demo("helpdesk"), launch()]);
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
        const orderBy = ["-id"];
        ({ data: rows } = await api("POST", "collection/ticket/search", {
            orderBy,
            perPage: 50,
            showFields: ["id", "subject", "status", "priority", "email"],
        }));
        await page.goto(`c/ticket?${COLUMNS}&s=-id`);
        await gridReady(page);
        await grid(page).focus();
    });
    afterEach(async () => {
        nothingNoted(visit.noted);
        await visit.context.close();
    });

    const read = async (index) => api("GET", `collection/ticket/${rows[index].id}`);
    const shows = (index, column, text) =>
        eventually(
            async () => (await cellAt(page, index, column).textContent()) === text,
            `the cell does not show ${text}`,
        );
    const has = (index, name, value) =>
        eventually(async () => (await read(index))[name] === value, `${name} of row ${index} is not ${value}`);

    /** Puts the focus on a cell by keys. */
    async function to(index, column) {
        await page.keyboard.press("Control+Home");
        for (let step = 0; step < index; step += 1) await page.keyboard.press("ArrowDown");
        for (let step = 0; step < column; step += 1) await page.keyboard.press("ArrowRight");
        await eventually(async () => (await cellAt(page, index, column).getAttribute("class")).includes("active"));
    }

    test("by keys: Enter, arrow, Enter; undo and redo; Esc gives up", async () => {
        await api("PATCH", `collection/ticket/${rows[0].id}`, { priority: "low" });
        await page.reload();
        await gridReady(page);
        await grid(page).focus();
        await to(0, PRIORITY);
        await page.keyboard.press("Enter");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await shows(0, PRIORITY, "Normal");
        await has(0, "priority", "normal");
        // A value that is calculated from it comes with the answer.
        await shows(0, HOURS, "72");
        await page.keyboard.press("Control+Z");
        await has(0, "priority", "low");
        await shows(0, PRIORITY, "Low");
        await page.keyboard.press("Control+Y");
        await has(0, "priority", "normal");

        await page.keyboard.press("F2");
        await page.keyboard.type("urg");
        await page.keyboard.press("Escape");
        await shows(0, PRIORITY, "Normal");
        assert.equal(await page.locator(".cell-editor").count(), 0);
        assert.ok(await grid(page).evaluate((box) => document.activeElement === box), "the grid has lost the focus");
        await page.keyboard.press("ArrowLeft");
        await page.keyboard.press("ArrowLeft");
        await page.keyboard.press("Enter");
        await page.keyboard.type("Nothing of this");
        await page.keyboard.press("Escape");
        await shows(0, SUBJECT, rows[0].subject);
        assert.equal((await read(0)).subject, rows[0].subject);
    });

    test("by mouse: a double click for the editor, a click for the option", async () => {
        const other = rows[1].status === "waiting" ? ["Open", "open"] : ["Waiting for an answer", "waiting"];
        await cellAt(page, 1, STATUS).dblclick();
        await page.getByRole("option", { name: other[0] }).click();
        await shows(1, STATUS, other[0]);
        await has(1, "status", other[1]);

        await cellAt(page, 1, SUBJECT).dblclick();
        await page.locator(".cell-editor input").fill("Typed, and left by a click");
        await cellAt(page, 5, SUBJECT).click();
        await has(1, "subject", "Typed, and left by a click");
    });

    test("typing begins an edit in the place of the value; letters with Alt are keys of the list", async () => {
        const field = page.locator(".cell-editor input");
        await to(2, SUBJECT);
        await page.keyboard.type("new title, 1st");
        assert.equal(await field.inputValue(), "new title, 1st");
        await page.keyboard.press("Enter");
        await has(2, "subject", "new title, 1st");
        await page.keyboard.press("Control+Z");
        await has(2, "subject", rows[2].subject);

        // An undo that comes before the answer waits for it.
        await page.route(`**/collection/ticket/${rows[2].id}**`, async (route) => {
            if (route.request().method() === "PATCH") await new Promise((done) => setTimeout(done, 700));
            await route.continue();
        });
        await page.keyboard.type("a second title");
        await page.keyboard.press("Enter");
        await page.keyboard.press("Control+Z");
        await shows(2, SUBJECT, "a second title");
        await has(2, "subject", "a second title");
        await has(2, "subject", rows[2].subject);
        await page.unroute(`**/collection/ticket/${rows[2].id}**`);

        await page.keyboard.type("Nothing of this");
        await page.keyboard.press("Escape");
        await shows(2, SUBJECT, rows[2].subject);
        assert.equal((await read(2)).subject, rows[2].subject);

        // A click beside it saves, as for an edit by Enter.
        await page.keyboard.press("ArrowDown");
        await page.keyboard.type("7");
        await cellAt(page, 6, SUBJECT).click();
        await has(3, "subject", "7");
        assert.equal((await read(2)).subject, rows[2].subject);

        await page.keyboard.press("Alt+f");
        await page.getByRole("menu").waitFor();
        await page.keyboard.press("Escape");
        // Options are chosen, not typed: a letter is a key of the list.
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("f");
        await page.getByRole("menu").waitFor();
        await page.keyboard.press("Escape");
        // So it is for selected rows.
        await to(4, SUBJECT);
        await page.keyboard.press("Space");
        await page.keyboard.press("e");
        await page.getByRole("dialog").getByRole("combobox").first().waitFor();
        assert.equal(await page.locator(".cell-editor").count(), 0);
    });

    test("a text: typed, saved by Enter and by Tab, which goes on", async () => {
        await to(2, SUBJECT);
        await page.keyboard.press("Enter");
        await page.keyboard.press("Control+A");
        await page.keyboard.type("The printer smokes");
        await page.keyboard.press("Tab");
        await has(2, "subject", "The printer smokes");
        await shows(2, SUBJECT, "The printer smokes");
        await eventually(async () => (await cellAt(page, 2, STATUS).getAttribute("class")).includes("active"));
    });

    test("a refused value is told, the old one is back, and the typed one is kept beside it", async () => {
        const wrong = "no address";
        const before = (await read(3)).email;
        await to(3, EMAIL);
        await page.keyboard.press("Enter");
        await page.keyboard.press("Control+A");
        await page.keyboard.type(wrong);
        await page.keyboard.press("Enter");
        const alert = page.getByRole("alert").filter({ hasText: wrong });
        await alert.waitFor();
        assert.match(await alert.textContent(), /e-mail/i);
        assert.equal(await cellAt(page, 3, EMAIL).getAttribute("aria-invalid"), "true");
        await shows(3, EMAIL, before ?? "");
        assert.equal((await read(3)).email, before);
        // The typed value stays at its cell, with the reason below it; left by Esc, it can be edited again.
        await page
            .locator(".cell-editor .cell-problem")
            .filter({ hasText: /e-mail/i })
            .waitFor();
        assert.equal(await page.locator(".cell-editor input").inputValue(), wrong);
        await page.keyboard.press("Escape");
        assert.equal(await page.locator(".cell-editor").count(), 0);
        await page.getByRole("button", { name: "Edit again" }).click();
        await eventually(async () => (await page.locator(".cell-editor input").inputValue()) === wrong);
        await page.keyboard.press("Control+A");
        await page.keyboard.type("office@acme.example");
        await page.keyboard.press("Enter");
        await has(3, "email", "office@acme.example");
        await alert.waitFor({ state: "detached" });

        // A required value cannot be emptied.
        await page.keyboard.press("Home");
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Delete");
        await page
            .getByRole("alert")
            .filter({ hasText: /required/i })
            .waitFor();
        await shows(3, SUBJECT, (await read(3)).subject);
        await page.getByRole("button", { name: "Discard" }).click();
        await page.getByRole("alert").waitFor({ state: "detached" });
    });

    test("the value was changed elsewhere meanwhile: both are shown, and one is chosen", async () => {
        await api("PATCH", `collection/ticket/${rows[4].id}`, { subject: "As it was" });
        await page.reload();
        await gridReady(page);
        await grid(page).focus();
        await to(4, SUBJECT);
        await page.keyboard.press("Enter");
        await page.locator(".cell-editor input").waitFor();
        await api("PATCH", `collection/ticket/${rows[4].id}`, { subject: "Theirs" });
        await page.keyboard.press("Control+A");
        await page.keyboard.type("Mine");
        await page.keyboard.press("Enter");
        const alert = page.getByRole("alert").filter({ hasText: "Theirs" });
        await alert.waitFor();
        await alert.getByText("You changed Subject elsewhere").waitFor();
        assert.match(await alert.textContent(), /As it was/);
        assert.match(await alert.textContent(), /Mine/);
        assert.equal((await read(4)).subject, "Theirs");
        await alert.getByRole("button", { name: "Keep mine" }).click();
        await has(4, "subject", "Mine");
        await shows(4, SUBJECT, "Mine");

        // Another property of the same record is no conflict.
        await page.keyboard.press("Enter");
        await page.locator(".cell-editor input").waitFor();
        await api("PATCH", `collection/ticket/${rows[4].id}`, { email: "new@acme.example" });
        await page.keyboard.press("Control+A");
        await page.keyboard.type("Mine again");
        await page.keyboard.press("Enter");
        await has(4, "subject", "Mine again");
        assert.equal((await read(4)).email, "new@acme.example");
        assert.equal(await page.getByRole("alert").count(), 0);
    });

    test("a value is changed again before the list has read it", async () => {
        // All that follows the first list is slow: a write is long done when its list still shows the value before.
        await page.route("**/collection/ticket/search", async (route) => {
            await new Promise((resolve) => setTimeout(resolve, 1500));
            await route.continue();
        });
        await to(6, SUBJECT);
        for (const [before, typed] of [
            [rows[6].subject, "Once"],
            ["Once", "Twice"],
        ]) {
            await page.keyboard.press("Enter");
            const field = page.locator(".cell-editor input");
            await field.waitFor();
            assert.equal(await field.inputValue(), before);
            await page.keyboard.press("Control+A");
            await page.keyboard.type(typed);
            await page.keyboard.press("Enter");
            await has(6, "subject", typed);
        }
        await page.waitForTimeout(2000);
        await shows(6, SUBJECT, "Twice");
        assert.equal(await page.getByRole("alert").count(), 0);
        await page.unrouteAll({ behavior: "wait" });
    });

    test("without a connection the value is told as not saved, and saved afterwards", async () => {
        const before = (await read(7)).subject;
        await to(7, SUBJECT);
        await page.keyboard.press("Enter");
        await page.locator(".cell-editor input").waitFor();
        await page.waitForTimeout(300);
        await visit.context.setOffline(true);
        await page.keyboard.press("Control+A");
        await page.keyboard.type("Typed in a tunnel");
        await page.keyboard.press("Enter");
        await page.getByRole("alert").filter({ hasText: "Typed in a tunnel" }).waitFor();
        assert.equal((await read(7)).subject, before);
        await visit.context.setOffline(false);
        await page.getByRole("button", { name: "Edit again" }).click();
        await eventually(async () => (await page.locator(".cell-editor input").inputValue()) === "Typed in a tunnel");
        await page.keyboard.press("Enter");
        await has(7, "subject", "Typed in a tunnel");
    });

    test("a block is copied and pasted as TSV; one wrong value writes nothing", async () => {
        await to(8, SUBJECT);
        await page.keyboard.press("Shift+ArrowDown");
        await page.keyboard.press("Shift+ArrowRight");
        await page.keyboard.press("Shift+ArrowRight");
        await page.keyboard.press("Control+C");
        const copied = await page.evaluate(() => navigator.clipboard.readText());
        const lines = copied
            .trimEnd()
            .split(/\r?\n/)
            .map((line) => line.split("\t"));
        assert.equal(lines.length, 2);
        assert.equal(lines[0].length, 3);
        assert.equal(lines[0][0], rows[8].subject);

        const put = (text) => page.evaluate((words) => navigator.clipboard.writeText(words), text);
        await to(7, SUBJECT);
        await page.keyboard.press("Enter");
        await page.locator(".cell-editor input").fill("Before the paste");
        await page.keyboard.press("Enter");
        await has(7, "subject", "Before the paste");
        await put('"Two\nlines"\tOpen\tHigh\nPlain\tclosed\tUrgent\n');
        await to(8, SUBJECT);
        await page.keyboard.press("Control+V");
        await has(8, "subject", "Two\nlines");
        await has(8, "priority", "high");
        await has(9, "subject", "Plain");
        await has(9, "status", "closed");
        await has(9, "priority", "urgent");
        await page.keyboard.press("Control+Z");
        await has(8, "subject", rows[8].subject);
        await has(9, "priority", rows[9].priority);
        // The button of the message undoes its own step alone, which is undone already.
        await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" }).click();
        await page.waitForTimeout(500);
        assert.equal((await read(7)).subject, "Before the paste");

        await put("Right\tOpen\nWrong\tno such status\n");
        await to(10, SUBJECT);
        await page.keyboard.press("Control+V");
        await eventually(async () => (await cellAt(page, 11, STATUS).getAttribute("aria-invalid")) === "true");
        await eventually(async () => (await cellAt(page, 10, SUBJECT).getAttribute("aria-invalid")) === "true");
        await page.waitForTimeout(500);
        assert.equal((await read(10)).subject, rows[10].subject);
        assert.equal((await read(11)).subject, rows[11].subject);

        // A copied value goes to many cells.
        await to(12, PRIORITY);
        await page.keyboard.press("Control+C");
        await page.keyboard.press("ArrowDown");
        for (let step = 0; step < 4; step += 1) await page.keyboard.press("Shift+ArrowDown");
        await page.keyboard.press("Control+V");
        for (const index of [13, 15, 17]) await has(index, "priority", rows[12].priority);
    });

    test("all found rows are changed at once, after a trial; other rows are left alone", async () => {
        const filters = [
            { property: "channel", type: "eq", param: "phone" },
            { property: "priority", type: "eq", param: "low" },
        ];
        const count = async (list) =>
            (await api("POST", "collection/ticket/search", { filters: list, perPage: 1 }))?.stats.total ?? 0;
        const found = await count(filters);
        assert.ok(found > 5, `only ${found} rows`);
        const urgent = [{ property: "priority", type: "eq", param: "urgent" }];
        const allUrgent = await count(urgent);
        await page.goto(`c/ticket?${COLUMNS}&f=${encodeURIComponent(JSON.stringify(filters))}`);
        await gridReady(page, found);
        await grid(page).focus();
        await page.keyboard.press("Control+A");
        await page
            .getByRole("region", { name: "Selection" })
            .getByText(`All ${found} matching rows are selected`)
            .waitFor();
        await page.keyboard.press("e");
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("combobox").first().waitFor();
        await page.keyboard.type("Prio");
        await page.keyboard.press("Enter");
        await dialog.getByRole("radio", { name: "Urgent" }).check();
        await dialog.getByRole("button", { name: "Preview changes" }).click();
        await dialog.getByText(`${found} rows; ${found} would change.`).waitFor();
        assert.equal(await count(urgent), allUrgent, "the trial wrote something");
        await dialog.getByRole("button", { name: `Change ${found} rows` }).click();
        await dialog.waitFor({ state: "detached" });
        assert.equal(await count(filters), 0);
        assert.equal(await count(urgent), allUrgent + found);

        // The rows are gone from the list, which has the keys all the same.
        const nothing = page.getByText("No results");
        await nothing.waitFor();
        const focusInList = () => page.evaluate(() => document.activeElement?.classList.contains("area"));
        await eventually(focusInList, "the focus is lost with the rows");
        await page.keyboard.press("Control+Z");
        await gridReady(page, found);
        assert.equal(await count(urgent), allUrgent);
        assert.equal(await count(filters), found);
        await eventually(() => grid(page).evaluate((box) => document.activeElement === box), "the grid has no keys");
        await page.keyboard.press("Control+Y");
        await eventually(async () => (await count(urgent)) === allUrgent + found, "nothing was done again");
    });

    /** Changes the first three rows at once: e, a property, a value, trial, change. */
    async function changeThree(value, tried, button = /^Change \d rows?$/) {
        await to(0, STATUS);
        for (let step = 0; step < 3; step += 1) {
            await page.keyboard.press("Space");
            await page.keyboard.press("ArrowDown");
        }
        await page.keyboard.press("e");
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("combobox").first().waitFor();
        await page.keyboard.type("Prio");
        await page.keyboard.press("Enter");
        await dialog.getByRole("radio", { name: value }).check();
        await dialog.getByRole("button", { name: "Preview changes" }).click();
        if (tried !== undefined) await dialog.getByText(tried).waitFor();
        await dialog.getByRole("button", { name: button }).click();
        await dialog.waitFor({ state: "detached" });
    }

    test("a trial tells the rows that are already as they should be, and the change counts the others", async () => {
        await api("PATCH", `collection/ticket/${rows[0].id}`, { priority: "high" });
        for (const index of [1, 2]) await api("PATCH", `collection/ticket/${rows[index].id}`, { priority: "low" });
        await changeThree("High", "3 rows; 2 would change, 1 stays the same.", "Change 2 rows");
        for (const index of [0, 1, 2]) await has(index, "priority", "high");
        await page.getByRole("region", { name: "Notifications" }).getByText("2 rows changed.").waitFor();
    });

    test("a view is shared with roles that are chosen", async () => {
        await page.goto(`c/ticket?${COLUMNS}&s=-id&q=printer`);
        await gridReady(page);
        await page.getByRole("toolbar").getByRole("button", { name: "Views" }).click();
        await page.getByRole("menuitem", { name: /^Save as view/ }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("textbox", { name: "Name" }).fill("Printers of agents");
        await dialog.getByRole("radio", { name: "These roles" }).check();
        const save = dialog.getByRole("button", { name: "Save" });
        assert.ok(await save.isDisabled(), "a view is shared with no role");
        await dialog.getByRole("group", { name: "Roles" }).getByRole("checkbox").first().check();
        await save.click();
        await dialog.waitFor({ state: "detached" });
        const { data } = await api("GET", "view");
        const { shared } = data.find(({ title }) => title === "Printers of agents");
        const { options } = (await api("GET", "model")).types
            .find(({ name }) => name === "user")
            .properties.find(({ identifier }) => identifier === "roles");
        assert.deepEqual(shared, [options[0].value]);
        const told = (words) => page.getByRole("region", { name: "Notifications" }).getByText(words).waitFor();
        await told(`“Printers of agents” was saved and is shared with these roles: ${options[0].title}.`);
        await page.getByRole("toolbar").getByRole("button", { name: "Views" }).click();
        await page.getByRole("menuitem", { name: /^Edit this view/ }).click();
        await dialog.getByRole("radio", { name: "Everyone" }).check();
        await save.click();
        await told("“Printers of agents” was saved and is shared with everyone.");
    });

    test("a bulk change is undone at once, but not where somebody else changed one of its rows since", async () => {
        for (const { id } of rows.slice(0, 3)) await api("PATCH", `collection/ticket/${id}`, { priority: "low" });
        await changeThree("High");
        for (const index of [0, 1, 2]) await has(index, "priority", "high");
        await page.getByRole("button", { name: "Undo" }).click();
        for (const index of [0, 1, 2]) await has(index, "priority", "low");
        await eventually(() => grid(page).evaluate((box) => document.activeElement === box), "the grid has no keys");

        await changeThree("High");
        for (const index of [0, 1, 2]) await has(index, "priority", "high");
        await api("PATCH", `collection/ticket/${rows[1].id}`, { priority: "urgent" });
        await page.getByRole("button", { name: "Undo" }).click();
        await page
            .getByRole("region", { name: "Notifications" })
            .getByText(/^Nothing was undone. “.+”: Priority has changed/)
            .waitFor();
        for (const [index, priority] of ["high", "urgent", "high"].entries())
            assert.equal((await read(index)).priority, priority);
        assert.equal(await page.locator(".cell.refused").count(), 0);
    });

    test("an instant with an offset is the same instant in the zone of the person", async () => {
        await page.goto("c/ticket?cols=number,opened&s=-id");
        await gridReady(page);
        await grid(page).focus();
        await to(0, 1);
        await page.evaluate(() =>
            navigator.clipboard.writeText("2026-12-15T08:00:00Z\n2026-12-15T08:00:00-05:00\n2026-12-15T08:00:00\n"),
        );
        await page.keyboard.press("Control+v");
        await has(0, "opened", "2026-12-15T09:00:00+01:00");
        await has(1, "opened", "2026-12-15T14:00:00+01:00");
        await has(2, "opened", "2026-12-15T08:00:00+01:00");
        await page.waitForLoadState("networkidle");
        await page.goto(`c/ticket/${rows[0].id}`);
        const opened = page.getByRole("textbox", { name: "Opened" });
        await opened.fill("2026-12-16T08:00:00Z");
        await page.keyboard.press("Control+s");
        await has(0, "opened", "2026-12-16T09:00:00+01:00");
    });

    test("values that the server writes in another form are undone, too", async () => {
        const { id } = rows[0];
        const before = (await read(0)).email;
        await to(0, EMAIL);
        await page.keyboard.press("F2");
        await page.locator(".cell-editor input").fill("Someone@EXAMPLE.com");
        await page.keyboard.press("Enter");
        await has(0, "email", "Someone@example.com");
        await page.waitForLoadState("networkidle");
        await page.keyboard.press("Control+z");
        await has(0, "email", before);

        await to(0, EMAIL);
        await page.evaluate(() => navigator.clipboard.writeText("One@EXAMPLE.com\t1.50\nTwo@EXAMPLE.com\t2"));
        await page.keyboard.press("Control+v");
        await has(0, "email", "One@example.com");
        await page.waitForLoadState("networkidle");
        await page.keyboard.press("Control+z");
        await has(0, "email", before);
        assert.equal(await page.locator(".cell.refused").count(), 0, `ticket ${id} refuses its undo`);
    });

    test("more than 1,000 rows: the dialog says that the change cannot be undone", async () => {
        await page.keyboard.press("Control+A");
        await page.keyboard.press("e");
        const dialog = page.getByRole("dialog");
        await dialog.getByText(/cannot be undone. Only changes of up to 1,000 rows/).waitFor();
    });

    test("more than 1,000 rows with a tag are changed by a job, and those without it are left alone", async () => {
        const { id } = await api("POST", "collection/tags", { name: "Many" });
        const few = { property: "id", type: "lte", param: 1_500 };
        const tagged = { action: "tag", operation: "add", tags: [id], limit: 10_000, atomic: true };
        const { changed } = await api("POST", "bulk/ticket", { ...tagged, filters: [few] });
        assert.ok(changed > 1000, `${changed} rows`);
        const others = [
            { property: "channel", type: "eq", param: "phone" },
            { property: "id", type: "gt", param: 1_500 },
        ];
        const count = async (body) =>
            (await api("POST", "collection/ticket/search", { ...body, perPage: 1 })).stats.total;
        const phones = await count({ filters: others });
        await page.goto(`c/ticket?${COLUMNS}&tags=${id}`);
        await gridReady(page, changed);
        await grid(page).focus();
        await page.keyboard.press("Control+A");
        await page.keyboard.press("e");
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("combobox").first().waitFor();
        await page.keyboard.type("Chan");
        await page.keyboard.press("Enter");
        await dialog.getByRole("radio", { name: "Phone" }).check();
        await dialog.getByRole("button", { name: "Preview changes" }).click();
        await dialog.getByRole("button", { name: /^Change [\d,]+ rows$/ }).click();
        await dialog.waitFor({ state: "detached", timeout: 60_000 });
        assert.equal(await count({ filters: [few, { property: "channel", type: "eq", param: "phone" }] }), changed);
        assert.equal(await count({ filters: others }), phones);
    });

    test("a few rows are selected, summed and deleted, after a trial that says what goes with them", async () => {
        const total = Number(await grid(page).getAttribute("aria-rowcount")) - 1;
        await to(20, HOURS);
        await page.keyboard.press("Space");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Space");
        const bar = page.getByRole("region", { name: "Selection" });
        await bar.getByText("2 rows selected").waitFor();
        const hours = await Promise.all([20, 21].map(async (index) => (await read(index)).hours));
        await bar.getByText(`Sum ${hours[0] + hours[1]}`).waitFor();
        await bar.getByRole("button", { name: "Delete" }).click();
        const dialog = page.getByRole("dialog");
        await dialog
            .getByText(/2 rows/)
            .first()
            .waitFor();
        await dialog.getByRole("button", { name: "Delete 2 rows" }).click();
        await dialog.waitFor({ state: "detached" });
        await gridReady(page, total - 2);
        for (const index of [20, 21]) await assert.rejects(read(index), /404/);
    });
});
