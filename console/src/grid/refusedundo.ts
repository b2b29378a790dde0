// An undo that was refused: its records by name, the reason, and the way to the first of them.

import { beforeLeave, href, router, type Place } from "../app/router";
import { titles } from "../form/titles.svelte";
import { text } from "../text";
import { say } from "../ui/toasts";

/** Milliseconds after which the message goes. */
const LASTS = 20_000;
/** Records that are named; of the others their number is told. */
const MOST_NAMED = 3;

/** The records of a type that refused, and the reason of the first one. */
export interface RefusedRecords {
    type: string;
    ids: readonly number[];
    reason: string;
    /** Their number, where not all of them are known. */
    count?: number;
}

/** Tells why records are as they were before the undo. */
export async function tellRefused(refused: RefusedRecords, words = text.more.list.notUndone): Promise<void> {
    const { type, ids, reason, count = ids.length } = refused;
    const named = ids.slice(0, MOST_NAMED);
    await titles.load(type, named.map(String));
    const names = named.map((id) => text.more.list.quoted(titles.of(type, id) ?? `#${id}`));
    if (count > named.length) names.push(text.more.list.moreRefused(count - named.length));
    sayHere(words(names.join(", "), reason), hrefOf(type, ids[0]));
}

function hrefOf(type: string, id: number | undefined): string | undefined {
    return id === undefined ? undefined : href({ name: "record", type, id: String(id), values: {} });
}

/** Says what is about this screen: it goes with the screen, or after its time. */
function sayHere(words: string, link: string | undefined): void {
    const action = link === undefined ? {} : { action: { title: text.grid.open, href: link } };
    const close = say(words, { error: true, ...action });
    const here = screenOf(router.place);
    const end = (): void => {
        close();
        clearTimeout(timer);
        stop();
    };
    const timer = setTimeout(end, LASTS);
    const stop = beforeLeave((next) => {
        if (screenOf(next) !== here) end();
        return true;
    });
}

/** A list stays the same screen whatever it shows. */
function screenOf(place: Place): string {
    const { name } = place;
    return name === "record" ? `${name} ${place.type} ${place.id}` : "type" in place ? `${name} ${place.type}` : name;
}
