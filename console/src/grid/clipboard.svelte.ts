// Copying, pasting and emptying blocks of cells: writes go as one batch, refusals stand at their cells.
import { session } from "../app/session.svelte";
import { ApiError, call } from "../data/call";
import { cellKey, edits, type Edit } from "../data/edits.svelte";
import { model, rowTitle, type Row, type TypeModel, type Wrapped } from "../data/model";
import { isEmpty, sameValue } from "../form/values";
import { text } from "../text";
import { problemText } from "../ui/problems";
import { say } from "../ui/toasts";
import type { Blocks } from "./blocks";
import type { Column } from "./columns";
import type { Block, Cursor } from "./cursor.svelte";
import { namedRecords, type Search } from "./named";
import { shownAt } from "./overlay";
import { paint, type Words } from "./paint";
import { readCell } from "./parse";
import type { ListAnswer } from "./sheet.svelte";
import { offerUndo } from "./undoing";
import { formatTsv, parseTsv } from "./tsv";
import { freshRows, Moved, wholeRows, type Shown } from "./whole";

export interface Target extends Shown {
    type: TypeModel;
    columns: Column[];
    cursor: Cursor;
    words: Words;
    total: number;
}

export const MOST_WRITES = 1_000;
export const MOST_COPIED = 10_000;
/** Time until the progress of a reading is told, in ms. */
const SLOW = 1_000;
/** Time for which rows that were read for a copy are good, in ms. */
const READY = 30_000;

interface Copied {
    text: string;
    cells: { kind: string; value: unknown; target: string | null }[][];
    /** Said once it is in the clipboard. */
    told: string;
}

/** The block that was copied last: pasted again, it keeps its values exactly. */
let copied: Copied | null = null;
/** A block whose rows had to be read, where the browser lets keys alone fill the clipboard. */
let ready: { list: Blocks | null; place: string; until: number; copied: Copied } | null = null;
let copies = 0;
/** What writes: one after another, so that each sees what the one before wrote. */
let acting: Promise<unknown> = Promise.resolve();
// Values that were read for a copy may be old now.
edits.onrow(() => {
    ready = null;
});

/** Runs in its turn. An undo waits for it, so that it is this step that is put back. */
function inTurn(act: () => Promise<void>): Promise<void> {
    const turn = acting.then(act);
    acting = turn.catch(() => undefined);
    return edits.follow(turn);
}

/** The block as text, or the selected rows where there is no block. Null while rows of it are read: they come later. */
export function copyBlock(target: Target): string | null {
    const { cursor, columns } = target;
    const turn = ++copies;
    if (!cursor.isBlock && cursor.selected.size > 0)
        return take(copyOf(target, [...cursor.selected.values()], columns));
    const { block } = cursor;
    if (ready && ready.list === target.blocks && ready.place === placeOf(target, block) && Date.now() < ready.until)
        return take(ready.copied);
    const height = Math.min(block.bottom + 1, target.total) - block.top;
    const end = block.top + Math.min(height, MOST_COPIED);
    const part = columns.slice(block.left, block.right + 1);
    const rows = target.blocks && freshRows(target.blocks, block.top, end);
    if (rows) return take(copyOf(target, rows, part, height));
    void copyLater(target, end, turn);
    return null;
}

function placeOf({ columns, total }: Target, { top, bottom, left, right }: Block): string {
    const paths = columns.slice(left, right + 1).map((column) => column.path);
    return JSON.stringify([total, top, bottom, paths]);
}

function take(taken: Copied): string {
    copied = taken;
    ready = null;
    say(taken.told);
    return taken.text;
}

/** Reads the rows of the block, then copies them. */
async function copyLater(target: Target, end: number, turn: number): Promise<void> {
    const { block } = target.cursor;
    const rows = await told(target, block.top, end);
    // Something else was copied meanwhile.
    if (!rows || turn !== copies) return;
    const height = Math.min(block.bottom + 1, target.total) - block.top;
    const taken = copyOf(target, rows, target.columns.slice(block.left, block.right + 1), height);
    try {
        await navigator.clipboard.writeText(taken.text);
        take(taken);
    } catch {
        ready = { list: target.blocks, place: placeOf(target, block), until: Date.now() + READY, copied: taken };
        say(text.more.list.copyAgain);
    }
}

function copyOf(target: Target, rows: Row[], part: Column[], all = rows.length): Copied {
    const values = rows.map((row) => part.map((column) => ({ column, value: shownAt(target.type.name, row, column) })));
    const count = rows.length * part.length;
    return {
        text: formatTsv(values.map((line) => line.map(({ column, value }) => plainText(column, value, target.words)))),
        cells: values.map((line) =>
            line.map(({ column, value }) => ({ kind: column.property.kind, value, target: column.target })),
        ),
        told:
            rows.length < all
                ? text.more.list.copiedPart(count, rows.length, all)
                : text.more.list.copied(count, rows.length),
    };
}

