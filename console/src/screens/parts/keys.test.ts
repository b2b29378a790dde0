// The words for the scopes of a key.

import { beforeAll, expect, test, vi } from "vitest";
import { type ModelData, setModel } from "../../data/model";
import { loadMoreTexts, speak } from "../../text";
import { scopeWords } from "./keys";

const type = {
    id: 7,
    name: "ticket",
    title: "Ticket",
    actions: { create: true, update: true, delete: true },
    properties: [],
};

beforeAll(async () => {
    vi.stubGlobal("navigator", { languages: ["en"] });
    vi.stubGlobal("document", { documentElement: { lang: "" } });
    await speak("en");
    await loadMoreTexts();
    setModel({ types: [type] } as unknown as ModelData);
});

test("actions of one type stand together, by its name or its number; others have their own words", () => {
    expect(scopeWords(["collection:ticket:show", "tags", "collection:7:edit", "collection:*:show"])).toEqual([
        "Ticket: read, edit",
        "Every type: read",
        "Use tags",
    ]);
});

test("all rights are one word, and a scope that the console does not know is its code", () => {
    expect(scopeWords(["*"])).toEqual(["Everything that you can do"]);
    expect(scopeWords(["app:other.command", "collection:gone:delete", "collection:ticket:other"])).toEqual([
        "gone: delete",
        "app:other.command",
        "collection:ticket:other",
    ]);
});
