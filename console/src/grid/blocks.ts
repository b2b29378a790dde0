// Blocks of rows around the window: what is asked for, kept and dropped. Knows no API and no DOM.
import type { Row } from "../data/model";
import { Speed, type Range } from "./window";

export interface Loaded {
    rows: Row[];
    total: number;
    etag: string | null;
}

/** Reads one block; null where its validator still holds. `fresh` takes nothing that was kept from before. */
export type Load = (
    block: number,
    size: number,
    etag: string | null,
    signal: AbortSignal,
    fresh?: boolean,
) => Promise<Loaded | null>;

interface Block {
    rows: Row[];
    etag: string | null;
    /** Kept to be shown, but asked for again when it is in sight. */
    stale: boolean;
}

export interface Limits {
    size: number;
    kept: number;
    inFlight: number;
    /** Quiet time after a fast move before anything is asked, in ms. */
    pause: number;
}

export const defaultLimits: Limits = { size: 100, kept: 40, inFlight: 3, pause: 60 };

export class Blocks {
    total: number | null = null;
    error: unknown = null;
    /** A change of rows, total or error; the grid paints anew. */
    onchange: () => void = () => {};
    /** Rows of a block came: `first` is the index of its first row. */
    onrows: (first: number, rows: Row[]) => void = () => {};

    readonly limits: Limits;
    readonly load: Load;
    private readonly blocks = new Map<number, Block>();
    private readonly asked = new Map<number, AbortController>();
    private readonly speed = new Speed();
    private range: Range = { first: 0, end: 1 };
    private direction: 1 | -1 = 1;
    private timer: ReturnType<typeof setTimeout> | undefined;
    private closed = false;

    constructor(load: Load, limits: Partial<Limits> = {}) {
        this.load = load;
        this.limits = { ...defaultLimits, ...limits };
    }

    row(index: number): Row | undefined {
        const { size } = this.limits;
        return this.blocks.get(Math.floor(index / size))?.rows[index % size];
    }

    /** Index of a row by its id, among the kept rows. */
    indexOf(id: unknown): number {
        for (const [block, { rows }] of this.blocks) {
            const at = rows.findIndex((row) => row.id === id);
            if (at >= 0) return block * this.limits.size + at;
        }
        return -1;
    }

    /** Kept rows, by index; for sums and copies. */
    *kept(first: number, end: number): Generator<[number, Row]> {
        for (let index = first; index < end; index++) {
            const row = this.row(index);
            if (row) yield [index, row];
        }
    }

    /** True for a row that is as the server gave it last. After a change or a refresh, others are kept to be shown alone. */
    isFresh(index: number): boolean {
        const block = this.blocks.get(Math.floor(index / this.limits.size));
        return block !== undefined && !block.stale;
    }

    /** Forgets rows out of sight, which may stand elsewhere now. */
    forgetHidden(): void {
        const seen = new Set(this.inSight());
        for (const block of this.blocks.keys()) if (!seen.has(block)) this.blocks.delete(block);
    }

    /** Puts another row in the place of one with the same id, such as the answer of a write. */
    replace(id: unknown, change: (row: Row) => Row): void {
        for (const block of this.blocks.values()) {
            const at = block.rows.findIndex((row) => row.id === id);
            const old = block.rows[at];
            if (old) block.rows[at] = change(old);
        }
        this.onchange();
    }

    get busy(): boolean {
        return this.asked.size > 0;
    }

    /** Notes what is in sight. Called for each frame that moved; asks for what is missing unless the position flies. */
    look(range: Range, virtual: number, view: number, now: number): void {
        if (range.first !== this.range.first) this.direction = range.first > this.range.first ? 1 : -1;
        this.range = range;
        const fast = this.speed.fast(virtual, view, now);
        clearTimeout(this.timer);
        if (!fast && this.missing().length === 0) return;
        this.abortHidden();
        if (fast) this.timer = setTimeout(() => this.pump(), this.limits.pause);
        else this.pump();
    }

