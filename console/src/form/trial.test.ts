// Tests of the pace of trial writes.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answer } from "../data/call";
import { Trials } from "./trial";

beforeEach(() => {
    vi.useFakeTimers();
});
afterEach(() => {
    vi.useRealTimers();
});

const answer = (data: string): Answer<string> => ({ data, etag: null, status: 200, headers: new Headers(), size: 0 });

function trials(): {
    trials: Trials<string>;
    sent: string[];
    shown: string[];
    state: { value: string };
    settle: (index: number) => Promise<void>;
} {
    const state = { value: "" };
    const sent: string[] = [];
    const shown: string[] = [];
    const waiting: (() => void)[] = [];
    const made = new Trials<string>(() => {
        const value = state.value;
        return {
            send: () => {
                sent.push(value);
                return new Promise((resolve) => waiting.push(() => resolve(answer(value))));
            },
            done: (found) => {
                shown.push(found.data);
            },
            failed: () => undefined,
        };
    });
    return {
        trials: made,
        sent,
        shown,
        state,
        settle: async (index) => {
            waiting[index]?.();
            await vi.advanceTimersByTimeAsync(0);
        },
    };
}

test("a pause of typing sends once", async () => {
    const t = trials();
    for (const value of ["a", "ab", "abc"]) {
        t.state.value = value;
        t.trials.schedule();
        await vi.advanceTimersByTimeAsync(100);
    }
    await vi.advanceTimersByTimeAsync(300);
    expect(t.sent).toEqual(["abc"]);
    await t.settle(0);
    expect(t.shown).toEqual(["abc"]);
});

test("one is in flight, and an older answer is dropped", async () => {
    const t = trials();
    t.state.value = "a";
    t.trials.schedule();
    await vi.advanceTimersByTimeAsync(300);
    t.state.value = "b";
    t.trials.schedule();
    await vi.advanceTimersByTimeAsync(400);
    expect(t.sent).toEqual(["a"]);
    await t.settle(0);
    expect(t.shown).toEqual([]);
    expect(t.sent).toEqual(["a", "b"]);
    await t.settle(1);
    expect(t.shown).toEqual(["b"]);
});

test("nothing is shown after the end", async () => {
    const t = trials();
    t.state.value = "a";
    t.trials.schedule();
    await vi.advanceTimersByTimeAsync(300);
    t.trials.stop();
    await t.settle(0);
    expect(t.shown).toEqual([]);
});
