// Tests of drafts while the database has not answered: there is none here.
import { beforeEach, expect, test, vi } from "vitest";
import { draftKey, dropDraft, dropDrafts, findDrafts, keepDraft, newDraftKey, type Draft } from "./drafts";

const of = draftKey("acme", 1, "ticket", "new");
const draft = (subject: string, saved = Date.now()): Draft => ({ base: null, etag: null, values: { subject }, saved });

beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal("sessionStorage", {
        get length() {
            return kept.size;
        },
        key: (at: number) => [...kept.keys()][at] ?? null,
        getItem: (name: string) => kept.get(name) ?? null,
        setItem: (name: string, value: string) => kept.set(name, value),
        removeItem: (name: string) => kept.delete(name),
    });
});

test("a draft is found at once, before the database has it", async () => {
    void keepDraft(newDraftKey(of), draft("a"));
    expect((await findDrafts(of)).map(({ values }) => values["subject"])).toEqual(["a"]);
});

test("two forms of one record keep two drafts, the latest first; others are not found", async () => {
    const [first, second] = [newDraftKey(of), newDraftKey(of)];
    const now = Date.now();
    await keepDraft(first, draft("old", now - 5000));
    await keepDraft(second, draft("new", now));
    await keepDraft(newDraftKey(draftKey("acme", 1, "ticket", "newer")), draft("other"));
    expect((await findDrafts(of)).map(({ values }) => values["subject"])).toEqual(["new", "old"]);
    await dropDraft(second);
    expect((await findDrafts(of)).map(({ key }) => key)).toEqual([first]);
});

test("drafts end after thirty days, and at sign-out", async () => {
    await keepDraft(newDraftKey(of), draft("old", Date.now() - 31 * 24 * 3600 * 1000));
    expect(await findDrafts(of)).toEqual([]);
    await keepDraft(newDraftKey(of), draft("mine"));
    await dropDrafts("acme", 2);
    expect(await findDrafts(of)).toHaveLength(1);
    await dropDrafts("acme", 1);
    expect(await findDrafts(of)).toEqual([]);
});
