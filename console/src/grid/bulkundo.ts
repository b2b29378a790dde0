// Undo of a bulk change: its values from before, written back as one batch that others' changes refuse.
import { session } from "../app/session.svelte";
import { call } from "../data/call";
import { cellKey, edits, type Edit } from "../data/edits.svelte";
import type { PropertyModel, Row, TypeModel } from "../data/model";
import { sameValue } from "../form/values";
import { text } from "../text";
import { say } from "../ui/toasts";
import { reasonOf } from "./overlay";
import type { Selection } from "./selection";
import type { ListAnswer } from "./sheet.svelte";

/** A batch holds at most a thousand operations. */
export const MOST_UNDOABLE = 1_000;

/** Reads the values that a change will replace. Null where they cannot all be read. */
export async function valuesBefore(
    type: TypeModel,
    { filters, tags }: Selection,
    properties: readonly PropertyModel[],
    matched: number,
): Promise<Row[] | null> {
    if (matched > MOST_UNDOABLE) return null;
    const names = properties.map((property) => property.identifier);
    const perPage = Math.max(1, Math.min(MOST_UNDOABLE, session.tenant.maxPageLength));
    const rows: Row[] = [];
    for (let page = 1; rows.length < matched; page += 1) {
        const body = {
            ...(filters.length > 0 ? { filters } : {}),
            ...(tags.length > 0 ? { tags } : {}),
            orderBy: ["id"],
            showFields: ["id", ...names],
            page,
            perPage,
        };
        const answer = await call<ListAnswer | undefined>("POST", `collection/${type.name}/search`, { body });
        const found = answer.data?.data ?? [];
        if (found.length === 0) break;
        rows.push(...found);
    }
    const whole = rows.length === matched && rows.every((row) => names.every((name) => name in row));
    return whole ? rows : null;
}

/** The values that a change replaced, as the steps of undo hold them. */
export function replaced(
    type: string,
    rows: readonly Row[],
    properties: readonly PropertyModel[],
    values: Row,
    refused: ReadonlySet<number>,
): Edit[] {
    return rows
        .filter((row) => !refused.has(Number(row.id)))
        .flatMap((row) =>
            properties.map((property): Edit => {
                const name = property.identifier;
                return { type, id: Number(row.id), property, before: row[name], value: values[name] };
            }),
        )
        .filter((edit) => !sameValue(edit.property, edit.before, edit.value));
}

/**
 * Returns the changes with the values that the server keeps: it may write a value in another form, such as the domain of
 * an address in small letters. A value that somebody else wrote meanwhile is not taken for it.
 */
export async function asStored(type: TypeModel, changes: readonly Edit[]): Promise<readonly Edit[]> {
    const ids = [...new Set(changes.map((edit) => edit.id))];
    const properties = [...new Map(changes.map(({ property }) => [property.identifier, property])).values()];
    const filters = [{ property: "id", type: "in", param: ids }];
    const read = valuesBefore(type, { filters, tags: [], total: ids.length }, properties, ids.length);
    const rows = await read.catch(() => null);
    return rows === null ? changes : storedForms(changes, rows);
}

/** All rows got the same value: a form of it that no row has as it was typed is the server's. */
export function storedForms(changes: readonly Edit[], rows: readonly Row[]): Edit[] {
    const byId = new Map(rows.map((row) => [Number(row.id), row]));
    const stored = (edit: Edit): unknown => byId.get(edit.id)?.[edit.property.identifier];
    const typed = new Set(
        changes.filter((edit) => sameValue(edit.property, stored(edit), edit.value)).map(({ property }) => property),
    );
    const forms = new Map<PropertyModel, unknown>();
    for (const edit of changes)
        if (!typed.has(edit.property) && !forms.has(edit.property)) forms.set(edit.property, stored(edit));
    return changes.map((edit) => (forms.has(edit.property) ? { ...edit, value: forms.get(edit.property) } : edit));
}

/** Notes a bulk change as a step of undo. Returns the work of the button Undo. */
export function undoOf(changes: readonly Edit[], onundo: () => void): () => void {
    const undo = edits.noted(changes);
    return () => {
        // The button goes with its message.
        onundo();
        void undo().then((done) => told(changes, done));
    };
}

/** Tells the end of an undo. `keeps` leaves what was refused at its cells, too. */
export async function told(changes: readonly Edit[], done: boolean, keeps = false): Promise<void> {
    if (done) {
        say(text.more.list.undoneRows(new Set(changes.map((edit) => edit.id)).size));
        return;
    }
    const keys = changes.map((edit) => cellKey(edit.type, edit.id, edit.property.identifier));
    const refusals = keys.flatMap((key) => edits.refusals.get(key) ?? []);
    // Nobody typed these values: no cell offers to edit them again.
    if (!keeps) for (const key of keys) edits.refusals.delete(key);
    // Others of the same batch are refused with it.
    const own = refusals.filter(({ error }) => error.code !== "batch_undone");
    const [refusal] = own.length > 0 ? own : refusals;
    if (!refusal) return;
    const { type } = refusal.edit;
    const ids = [...new Set(own.filter(({ edit }) => edit.type === type).map(({ edit }) => edit.id))];
    const { tellRefused } = await import("./refusedundo");
    await tellRefused({ type, ids, reason: reasonOf(refusal.error) });
}
