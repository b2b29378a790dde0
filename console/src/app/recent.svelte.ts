// The records that the person opened last, by type and id; titles are asked for when they are shown.

import { model } from "../data/model";
import type { Place } from "./places";
import { session } from "./session.svelte";
import { setting, type Setting } from "./settings.svelte";

export interface Visit {
    type: string;
    id: string;
}

const most = 12;
let own: Setting<Visit[]> | null = null;

function stored(): Setting<Visit[]> {
    own ??= setting<Visit[]>("recent", []);
    return own;
}

/** Begins to load, outside of the effect that waits for it: an effect does not follow what it has made itself. */
export function loadRecent(): void {
    stored();
}

/** The last ones first; those whose type is gone are left out. */
export function recent(): Visit[] {
    const list: unknown = stored().value;
    return Array.isArray(list) ? (list as Visit[]).filter((visit) => model.type(visit.type) !== undefined) : [];
}

/** Notes that a record was opened, as a page or in the panel. Types whose reads are logged leave no trace here. */
export function noteVisit(place: Place): void {
    const visit = visitOf(place);
    if (visit === null || session.actingAs !== null) return;
    const type = model.type(visit.type);
    if (type === undefined || type.logReads) return;
    const kept = stored();
    if (!kept.loaded) return;
    const [first, ...rest] = recent();
    if (first?.type === visit.type && first.id === visit.id) return;
    const others = [first, ...rest].filter(
        (one) => one !== undefined && !(one.type === visit.type && one.id === visit.id),
    );
    kept.value = [visit, ...others.filter((one) => one !== undefined)].slice(0, most);
}

function visitOf(place: Place): Visit | null {
    if (place.name === "record" && place.id !== "new") return { type: place.type, id: place.id };
    if (place.name !== "collection") return null;
    const { open } = place.state;
    return open === undefined || open === "new" ? null : { type: place.type, id: open };
}
