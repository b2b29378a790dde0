// Imports, exports and bulk changes that run without their dialog: seen after it is closed and after a reload, stopped, and told.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sideways, violations } from "./support/axe.mjs";
import { eventually, launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { grid, gridReady } from "./support/grid.mjs";
import { chooseFile } from "./support/imports.mjs";
import { client, tenant } from "./support/server.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const files = {
    "tenant.yaml": "tenant: jobs\ntitle: Jobs\n",
    "users/admin.yaml": "user: admin\nname: Administrator\nroles: [admin]\n",
    "users/ida.yaml": "user: ida\nname: Ida\nroles: [clerk]\n",
    "roles/admin.yaml":
        'role: admin\ntitle: Administrator\nsystem: ["*"]\ntypes:\n' +
        '  "*": {show: true, create: true, edit: true, delete: true}\n',
    "roles/clerk.yaml":
        "role: clerk\ntitle: Clerk\nsystem: [restApi]\ntypes:\n" + "  thing: {show: true, create: true, edit: true}\n",
    "types/thing.yaml":
        "id: 20\nname: thing\ntitle: Thing\ntitleProperty: code\nproperties:\n" +
        "  code: {id: 200, kind: pString, title: Code, required: true, unique: true}\n" +
        "  note: {id: 201, kind: pString, title: Note}\n",
};

