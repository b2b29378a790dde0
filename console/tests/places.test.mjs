// Ways between places: a sidebar that does not jump, focus after a command, keys that say what they do, queries at the start.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sideways, violations } from "./support/axe.mjs";
import { eventually, launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { client, demo } from "./support/server.mjs";

describe("places", () => {
    let server, browser, api, state, visit, page;

    before(async () => {
        [server, browser] = await Promise.all([demo("helpdesk"), launch()]);
        api = client(server);
        for (const title of ["With a contract", "Without a contract"])
            await api("POST", "view", { type: "company", title, shared: null, state: {} });
        const first = await person(browser, server);
        // Without what the first visit has kept in the browser.
        state = { ...(await signIn(first.page, server)), origins: [] };
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

    /** Holds answers at an address back; returns the function that lets them come. */
    async function held(address) {
        let release;
        const free = new Promise((resolve) => (release = resolve));
        await page.route(address, async (route) => {
            await free;
            await route.fallback();
        });
        return release;
    }

    const entry = (name) => page.locator("nav.sidebar").getByRole("link", { name, exact: true });
    const fold = () => page.getByRole("button", { name: "Show the views of Company" });
    const height = async (name) => (await entry(name).boundingBox()).y;
    const begun = async () => {
        await page.goto("");
        // Chromium without windows begins with the pointer over the sidebar, where nothing moves by itself.
        await page.mouse.move(900, 500);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await entry("Ticket").waitFor();
    };

    test("the sidebar keeps places for views of the last visit", async () => {
        await api("PUT", "setting/console", { unfolded: ["type company"], language: "en" });
        await begun();
        await entry("With a contract").waitFor();
        const release = await held(/\/api\/ext\/v1\/view$/);
        await begun();
        assert.equal(await entry("With a contract").count(), 0);
        const place = await height("Ticket");
        release();
        await entry("With a contract").waitFor();
        assert.equal(await height("Ticket"), place);
        for (const width of [1280, 390]) {
            await page.setViewportSize({ width, height: 800 });
            await settled(page);
            assert.deepEqual([await violations(page), await sideways(page)], [[], []], `${width} pixels`);
        }
    });

    test("nothing moves by itself under the pointer, and a type stays unfolded when its view is left", async () => {
        await api("PUT", "setting/console", { unfolded: ["type company"], language: "en" });
        const release = await held(/\/api\/ext\/v1\/view$/);
        await begun();
        await entry("Ticket").hover();
        const place = await height("Ticket");
        release();
        await fold().waitFor();
        await settled(page);
        assert.equal(await height("Ticket"), place);
        assert.equal(await fold().getAttribute("aria-expanded"), "false");
        await page.mouse.move(800, 400);
        await entry("With a contract").waitFor();

        await fold().click();
        await entry("With a contract").waitFor({ state: "detached" });
        await page.goto("");
        await page
            .getByRole("main")
            .getByRole("link", { name: /Without a contract/ })
            .click();
        await entry("Without a contract").waitFor();
        const open = await height("Ticket");
        await entry("Ticket").click();
        await page.getByRole("heading", { level: 1, name: "Ticket" }).waitFor();
        assert.equal(await height("Ticket"), open);
    });

    test("few views are shown at first, with a sign of shared ones, until they are put away", async () => {
        await api("PUT", "setting/console", { language: "en" });
        await begun();
        await entry("With a contract").waitFor();
        await page.evaluate(() => localStorage.clear());
        const many = [];
        for (const title of ["One", "Two", "Three", "Four", "Five", "Six"])
            many.push(await api("POST", "view", { type: "user", title, state: { q: title }, shared: null }));
        const shared = await api("POST", "view", {
            type: "ticket",
            title: "For all",
            state: { q: "a" },
            shared: "all",
        });
        try {
            await begun();
            await page.getByRole("navigation").getByRole("link", { name: "For all shared" }).waitFor();
            assert.equal(await fold().getAttribute("aria-expanded"), "true");
            const other = page.getByRole("button", { name: "Show the views of User" });
            assert.equal(await other.getAttribute("aria-expanded"), "false");
            await fold().click();
            await entry("With a contract").waitFor({ state: "detached" });
            await eventually(async () => (await api("GET", "setting/console")).refolded?.includes("type company"));
            await page.evaluate(() => localStorage.removeItem("plinth-unfolded"));
            await begun();
            await page.getByRole("navigation").getByRole("link", { name: "For all shared" }).waitFor();
            assert.equal(await entry("With a contract").count(), 0);
            await page.setViewportSize({ width: 390, height: 800 });
            await page.goto("c/ticket");
            await page.locator(".card").first().waitFor();
            const button = page.getByRole("button", { name: "Views", exact: true });
            assert.equal((await button.innerText()).trim(), "Views");
            assert.deepEqual([await violations(page), await sideways(page)], [[], []]);
            await button.click();
            await page.getByRole("menuitemradio", { name: /For all/ }).click();
            await page.waitForURL(/view=/);
        } finally {
            for (const { id } of [...many, shared]) await api("DELETE", `view/${id}`);
            await api("PUT", "setting/console", { language: "en" });
        }
    });

    test("the command box puts the focus on the grid or on the heading of the place that it leads to", async () => {
        await begun();
        const focus = () =>
            page.evaluate(() => document.activeElement?.getAttribute("role") ?? document.activeElement?.tagName);
        const lead = async (words) => {
            await page.keyboard.press("Control+K");
            await page.getByRole("dialog").waitFor();
            await page.keyboard.type(words);
            await page.getByRole("option", { name: words }).first().waitFor();
            await page.keyboard.press("Enter");
            await page.getByRole("dialog").waitFor({ state: "detached" });
        };
        // The focus stands in the sidebar before.
        await entry("Tags").focus();
        await lead("Company");
        await eventually(async () => (await focus()) === "grid", "the grid has no focus");
        await page.locator(".cell").first().waitFor();
        await page.keyboard.press("ArrowDown");
        const cell = await page.getByRole("grid").getAttribute("aria-activedescendant");
        await page.keyboard.press("ArrowDown");
        await eventually(async () => (await page.getByRole("grid").getAttribute("aria-activedescendant")) !== cell);

        await lead("The helpdesk");
        const heading = page.getByRole("heading", { level: 1, name: "The helpdesk" });
        await eventually(() => heading.evaluate((one) => one === document.activeElement), "the heading has no focus");
        await lead("Ticket");
        await eventually(async () => (await focus()) === "grid", "the second grid has no focus");
        await page.setViewportSize({ width: 390, height: 800 });
        await lead("Company");
        await eventually(async () => (await focus()) === "list", "the cards have no focus");
    });

    test("the help says what each key does", async () => {
        for (const [language, expected] of Object.entries({
            en: [
                "Go to Data (Company)",
                "Go to Boards (The helpdesk)",
                "Letter shortcuts in a text cell",
                "New Company",
            ],
            cs: ["Přejít: Data (Company)", "Zkratka s písmenem v buňce s textem", "Nový záznam: Company"],
        })) {
            await api("PUT", "setting/console", { language });
            await page.goto("c/company");
            await page.locator(`html[lang=${language}]`).waitFor();
            await settled(page);
            await page.getByRole("grid").focus();
            await page.keyboard.press("?");
            const help = page.getByRole("dialog");
            await help.waitFor();
            const told = await help.locator("dt").allTextContents();
            for (const words of expected) assert.ok(told.includes(words), `${words} is not among: ${told.join("; ")}`);
            assert.deepEqual([await violations(page)], [[]]);
            await page.keyboard.press("Escape");
        }
        await api("PUT", "setting/console", { language: "en" });
        // Keys that mean something in a cell alone are no commands.
        await page.goto("c/company");
        await page.locator("html[lang=en]").waitFor();
        await settled(page);
        await page.keyboard.press("Control+K");
        await page.getByRole("option", { name: "Sign out" }).waitFor();
        assert.equal(await page.getByRole("option", { name: /cell/ }).count(), 0);
        await page.keyboard.press("Escape");
    });

    test("the icon of the page is found wherever one went", async () => {
        await begun();
        const icon = () => page.evaluate(() => document.querySelector("link[rel=icon]").href);
        const first = await icon();
        for (const [path, name] of [
            ["Ticket", /c\/ticket$/],
            ["The helpdesk", /board\/board$/],
        ]) {
            await entry(path).last().click();
            await page.waitForURL(name);
            assert.equal(await icon(), first);
        }
        assert.equal(await page.evaluate((url) => fetch(url).then(({ status }) => status), first), 200);
        // A letter after g leads home.
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.keyboard.press("g");
        await page.keyboard.press("h");
        await page.waitForURL((url) => url.pathname === "/");
    });

    test("choices of the account stand under their headings, and a finger is told no keys", async () => {
        await begun();
        await page.getByRole("button", { name: /Account of/ }).click();
        const menu = page.getByRole("menu");
        for (const [heading, first] of [
            ["Theme", "System"],
            ["Language", "English"],
        ]) {
            const [above, item] = [
                menu.getByText(heading, { exact: true }),
                menu.getByRole("menuitemradio", { name: first }),
            ];
            const [a, b] = [await above.boundingBox(), await item.boundingBox()];
            assert.ok(a.y + a.height <= b.y && a.x < b.x + 30, `${heading} does not stand above ${first}`);
        }
        await menu.getByRole("menuitemcheckbox", { name: "Single-letter shortcuts" }).waitFor();
        assert.deepEqual(await violations(page), []);
        await visit.context.close();
        visit = await person(browser, server, {
            state,
            viewport: { width: 390, height: 844 },
            isMobile: true,
            hasTouch: true,
        });
        page = visit.page;
        await page.goto("c/ticket");
        await page.locator(".card").first().waitFor();
        await page.getByRole("main").getByRole("button", { name: "More", exact: true }).tap();
        await page.getByRole("menuitem", { name: "Undo last edit" }).waitFor();
        assert.equal(await page.getByText("Ctrl+Z").isVisible(), false);
        await page.keyboard.press("Escape");
        await page.getByRole("navigation").getByRole("button", { name: "More" }).tap();
        await page.getByRole("button", { name: "Sign out" }).waitFor();
        assert.equal(await page.getByText("Single-letter shortcuts").count(), 0);
        await page.getByText("Theme", { exact: true }).waitFor();
        assert.deepEqual([await violations(page), await sideways(page)], [[], []]);
    });

    test("the start lists the queries", async () => {
        await begun();
        const title = (await api("GET", "model")).queries[0].title;
        const lists = page.getByRole("main").locator("section");
        await lists.filter({ hasText: "Queries" }).getByRole("link", { name: title, exact: true }).click();
        await page.getByRole("heading", { level: 1, name: title }).waitFor();
    });

    test("a language that comes late takes nothing that was done meanwhile", async () => {
        await api("PUT", "setting/console", { language: "cs" });
        await page.addInitScript(() => localStorage.setItem("plinth-language", "en"));
        const release = await held(/\/api\/ext\/v1\/setting\/console$/);
        await page.goto("c/ticket");
        await page.locator(".cell").first().waitFor();
        await page.getByRole("grid").focus();
        await page.keyboard.press("Space");
        await page.getByText("1 row selected").waitFor();
        await page.keyboard.press("e");
        await page.getByRole("dialog").waitFor();
        const came = page.waitForResponse((response) => response.url().endsWith("/model"));
        release();
        await page.locator("html[lang=cs]").waitFor();
        await came;
        await settled(page);
        assert.ok(await page.getByRole("dialog").isVisible());
        await page.getByRole("dialog").getByRole("button", { name: "Zavřít" }).click();
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.getByText("Vybrán 1 řádek").waitFor();
        // Another place has the titles of the language.
        await entry("The helpdesk").last().click();
        await page.getByRole("heading", { level: 1, name: "The helpdesk" }).waitFor();
        await entry("Uživatel").waitFor();
        await api("PUT", "setting/console", { language: "en" });
    });

    test("a language that comes before anything was done holds at once", async () => {
        await api("PUT", "setting/console", { language: "cs" });
        await page.addInitScript(() => localStorage.setItem("plinth-language", "en"));
        await page.goto("c/ticket");
        await entry("Uživatel").waitFor();
        await api("PUT", "setting/console", { language: "en" });
    });

    test("the way to the sign-in page has no error in the log of the browser, and the page has an icon", async () => {
        await visit.context.close();
        visit = await person(browser, server);
        page = visit.page;
        const logged = [];
        page.on("console", (message) => logged.push(message.text()));
        await page.goto("c/ticket");
        await page.waitForURL(/sign-in\?next=c%2Fticket/);
        await signIn(page, server);
        await page.goto("c/ticket");
        await page.getByRole("grid").waitFor();
        assert.deepEqual(logged, []);
        const icon = await page.evaluate(async () => {
            const { href } = document.querySelector("link[rel=icon]");
            return (await fetch(href)).headers.get("content-type");
        });
        assert.match(icon, /^image\/svg/);
    });
});
