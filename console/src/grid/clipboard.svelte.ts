// Copying, pasting and emptying blocks of cells: writes go as one batch, refusals stand at their cells.
import { session } from "../app/session.svelte";
import { call } from "../data/call";
import { cellKey, edits, type Edit } from "../data/edits.svelte";
import { ApiError } from "../data/call";
import { model, rowTitle, type Row, type TypeModel, type Wrapped } from "../data/model";
import { titleFields } from "../form/titles.svelte";
import { isEmpty, sameValue } from "../form/values";
import { text } from "../text";
import { say } from "../ui/toasts";
import type { Column } from "./columns";
import type { Cursor } from "./cursor.svelte";
import { shownAt } from "./overlay";
import { paint, type Words } from "./paint";
import { readCell } from "./parse";
import type { ListAnswer } from "./sheet.svelte";
import { offerUndo } from "./undoing";
import { formatTsv, parseTsv } from "./tsv";

export interface Target {
    type: TypeModel;
    columns: Column[];
    cursor: Cursor;
    row: (index: number) => Row | undefined;
    words: Words;
    total: number;
}

export const MOST_WRITES = 1_000;

/** The block that was copied last: pasted again, it keeps its values exactly. */
let copied: { text: string; cells: { kind: string; value: unknown; target: string | null }[][] } | null = null;

/** The block as text; the selected rows where there is no block and rows are selected. */
export function copyBlock(target: Target): string {
    const { cursor, columns, words } = target;
    const { top, bottom, left, right } = cursor.block;
    const rows: Row[] = [];
    if (!cursor.isBlock && cursor.selected.size > 0) rows.push(...cursor.selected.values());
    else
        for (let index = top; index <= Math.min(bottom, top + 9_999); index++) {
            const row = target.row(index);
            if (row) rows.push(row);
        }
    const whole = !cursor.isBlock && cursor.selected.size > 0;
    const part = whole ? columns : columns.slice(left, right + 1);
    const cells = rows.map((row) =>
        part.map((column) => ({
            kind: column.property.kind,
            value: shownAt(target.type.name, row, column),
            target: column.target,
        })),
    );
    const table = rows.map((row) =>
        part.map((column) => plainText(column, shownAt(target.type.name, row, column), words)),
    );
    const out = formatTsv(table);
    copied = { text: out, cells };
    say(text.more.list.copied(rows.length * part.length));
    return out;
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
export async function emptyBlock(target: Target): Promise<void> {
    const { top, bottom, left, right } = target.cursor.block;
    const list: Edit[] = [];
    for (let index = top; index <= bottom && list.length <= MOST_WRITES; index++) {
        const row = target.row(index);
        if (!row) continue;
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
    const { top, bottom, left, right } = cursor.block;
    const exact = copied !== null && copied.text === pasted ? copied.cells : null;
    const single = table.length === 1 && table[0]?.length === 1;
    const height = single ? bottom - top + 1 : table.length;
    const list: Edit[] = [];
    const lookups: { edit: Edit; words: string[]; column: Column }[] = [];
    let outside = 0;
    let unread = 0;
    for (let r = 0; r < height; r++) {
        const row = target.row(top + r);
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
    // The block is marked at once: a user who moved on meanwhile is not called back.
    cursor.anchorRow = top;
    cursor.anchorColumn = left;
    cursor.row = Math.min(target.total - 1, top + height - 1);
    cursor.column = Math.min(
        columns.length - 1,
        left + (single ? right - left : Math.max(...table.map((line) => line.length)) - 1),
    );
    const found = await findAll(lookups);
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
    const found: Edit[] = [];
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
        const names = [...new Set(list.flatMap((lookup) => lookup.words))].slice(0, 1_000);
        const known = await recordsByWords(type, names);
        for (const { edit, words } of list) {
            const targets = words.map((word) => known.get(word.toLowerCase()));
            const missing = words[targets.findIndex((one) => one === undefined)];
            if (missing !== undefined)
                refuse(
                    { ...edit, value: words.join(", ") },
                    "malformed",
                    text.more.list.noneNamed(type.title, missing),
                );
            else if (edit.property.multiple) {
                const items = targets.flatMap((one) => (one ? [one] : []));
                const value: Wrapped = {
                    value: items.map((one) => one.value),
                    display: items.map((one) => one.display).join(", "),
                    kind: edit.property.kind,
                    items: items.map((one) => ({ value: one.value, display: one.display ?? "" })),
                };
                found.push({ ...edit, value });
            } else found.push({ ...edit, value: targets[0] ?? null });
        }
    }
    return found;
}

async function recordsByWords(type: TypeModel, words: string[]): Promise<Map<string, Wrapped>> {
    const choices = [type.titleProperty, type.codeProperty]
        .filter((name): name is string => name !== null && type.property(name) !== undefined)
        .map((property) => ({ property, type: "in", param: words }));
    const ids = words.filter((word) => /^#?\d{1,15}$/.test(word)).map((word) => Number(word.replace("#", "")));
    if (ids.length > 0) choices.push({ property: "id", type: "in", param: ids as unknown as string[] });
    const known = new Map<string, Wrapped>();
    if (choices.length === 0) return known;
    const filters = choices.length === 1 ? choices : [{ property: "*", type: "or", param: choices }];
    const body = { filters, showFields: titleFields(type), page: 1, perPage: session.tenant.maxPageLength };
    const answer = await call<ListAnswer | undefined>("POST", `collection/${type.name}/search`, { body });
    for (const row of answer.data?.data ?? []) {
        const value: Wrapped = { value: row.id, display: rowTitle(type, row), kind: "pRelation", type: type.name };
        for (const key of [
            `${String(row.id)}`,
            `#${String(row.id)}`,
            ...[type.codeProperty, type.titleProperty].map((name) => String(name === null ? "" : (row[name] ?? ""))),
        ]) {
            if (key !== "") known.set(key.toLowerCase(), value);
        }
    }
    return known;
}
