// A record: made, changed, tried, merged with the writes of others, kept as a draft, deleted.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { eventually, launch, nothingNoted, person, signIn } from "./support/browser.mjs";
import { cellAt, grid, gridReady } from "./support/grid.mjs";
import { client, demo, tenant } from "./support/server.mjs";

describe("the record", () => {
    let server, browser, api, state, visit, page;

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
    });
    afterEach(async () => {
        nothingNoted(visit.noted);
        await visit.context.close();
    });

    const make = (values) => api("POST", "collection/ticket", values);
    const read = (id) => api("GET", `collection/ticket/${id}`);
    const field = (name, at = page) => at.locator(`[data-field="${name}"]`);
    const toast = (words, at = page) => at.getByRole("status").filter({ hasText: words }).first();

    async function open(id, at = page) {
        await at.goto(`c/ticket/${id}`);
        await at.getByRole("form").waitFor();
    }

    test("a new one by keys: fields, a relation by words, saved, and the next", async () => {
        const [company] = (await api("GET", "collection/company?perPage=1&orderBy=-name")).data;
        await page.goto("c/ticket");
        await gridReady(page);
        await grid(page).focus();
        await page.keyboard.press("n");
        await page.getByRole("form").waitFor();
        await eventually(() =>
            page.evaluate(
                () => document.activeElement?.closest("[data-field]")?.getAttribute("data-field") === "subject",
            ),
        );
        await page.keyboard.type("Made by keys");
        await field("company").getByRole("combobox").focus();
        await page.keyboard.type(company.name);
        await page.getByRole("option", { name: company.name }).first().waitFor();
        await eventually(async () => (await page.getByRole("listbox").getAttribute("aria-busy")) !== "true");
        await page.keyboard.press("Enter");
        assert.equal(await field("company").getByRole("combobox").inputValue(), company.name);
        await page.keyboard.press("Control+Shift+Enter");
        await toast("was created").waitFor();
        await eventually(async () => (await field("subject").getByRole("textbox").inputValue()) === "");
        const [made] = (await api("POST", "collection/ticket/search", { orderBy: ["-id"], perPage: 1 })).data;
        assert.equal(made.subject, "Made by keys");
        assert.equal(made.company, company.id);
        assert.match(made.number, /^T-\d{5}$/);

        await field("subject").getByRole("textbox").fill("The next one");
        await page.keyboard.press("Control+Enter");
        await page.waitForURL(/open=\d+/);
        await page.getByRole("heading", { name: "The next one" }).waitFor();
    });

    test("what is typed in a new one stays while the list beside it is scrolled", async () => {
        await page.goto("c/ticket?open=new");
        await page.getByRole("form").waitFor();
        await gridReady(page);
        const subject = field("subject").getByRole("textbox");
        await subject.fill("Typed beside a list");
        await grid(page).evaluate((box) => box.scrollBy(0, 2_000));
        await page.waitForURL(/[?&]at=[1-9]/);
        await eventually(async () => (await grid(page).getAttribute("aria-busy")) !== "true");
        assert.equal(await subject.inputValue(), "Typed beside a list");
    });

    test("what is wrong is told at its field and on top, and nothing is sent until it is right", async () => {
        await page.goto("c/ticket/new");
        await page.getByRole("form").waitFor();
        const writes = [];
        page.on("request", (request) => {
            if (request.method() === "POST" && request.url().endsWith("collection/ticket")) writes.push(request.url());
        });
        await field("email").getByRole("textbox").fill("no address");
        await page.keyboard.press("Control+Enter");
        const summary = page.getByRole("alert").filter({ hasText: /fields? needs? attention|fields need/ });
        await summary.waitFor();
        assert.match(await summary.textContent(), /Subject/);
        assert.equal(await field("subject").getByRole("textbox").getAttribute("aria-invalid"), "true");
        const described = await field("subject").getByRole("textbox").getAttribute("aria-describedby");
        assert.ok(described?.includes("error"));
        assert.deepEqual(writes, []);
        // What is right again moves nothing.
        const places = () =>
            page.evaluate(() =>
                [...document.querySelectorAll("[data-field]")].map((one) => one.getBoundingClientRect().top),
            );
        const before = await places();
        await field("subject").getByRole("textbox").fill("Now it is right");
        await page.getByText("1 field needs attention").waitFor();
        assert.deepEqual(await places(), before);
        await field("email").getByRole("textbox").fill("a@b.example");
        await page.getByText("All fields are correct now").waitFor();
        assert.deepEqual(await places(), before);
        await page.getByRole("button", { name: "Create and new" }).waitFor();
        await page.keyboard.press("Control+S");
        await page.waitForURL(/c\/ticket\/\d+$/);
    });

    test("the target of a relation is made in place", async () => {
        const { id } = await make({ subject: "Without a company" });
        await open(id);
        await field("company").getByRole("combobox").click();
        await page.keyboard.type("Brand new");
        const last = page.getByRole("option", { name: /Create “Brand new”/ });
        await last.waitFor();
        await eventually(async () => (await page.getByRole("listbox").getAttribute("aria-busy")) !== "true");
        await last.click();
        const dialog = page.getByRole("dialog", { name: /Create: Company/ });
        await dialog.waitFor();
        assert.equal(await field("name", dialog).getByRole("textbox").inputValue(), "Brand new");
        await field("domain", dialog).getByRole("textbox").fill("brand-new.example");
        await page.keyboard.press("Control+Enter");
        await dialog.waitFor({ state: "detached" });
        await eventually(async () => (await field("company").getByRole("combobox").inputValue()) === "Brand new");
        await page.keyboard.press("Control+S");
        await toast("Saved").waitFor();
        const { company } = await read(id);
        assert.equal((await api("GET", `collection/company/${company}`)).domain, "brand-new.example");
    });

    test("conditions and calculations are shown before the save, and nothing is written by that", async () => {
        const { id } = await make({ subject: "Tried", priority: "low" });
        await open(id);
        assert.equal(await field("solved").count(), 0);
        await field("priority").getByText("Urgent").click();
        await eventually(
            async () => /\b4\b/.test(await field("hours").textContent()),
            "the hours are not those of an urgent ticket",
        );
        await field("status").getByText("Solved").click();
        await field("solved").waitFor();
        const before = await read(id);
        assert.equal(before.priority, "low");
        assert.equal(before.status, "open");
        await page.keyboard.press("Control+S");
        await toast("Saved").waitFor();
        const after = await read(id);
        assert.equal(after.priority, "urgent");
        assert.equal(after.status, "solved");
    });

    test("two people on one record: other fields are merged, the same field is chosen", async () => {
        const { id } = await make({ subject: "As both read it", priority: "low" });
        const second = await person(browser, server);
        await signIn(second.page, server, { user: "ann", password: server.setPassword("ann") });
        await open(id);
        await open(id, second.page);

        await field("priority").getByText("High").click();
        await field("subject").getByRole("textbox").fill("Theirs");
        await page.keyboard.press("Control+S");
        await toast("Saved").waitFor();

        await field("email", second.page).getByRole("textbox").fill("mine@acme.example");
        await field("subject", second.page).getByRole("textbox").fill("Mine");
        await second.page.keyboard.press("Control+S");
        const merge = second.page.getByRole("dialog", { name: "Someone else changed this record" });
        await merge.waitFor();
        const choice = merge.getByRole("group", { name: "Subject" });
        assert.match(await choice.textContent(), /As both read it/);
        assert.match(await choice.textContent(), /Theirs/);
        assert.match(await choice.textContent(), /Mine/);
        assert.match(await merge.textContent(), /Priority/);
        await choice.getByRole("radio", { name: "Theirs" }).check();
        await second.page.keyboard.press("Control+Enter");
        await merge.waitFor({ state: "detached" });
        await eventually(async () => (await read(id)).email === "mine@acme.example");
        const after = await read(id);
        assert.equal(after.subject, "Theirs");
        assert.equal(after.priority, "high");
        nothingNoted(second.noted);
        await second.context.close();
    });

    test("the own change in another tab is told as such", async () => {
        const { id } = await make({ subject: "As both tabs read it" });
        const other = await visit.context.newPage();
        await open(id);
        await open(id, other);
        await field("subject", other).getByRole("textbox").fill("In the other tab");
        await other.keyboard.press("Control+S");
        await toast("Saved", other).waitFor();

        await page.bringToFront();
        await field("subject").getByRole("textbox").fill("In this tab");
        await page.getByText("You changed this record elsewhere.").waitFor();
        await page.keyboard.press("Control+S");
        const merge = page.getByRole("dialog", { name: "You changed this record elsewhere" });
        await merge.waitFor();
        await merge.getByRole("radio", { name: "Elsewhere" }).check();
        await page.keyboard.press("Control+Enter");
        await merge.waitFor({ state: "detached" });
        assert.equal((await read(id)).subject, "In the other tab");
        assert.equal(await page.getByText(/Someone else/).count(), 0);
    });

    test("what was typed is there after a reload, as a draft", async () => {
        const { id } = await make({ subject: "Saved text" });
        await open(id);
        await field("subject").getByRole("textbox").fill("Not saved yet");
        await page.waitForTimeout(900);
        await page.reload();
        await page.getByRole("form").waitFor();
        await page.getByText(/You have a draft/).waitFor();
        assert.equal(await field("subject").getByRole("textbox").inputValue(), "Saved text");
        await page.getByRole("button", { name: "Restore draft" }).click();
        await eventually(async () => (await field("subject").getByRole("textbox").inputValue()) === "Not saved yet");
        assert.equal((await read(id)).subject, "Saved text");
        await page.keyboard.press("Control+S");
        await toast("Saved").waitFor();
        assert.equal((await read(id)).subject, "Not saved yet");
        await page.reload();
        await page.getByRole("form").waitFor();
        assert.equal(await page.getByText(/You have a draft/).count(), 0);
    });

    test("the message of a draft opens the record with what was typed", async () => {
        const { id } = await make({ subject: "As it was" });
        await page.goto(`c/ticket?open=${id}`);
        await page.getByRole("form").waitFor();
        await field("subject").getByRole("textbox").fill("Typed, then closed");
        await page.getByRole("button", { name: "Close", exact: true }).click();
        await page.getByRole("form").waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Open", exact: true }).click();
        await page.getByRole("form").waitFor();
        await eventually(
            async () => (await field("subject").getByRole("textbox").inputValue()) === "Typed, then closed",
        );
        assert.equal(await page.getByText(/You have a draft/).count(), 0);
        assert.equal((await read(id)).subject, "As it was");
    });

    test("somebody else deleted it: that is told, and the typed text stays", async () => {
        const { id } = await make({ subject: "Soon gone" });
        await open(id);
        await field("subject").getByRole("textbox").fill("Typed in vain");
        await api("DELETE", `collection/ticket/${id}`);
        await page.keyboard.press("Control+S");
        await page.getByText(/Someone deleted this record/).waitFor();
        assert.equal(await field("subject").getByRole("textbox").inputValue(), "Typed in vain");
        await page.goto(`c/ticket/${id}`);
        await page.getByText("Not found, or not visible to you").waitFor();
    });

    test("undo and redo in the form, discard, and deletion that asks first", async () => {
        const { id } = await make({ subject: "One" });
        await open(id);
        const subject = field("subject").getByRole("textbox");
        await field("priority").getByText("Urgent").click();
        await field("channel").getByText("Phone").click();
        await page.keyboard.press("Control+Z");
        assert.equal(await field("channel").getByRole("radio", { name: "Phone" }).isChecked(), false);
        assert.equal(await field("priority").getByRole("radio", { name: "Urgent" }).isChecked(), true);
        await page.keyboard.press("Control+Y");
        assert.equal(await field("channel").getByRole("radio", { name: "Phone" }).isChecked(), true);
        await page.getByRole("button", { name: "Discard changes" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Discard changes" }).click();
        await eventually(async () => !(await field("channel").getByRole("radio", { name: "Phone" }).isChecked()));
        assert.equal(await subject.inputValue(), "One");
        await page.getByRole("main").getByRole("button", { name: "More" }).click();
        await page.getByRole("menuitem", { name: "Delete" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
        await toast("was deleted").waitFor();
        await assert.rejects(read(id), /404/);
    });

    test("beside the list: open, previous and next, related records, tags and JSON", async () => {
        await api("POST", "collection/tags", { name: "VIP", code: "vip", color: "#cc3322" }).catch(() => undefined);
        await page.goto("c/ticket?s=-id");
        await gridReady(page);
        await grid(page).focus();
        await page.keyboard.press("o");
        await page.waitForURL(/open=\d+/);
        const first = new URL(page.url()).searchParams.get("open");
        await page.getByRole("form").waitFor();
        await page.getByRole("button", { name: "Next record" }).click();
        await page.waitForURL((url) => url.searchParams.get("open") !== first);
        await page.getByRole("button", { name: "Previous record" }).click();
        await page.waitForURL((url) => url.searchParams.get("open") === first);
        await page.getByRole("tab", { name: "Tags" }).click();
        await page.getByRole("combobox", { name: "Add tag" }).click();
        await page.getByRole("option", { name: "VIP" }).click();
        await eventually(
            async () => (await api("GET", `../../v1/app/tags.object?type=ticket&item=${first}`)).tags.length === 1,
        );
        await page.getByRole("tab", { name: "JSON" }).click();
        await page.getByText(`"id": ${first}`).waitFor();
        await page.getByRole("tab", { name: "Related" }).click();
        await page.getByRole("tabpanel").getByText("Comments").first().waitFor();
        await page.keyboard.press("Escape");
        await page.waitForURL((url) => !url.searchParams.has("open"));
        assert.ok(
            await grid(page).evaluate((box) => document.activeElement === box),
            "the grid has not got the focus back",
        );
        await cellAt(page, 0, 1).waitFor();
    });

    test("a page of a record has the previous and the next of the list it came from", async () => {
        const filters = [{ property: "status", type: "eq", param: "waiting" }];
        const { data } = await api("POST", "collection/ticket/search", { filters, orderBy: ["-id"], perPage: 3 });
        const ids = data.map((row) => row.id);
        const step = async (id) => {
            await page.waitForURL(new RegExp(`/c/ticket/${id}$`));
            await page.getByRole("button", { name: "Next record" }).waitFor();
        };
        await page.goto(`c/ticket?s=-id&f=${encodeURIComponent(JSON.stringify(filters))}`);
        await gridReady(page);
        await grid(page).focus();
        await page.keyboard.press("Control+Enter");
        await step(ids[0]);
        assert.ok(await page.getByRole("button", { name: "Previous record" }).isDisabled());
        await page.getByRole("button", { name: "Next record" }).click();
        await step(ids[1]);
        await page.keyboard.press("Alt+ArrowDown");
        await step(ids[2]);
        await page.keyboard.press("Alt+ArrowUp");
        await step(ids[1]);
        // The steps are one place of the history: Back leads to the list.
        await page.goBack();
        await gridReady(page);
        // Opened by its address alone, a record has no list.
        const alone = await visit.context.newPage();
        await open(ids[1], alone);
        assert.equal(await alone.getByRole("button", { name: "Next record" }).count(), 0);
    });
});

describe("documents and related records", () => {
    const files = {
        "tenant.yaml": "tenant: documents\ntitle: Documents\n",
        "users/admin.yaml": "user: admin\nname: Administrator\nroles: [admin]\n",
        "roles/admin.yaml":
            'role: admin\ntitle: Administrator\nsystem: ["*"]\ntypes:\n' +
            '  "*": {show: true, create: true, edit: true, delete: true}\n',
        "types/thing.yaml":
            "id: 20\nname: thing\ntitle: Thing\ntitleProperty: name\nproperties:\n" +
            "  name: {id: 200, kind: pString, title: Name, required: true}\n" +
            "  data: {id: 201, kind: pJson, title: Data}\n" +
            "  papers: {id: 202, kind: pFiles, title: Papers, maxFiles: 3}\n",
        "types/part.yaml":
            "id: 21\nname: part\ntitle: Part\ntitleProperty: name\nproperties:\n" +
            "  name: {id: 210, kind: pString, title: Name, required: true}\n" +
            "  thing: {id: 211, kind: pRelation, title: Thing, type: thing, inverse: {name: parts, title: Parts}}\n" +
            "  spare: {id: 212, kind: pBoolean, title: Spare part}\n" +
            "  count: {id: 213, kind: pInteger, title: Count}\n",
    };
    let server, browser, api;

    before(async () => {
        [server, browser] = await Promise.all([tenant(files), launch()]);
        api = client(server);
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });

    test("a document is a tree that folds, and is written as text; numbers and flags of related records have names", async () => {
        const data = {
            address: { city: "Brno", lines: ["one", "two"] },
            many: Array.from({ length: 150 }, (_, n) => n),
        };
        const { id } = await api("POST", "collection/thing", { name: "With a document", data });
        await api("POST", "collection/part", { name: "First", thing: id, spare: true, count: 7 });
        await api("POST", "collection/part", { name: "Second", thing: id, spare: false });
        const { context, page, noted } = await person(browser, server);
        await signIn(page, server);
        await page.goto(`c/thing/${id}`);
        const field = page.locator('[data-field="data"]');
        await field.getByText('"Brno"').waitFor();
        assert.equal(await field.getByText('"one"').count(), 0);
        await field.locator("summary").filter({ hasText: "lines:" }).click();
        await field.getByText('"one"').waitFor();
        await field.locator("summary").filter({ hasText: "address:" }).click();
        await field.getByText('"Brno"').waitFor({ state: "detached" });
        await field.locator("summary").filter({ hasText: "many:" }).click();
        await field.getByRole("button", { name: "Show 50 more" }).click();
        await field.getByText("149", { exact: true }).last().waitFor();

        await field.getByRole("button", { name: "Edit as text" }).click();
        await field.getByRole("textbox").fill('{"city": "Praha"}');
        await field.getByRole("button", { name: "Show as a tree" }).click();
        await field.getByText('"Praha"').waitFor();
        await page.keyboard.press("Control+S");
        await eventually(async () => (await api("GET", `collection/thing/${id}`)).data.city === "Praha");

        await page.getByRole("tab", { name: "Related" }).click();
        const row = (name) => page.getByRole("tabpanel").getByRole("listitem").filter({ hasText: name });
        await row("First").waitFor();
        const beside = (name) => row(name).locator("span").allTextContents();
        assert.deepEqual(await beside("First"), ["Count: 7", "Spare part"]);
        assert.deepEqual(await beside("Second"), []);
        nothingNoted(noted);
        await context.close();
    });

    test("files are uploaded in their order, moved, taken out, and saved with the record", async () => {
        const { id } = await api("POST", "collection/thing", { name: "With papers" });
        const { context, page, noted } = await person(browser, server);
        await signIn(page, server);
        await page.goto(`c/thing/${id}`);
        const papers = page.locator('[data-field="papers"]');
        const file = (name) => ({ name, mimeType: "text/plain", buffer: Buffer.from(name) });
        await papers.locator("input[type=file]").first().setInputFiles(["a.txt", "b.txt", "c.txt"].map(file));
        await papers.getByRole("button", { name: /c\.txt up/ }).click();
        await papers.getByRole("button", { name: "Remove a.txt" }).click();
        await page.keyboard.press("Control+S");
        const saved = async () => (await api("GET", `collection/thing/${id}`)).papers ?? [];
        await eventually(async () => (await saved()).length > 0);
        assert.deepEqual(
            (await saved()).map(({ name }) => name),
            ["c.txt", "b.txt"],
        );
        nothingNoted(noted);
        await context.close();
    });
});