/** Reads rows, and tells how far it is where that takes long. Null where it failed, which is told. */
async function told(target: Target, first: number, end: number): Promise<Row[] | null> {
    let done = 0;
    let close = (): void => {};
    const timer = setInterval(() => {
        close();
        close = say(text.more.list.loadingRows(done, end - first));
    }, SLOW);
    try {
        const most = session.tenant.maxPageLength;
        return await wholeRows(target, { first, end }, most, { onread: (count) => (done = count) });
    } catch (error) {
        say(error instanceof Moved ? text.more.list.rowsMoved : problemText(error), { error: true });
        return null;
    } finally {
        clearInterval(timer);
        close();
    }
}

/** Rows that are going to be written: all of them, or null where they are too many or cannot be read, which is told. */
async function rowsToWrite(target: Target, top: number, end: number): Promise<Row[] | null> {
    if (end - top > MOST_WRITES) {
        say(text.grid.tooManyWrites(MOST_WRITES), { error: true });
        return null;
    }
    return told(target, top, end);
}

function plainText(column: Column, value: unknown, words: Words): string {
    if (["pText", "pString"].includes(column.property.kind) && typeof value === "string") return value;
    if (["pInteger", "pDecimal", "pFloat"].includes(column.property.kind) && value !== null && value !== undefined)
        return String(value);
    if (["pDate", "pMonth", "pTime", "pDateTime"].includes(column.property.kind) && typeof value === "string")
        return value;
    return value === undefined ? "" : paint(column, value, words).text;
}

/** Takes the values out of the block, where they may be taken. */
export function emptyBlock(target: Target): Promise<void> {
    const { block } = target.cursor;
    return inTurn(() => emptyRows(target, block));
}

async function emptyRows(target: Target, { top, bottom, left, right }: Block): Promise<void> {
    const rows = await rowsToWrite(target, top, Math.min(bottom + 1, target.total));
    const list: Edit[] = [];
    for (const row of rows ?? []) {
        for (const column of target.columns.slice(left, right + 1)) {
            const before = shownAt(target.type.name, row, column);
            if (!column.write || before === undefined || isEmpty(before)) continue;
            list.push({
                type: target.type.name,
                id: Number(row.id),
                property: column.property,
                before,
                value: column.property.multiple ? [] : null,
            });
        }
    }
    await write(list);
}

async function write(all: Edit[]): Promise<void> {
    if (all.length === 0) return;
    const list = all.filter((edit) => !sameValue(edit.property, edit.before, edit.value));
    if (list.length === 0) {
        say(text.more.list.written(0));
        return;
    }
    if (new Set(list.map((edit) => edit.id)).size > MOST_WRITES) {
        say(text.grid.tooManyWrites(MOST_WRITES), { error: true });
        return;
    }
    const [only] = list;
    const done = list.length === 1 && only ? (await edits.edit(only)) !== undefined : await edits.editAll(list);
    if (done) void offerUndo(edits.undoOfLast(), list.length);
    if (!done && list.length > 1) say(text.more.list.pasteRefused, { error: true });
}

/** Pastes a table at the cell with the focus. One value fills the whole block. */
export async function pasteInto(target: Target, pasted: string): Promise<void> {
    const table = parseTsv(pasted);
    if (table.length === 0) return;
    const { cursor, columns } = target;
    const { block } = cursor;
    const { top, bottom, left, right } = block;
    const exact = copied !== null && copied.text === pasted ? copied.cells : null;
    const single = table.length === 1 && table[0]?.length === 1;
    const height = single ? bottom - top + 1 : table.length;
    const end = Math.min(top + height, target.total);
    if (end - top <= MOST_WRITES) {
        // The block is marked at once: a user who moved on meanwhile is not called back.
        cursor.anchorRow = top;
        cursor.anchorColumn = left;
        cursor.row = Math.max(top, end - 1);
        cursor.id = target.blocks?.row(cursor.row)?.id;
        cursor.column = Math.min(
            columns.length - 1,
            left + (single ? right - left : Math.max(...table.map((line) => line.length)) - 1),
        );
    }
    await inTurn(() => pasteRows({ target, table, block, single, height, end, exact }));
}

/** A pasted table, and where it goes. */
interface Pasting {
    target: Target;
    table: string[][];
    block: Block;
    /** One value, which fills the block. */
    single: boolean;
    height: number;
    end: number;
    /** The values that were copied here. */
    exact: Copied["cells"] | null;
}

