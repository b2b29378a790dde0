// The focus in a form: to the first field to fill, or to a field by its name.

import { tick } from "svelte";
import type { RecordForm } from "./record.svelte";
import { firstToFill } from "./required";

/** Puts the focus into the first field to fill; `prefix` begins the ids of the form's fields. */
export async function focusFirst(form: RecordForm | null, prefix: string): Promise<void> {
    await tick();
    const first = form ? firstToFill(form) : undefined;
    const field = first ? document.getElementById(`${prefix}-${first.identifier}`) : null;
    field?.focus({ preventScroll: true });
    // A group of choices does not take the focus itself.
    if (document.activeElement !== field)
        field?.querySelector<HTMLElement>("input, button")?.focus({ preventScroll: true });
    field?.closest(".field")?.scrollIntoView({ block: "nearest" });
}

export async function focusField(name: string | undefined, prefix: string): Promise<void> {
    if (name === undefined) return;
    await tick();
    const field = document.getElementById(`${prefix}-${name}`);
    field?.focus();
    field?.closest(".field")?.scrollIntoView({ block: "nearest" });
}
