// The keys of a record, as a page or as a panel.

import { shortcut } from "../app/keys";
import { text } from "../text";

export interface RecordKeys {
    /** `pass` leaves a key to others, `take` swallows it: a dialog of the record has its own keys. */
    state: () => "run" | "pass" | "take";
    save: (then: "stay" | "new") => void;
    mayCreate: () => boolean;
    /** False where there is nothing to undo. */
    undo: () => boolean;
    redo: () => boolean;
    previous: () => boolean;
    next: () => boolean;
    /** Of a panel alone. */
    close?: () => void;
}

/** Registers the keys; returns how to remove them. */
export function recordKeys(keys: RecordKeys): () => void {
    const name = text.form.region;
    const on = (key: string, title: string, run: () => boolean | void): (() => void) =>
        shortcut(name, key, title, () => {
            const state = keys.state();
            return state === "run" ? run() : state === "take";
        });
    const { close } = keys;
    const stops = [
        on("Ctrl+S", text.form.save, () => keys.save("stay")),
        on("Ctrl+Enter", text.form.save, () => keys.save("stay")),
        on("Ctrl+Shift+Enter", text.form.saveNext, () => (keys.mayCreate() ? keys.save("new") : false)),
        on("Ctrl+Z", text.form.undo, keys.undo),
        on("Ctrl+Y", text.form.redo, keys.redo),
        on("Ctrl+Shift+Z", text.form.redo, keys.redo),
        on("Alt+ArrowUp", text.form.previous, keys.previous),
        on("Alt+ArrowDown", text.form.next, keys.next),
        ...(close ? [on("Escape", text.form.close, close)] : []),
    ];
    return () => {
        for (const stop of stops) stop();
    };
}
