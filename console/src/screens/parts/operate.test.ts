// Words for codes of the server: events of the audit log, triggers of automations; and the days of filters.

import { beforeAll, expect, test, vi } from "vitest";
import { type ModelData, setModel } from "../../data/model";
import { loadMoreTexts, speak } from "../../text";
import cs from "../../text/cs/more";
import en from "../../text/en/more";

let operate: typeof import("./operate");

beforeAll(async () => {
    vi.stubGlobal("navigator", { languages: ["en"] });
    vi.stubGlobal("document", { documentElement: { lang: "" } });
    // The router reads the address as soon as it is loaded.
    vi.stubGlobal("location", { origin: "http://localhost", pathname: "/", search: "", href: "http://localhost/" });
    vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined }));
    operate = await import("./operate");
    await speak("en");
    await loadMoreTexts();
    setModel({
        types: [{ id: 7, name: "ticket", title: "Ticket", actions: {}, properties: [] }],
    } as unknown as ModelData);
});

test("a trigger has the title of its type and a word for the change; an unknown one is its code", () => {
    expect(operate.triggerTitle("ticket.updated")).toBe("Ticket: changed");
    expect(operate.triggerTitle("tag.created")).toBe("Tags: created");
    expect(operate.triggerTitle("ticket.frozen")).toBe("ticket.frozen");
    expect(operate.triggerTitle("gone.created")).toBe("gone.created");
});

test("an event of the audit log has words, a newer one its code", () => {
    expect(operate.eventTitle("loginAs.begun")).toBe("Started acting as a user");
    expect(operate.eventTitle("moon.landed")).toBe("moon.landed");
});

test("both languages know the same codes, and none of them is a code", () => {
    for (const name of ["events", "templates", "changes", "otherScopes", "states", "vias", "ways"] as const) {
        expect(Object.keys(cs[name]).sort()).toEqual(Object.keys(en[name]).sort());
        for (const [code, words] of Object.entries(cs[name])) expect(words).not.toBe(code);
    }
});

test("the last day of a filter is a part of what is asked for", () => {
    const fields = [
        { name: "from", title: "", kind: "date" as const },
        { name: "to", title: "", kind: "date" as const },
    ];
    expect(operate.queryOf(fields, { from: "2026-02-27", to: "2026-02-28", other: "x" })).toEqual({
        from: "2026-02-27",
        to: "2026-03-01",
    });
});
