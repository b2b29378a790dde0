// Files in and out: an import with wrong rows, its report by line, the bad rows as a file; exports as the list stands.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { violations } from "./support/axe.mjs";
import { eventually, launch, nothingNoted, person, signIn } from "./support/browser.mjs";
import { gridReady } from "./support/grid.mjs";
import { chooseFile } from "./support/imports.mjs";
import { client, demo, tenant } from "./support/server.mjs";

describe("import and export", () => {
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

    const csv = [
        "Domain;Name;Plan",
        "one.example;One;gold",
        "NOT A DOMAIN;Two;silver",
        "three.example;Three;free",
        "four.example;Four;platinum",
        "=five.example;Five;free",
        "six.example;=1+1;free",
        "",
    ].join("\n");

    const domains = async () => {
        const filters = [
            { property: "domain", type: "in", param: ["one.example", "three.example", "four.example", "six.example"] },
        ];
        return (
            (await api("POST", "collection/company/search", { filters, orderBy: ["domain"] }))?.data.map(
                (row) => row.domain,
            ) ?? []
        );
    };

    async function choose(name, text) {
        await page.goto("c/company");
        await gridReady(page);
        return chooseFile(page, name, text);
    }

    test("wrong rows are told by line, given back as a file, and the others are imported", async () => {
        const dialog = await choose("companies.csv", csv);
        await dialog.getByText("6 rows in the file").waitFor();
        // Columns are known by their titles; the first rows are shown as read.
        assert.equal(await dialog.getByRole("combobox", { name: "Field: Domain" }).inputValue(), "domain");
        assert.equal(await dialog.getByRole("combobox", { name: "Field: Plan" }).inputValue(), "plan");
        await dialog
            .getByRole("region", { name: /as read/ })
            .getByText("three.example")
            .waitFor();

        await dialog.getByRole("button", { name: "Check the file" }).click();
        await dialog.getByText("Nothing is imported yet.").waitFor();
        const lines = async () =>
            (await dialog.locator(".problems tbody tr td:first-child").allTextContents()).map(Number);
        assert.deepEqual(
            [...new Set(await lines())].sort((a, b) => a - b),
            [3, 5, 6],
        );
        assert.deepEqual(await domains(), []);
        const run = dialog.getByRole("button", { name: /^Import \d+ rows?$/ });
        assert.ok(await run.isDisabled(), "an import with wrong rows must be wanted");
        await dialog.getByRole("checkbox", { name: /^Skip rows/ }).check();
        await dialog.getByRole("button", { name: "Import 3 rows" }).click();
        await dialog.locator("footer").getByRole("button", { name: "Close" }).waitFor();
        await dialog.getByText("3 rows created.").waitFor();
        await dialog.getByText("3 rows skipped because of errors").waitFor();
        assert.deepEqual(await domains(), ["one.example", "six.example", "three.example"]);

        const [download] = await Promise.all([
            page.waitForEvent("download"),
            dialog.getByRole("button", { name: "Download rows with errors" }).click(),
        ]);
        const bad = await readFile(await download.path(), "utf8");
        for (const part of ["NOT A DOMAIN", "platinum"])
            assert.ok(bad.includes(part), `${part} is not in the file: ${bad}`);
        assert.ok(!bad.includes("three.example"), "a good row is among the bad ones");
        assert.equal(bad.trimEnd().split("\n").length, 4);
        // A spreadsheet reads UTF-8 by its mark. The first bad row stands in the third line.
        assert.match(bad, /^\uFEFFDomain;Name;Plan;line;problem\nNOT A DOMAIN;Two;silver;3;"/);
        await dialog.locator("footer").getByRole("button", { name: "Close" }).click();
        await dialog.waitFor({ state: "detached" });
    });

    test("an undo of an import names the records that stay, with the reason and a way to them", async () => {
        const dialog = await choose("used.csv", "Domain,Name\nused.example,Used\nunused.example,Unused\n");
        await dialog.getByRole("button", { name: "Check the file" }).click();
        await dialog.getByRole("button", { name: "Import 2 rows" }).click();
        await dialog.getByText("2 rows created").waitFor();
        const filters = [{ property: "domain", type: "in", param: ["used.example"] }];
        const [{ id }] = (await api("POST", "collection/company/search", { filters })).data;
        const ticket = { subject: "Stays", status: "open", priority: "low", channel: "web", company: id };
        const made = await api("POST", "collection/ticket", ticket);
        await dialog.getByRole("button", { name: "Undo the import" }).click();
        const undoing = page.getByRole("dialog", { name: "Undo this import?" });
        const link = undoing.getByRole("link", { name: "Used" });
        assert.match(await link.getAttribute("href"), new RegExp(`/c/company/${id}$`));
        await undoing.getByRole("button", { name: /^Delete \d rows?$/ }).click();
        const told = page.getByRole("region", { name: "Notifications" }).getByText(/^Not deleted: “Used”: ./);
        await told.waitFor();
        assert.equal(await dialog.getByText("then undone").count(), 0);
        await page.locator(".toast").getByRole("link", { name: "Open record" }).waitFor();
        await api("DELETE", `collection/ticket/${made.id}`);
        await api("DELETE", `collection/company/${id}`);
    });

    test("a file of bad rows is corrected and imported again, and its two columns are left out", async () => {
        const first = await choose("again.csv", "Domain,Name\nfirst.example,First\nAGAIN BAD,Žlutý\n");
        await first.getByRole("button", { name: "Check the file" }).click();
        await first.getByText("You can undo an import for 24 hours").waitFor();
        await first.getByRole("checkbox", { name: /^Skip rows/ }).check();
        await first.getByRole("button", { name: "Import 1 row" }).click();
        await first.getByText("1 row created.").waitFor();
        const [download] = await Promise.all([
            page.waitForEvent("download"),
            first.getByRole("button", { name: "Download rows with errors" }).click(),
        ]);
        const bad = await readFile(await download.path(), "utf8");
        await first.locator("footer").getByRole("button", { name: "Close" }).click();
        const dialog = await choose("corrected.csv", bad.replace("AGAIN BAD", "again.example"));
        await dialog.getByText("are skipped: line, problem.").waitFor();
        for (const name of ["line", "problem"])
            assert.equal(await dialog.getByRole("combobox", { name: `Field: ${name}` }).inputValue(), "");
        assert.equal(await dialog.getByRole("combobox", { name: "Field: Domain" }).inputValue(), "domain");
        assert.deepEqual(await violations(page), []);
        await dialog.getByRole("button", { name: "Check the file" }).click();
        await dialog.getByRole("button", { name: "Import 1 row" }).click();
        await dialog.getByText("1 row created.").waitFor();
        const filters = [{ property: "domain", type: "eq", param: "again.example" }];
        const { data } = await api("POST", "collection/company/search", { filters });
        assert.equal(data[0].name, "Žlutý");
    });

    test("an import changes records by their key, and its columns can be chosen by hand", async () => {
        await api("POST", "collection/company", { domain: "key.example", name: "Before" });
        const dialog = await choose("update.csv", "where,what\nkey.example,After\nother.example,Made\n");
        await dialog.getByRole("combobox", { name: "Field: where" }).selectOption({ label: "Domain" });
        await dialog.getByRole("combobox", { name: "Field: what" }).selectOption({ label: "Name" });
        await dialog.getByRole("combobox", { name: "For each row" }).selectOption("upsert");
        await dialog.getByRole("combobox", { name: "Key", exact: true }).selectOption({ label: "Domain" });
        await dialog.getByRole("button", { name: "Check the file" }).click();
        await dialog.getByText("1 row to create, 1 to update.").waitFor();
        await dialog.getByRole("button", { name: "Import 2 rows" }).click();
        await dialog.getByRole("button", { name: "Choose another file" }).waitFor();
        const filters = [{ property: "domain", type: "in", param: ["key.example", "other.example"] }];
        const { data } = await api("POST", "collection/company/search", { filters, orderBy: ["domain"] });
        assert.deepEqual(
            data.map((row) => row.name),
            ["After", "Made"],
        );
    });

    test("titles of options are taken for their values, and all problems of a row are told", async () => {
        const dialog = await choose(
            "titles.csv",
            "domain,name,plan\ntitled.example,Titled,GOLD\n" + `NOT A DOMAIN,${"x".repeat(300)},Platinum\n`,
        );
        await dialog.getByText("“GOLD” is read as gold").waitFor();
        await dialog.getByRole("button", { name: "Check the file" }).click();
        await dialog.getByText("1 row has an error").waitFor();
        const bad = dialog.locator(".problems tbody tr");
        assert.equal(await bad.count(), 1);
        for (const words of ["Domain: ", "Name: ", "Plan: "])
            assert.ok((await bad.textContent()).includes(words), `${words} is not among ${await bad.textContent()}`);
        await dialog.getByRole("checkbox", { name: /^Skip rows/ }).check();
        await dialog.getByRole("button", { name: "Import 1 row" }).click();
        await dialog.locator("footer").getByRole("button", { name: "Close" }).waitFor();
        await dialog.getByText("1 row created.").waitFor();
        const filters = [{ property: "domain", type: "eq", param: "titled.example" }];
        assert.equal((await api("POST", "collection/company/search", { filters })).data[0].plan, "gold");
        // The bad rows are those of the file, and not of what was sent.
        const [download] = await Promise.all([
            page.waitForEvent("download"),
            dialog.getByRole("button", { name: "Download rows with errors" }).click(),
        ]);
        const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
        assert.equal(lines.length, 2);
        assert.ok(lines[1].includes("x,Platinum,"), lines[1]);
        const { items } = await api("GET", "job");
        assert.ok(!items.some(({ state }) => state === "uploaded"), "a file that was sent twice is still there");
    });

    test("a number that may be two is read by the sign that is chosen, and a relation by its title", async () => {
        const { data } = await api("POST", "collection/ticket/search", { perPage: 1 });
        await api("PATCH", `collection/ticket/${data[0].id}`, { subject: "Signs of numbers" });
        await page.goto("c/comment");
        await gridReady(page);
        const rows = "ticket;text;minutes\nSigns of numbers;Signs;1,200\nNo such ticket;Signs;5\n";
        const dialog = await chooseFile(page, "minutes.csv", rows);
        const tryIt = dialog.getByRole("button", { name: "Check the file" });
        assert.ok(await tryIt.isDisabled(), "a number that may be two is guessed");
        await dialog.getByRole("combobox", { name: /such as 1,200/ }).selectOption(".");
        await tryIt.click();
        await dialog.getByText("“No such ticket”").waitFor();
        assert.equal(await dialog.locator(".problems tbody tr").count(), 1);
        await dialog.getByRole("checkbox", { name: /^Skip rows/ }).check();
        await dialog.getByRole("button", { name: "Import 1 row" }).click();
        await dialog.getByText("1 row created.").waitFor();
        const last = await api("POST", "collection/comment/search", { orderBy: ["-id"], perPage: 1 });
        assert.equal(last.data[0].minutes, 1_200);
    });

    test("bad rows of JSON come back as JSON, and the file says of how many they are", async () => {
        const rows = Array.from({ length: 1_006 }, (_, at) => ({
            domain: at === 0 ? "good.example" : `BAD ${at}`,
            n: at,
        }));
        const dialog = await choose(
            "rows.json",
            JSON.stringify(rows.map(({ domain }) => ({ domain, name: "From JSON" }))),
        );
        await dialog.getByRole("button", { name: "Check the file" }).click();
        await dialog.getByText("1,005 rows have errors").waitFor();
        const [download] = await Promise.all([
            page.waitForEvent("download"),
            dialog.getByRole("button", { name: "Download rows with errors" }).click(),
        ]);
        assert.equal(download.suggestedFilename(), "company-problems.json");
        const bad = JSON.parse(await readFile(await download.path(), "utf8"));
        assert.deepEqual(
            bad.map(({ domain }) => domain),
            rows.slice(1, 1_001).map(({ domain }) => domain),
        );
        assert.ok(bad.every((row) => row.name === "From JSON" && row.line > 1 && row.problem.startsWith("Domain: ")));
        await dialog.getByText("The file has 1,000 of 1,005 rows with errors").waitFor();
    });

    test("an answer that is lost: the console finds out whether the rows are there", async () => {
        const run = (dialog) => dialog.getByRole("button", { name: /^Import \d+ rows?$/ }).click();
        const lost = async (domain, reaches) => {
            const dialog = await choose("lost.csv", `domain,name\n${domain},Lost\n`);
            await dialog.getByRole("button", { name: "Check the file" }).click();
            await dialog.getByText("1 row to create").waitFor();
            await page.route("**/import/*/run", async (route) => {
                if (reaches) await route.fetch();
                await route.abort();
            });
            await run(dialog);
            return dialog;
        };
        const broken = await lost("broken.example", false);
        await broken.getByText("nothing was imported").waitFor();
        await page.unroute("**/import/*/run");
        await run(broken);
        await broken.locator("footer").getByRole("button", { name: "Close" }).waitFor();
        const written = await lost("written.example", true);
        await written.locator("footer").getByRole("button", { name: "Close" }).waitFor();
        await written.getByText("1 row created.").waitFor();
        const filters = [{ property: "domain", type: "in", param: ["broken.example", "written.example"] }];
        assert.equal((await api("POST", "collection/company/search", { filters })).stats.total, 2);
    });

    test("an export has the filters, the order and the columns of the list", async () => {
        const filters = [{ property: "plan", type: "eq", param: "gold" }];
        await api("POST", "collection/company", { domain: "formula.example", name: "=HYPERLINK(1)", plan: "gold" });
        const { stats } = await api("POST", "collection/company/search", { filters, perPage: 1 });
        await page.goto(`c/company?cols=name,domain&s=-name&f=${encodeURIComponent(JSON.stringify(filters))}`);
        await gridReady(page, stats.total);
        await page.getByRole("toolbar").getByRole("button", { name: "More" }).click();
        await page.getByRole("menuitem", { name: /^Export/ }).click();
        const dialog = page.getByRole("dialog", { name: /^Export/ });
        const [download] = await Promise.all([
            page.waitForEvent("download"),
            dialog.getByRole("button", { name: "Download" }).click(),
        ]);
        assert.equal(download.suggestedFilename(), "company.csv");
        const rows = (await readFile(await download.path(), "utf8")).trimEnd().split(/\r?\n/);
        assert.equal(rows.length, stats.total + 1);
        assert.deepEqual(rows[0].split(",").sort(), ["domain", "id", "name"]);
        assert.ok(
            rows.some((row) => row.includes("'=HYPERLINK(1)")),
            "a formula is not marked",
        );
        const list = await api("POST", "collection/company/search", { filters, orderBy: ["-name"], perPage: 1 });
        assert.ok(rows[1].includes(list.data[0].domain), `the first row is ${rows[1]}`);
    });
});

describe("a server that is killed", () => {
    const files = {
        "tenant.yaml": "tenant: killed\ntitle: Killed\n",
        "users/admin.yaml": "user: admin\nname: Administrator\nroles: [admin]\n",
        "roles/admin.yaml":
            'role: admin\ntitle: Administrator\nsystem: ["*"]\ntypes:\n' +
            '  "*": {show: true, create: true, edit: true, delete: true}\n',
        "types/thing.yaml":
            "id: 20\nname: thing\ntitle: Thing\ntitleProperty: code\nproperties:\n" +
            "  code: {id: 200, kind: pString, title: Code, required: true, unique: true}\n" +
            "  number: {id: 201, kind: pInteger, title: Number}\n",
    };
    const count = 20_000;
    let server, browser;

    before(async () => {
        [server, browser] = await Promise.all([tenant(files), launch()]);
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });

    test("during an import: the console says so and waits, and every row is there once", async () => {
        const { context, page, noted } = await person(browser, server);
        await signIn(page, server);
        await page.goto("c/thing");
        await page.getByRole("toolbar").waitFor();
        const rows = Array.from({ length: count }, (_, at) => `code-${at},${at}`);
        const dialog = await chooseFile(page, "things.csv", `code,number\n${rows.join("\n")}\n`);
        await dialog.getByRole("button", { name: "Check the file" }).click();
        await dialog.getByText("rows were read.").waitFor();
        await dialog.getByRole("button", { name: /^Import [\d,]+ rows$/ }).click();

        const api = client(server);
        await eventually(async () => {
            const [job] = (await api("GET", "job")).items;
            return job.state === "running" && job.done > 0;
        });
        await server.kill();
        await dialog.getByText("The server does not respond").waitFor();
        await server.again();
        await dialog.getByText(`${count.toLocaleString("en")} rows created.`).waitFor({ timeout: 60_000 });
        const { stats } = await api("POST", "collection/thing/search", { perPage: 1 });
        assert.equal(stats.total, count);
        await dialog.locator("footer").getByRole("button", { name: "Close" }).click();
        await gridReady(page, count);
        nothingNoted(noted);
        await context.close();
    });
});
