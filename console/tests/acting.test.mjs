// An administrator acts as another user: navigation, actions and inbox are those of the user, until the end of it.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launch, nothingNoted, person, settled, signIn } from "./support/browser.mjs";
import { gridReady } from "./support/grid.mjs";
import { client, tenant } from "./support/server.mjs";

const files = {
    "tenant.yaml": "tenant: acting\ntitle: Acting\ntimezone: Europe/Prague\nlocale: en\n",
    "types/note.yaml": "name: note\ntitle: Note\nproperties:\n  name: {kind: pString, title: Name}\n",
    "types/secret.yaml": "name: secret\ntitle: Secret\nproperties:\n  name: {kind: pString, title: Name}\n",
    "roles/admin.yaml":
        'role: admin\ntitle: Administrator\nsystem: ["*"]\ntypes:\n  "*": {show: true, create: true, edit: true, delete: true}\n',
    "roles/agent.yaml":
        "role: agent\ntitle: Agent\nsystem: [restApi, profile, notifications]\ntypes:\n  note: {show: true, create: true}\n",
    "roles/reader.yaml":
        "role: reader\ntitle: Reader\nsystem: [restApi]\ntypes:\n  note: {show: true, create: false, edit: false, delete: false}\n",
    "users/admin.yaml": "user: admin\nname: Administrator\nroles: [admin]\n",
    "users/ann.yaml": "user: ann\nname: Ann Agnew\nroles: [agent]\ntimezone: Asia/Tokyo\n",
    "users/rae.yaml": "user: rae\nname: Rae Reed\nroles: [reader]\n",
};

describe("acting as another user", () => {
    let server, browser, state;

    before(async () => {
        [server, browser] = await Promise.all([tenant(files), launch()]);
        const api = client(server);
        const first = await person(browser, server);
        state = await signIn(first.page, server);
        await first.context.close();
        const { data } = await api("GET", "collection/user?showFields=id,user_id");
        const [admin, ann, rae] = ["admin", "ann", "rae"].map((login) => ({
            userId: data.find((user) => user.user_id === login).id,
        }));
        await api("POST", "notifications", { recipients: [admin, ann, rae], title: "For all of them" });
        await api("POST", "notifications", { recipients: [ann], title: "For Ann alone" });
        await api("POST", "collection/note", { name: "One" });
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
    });

    async function actAs(page, name) {
        await page.goto("account/profile");
        const section = page.getByRole("region", { name: "Act as another user" });
        await section.getByRole("combobox").fill(name);
        await page.getByRole("option", { name }).click();
        await section.getByRole("button", { name: "Act as another user" }).click();
        await page.getByText(`Administrator is acting as ${name}.`).waitFor();
        await settled(page);
    }

    const entry = (page, name) => page.getByRole("navigation").first().getByRole("link", { name });

    test("inbox, roles, zone and navigation are those of the user, and the own ones come back", async () => {
        const { context, page, noted } = await person(browser, server, { state });
        await actAs(page, "Ann Agnew");
        const inbox = entry(page, /^Inbox/);
        assert.match(await inbox.innerText(), /2/);
        assert.equal(await entry(page, "Audit log").count(), 0);
        assert.equal(await entry(page, "Secret").count(), 0);
        await entry(page, "Note").click();
        await gridReady(page, 1);
        await page.getByRole("toolbar").getByRole("button", { name: "New" }).waitFor();

        await inbox.click();
        await page.getByRole("button", { name: "For Ann alone" }).click();
        await settled(page);
        await page.reload();
        await settled(page);
        assert.match(await inbox.innerText(), /1/, "it is read by the user");

        await page.goto("account/profile");
        await settled(page);
        const facts = await page.getByRole("region", { name: "Person" }).innerText();
        assert.match(facts, /agent/);
        assert.match(facts, /Asia\/Tokyo/);

        await page.getByRole("button", { name: "Stop", exact: true }).click();
        await entry(page, "Audit log").waitFor();
        assert.match(await inbox.innerText(), /1/);
        await inbox.click();
        await page.getByRole("button", { name: "For all of them" }).waitFor();
        assert.equal(await page.getByRole("button", { name: "For Ann alone" }).count(), 0);
        nothingNoted(noted);
        await context.close();
    });

    test("a user without the right to notifications has no inbox, and actions are refused beforehand", async () => {
        const { context, page, noted } = await person(browser, server, { state });
        await actAs(page, "Rae Reed");
        await entry(page, "Note").click();
        await gridReady(page, 1);
        assert.equal(await entry(page, /^Inbox/).count(), 0);
        assert.equal(await page.getByRole("toolbar").getByRole("button", { name: "New" }).count(), 0);
        await page.getByRole("button", { name: "Stop", exact: true }).click();
        await entry(page, "Audit log").waitFor();
        nothingNoted(noted);
        await context.close();
    });
});
