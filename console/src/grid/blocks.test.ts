// Tests of the blocks: what is asked for, how much is kept, and that old answers never win.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Blocks, type Loaded } from "./blocks";
import { freshRows, Moved, spanOf } from "./whole";

interface Asked {
    block: number;
    etag: string | null;
    signal: AbortSignal;
    answer: (loaded: Loaded | null) => void;
    fail: (error: unknown) => void;
}

function server(): { asked: Asked[]; blocks: Blocks } {
    const asked: Asked[] = [];
    const blocks = new Blocks(
        (block, _size, etag, signal) =>
            new Promise((resolve, reject) => asked.push({ block, etag, signal, answer: resolve, fail: reject })),
    );
    return { asked, blocks };
}
const page = (block: number, total = 100_000, etag = `"${block}"`): Loaded => ({
    rows: Array.from({ length: 100 }, (_, i) => ({ id: block * 100 + i + 1 })),
    total,
    etag,
});
const jump = (blocks: Blocks, range: { first: number; end: number }): void => {
    blocks.jump(range, range.first * 36, 0);
};
const settle = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(0);
};

describe("blocks", () => {
    beforeEach(() => {
        vi.useFakeTimers();
    });
    afterEach(() => {
        vi.useRealTimers();
    });

    it("asks for the first block alone, then one in the direction", async () => {
        const { asked, blocks } = server();
        jump(blocks, { first: 0, end: 20 });
        expect(asked.map((a) => a.block)).toEqual([0]);
        asked[0]?.answer(page(0));
        await settle();
        expect(blocks.total).toBe(100_000);
        expect(blocks.row(99)?.id).toBe(100);
        expect(blocks.row(100)).toBeUndefined();
        expect(asked.map((a) => a.block)).toEqual([0, 1]);
    });

    it("asks for nothing while the position flies, and 60 ms after that for what is in sight", async () => {
        const { asked, blocks } = server();
        jump(blocks, { first: 0, end: 20 });
        asked[0]?.answer(page(0));
        await settle();
        asked[1]?.answer(page(1));
        await settle();
        for (let i = 1; i <= 10; i++) blocks.look({ first: i * 1_000, end: i * 1_000 + 20 }, i * 36_000, 600, i * 16);
        expect(asked).toHaveLength(2);
        await vi.advanceTimersByTimeAsync(59);
        expect(asked).toHaveLength(2);
        await vi.advanceTimersByTimeAsync(2);
        expect(asked.slice(2).map((a) => a.block)).toEqual([100, 101]);
    });

    it("aborts what went out of sight and never takes its answer", async () => {
        const { asked, blocks } = server();
        jump(blocks, { first: 0, end: 20 });
        asked[0]?.answer(page(0));
        await settle();
        jump(blocks, { first: 50_000, end: 50_020 });
        const hidden = asked.find((a) => a.block === 1);
        expect(hidden?.signal.aborted).toBe(true);
        hidden?.answer(page(1, 5));
        await settle();
        expect(blocks.total).toBe(100_000);
        expect(blocks.row(100)).toBeUndefined();
    });

    it("never has more than three requests in flight", async () => {
        const { asked, blocks } = server();
        jump(blocks, { first: 0, end: 20 });
        asked[0]?.answer(page(0));
        await settle();
        jump(blocks, { first: 1_000, end: 1_900 });
        expect(asked.filter((a) => !a.signal.aborted).length - 1).toBeLessThanOrEqual(3);
    });

    it("keeps 40 blocks, the nearest", async () => {
        const { asked, blocks } = server();
        jump(blocks, { first: 0, end: 20 });
        asked[0]?.answer(page(0));
        await settle();
        for (let i = 1; i < 100; i++) {
            jump(blocks, { first: i * 100, end: i * 100 + 20 });
            for (const one of asked) one.answer(page(one.block));
            await settle();
        }
        let kept = 0;
        for (let i = 0; i < 110; i++) if (blocks.row(i * 100)) kept++;
        expect(kept).toBeLessThanOrEqual(40);
        expect(blocks.row(0)).toBeUndefined();
        expect(blocks.row(99 * 100)).toBeDefined();
    });

    it("asks again by the validator, and for the neighbours when something moved", async () => {
        const { asked, blocks } = server();
        jump(blocks, { first: 90, end: 110 });
        asked[0]?.answer(page(0));
        await settle();
        asked[1]?.answer(page(1));
        await settle();
        asked[2]?.answer(page(2));
        await settle();
        const before = asked.length;
        blocks.refresh();
        expect(asked.slice(before).map((a) => a.etag)).toEqual(['"0"', '"1"']);
        asked[before]?.answer(null);
        asked[before + 1]?.answer(page(1, 99_999, '"1b"'));
        await settle();
        expect(blocks.total).toBe(99_999);
        expect(asked.slice(before + 2).map((a) => a.block)).toContain(0);
    });

    it("stops at an error until it is told to try again", async () => {
        const { asked, blocks } = server();
        jump(blocks, { first: 0, end: 20 });
        asked[0]?.fail(new Error("no"));
        await settle();
        expect(blocks.error).toBeInstanceOf(Error);
        blocks.look({ first: 0, end: 20 }, 0, 600, 500);
        expect(asked).toHaveLength(1);
        blocks.retry();
        expect(asked).toHaveLength(2);
    });

    it("finds and replaces rows by id", async () => {
        const { asked, blocks } = server();
        jump(blocks, { first: 0, end: 20 });
        asked[0]?.answer(page(0));
        await settle();
        expect(blocks.indexOf(42)).toBe(41);
        blocks.replace(42, (row) => ({ ...row, name: "x" }));
        expect(blocks.row(41)?.name).toBe("x");
    });

    it("reads a whole range where rows of it are not kept, and takes kept ones at once", async () => {
        const { asked, blocks } = server();
        jump(blocks, { first: 0, end: 20 });
        asked[0]?.answer(page(0));
        await settle();
        asked[1]?.answer(page(1));
        await settle();
        expect((await spanOf(blocks, { first: 5, end: 195, size: 100 })).map((row) => row.id)).toEqual(
            Array.from({ length: 190 }, (_, i) => i + 6),
        );
        expect(asked).toHaveLength(2);
        const counts: number[] = [];
        const read = spanOf(
            blocks,
            { first: 150, end: 420, size: 100 },
            {
                onread: (count) => counts.push(count),
            },
        );
        for (let at = 2; at < 6; at++) {
            expect(asked[at]).toMatchObject({ block: at - 1, etag: null });
            asked[at]?.answer(page(at - 1));
            await settle();
        }
        expect((await read).map((row) => row.id)).toEqual(Array.from({ length: 270 }, (_, i) => i + 151));
        expect(counts).toEqual([50, 150, 250, 270]);
        expect(blocks.row(350)).toBeUndefined();
    });

    it("reads rows again that may be old, and refuses the range where they have moved", async () => {
        const { asked, blocks } = server();
        jump(blocks, { first: 0, end: 20 });
        asked[0]?.answer(page(0));
        await settle();
        asked[1]?.answer(page(1));
        await settle();
        expect(freshRows(blocks, 50, 181)).toHaveLength(131);
        // A row is new in the first block: the second one is not asked for out of sight.
        blocks.refresh();
        const shifted = Array.from({ length: 100 }, (_, i) => ({ id: i }));
        asked[2]?.answer({ ...page(0), rows: shifted, total: 100_001, etag: '"0b"' });
        await settle();
        expect(blocks.row(150)?.id).toBe(151);
        expect(freshRows(blocks, 50, 181)).toBeNull();
        expect(freshRows(blocks, 50, 100)).toHaveLength(50);
        const before = asked.length;
        const refused = expect(spanOf(blocks, { first: 50, end: 181, size: 100 })).rejects.toBeInstanceOf(Moved);
        asked[before]?.answer({ ...page(0, 100_001), rows: shifted });
        await settle();
        const now = Array.from({ length: 100 }, (_, i) => ({ id: 100 + i }));
        asked[before + 1]?.answer({ ...page(1, 100_001), rows: now });
        await refused;
    });

    it("refuses a range whose rows are not those that are shown", async () => {
        const { asked, blocks } = server();
        jump(blocks, { first: 0, end: 20 });
        asked[0]?.answer(page(0));
        await settle();
        asked[1]?.answer(page(1));
        await settle();
        const moved = { ...page(1), rows: page(1).rows.map((row) => ({ id: Number(row.id) + 1 })) };
        // The same rows in another order: all are there once.
        const swapped = { ...page(1), rows: page(1).rows.toReversed() };
        for (const answer of [moved, swapped, page(1, 99_999), null]) {
            const before = asked.length;
            const refused = expect(spanOf(blocks, { first: 100, end: 210, size: 100 })).rejects.toBeInstanceOf(Moved);
            asked[before]?.answer(answer);
            await settle();
            asked[before + 1]?.answer(page(2));
            await refused;
        }
        blocks.forgetHidden();
        expect(blocks.row(0)).toBeDefined();
        expect(blocks.row(150)).toBeUndefined();
    });
});