    /** After a jump of the program: what is in sight is asked for at once. */
    jump(range: Range, virtual: number, now: number): void {
        this.speed.reset(virtual, now);
        clearTimeout(this.timer);
        this.range = range;
        this.abortHidden();
        this.pump();
    }

    /** Asks for the blocks in sight again, by their validators. */
    refresh(): void {
        for (const block of this.blocks.values()) block.stale = true;
        // An error of before may be over: the next answer tells.
        if (this.error !== null) this.retry();
        else this.pump();
    }

    retry(): void {
        this.error = null;
        this.pump();
        this.onchange();
    }

    close(): void {
        this.closed = true;
        clearTimeout(this.timer);
        for (const controller of this.asked.values()) controller.abort();
        this.asked.clear();
    }

    private inSight(): number[] {
        const { size } = this.limits;
        const end = this.total === null ? this.range.end : Math.min(this.range.end, this.total);
        const first = Math.floor(this.range.first / size);
        const last = Math.max(first, Math.floor((Math.max(end, 1) - 1) / size));
        return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    }

    /** Blocks to ask for: those in sight, then one in the direction of the movement. */
    private missing(): number[] {
        const wanted = this.inSight();
        const next = (this.direction > 0 ? (wanted.at(-1) ?? 0) : (wanted[0] ?? 0)) + this.direction;
        const known = this.total === null ? 0 : Math.ceil(this.total / this.limits.size);
        if (this.total !== null && next >= 0 && next < known && !this.blocks.has(next)) wanted.push(next);
        return wanted.filter((block) => !this.asked.has(block) && (this.blocks.get(block)?.stale ?? true));
    }

    private abortHidden(): void {
        const wanted = this.inSight();
        const first = (wanted[0] ?? 0) - 1;
        const last = (wanted.at(-1) ?? 0) + 1;
        for (const [block, controller] of this.asked) {
            if (block >= first && block <= last) continue;
            controller.abort();
            this.asked.delete(block);
        }
    }

    private pump(): void {
        if (this.closed || this.error !== null) return;
        for (const block of this.missing()) {
            // Until the first answer nobody knows the total, nor whether the query is right: one request is enough.
            if (this.asked.size >= (this.total === null ? 1 : this.limits.inFlight)) return;
            void this.ask(block);
        }
    }

    private async ask(block: number): Promise<void> {
        const controller = new AbortController();
        this.asked.set(block, controller);
        try {
            const loaded = await this.load(
                block,
                this.limits.size,
                this.blocks.get(block)?.etag ?? null,
                controller.signal,
            );
            if (controller.signal.aborted || this.closed) return;
            this.take(block, loaded);
        } catch (error) {
            if (controller.signal.aborted || this.closed) return;
            this.error = error;
        } finally {
            if (this.asked.get(block) === controller) this.asked.delete(block);
        }
        this.onchange();
        this.pump();
    }

    private take(block: number, loaded: Loaded | null): void {
        const old = this.blocks.get(block);
        if (loaded === null) {
            if (old) old.stale = false;
            return;
        }
        const changed =
            (this.total !== null && loaded.total !== this.total) || (old !== undefined && old.etag !== loaded.etag);
        this.blocks.set(block, { rows: loaded.rows, etag: loaded.etag, stale: false });
        this.total = loaded.total;
        // Rows have moved: the others are asked for again when they come into sight.
        if (changed) for (const [other, kept] of this.blocks) if (other !== block) kept.stale = true;
        this.dropFar();
        this.onrows(block * this.limits.size, loaded.rows);
    }

    private dropFar(): void {
        const known = Math.ceil((this.total ?? 0) / this.limits.size);
        for (const block of [...this.blocks.keys()]) if (block >= known && block > 0) this.blocks.delete(block);
        if (this.blocks.size <= this.limits.kept) return;
        const middle = (this.range.first + this.range.end) / 2 / this.limits.size;
        const far = [...this.blocks.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
        for (const block of far.slice(0, this.blocks.size - this.limits.kept)) this.blocks.delete(block);
    }
}
