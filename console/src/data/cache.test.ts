import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Answer } from "./call";

const call = vi.hoisted(() => vi.fn());
vi.mock("./call", () => ({ call }));
const { ask, clear, forget, peek } = await import("./cache");

function answer(data: unknown, etag: string | null, status = 200, size = 100): Answer<unknown> {
    return { data, etag, status, headers: new Headers(), size };
}

describe("cache", () => {
    beforeEach(() => {
        clear();
        call.mockReset();
    });

    it("shows what was read and asks again with its validator", async () => {
        call.mockResolvedValueOnce(answer([1], '"a"'));
        const first = ask("GET", "collection/ticket");
        expect(first.stale).toBeNull();
        await first.fresh;
        call.mockResolvedValueOnce(answer(undefined, '"a"', 304));
        const second = ask("GET", "collection/ticket");
        expect(second.stale?.data).toEqual([1]);
        expect(await second.fresh).toBe(second.stale);
        expect(call).toHaveBeenLastCalledWith("GET", "collection/ticket", { ifNoneMatch: '"a"' });
    });

    it("drops a type after a write, and what was asked before it", async () => {
        call.mockResolvedValueOnce(answer([1], '"a"'));
        const early = ask("GET", "collection/ticket");
        forget("collection/ticket");
        await early.fresh;
        expect(peek("GET", "collection/ticket")).toBeNull();
        call.mockResolvedValue(answer([2], '"b"'));
        await ask("GET", "collection/ticket/5").fresh;
        await ask("GET", "collection/ticketing").fresh;
        forget("collection/ticket");
        expect(peek("GET", "collection/ticket/5")).toBeNull();
        expect(peek("GET", "collection/ticketing")).not.toBeNull();
    });

    it("keeps 16 MB, the oldest go first", async () => {
        for (let index = 0; index < 12; index += 1) {
            call.mockResolvedValueOnce(answer(index, '"a"', 200, 1_000_000));
            await ask("GET", `collection/t${index}`).fresh;
        }
        expect(peek("GET", "collection/t0")).toBeNull();
        expect(peek("GET", "collection/t11")).not.toBeNull();
    });

    it("keeps nothing where reads are recorded", async () => {
        call.mockResolvedValue(answer([1], '"a"'));
        await ask("GET", "collection/patient", { keep: false }).fresh;
        expect(peek("GET", "collection/patient")).toBeNull();
    });
});
