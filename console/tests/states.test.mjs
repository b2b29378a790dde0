// States of screens that the server brings about: an error, no right, no network, the end of the session, nothing there.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { violations } from "./support/axe.mjs";
import { launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { client, demo } from "./support/server.mjs";

/** Places with the path of the API that they show, and their words where it answers nothing. */
const screens = {
    inbox: { path: "collection/notifications", empty: "You have no notifications." },
    tags: { path: "collection/tags", empty: "No tags yet." },
    "account/keys": { path: "key", empty: "You have no keys." },
    "account/sessions": { path: "session/list" },
    "operate/automations": {
        path: "automation",
        empty: "The tenant has no automations.",
        help: /Each is a file in the folder automations/,
    },
    "operate/runs": { path: "automation-run", empty: "No runs." },
    "operate/outbox": { path: "outbox", empty: "No messages." },
    "operate/audit": { path: "audit", empty: "No events match." },
    "operate/reads": { path: "read-log" },
    "operate/runs/1": { path: "automation-run/1" },
    "operate/outbox/1": { path: "outbox/1" },
};

const problem = (status, code) => ({
    status,
    contentType: "application/problem+json",
    body: JSON.stringify({ status, code, detail: "Words of the server.", requestId: "r4711" }),
});

describe("states of screens", () => {
    let server, browser, state;

    before(async () => {
        [server, browser] = await Promise.all([demo("helpdesk"), launch()]);
        const first = await person(browser, server);
        state = await signIn(first.page, server);
        await first.context.close();
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });

    const address = (path) => (url) => url.pathname === `/api/ext/v1/${path}`;

    async function move(page, place) {
        await page.evaluate((path) => {
            history.pushState(null, "", path);
            dispatchEvent(new PopStateEvent("popstate"));
        }, `${server.url}/${place}`);
    }

    /** Shows each screen with a broken path, one after the other in one page. */
    async function each(broken, look, { expected, places = Object.keys(screens) } = {}) {
        const { context, page, noted } = await person(browser, server, { state });
        await page.goto("");
        await settled(page);
        for (const place of places) {
            const screen = screens[place];
            await page.route(address(screen.path), broken);
            await move(page, place);
            await look({ page, place, screen, alert: page.locator("main").getByRole("alert") });
            await page.unrouteAll({ behavior: "wait" });
            await move(page, "");
            await settled(page);
        }
        nothingNoted(noted, expected);
        await context.close();
    }

    test("an error is told with the id of the request, and Retry shows the content", async () => {
        await each(
            (route) => route.fulfill(problem(500, "internal")),
            async ({ page, place, alert }) => {
                await alert.getByRole("button", { name: "Retry" }).waitFor();
                await alert.getByText("Details").click();
                await alert.getByText("r4711").waitFor();
                await page.unrouteAll({ behavior: "wait" });
                if (/\d$/.test(place)) return;
                await alert.getByRole("button", { name: "Retry" }).click();
                await alert.waitFor({ state: "detached" });
            },
            { expected: /^answer: 500/ },
        );
    });

    test("a missing right is told as such", async () => {
        await each(
            (route) => route.fulfill(problem(403, "permission_missing")),
            async ({ alert }) => {
                await alert.getByRole("heading", { name: "You do not have access" }).waitFor();
                await alert.getByText("Details").click();
                await alert.getByText("Words of the server.").waitFor();
            },
        );
    });

    test("without a network there is a bar, and Retry once it is back", async () => {
        await each(
            (route) => route.abort(),
            async ({ page, place, alert }) => {
                await alert.getByText("No connection to the server.").waitFor();
                await page.getByText("No connection. Trying to reconnect …").waitFor();
                await page.unrouteAll({ behavior: "wait" });
                if (/\d$/.test(place)) return;
                await alert.getByRole("button", { name: "Retry" }).click();
                await alert.waitFor({ state: "detached" });
            },
            // Each of them is asked for three times, with pauses.
            { places: ["inbox", "tags", "operate/audit", "operate/runs/1"] },
        );
    });

    test("a list with nothing in it says so", async () => {
        await each(
            (route) => route.fulfill({ json: { items: [], data: [], stats: { total: 0 } } }),
            async ({ page, screen }) => {
                if (screen.empty !== undefined) await page.getByRole("heading", { name: screen.empty }).waitFor();
                if (screen.help !== undefined) await page.getByText(screen.help).waitFor();
            },
        );
    });

    test("the lines of the audit log have headings, where there is room for columns", async () => {
        const { context, page, noted } = await person(browser, server, { state });
        await page.goto("operate/audit");
        const heads = page.locator(".heads");
        await heads.waitFor();
        const words = (await heads.locator("span").allTextContents()).map((text) => text.trim());
        for (const title of ["When", "Event", "About user", "By user"]) assert.ok(words.includes(title), title);
        const left = async (one) => Math.round((await one.boundingBox()).x);
        const line = page.locator("[data-entry]").first();
        assert.equal(await left(heads.locator(".at")), await left(line.locator(".at")));
        for (const at of [0, 1, 2])
            assert.equal(await left(heads.locator(".cut").nth(at)), await left(line.locator(".cut").nth(at)));
        assert.deepEqual(await violations(page), []);
        await page.setViewportSize({ width: 390, height: 800 });
        await heads.waitFor({ state: "hidden" });
        nothingNoted(noted);
        await context.close();
    });

    test("a search that fails has Retry: in the command box, and in a field of choices", async () => {
        const { context, page, noted } = await person(browser, server, { state });
        const search = (url) => /\/api\/ext\/v1\/collection\/(ticket|user)(\/search)?$/.test(url.pathname);
        const broken = () => page.route(search, (route) => route.fulfill(problem(500, "internal")));
        await page.goto("account/profile");
        await settled(page);
        await broken();
        await page.keyboard.press("Control+K");
        const box = page.getByRole("dialog");
        await box.getByRole("combobox").fill("printer");
        await box.getByRole("alert").getByText("Details").click();
        await box.getByText("r4711").waitFor();
        await page.unrouteAll({ behavior: "wait" });
        await box.getByRole("button", { name: "Retry" }).click();
        await box
            .getByRole("option", { name: /printer/i })
            .first()
            .waitFor();
        assert.equal(await box.getByRole("alert").count(), 0);
        await page.keyboard.press("Escape");
        await box.waitFor({ state: "detached" });

        await broken();
        const field = page.getByRole("region", { name: "Act as another user" }).getByRole("combobox");
        await field.fill("ann");
        await page.getByRole("alert").getByText("The server had an error.").waitFor();
        await page.unrouteAll({ behavior: "wait" });
        await page.getByRole("alert").getByRole("button", { name: "Retry" }).click();
        await page.getByRole("option", { name: /Ann/ }).waitFor();
        nothingNoted(noted, /^answer: 500/);
        await context.close();
    });

    test("a screen that cannot be loaded without a network is loaded by Retry, in the same page", async () => {
        const { context, page, noted } = await person(browser, server, { state });
        await page.goto("");
        await settled(page);
        await page.evaluate(() => (window.kept = true));
        await page.route(/\/console\/.*\.js$/, (route) => route.abort());
        await page.evaluate(() => Object.defineProperty(navigator, "onLine", { value: false, configurable: true }));
        await move(page, "operate/outbox");
        const alert = page.locator("main").getByRole("alert");
        await alert.getByText("No connection to the server.").waitFor();
        await page.unrouteAll({ behavior: "wait" });
        await alert.getByRole("button", { name: "Retry" }).click();
        await page.getByRole("heading", { name: "Outbox" }).waitFor();
        assert.equal(await page.evaluate(() => window.kept), true);
        nothingNoted(noted);
        await context.close();
    });

    test("the session ends: the screen waits for the password, then shows its content", async () => {
        const { context, page, noted } = await person(browser, server, { state });
        await page.goto("");
        await settled(page);
        const ended = (route) => route.fulfill(problem(403, "key_invalid"));
        await page.route(address("session"), (route) =>
            route.request().method() === "GET" ? ended(route) : route.fallback(),
        );
        await page.route(address("audit"), ended);
        await move(page, "operate/audit");
        const dialog = page.getByRole("dialog");
        await dialog.waitFor();
        await page.unrouteAll({ behavior: "wait" });
        await dialog.locator("input[type=password]").fill(server.password);
        await page.keyboard.press("Enter");
        await dialog.waitFor({ state: "detached" });
        await page.locator("[data-entry]").first().waitFor();
        assert.equal(await page.locator("main").getByRole("alert").count(), 0);
        nothingNoted(noted);
        await context.close();
    });
});
