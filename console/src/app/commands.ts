// Offers of the command box besides records: places, commands, the keys of the screen.

import { model } from "../data/model";
import { text } from "../text";
import { fold } from "../ui/combobox";
import type { IconName } from "../ui/icons";
import { choices, leave } from "./account";
import { elsewhere, readableKey, shortcuts } from "./keys";
import { allEntries } from "./navigation";
import { go } from "./router";
import { hasScreen } from "./screens";

export interface Command {
    key: string;
    group: string;
    title: string;
    icon: IconName;
    hint?: string;
    /** A place: it stands above what is done there. */
    place?: boolean;
    run: () => void;
}

/** All commands, in the order in which they are offered. */
export function commands(): Command[] {
    return [...placeCommands(), ...newCommands(), ...screenCommands(), ...accountCommands()];
}

function placeCommands(): Command[] {
    return allEntries().map((entry) => ({
        key: entry.key,
        group: entry.place.name === "collection" && entry.place.state.view ? text.app.savedViews : text.app.places,
        title: entry.title,
        hint: viewHint(entry.place),
        icon: entry.icon ?? "table",
        place: true,
        run: () => go(entry.place),
    }));
}

/** A view is told with its type: names of views repeat. */
function viewHint(place: { name: string; type?: string; state?: { view?: string } }): string | undefined {
    return place.state?.view === undefined || place.type === undefined ? undefined : model.type(place.type)?.title;
}

function newCommands(): Command[] {
    if (!hasScreen("record")) return [];
    return model.types
        .filter((type) => type.actions.create)
        .map((type) => ({
            key: `new ${type.name}`,
            group: text.app.commands,
            title: text.app.newRecord(type.title),
            icon: "plus",
            run: () => go({ name: "record", type: type.name, id: "new", values: {} }),
        }));
}

/** Keys of the screen are commands too, but for those that only move, or mean something at their place alone. */
function screenCommands(): Command[] {
    return shortcuts()
        .filter(({ key, run }) => run !== elsewhere && !/Arrow|Home|End|Page|Escape|Tab|F6|^Ctrl\+[KCV]$|^g /.test(key))
        .map(({ region, key, title, run }) => ({
            key: `key ${region} ${key}`,
            group: region,
            title,
            hint: readableKey(key),
            icon: "keyboard",
            run: () => void run(new KeyboardEvent("keydown")),
        }));
}

function accountCommands(): Command[] {
    const group = text.app.commands;
    return [
        ...choices().map(({ title, checked, run }) => ({
            key: `choice ${title}`,
            group,
            title,
            icon: checked ? ("check" as const) : ("sliders-horizontal" as const),
            run,
        })),
        { key: "sign-out", group, title: text.app.signOut, icon: "log-out", run: leave },
    ];
}

/** The numbers of places and of other commands that words offer at most. */
const MOST_PLACES = 8;
const MOST_OTHERS = 5;

/** The commands that have all the words, in any order: places first, and those that begin with the words. */
export function matchingCommands(all: readonly Command[], words: string): Command[] {
    const wanted = fold(words.trim());
    if (wanted === "") return [...all];
    const parts = wanted.split(/\s+/);
    const scored = all.flatMap((command, order) => {
        const title = ` ${fold(command.title)}`;
        const whole = `${title} ${fold(command.hint ?? "")}`;
        if (!parts.every((part) => whole.includes(part))) return [];
        const begun = parts.filter((part) => title.includes(` ${part}`)).length;
        const score = title.startsWith(` ${wanted}`) ? 0 : title.includes(` ${wanted}`) ? 1 : 2 + parts.length - begun;
        return [{ command, score, order }];
    });
    const found = scored
        .sort((one, other) => one.score - other.score || one.order - other.order)
        .map(({ command }) => command);
    return [
        ...found.filter((command) => command.place).slice(0, MOST_PLACES),
        ...found.filter((command) => !command.place).slice(0, MOST_OTHERS),
    ];
}