async function pasteRows({ target, table, block, single, height, end, exact }: Pasting): Promise<void> {
    const { top, left, right } = block;
    const { columns } = target;
    const rows = await rowsToWrite(target, top, end);
    if (!rows) return;
    const list: Edit[] = [];
    const lookups: { edit: Edit; words: string[]; column: Column }[] = [];
    let outside = 0;
    let unread = 0;
    for (let r = 0; r < height; r++) {
        const row = rows[r];
        const line = single ? table[0] : table[r];
        if (!line) continue;
        if (!row) {
            outside += line.length;
            continue;
        }
        const width = single ? right - left + 1 : line.length;
        for (let c = 0; c < width; c++) {
            const column = columns[left + c];
            const cellText = (single ? line[0] : line[c]) ?? "";
            if (!column || !column.write || !(column.property.identifier in row)) {
                outside++;
                continue;
            }
            const edit: Edit = {
                type: target.type.name,
                id: Number(row.id),
                property: column.property,
                before: shownAt(target.type.name, row, column),
                value: null,
            };
            const from = exact?.[single ? 0 : r]?.[single ? 0 : c];
            if (
                from &&
                from.kind === column.property.kind &&
                from.target === column.target &&
                from.value !== undefined
            ) {
                list.push({ ...edit, value: from.value });
                continue;
            }
            const parsed = readCell(column.property, cellText, {
                locale: target.words.locale,
                zone: session.zone,
                yes: target.words.yes,
                no: target.words.no,
            });
            if ("words" in parsed) lookups.push({ edit, words: parsed.words, column });
            else if ("value" in parsed) list.push({ ...edit, value: parsed.value });
            else {
                unread++;
                refuse({ ...edit, value: cellText }, "malformed", text.grid.unread[parsed.problem](cellText));
            }
        }
    }
    const found = await findAll(lookups).catch((error: unknown) => {
        say(problemText(error), { error: true });
        return null;
    });
    if (!found) return;
    list.push(...found);
    // All or nothing, as the server does it.
    if (unread > 0 || found.length < lookups.length) {
        for (const edit of list) refuse(edit, "batch_undone", text.grid.undoneWithOthers);
        say(text.more.list.pasteRefused, { error: true });
    } else await write(list);
    if (outside > 0) say(text.more.list.pastedOutside(outside));
}

function refuse(edit: Edit, code: "malformed" | "batch_undone", reason: string): void {
    const error = new ApiError({ status: 400, code, detail: reason });
    edits.refusals.set(cellKey(edit.type, edit.id, edit.property.identifier), { edit, error });
}

/** Finds the records that pasted titles, codes or ids mean: one list for each type. */
async function findAll(lookups: { edit: Edit; words: string[]; column: Column }[]): Promise<Edit[]> {
    const edited: Edit[] = [];
    const byType = new Map<string, typeof lookups>();
    for (const lookup of lookups) {
        const name = lookup.column.target;
        if (name !== null) byType.set(name, [...(byType.get(name) ?? []), lookup]);
    }
    for (const [name, list] of byType) {
        const type = model.type(name);
        if (!type) {
            for (const { edit, words } of list)
                refuse(edit, "malformed", text.more.list.noneNamed(name, words.join(", ")));
            continue;
        }
        const found = new Map<string, Wrapped>();
        const named = await namedRecords(
            type,
            list.flatMap((lookup) => lookup.words),
            searchIn(type),
        );
        for (const [word, one] of named) if (typeof one === "object") found.set(word, wrapped(type, one.row));
        for (const { edit, words } of list) {
            const missing = words.find((word) => !found.has(word));
            const targets = words.map((word) => found.get(word));
            if (missing !== undefined)
                refuse(
                    { ...edit, value: words.join(", ") },
                    "malformed",
                    named.get(missing) === "several"
                        ? text.more.list.severalNamed(missing)
                        : text.more.list.noneNamed(type.title, missing),
                );
            else if (edit.property.multiple) {
                const items = targets.flatMap((one) => (one ? [one] : []));
                const value: Wrapped = {
                    value: items.map((one) => one.value),
                    display: items.map((one) => one.display).join(", "),
                    kind: edit.property.kind,
                    items: items.map((one) => ({ value: one.value, display: one.display ?? "" })),
                };
                edited.push({ ...edit, value });
            } else edited.push({ ...edit, value: targets[0] ?? null });
        }
    }
    return edited;
}

function wrapped(type: TypeModel, row: Row): Wrapped {
    return { value: row.id, display: rowTitle(type, row), kind: "pRelation", type: type.name };
}

function searchIn(type: TypeModel): Search {
    return async (filter, showFields) => {
        const body = { filters: [filter], showFields, page: 1, perPage: session.tenant.maxPageLength };
        const { data } = await call<ListAnswer | undefined>("POST", `collection/${type.name}/search`, { body });
        return { rows: data?.data ?? [], total: data?.stats.total ?? 0 };
    };
}
