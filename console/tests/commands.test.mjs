// The command box: views and boards by words in any order, before and after their list has come; keys typed ahead.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { launch, nothingNoted, person, signIn } from "./support/browser.mjs";
import { client, demo } from "./support/server.mjs";

describe("the command box", () => {
    let server, browser, api, state, visit, page;

    before(async () => {
        [server, browser] = await Promise.all([demo("helpdesk"), launch()]);
        api = client(server);
        const filters = [{ property: "status", type: "eq", param: "waiting" }];
        await api("POST", "view", { type: "ticket", title: "My waiting tickets", shared: null, state: { filters } });
        await api("POST", "collection/ticket", { subject: "My waiting room is cold" });
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

    const started = async () => {
        await page.goto("");
        await page.getByRole("heading", { level: 1 }).waitFor();
    };
    const view = () => page.getByRole("option", { name: /My waiting tickets/ });
    const heading = () => page.getByRole("heading", { level: 1, name: /My waiting tickets/ });

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

    test("views and boards are found by words in any order, and stand above records", async () => {
        await started();
        await page.keyboard.press("Control+K");
        await page.getByRole("dialog").waitFor();
        await page.keyboard.type("waiting my");
        await view().waitFor();
        await page.getByRole("option", { name: /My waiting room/ }).waitFor();
        const names = await page.getByRole("option").allTextContents();
        assert.match(names[0], /My waiting tickets/);
        const board = (await api("GET", "model")).canvases[0].title;
        const words = board.split(" ").reverse().join(" ");
        await page.getByRole("combobox").fill(words);
        await page.getByRole("option", { name: board }).waitFor();
    });

    test("views that come after the box are offered, and Enter waits for them", async () => {
        const release = await held(/\/api\/ext\/v1\/view$/);
        await started();
        await page.keyboard.press("Control+K");
        await page.getByRole("dialog").waitFor();
        await page.keyboard.type("My waiting");
        await page.getByRole("option", { name: /My waiting room/ }).waitFor();
        assert.equal(await view().count(), 0);
        await page.keyboard.press("Enter");
        release();
        await heading().waitFor();
    });

    test("what is typed while the box is loaded is not lost", async () => {
        const release = await held(/\/Commands-[^/]*\.js$/);
        await started();
        await page.keyboard.press("Control+K");
        await page.keyboard.type("My waitingg");
        await page.keyboard.press("Backspace");
        await page.keyboard.press("Enter");
        release();
        await heading().waitFor();

        await page.keyboard.press("Control+K");
        await page.getByRole("dialog").waitFor();
        await page.keyboard.type("company");
        assert.equal(await page.getByRole("combobox").inputValue(), "company");
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
    });
});