describe("imports and exports behind", () => {
    let server, browser, api, state, idaState, visit, page, jobs;
    /** The jobs of earlier tests. */
    let earlier;

    before(async () => {
        [server, browser] = await Promise.all([tenant(files), launch()]);
        api = client(server);
        for (const user of ["admin", "ida"]) {
            const first = await person(browser, server);
            const kept = await signIn(
                first.page,
                server,
                user === "ida" ? { user, password: server.setPassword(user) } : {},
            );
            if (user === "ida") idaState = kept;
            else state = kept;
            await first.context.close();
        }
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });
    beforeEach(async () => {
        await noteEarlier();
        await begin({ state });
    });
    afterEach(async () => {
        nothingNoted(visit.noted);
        await visit.context.close();
    });

    /** The jobs until now are told as they are. */
    async function noteEarlier() {
        const { items } = await api("GET", "job");
        earlier = new Set(items.map(({ id }) => id));
    }

    async function begin(options) {
        if (visit) await visit.context.close();
        visit = await person(browser, server, options);
        page = visit.page;
        jobs = { held: true, canceled: false };
        await holdJobs(visit.context, jobs);
        await page.goto("c/thing");
        await page.getByRole("toolbar").waitFor();
    }

    /** Jobs of the test but trials are told as running until `held` is false: how fast the server is does not matter. */
    async function holdJobs(context, { kind = "import" } = {}) {
        const now = jobs;
        const told = (job) => {
            if (earlier.has(job.id)) return job;
            if (job.dryRun === true || !["import", "export", "bulk"].includes(job.kind ?? kind)) return job;
            if (now.canceled) return { ...job, state: "canceled", result: {} };
            return now.held ? { ...job, state: "running", done: 500, total: 1_200, result: {} } : job;
        };
        await context.route(/\/api\/ext\/v1\/job(\/\d+)?(\?.*)?$/, async (route) => {
            if (route.request().method() === "DELETE") {
                now.canceled = true;
                return route.continue();
            }
            const response = await route.fetch();
            const json = await response.json();
            return route.fulfill({
                response,
                json: json.items ? { ...json, items: json.items.map(told) } : told(json),
            });
        });
    }

    const region = () => page.getByRole("region", { name: "Running imports, exports and changes" });
    const messages = () => page.getByRole("region", { name: "Notifications" });
    const isHeld = () => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
    const total = async () => (await api("POST", "collection/thing/search", { perPage: 1 })).stats.total;

    /** Begins an import that is a job, and closes its dialog. */
    async function importBehind(name) {
        const rows = Array.from({ length: 1_200 }, (_, at) => `${name}-${at}`).join("\n");
        const dialog = await chooseFile(page, `${name}.csv`, `code\n${rows}\n`);
        await dialog.getByRole("button", { name: "Check the file" }).click();
        await dialog.getByText("1,200 rows to create").waitFor();
        await dialog.getByRole("button", { name: "Import 1,200 rows" }).click();
        await dialog.getByRole("progressbar").waitFor();
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await region().getByText("500 of 1,200 rows").waitFor();
    }

    test("an import is seen behind its dialog and after a reload, and its end leads to the list", async () => {
        const before = await total();
        await importBehind("seen");
        assert.ok(!(await isHeld()), "the page is held, though the server goes on by itself");
        await page.goto("");
        await region().getByText("Import: Thing").waitFor();
        await region().getByText("500 of 1,200 rows").waitFor();
        assert.deepEqual(await violations(page), []);
        jobs.held = false;
        await messages().getByText("1,200 rows imported.").waitFor();
        await region().waitFor({ state: "detached" });
        await messages().getByRole("button", { name: "Show the list" }).click();
        await page.waitForURL(/\/c\/thing/);
        await gridReady(page, before + 1_200);
        await page.reload();
        await gridReady(page, before + 1_200);
        assert.equal(await region().count(), 0);
    });

    test("an import that stopped after a reload tells its line, and its bad rows can be had", async () => {
        await api("POST", "collection/thing", { code: "halt-10000" });
        const rows = Array.from({ length: 10_500 }, (_, at) => `halt-${at}`).join("\n");
        const dialog = await chooseFile(page, "halt.csv", `code\n${rows}\n`);
        await dialog.getByRole("button", { name: "Check the file" }).click();
        await dialog.getByRole("button", { name: "Import 10,500 rows" }).click();
        await dialog.getByRole("progressbar").waitFor();
        await page.keyboard.press("Escape");
        await region().getByText("500 of 1,200 rows").waitFor();
        await page.reload();
        await region().getByText("500 of 1,200 rows").waitFor();
        jobs.held = false;
        const words = /The import stopped at line 10,002: the last [\d,]+ rows of the file were not imported\./;
        await messages().getByText(words).waitFor();
        await region().getByText(words).waitFor();
        assert.deepEqual(await violations(page), []);
        for (const place of [messages(), region()]) {
            const [download] = await Promise.all([
                page.waitForEvent("download"),
                place.getByRole("button", { name: "Download rows with errors" }).click(),
            ]);
            assert.match(await readFile(await download.path(), "utf8"), /halt-10000,10002,"/);
        }
        await region().waitFor({ state: "detached" });
    });

    /** The job of this id has ended on the server, whatever the page is told. */
    const lastEnded = () =>
        eventually(async () => {
            const [last] = (await api("GET", "job")).items;
            return ["done", "failed"].includes(last.state) && last.dryRun !== true;
        }, "the job does not end");

    test("an import that ended while no page was open is told at the next visit, once", async () => {
        await importBehind("missed");
        await page.goto("about:blank");
        jobs.held = false;
        await lastEnded();
        await page.goto("");
        await messages().getByText("Import: Thing. 1,200 rows imported.").waitFor();
        await messages().getByRole("button", { name: "Show the list" }).waitFor();
        assert.equal(await region().count(), 0);
        assert.deepEqual(await violations(page), []);
        const asked = page.waitForResponse(/\/api\/ext\/v1\/job$/);
        await page.reload();
        await (await asked).finished();
        await settled(page);
        assert.equal(await messages().getByText("are imported").count(), 0);
    });

    for (const options of [{}, PHONE]) {
        const width = options.viewport?.width ?? 1280;
        test(`the bad rows of an import that ended while no page was open can be had (${width})`, async () => {
            await begin({ state, ...options });
            const name = `gone-${width}`;
            await api("POST", "collection/thing", { code: `${name}-10000` });
            const rows = Array.from({ length: 10_500 }, (_, at) => `${name}-${at}`).join("\n");
            const dialog = await chooseFile(page, "gone.csv", `code\n${rows}\n`);
            await dialog.getByRole("button", { name: "Check the file" }).click();
            await dialog.getByRole("button", { name: "Import 10,500 rows" }).click();
            await dialog.getByRole("progressbar").waitFor();
            await page.goto("about:blank");
            jobs.held = false;
            await lastEnded();
            await page.goto("");
            await messages()
                .getByText(/^Import: Thing\. The import stopped at line 10,002/)
                .waitFor();
            await region().getByText("The import stopped at line 10,002").waitFor();
            assert.deepEqual(await violations(page), []);
            assert.deepEqual(await sideways(page), []);
            const [download] = await Promise.all([
                page.waitForEvent("download"),
                region().getByRole("button", { name: "Download rows with errors" }).click(),
            ]);
            assert.match(await readFile(await download.path(), "utf8"), /^\uFEFF"code",line,problem\r\ngone/);
            await region().waitFor({ state: "detached" });
        });
    }

    test("a large bulk change is seen behind its dialog and after a reload, and its end is told", async () => {
        await importBehind("many");
        jobs.held = false;
        await messages().getByText("1,200 rows imported.").waitFor();
        await noteEarlier();
        jobs.held = true;
        const filters = JSON.stringify([{ property: "code", type: "startsWith", param: "many-" }]);
        await page.goto(`c/thing?f=${encodeURIComponent(filters)}`);
        await gridReady(page, 1_200);
        await grid(page).focus();
        await page.keyboard.press("Control+A");
        await page.keyboard.press("e");
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("combobox").first().waitFor();
        await page.keyboard.type("Note");
        await page.keyboard.press("Enter");
        await dialog.getByRole("textbox", { name: "Note" }).fill("changed");
        await dialog.getByRole("button", { name: "Preview changes" }).click();
        await dialog.getByRole("button", { name: /^Change [\d,]+ rows$/ }).click();
        await dialog.getByRole("progressbar").waitFor();
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await region().getByText("Bulk change: Thing").waitFor();
        await page.goto("");
        await region().getByText("Bulk change: Thing").waitFor();
        await region().getByText("500 of 1,200 rows").waitFor();
        assert.deepEqual(await violations(page), []);
        jobs.held = false;
        await messages().getByText("The change of 1,200 rows is done.").waitFor();
        await region().waitFor({ state: "detached" });
        const changed = [{ property: "note", type: "eq", param: "changed" }];
        assert.equal((await api("POST", "collection/thing/search", { filters: changed })).stats.total, 1_200);
    });

    test("a connection that is gone when they are looked for throws nothing", async () => {
        let failed = 0;
        await visit.context.route(/runningJobs/, (route) => {
            failed += 1;
            return route.abort();
        });
        await page.reload();
        await eventually(() => failed > 0, "nothing was looked for");
        await page.getByRole("toolbar").waitFor();
    });

    test("the list that is shown has the rows of an import at its end", async () => {
        const before = await total();
        await importBehind("fresh");
        jobs.held = false;
        await gridReady(page, before + 1_200);
    });

    test("an import is stopped by its line, which a phone has, too", async () => {
        await begin({ state, ...PHONE });
        await importBehind("stopped");
        await page.reload();
        await region().getByText("500 of 1,200 rows").waitFor();
        assert.deepEqual(await violations(page), []);
        assert.deepEqual(await sideways(page), []);
        await region().getByRole("button", { name: "Stop: Import: Thing" }).tap();
        await messages().getByText("Stopped. What was done").waitFor();
        await region().waitFor({ state: "detached" });
    });

    test("a user without the permission admin sees the own ones alone, and others see none of them", async () => {
        await begin({ state: idaState });
        await importBehind("ida");
        const other = await person(browser, server, { state });
        await holdJobs(other.context);
        const asked = other.page.waitForResponse(/\/api\/ext\/v1\/job$/);
        await other.page.goto("c/thing");
        await asked;
        await gridReady(other.page);
        assert.equal(await other.page.getByRole("region", { name: "Running imports, exports and changes" }).count(), 0);
        nothingNoted(other.noted);
        await other.context.close();
        // Another browser of the same user.
        const again = await person(browser, server, { state: idaState });
        await holdJobs(again.context);
        await again.page.goto("c/thing");
        await again.page.getByText("500 of 1,200 rows").waitFor();
        await again.context.close();
    });

    test("the file of an export behind its dialog is taken from its line", async () => {
        // An address of so many bytes makes the export a job.
        const codes = Array.from({ length: 330 }, (_, at) => `code-${String(at).padStart(6, "0")}`);
        const filters = [{ property: "code", type: "notIn", param: codes }];
        await page.goto(`c/thing?f=${encodeURIComponent(JSON.stringify(filters))}`);
        await page.getByRole("toolbar").getByRole("button", { name: "More" }).click();
        await page.getByRole("menuitem", { name: /^Export/ }).click();
        const dialog = page.getByRole("dialog", { name: /^Export/ });
        await dialog.getByRole("button", { name: "Download" }).click();
        await dialog.getByRole("progressbar").waitFor();
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await region().getByText("Export: Thing").waitFor();
        await page.reload();
        await region().getByText("Export: Thing").waitFor();
        jobs.held = false;
        await messages().getByText("The file is ready.").waitFor();
        const [download] = await Promise.all([
            page.waitForEvent("download"),
            region().getByRole("button", { name: "Download" }).click(),
        ]);
        assert.match(download.suggestedFilename(), /^thing.*\.csv$/);
        assert.match(await readFile(await download.path(), "utf8"), /^.?id,(uuid,)?code/);
        await eventually(async () => (await region().count()) === 0);
    });
});
