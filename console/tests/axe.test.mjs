// Screens without a violation that axe finds: all of them in two looks, the main ones in all eight, and 320 pixels wide.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sideways, violations } from "./support/axe.mjs";
import { launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { grid, gridReady } from "./support/grid.mjs";
import { client, demo } from "./support/server.mjs";

/** The themes that the console takes from the system. High contrast of its own is dark; a light one is the system's. */
const themes = {
    light: { colorScheme: "light" },
    dark: { colorScheme: "dark" },
    "high contrast": { colorScheme: "dark", contrast: "more" },
    "forced colours": { colorScheme: "light", forcedColors: "active" },
};

/** The words by which the test finds its way. */
const names = {
    en: { filters: "Filters", columns: "Columns", more: "More", import: /^Import/, importing: "Check the file" },
    cs: {
        filters: "Filtry",
        columns: "Sloupce",
        more: "Další",
        import: /^Importovat/,
        importing: "Zkontrolovat soubor",
    },
};

/** `ALL=1` shows all screens in each of these looks. */
const all = process.env["ALL"] === "1";
const looks = Object.keys(themes).flatMap((theme, index) => [
    { theme, width: 1280, language: index % 2 === 0 ? "en" : "cs", whole: all || theme === "light" },
    { theme, width: 390, language: index % 2 === 0 ? "en" : "cs", whole: all || theme === "dark" },
]);

const csv = { name: "a.csv", mimeType: "text/csv", buffer: Buffer.from("subject,status\nOne,open\nTwo,wrong\n") };
const open = encodeURIComponent(JSON.stringify([{ property: "status", type: "eq", param: "open" }]));
const listed = `c/ticket?cols=number,subject,status,company,late,tags&f=${open}`;

describe("accessibility by axe", () => {
    let server, browser, api, state, ticket;

    before(async () => {
        [server, browser] = await Promise.all([demo("helpdesk"), launch()]);
        api = client(server);
        const first = await person(browser, server);
        state = await signIn(first.page, server);
        const answer = await first.context.request.get("api/ext/v1/session", {
            headers: { "Sec-Fetch-Site": "same-origin" },
        });
        const { user } = await answer.json();
        [ticket] = (await api("GET", "collection/ticket?perPage=1")).data;
        await api("POST", "notifications", {
            recipients: [{ userId: user.id }],
            title: "A word",
            body: "And more of them",
            target: { type: "ticket", item: ticket.id },
        });
        const tag = await api("POST", "collection/tags", { name: "VIP", color: "#cc3322" });
        await api("POST", "../../v1/app/tags.assign", {
            type: "ticket",
            item: ticket.id,
            operation: "add",
            tags: [tag.id],
        });
        await api("POST", "view", {
            type: "ticket",
            title: "Urgent ones",
            shared: "all",
            state: { filters: [{ property: "priority", type: "eq", param: "urgent" }] },
        });
        await first.context.close();
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });

    /** Opens the console in a look: `visit` goes to a place inside of the one page, and `check` looks at it. */
    async function show({ theme, width, language }, check) {
        await api("PUT", "setting/console", { theme: "system", language });
        const one = await person(browser, server, {
            state,
            language,
            viewport: { width, height: 800 },
            hasTouch: width < 500,
            ...themes[theme],
        });
        const { page } = one;
        await page.goto("");
        await settled(page);
        assert.equal(await page.evaluate(() => document.documentElement.lang), language);
        const move = async (place) => {
            await page.evaluate((address) => {
                history.pushState(null, "", address);
                dispatchEvent(new PopStateEvent("popstate"));
            }, `${server.url}/${place}`);
            await settled(page);
        };
        const visit = async (place, name = place) => {
            await move(place);
            await check(page, name);
        };
        const dialog = page.getByRole("dialog");
        const closed = async () => {
            await page.keyboard.press("Escape");
            await dialog.waitFor({ state: "detached" });
        };
        const tool = (name) => page.getByRole("toolbar").getByRole("button", { name: names[language][name] });
        const layer = async (name, open) => {
            await open();
            await dialog.waitFor();
            await settled(page);
            await check(page, name);
        };
        return { ...one, check, wide: width > 640, words: names[language], dialog, move, visit, closed, tool, layer };
    }

    /** The grid, the filters, a record, the import, a board, the account, the inbox, and the command box. */
    async function mainScreens({ page, words, dialog, visit, closed, tool, layer }) {
        await visit(listed, "grid");
        await layer("filters", () => tool("filters").click());
        // Esc gives up the field that has the focus, then the sheet.
        await page.keyboard.press("Escape");
        await closed();
        await layer("command box", () => page.keyboard.press("Control+K"));
        await closed();
        await tool("more").click();
        await page.getByRole("menuitem", { name: words.import }).click();
        await dialog.locator("input[type=file]").setInputFiles(csv);
        await layer("columns of an import", () => dialog.locator("table").first().waitFor());
        await dialog.getByRole("button", { name: words.importing }).click();
        await layer("problems of an import", () => page.locator(".problems").waitFor());
        await page.keyboard.press("Escape");
        await dialog.locator(".danger").click();
        await dialog.waitFor({ state: "detached" });
        await visit(`c/ticket/${ticket.id}`, "record");
        await visit("board/board", "board");
        await visit("inbox");
        await visit("account/profile");
    }

    async function otherScreens({ page, check, wide, move, visit, closed, tool, layer }) {
        await visit("", "start");
        await visit("c/ticket?q=nothingofthatkind", "grid without hits");
        await visit(`c/ticket?open=${ticket.id}`, "panel");
        for (const tab of ["related", "tags", "json"]) await visit(`c/ticket/${ticket.id}?tab=${tab}`);
        await visit("c/ticket/999999", "a record that is gone");
        await visit("c/none", "a type that is not there");
        await visit("query/open", "query");
        await visit("tags");
        for (const section of ["keys", "sessions"]) await visit(`account/${section}`);
        for (const part of ["automations", "runs", "outbox", "audit", "reads"]) await visit(`operate/${part}`);
        const [event] = (await api("GET", "audit")).items;
        await visit(`operate/audit/${event.id}`, "an event");

        // Errors of a form.
        await move("c/ticket/new");
        await page.getByRole("form").waitFor();
        await page.keyboard.press("Control+S");
        await page.getByRole("alert").first().waitFor();
        await settled(page);
        await check(page, "new record with errors");

        // Layers.
        await move("c/ticket");
        if (wide) await gridReady(page);
        await layer("help", async () => {
            await page.locator("main").focus();
            await page.keyboard.press("?");
        });
        await closed();
        await layer("columns", () => tool("columns").click());
        await closed();
        await tool("more").click();
        await page.getByRole("menu").waitFor();
        await check(page, "menu");
        await page.keyboard.press("Escape");
        if (!wide) return;
        await grid(page).focus();
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Enter");
        await page.getByRole("listbox").waitFor();
        await check(page, "cell editor");
        await page.keyboard.press("Escape");
        await page.keyboard.press("Control+A");
        await layer("bulk edit", () => page.keyboard.press("e"));
    }

    for (const look of looks) {
        test(`${look.theme}, ${look.width} pixels, ${look.language}`, async () => {
            const found = [];
            const check = async (page, screen) => {
                for (const violation of await violations(page)) found.push({ screen, ...violation });
            };
            const shown = await show(look, check);
            await mainScreens(shown);
            if (look.whole) await otherScreens(shown);
            nothingNoted(shown.noted);
            await shown.context.close();
            assert.deepEqual(merged(found), []);
        });
    }

    test("320 pixels: nothing scrolls sideways or is cut off", async () => {
        const found = [];
        const shown = await show({ theme: "light", width: 320, language: "en" }, async (page, screen) => {
            for (const what of await sideways(page)) found.push(`${screen}: ${what}`);
        });
        await mainScreens(shown);
        nothingNoted(shown.noted);
        await shown.context.close();
        assert.deepEqual(found, []);
    });
});

/** A violation of many screens is told once. */
function merged(found) {
    const rules = new Map();
    for (const { screen, id, help, nodes } of found) {
        const rule = rules.get(id) ?? { id, help, screens: [], nodes: [] };
        rule.screens.push(screen);
        for (const node of nodes) if (rule.nodes.length < 12 && !rule.nodes.includes(node)) rule.nodes.push(node);
        rules.set(id, rule);
    }
    return [...rules.values()];
}
