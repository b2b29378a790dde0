// Working together: saved and shared views, boards, the inbox, keys, sessions that end, and what an agent may see.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { eventually, launch, nothingNoted, person, signIn } from "./support/browser.mjs";
import { grid, gridReady, headOf } from "./support/grid.mjs";
import { client, demo, tenant } from "./support/server.mjs";

describe("working together", () => {
    let server, browser, api, state, annState, visit, page;
    const ann = { user: "ann", password: "" };

    before(async () => {
        [server, browser] = await Promise.all([demo("helpdesk"), launch()]);
        api = client(server);
        ann.password = server.setPassword("ann");
        const first = await person(browser, server);
        state = await signIn(first.page, server);
        await first.context.close();
        const second = await person(browser, server);
        annState = await signIn(second.page, server, ann);
        await second.context.close();
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

    async function asAnn(work) {
        const other = await person(browser, server, { state: annState });
        try {
            await work(other.page);
            nothingNoted(other.noted);
        } finally {
            await other.context.close();
        }
    }

    test("a view is saved, changed, shared with all, seen by another, and deleted", async () => {
        const filters = [{ property: "priority", type: "eq", param: "urgent" }];
        const { stats } = await api("POST", "collection/ticket/search", { filters, perPage: 1 });
        await page.goto(`c/ticket?cols=number,subject,due&s=due&f=${encodeURIComponent(JSON.stringify(filters))}`);
        await gridReady(page, stats.total);
        await page.getByRole("button", { name: "Views", exact: true }).click();
        await page.getByRole("menuitem", { name: /Save as view/ }).click();
        const dialog = page.getByRole("dialog", { name: /Save as view/ });
        await dialog.getByRole("textbox").first().fill("All that is urgent");
        await dialog.getByRole("radio", { name: "Everyone" }).check();
        await dialog.getByRole("button", { name: "Save" }).click();
        await page.waitForURL(/view=\d+/);
        await page.getByRole("heading", { level: 1, name: /All that is urgent/ }).waitFor();
        await page.reload();
        await gridReady(page, stats.total);
        assert.ok(!page.url().includes("f="), "the address of a view has its filters, too");

        await asAnn(async (other) => {
            await other.goto("c/ticket");
            await gridReady(other);
            // Chromium without windows begins with the pointer over the sidebar, where nothing moves by itself.
            await other.mouse.move(900, 500);
            await other.getByRole("navigation").getByRole("link", { name: "All that is urgent" }).click();
            await gridReady(other, stats.total);
            await other.getByRole("button", { name: "Views", exact: true }).click();
            await other.getByRole("menuitemradio", { name: /All that is urgent/ }).waitFor();
            assert.equal(
                await other.getByRole("menuitem", { name: /Edit this view/ }).count(),
                0,
                "a view of somebody else can be changed",
            );
        });

        // Changed, it says so, and can be put back.
        await headOf(page, "Subject").locator("button.name").click();
        await page.getByText("Edited", { exact: true }).waitFor();
        await page.getByRole("button", { name: "Views", exact: true }).click();
        await page.getByRole("menuitem", { name: "Discard changes" }).click();
        await page.getByText("Edited", { exact: true }).waitFor({ state: "detached" });

        // Changed again, it is saved from the same menu, which tells for whom.
        await headOf(page, "Subject").locator("button.name").click();
        await page.getByText("Edited", { exact: true }).waitFor();
        await page.getByRole("button", { name: "Views", exact: true }).click();
        const cut = await page.locator("h1 .cut").evaluate((one) => one.scrollWidth - one.clientWidth);
        assert.equal(cut, 0, "the title is cut, and the search has room to give");
        await page.getByRole("menuitem", { name: "Save changes for everyone with this view" }).click();
        await page.getByText("The view “All that is urgent” was saved.").last().waitFor();
        await page.getByText("Edited", { exact: true }).waitFor({ state: "detached" });
        const [kept] = (await api("GET", "view?type=ticket")).data;
        assert.deepEqual([kept.state.orderBy, kept.shared], ["subject", "all"]);

        await page.getByRole("button", { name: "Views", exact: true }).click();
        await page.getByRole("menuitem", { name: /Edit this view/ }).click();
        const [remove, save] = ["Delete", "Save"].map((name) => page.getByRole("dialog").getByRole("button", { name }));
        const [left, right] = [await remove.boundingBox(), await save.boundingBox()];
        assert.ok(right.x - left.x - left.width > 100, "Delete stands beside Save");
        await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
        await eventually(async () => (await api("GET", "view?type=ticket")).data.length === 0);
    });

    test("the board shows numbers, charts as tables, and takes parameters", async () => {
        await page.goto("");
        await page.getByRole("navigation").getByRole("link", { name: "The helpdesk" }).last().click();
        await page.waitForURL(/\/board\/board/);
        await page.getByRole("heading", { level: 1, name: "The helpdesk" }).waitFor();
        const { stats } = await api("POST", "collection/ticket/search", {
            filters: [{ property: "status", type: "eq", param: "open" }],
            perPage: 1,
        });
        const digits = (text) => text.replace(/\D/g, "");
        await eventually(async () =>
            (await page.locator(".board").allTextContents()).some((text) => digits(text).includes(String(stats.total))),
        );
        const toTable = page.getByRole("button", { name: "Show as table" }).first();
        await toTable.waitFor();
        await toTable.click();
        await eventually(async () => (await page.getByRole("table").count()) >= 2, "the chart is no table");
        // Series that are options have the option's title, and not its value.
        const heads = await page.getByRole("columnheader").allTextContents();
        assert.ok(
            heads.some((head) => head.trim() === "Waiting for an answer"),
            `the heads are ${heads.join()}`,
        );
        const [company] = (await api("GET", "collection/company?perPage=1&orderBy=name")).data;
        await page.getByRole("combobox").first().click();
        await page.keyboard.type(company.name);
        await page.getByRole("option", { name: company.name }).first().click();
        await page.waitForURL(new RegExp(`company=${company.id}`));
        await page.goto("query/open");
        await page.getByRole("heading", { level: 1, name: "Tickets that wait for us" }).waitFor();
        await page.getByRole("table").first().waitFor();
    });

    test("the inbox: unread ones are counted, opened, read and archived by keys", async () => {
        const { user } = await session();
        const [ticket] = (await api("GET", "collection/ticket?perPage=1")).data;
        for (const title of ["First word", "Second word"]) {
            await api("POST", "notifications", {
                recipients: [{ userId: user.id }],
                title,
                target: { type: "ticket", item: ticket.id },
            });
        }
        await page.goto("inbox");
        await page.getByText("2 unread").first().waitFor();
        await page.getByText("Second word").click();
        await page.getByText("1 unread").first().waitFor();
        await page.getByRole("main").getByRole("link", { name: "Open" }).click();
        await page.waitForURL(new RegExp(`/c/ticket/${ticket.id}`));
        await page.goBack();
        await page.getByText("First word").click();
        await eventually(async () => (await page.getByText("1 unread").count()) === 0);
        await page.keyboard.press("a");
        await page.getByRole("status").filter({ hasText: "Archived: First word" }).first().waitFor();
        assert.equal((await api("GET", "collection/notifications")).items.length, 1);
    });

    async function session() {
        return page
            .context()
            .request.get("api/ext/v1/session", { headers: { "Sec-Fetch-Site": "same-origin" } })
            .then((answer) => answer.json());
    }

    test("a key is shown once, works, and is refused when it is revoked", async () => {
        await page.goto("account/keys");
        await page.getByRole("button", { name: "New key" }).click();
        await page.getByRole("textbox", { name: /Description/ }).fill("For the test");
        await page.getByRole("checkbox", { name: "Ticket: Read" }).check();
        await page.getByRole("button", { name: "Create key" }).click();
        const key = await page.getByRole("textbox", { name: "Key" }).inputValue();
        assert.match(key, /^plk_\d+_/);
        const ask = (path) =>
            fetch(`${server.url}/api/ext/v1/${path}`, { headers: { key } }).then((answer) => answer.status);
        assert.equal(await ask("collection/ticket?perPage=1"), 200);
        assert.equal(await ask("collection/company?perPage=1"), 403);
        await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
        assert.ok(!(await page.locator("body").textContent()).includes(key));
        await page.reload();
        const entry = page.getByRole("listitem").filter({ hasText: "For the test" });
        await entry.getByRole("button", { name: "Revoke" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
        await entry.waitFor({ state: "detached" });
        assert.equal(await ask("collection/ticket?perPage=1"), 403);
    });

    test("a session that another browser ends: the dialog stands over the screen, and typed text is saved after it", async () => {
        const { id } = await api("POST", "collection/ticket", { subject: "Before the end" });
        const other = await person(browser, server);
        await signIn(other.page, server);
        await other.page.goto(`c/ticket/${id}`);
        await other.page.getByRole("form").waitFor();
        await other.page.locator('[data-field="subject"] input').fill("Typed before the session ended");

        await page.goto("account/sessions");
        await page.getByText("This browser").waitFor();
        for (const end of await page.getByRole("button", { name: "End session", exact: true }).all()) await end.click();
        await eventually(
            async () => (await page.getByRole("button", { name: "End session", exact: true }).count()) === 0,
        );

        await other.page.keyboard.press("Control+S");
        const dialog = other.page.getByRole("dialog", { name: "Your session has ended" });
        await dialog.waitFor();
        await dialog.locator("input[type=password]").fill("wrong");
        await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
        await dialog.getByText("The user or the password is wrong.").first().waitFor();
        await dialog.locator("input[type=password]").fill(server.password);
        await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
        await dialog.waitFor({ state: "detached" });
        assert.equal(
            await other.page.locator('[data-field="subject"] input').inputValue(),
            "Typed before the session ended",
        );
        await eventually(async () => {
            if ((await api("GET", `collection/ticket/${id}`)).subject === "Typed before the session ended") return true;
            await other.page.keyboard.press("Control+S");
            return false;
        });
        nothingNoted(other.noted);
        await other.context.close();
        // The sessions of the other tests ended, too.
        const again = await person(browser, server);
        annState = await signIn(again.page, server, ann);
        await again.context.close();
    });

    test("an agent sees what the rights allow: no operation, no deletion, and no dead entries", async () => {
        await asAnn(async (other) => {
            await other.goto("c/ticket");
            await gridReady(other);
            const navigation = other.getByRole("navigation").first();
            assert.equal(await navigation.getByRole("link", { name: "Audit log" }).count(), 0);
            await grid(other).focus();
            await other.keyboard.press("Space");
            await other.getByRole("region", { name: "Selection" }).waitFor();
            assert.equal(
                await other.getByRole("region", { name: "Selection" }).getByRole("button", { name: "Delete" }).count(),
                0,
            );
            await other.goto("operate/audit");
            await other.getByText("You do not have access").waitFor();
        });
    });

    test("the cookie alone opens nothing: without the proof, or from another site, a request is refused", async () => {
        const { proof } = await session();
        const send = (headers) =>
            visit.context.request
                .post("api/ext/v1/collection/ticket", { headers, data: { subject: "From elsewhere" } })
                .then((answer) => answer.status());
        assert.equal(await send({ "Sec-Fetch-Site": "same-origin" }), 403);
        assert.equal(await send({ "Sec-Fetch-Site": "same-origin", "X-Plinth-Proof": `${proof}x` }), 403);
        assert.equal(await send({ "Sec-Fetch-Site": "cross-site", "X-Plinth-Proof": proof }), 403);
        assert.equal(await send({ "Sec-Fetch-Site": "same-origin", "X-Plinth-Proof": proof }), 201);
    });

    test("signing out leads to the sign-in page, and Back shows nothing", async () => {
        const own = await person(browser, server);
        await signIn(own.page, server);
        await own.page.goto("c/ticket");
        await gridReady(own.page);
        await own.page.getByRole("button", { name: /^Account of/ }).click();
        await own.page.getByRole("menuitem", { name: "Sign out" }).click();
        await own.page.waitForURL(/\/sign-in/);
        await own.page.getByText("You are signed out.").waitFor();
        await own.page.goBack();
        await own.page.waitForURL(/\/sign-in/);
        assert.equal(await own.page.getByRole("grid").count(), 0);
        nothingNoted(own.noted);
        await own.context.close();
    });
});

describe("two tenants at one address", () => {
    const files = (name, title) => ({
        "tenant.yaml": `tenant: ${name}\ntitle: ${title}\n`,
        "users/admin.yaml": "user: admin\nname: Administrator\nroles: [admin]\n",
        "roles/admin.yaml":
            'role: admin\ntitle: Administrator\nsystem: ["*"]\ntypes:\n' +
            '  "*": {show: true, create: true, edit: true, delete: true}\n',
        "types/thing.yaml":
            "id: 20\nname: thing\ntitle: Thing\ntitleProperty: name\nproperties:\n" +
            "  name: {id: 200, kind: pString, title: Name, required: true}\n",
    });
    const password = "correct horse battery";
    let server, browser;

    before(async () => {
        const others = [files("beta", "Beta")];
        [server, browser] = await Promise.all([tenant(files("alpha", "Alpha"), { password, others }), launch()]);
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });

    /** Signs in below a tenant's place. */
    async function enter(page, name) {
        await page.goto(`t/${name}/sign-in`);
        await page.locator("input[name=user]").fill("admin");
        await page.locator("input[name=password]").fill(password);
        await page.locator("form button").click();
        await page.getByRole("navigation").first().waitFor();
    }

    test("a session of one is none of the other, and neither shows anything of the other", async () => {
        const secret = "Known to Alpha alone";
        const api = async (name, key, body) => {
            const answer = await fetch(`${server.url}/t/${name}/api/ext/v1/collection/thing`, {
                method: "POST",
                headers: { key, "Content-Type": "application/json" },
                body: JSON.stringify(body),
            });
            return (await answer.json()).id;
        };
        const id = await api("alpha", server.key, { name: secret });
        assert.equal(await api("beta", server.keys[0], { name: "Of Beta" }), id);

        const { context, page, noted: mistakes } = await person(browser, server);
        await enter(page, "alpha");
        // A setting, a recent record, a draft, and kept answers of Alpha.
        const noted = page.waitForResponse(
            (answer) =>
                answer.url().includes("/t/alpha/api/ext/v1/setting/recent") && answer.request().method() === "PUT",
        );
        await page.goto(`t/alpha/c/thing/${id}`);
        await page.getByRole("heading", { name: secret }).waitFor();
        await page.locator('[data-field="name"] input').fill(`${secret}, a draft`);
        await noted;
        await page.goto("t/alpha/");
        await page.getByRole("main").getByRole("link", { name: secret }).first().waitFor();

        for (const path of ["", "c/thing", `c/thing/${id}`, "operate/audit", "account/keys"]) {
            await page.goto(`t/beta/${path}`);
            await page.waitForURL(/\/t\/beta\/sign-in/);
            assert.ok(!(await page.content()).includes(secret));
        }
        // Both cookies are in one browser: the proof of Alpha's session opens nothing of Beta.
        const ask = (path, headers = {}) =>
            context.request.get(`t/${path}`, { headers: { "Sec-Fetch-Site": "same-origin", ...headers } });
        const { proof } = await (await ask("alpha/api/ext/v1/session")).json();
        assert.ok(proof);
        const asked = await ask("beta/api/ext/v1/collection/thing", { "X-Plinth-Proof": proof });
        assert.equal(asked.status(), 403);
        assert.ok(!(await asked.text()).includes("Of Beta"));

        const answers = [];
        page.on("response", (answer) => answers.push(answer.url()));
        await enter(page, "beta");
        await page.goto("t/beta/");
        await page.getByRole("main").getByText("Thing").first().waitFor();
        assert.equal(await page.getByText(secret).count(), 0, "a recent record of Alpha is at Beta's start");
        await page.goto(`t/beta/c/thing/${id}`);
        await page.getByRole("heading", { name: "Of Beta" }).waitFor();
        await page.getByRole("form").waitFor();
        assert.equal(await page.locator('[data-field="name"] input').inputValue(), "Of Beta");
        assert.equal(await page.getByText(/You have a draft/).count(), 0, "a draft of Alpha is offered");
        assert.ok(!(await page.content()).includes(secret));
        const own = (await (await ask("beta/api/ext/v1/session")).json()).proof;
        const recent = await ask("beta/api/ext/v1/setting/recent", { "X-Plinth-Proof": own });
        const visits = await recent.text();
        assert.ok(recent.status() === 404 || JSON.parse(visits).length <= 1, `Beta's recent records are ${visits}`);
        assert.deepEqual(
            answers.filter((url) => url.includes("/t/alpha/api/")),
            [],
            "Beta's console asked for something of Alpha",
        );
        // Alpha is as it was left: its draft is there, and its session holds.
        await page.goto(`t/alpha/c/thing/${id}`);
        await page.getByText(/You have a draft/).waitFor();
        nothingNoted(mistakes);
        await context.close();
    });
});

describe("parameters and charts", () => {
    const files = {
        "tenant.yaml": "tenant: charts\ntitle: Charts\nlocale: cs\n",
        "users/admin.yaml": "user: admin\nname: Administrator\nroles: [admin]\n",
        "roles/admin.yaml":
            'role: admin\ntitle: Administrator\nsystem: ["*"]\ntypes:\n' +
            '  "*": {show: true, create: true, edit: true, delete: true}\n',
        "types/firm.yaml":
            "id: 20\nname: firm\ntitle: Firm\ntitleProperty: name\nproperties:\n" +
            "  name: {id: 200, kind: pString, title: Name, required: true}\n",
        "types/bill.yaml":
            "id: 21\nname: bill\ntitle: Bill\nproperties:\n" +
            "  firm: {id: 210, kind: pRelation, title: Firm, type: firm}\n" +
            "  net: {id: 211, kind: pDecimal, title: Net, scale: 2}\n",
        "queries/sums.yaml":
            "query: sums\ntitle: Sums\ntype: bill\n" +
            "params: {least: {kind: pDecimal, scale: 2, min: 0, title: At least}}\n" +
            "filters: [{property: net, type: gte, param: {$param: least}}]\n" +
            "groupBy: [firm]\nvalues: {bills: count}\n",
        "canvases/sums.yaml":
            "canvas: sums\ntitle: Sums of bills\n" +
            "params: {least: {kind: pDecimal, scale: 2, min: 0, title: At least}}\n" +
            "items:\n  - {kind: chart, chart: bar, title: Bills, query: sums, x: firm, y: bills," +
            " params: {least: \"{=appParameter('least')}\"}}\n",
    };
    let server, browser;

    before(async () => {
        [server, browser] = await Promise.all([tenant(files), launch()]);
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });

    test("numbers are read by the language, mistakes stand at their field, and relations have their titles", async () => {
        const api = client(server);
        const acme = await api("POST", "collection/firm", { name: "Acme" });
        const dune = await api("POST", "collection/firm", { name: "Dune" });
        for (const [firm, net] of [
            [acme.id, "1.50"],
            [acme.id, "3.00"],
            [dune.id, "0.50"],
        ])
            await api("POST", "collection/bill", { firm, net });
        const { context, page, noted } = await person(browser, server, { language: "cs" });
        await signIn(page, server);
        await page.goto("board/sums");
        await page.getByRole("heading", { name: "Bills", exact: true }).waitFor();
        await page.getByRole("button", { name: "Zobrazit jako tabulku" }).click();
        await page.getByRole("rowheader", { name: "Dune" }).waitFor();
        await page.getByRole("rowheader", { name: "Acme" }).waitFor();

        const least = page.getByRole("textbox", { name: "At least" });
        await least.fill("1,5");
        await least.press("Enter");
        await page.waitForURL(/least=1\.5$/);
        await page.getByRole("rowheader", { name: "Dune" }).waitFor({ state: "detached" });
        assert.equal(await least.inputValue(), "1,5");
        await least.fill("málo");
        await least.press("Enter");
        await eventually(async () => (await least.getAttribute("aria-invalid")) === "true");
        assert.equal(await least.inputValue(), "málo");
        assert.match(page.url(), /least=1\.5$/);

        // A wrong value of the address is told at its field, and the server is not asked.
        await page.goto("board/sums?least=-1");
        await page.getByText("Nejdříve opravte: At least").waitFor();
        const described = await least.getAttribute("aria-describedby");
        assert.match((await page.locator(`[id="${described}"]`).textContent()) ?? "", /0/);
        nothingNoted(noted);
        await context.close();
    });
});
