// Keys of a list: letters of its own, and the words of the grid's keys for `?`.
import { elsewhere, isTyping, shortcut } from "../app/keys";
import type { TypeModel } from "../data/model";
import { text } from "../text";

export interface ListActions {
    words(): void;
    filterByValue(): void;
    addFilter(): void;
    open(): void;
    create(): void;
    change(): void;
}

type Letters = Map<string, { title: string; run: () => void }>;
type Run = (event: KeyboardEvent) => void | boolean;

export function undo(tells = false): void {
    void import("./undoing").then(({ undoLast }) => undoLast(tells));
}

export function redo(tells = false): void {
    void import("./undoing").then(({ redoLast }) => redoLast(tells));
}

/** The letters of a list by their names, with what they do. */
export function listLetters(type: TypeModel, actions: ListActions): Letters {
    const letters: Letters = new Map([
        ["f", { title: text.grid.filterByValue, run: () => actions.filterByValue() }],
        ["Shift+F", { title: text.grid.addFilter, run: () => actions.addFilter() }],
        ["o", { title: text.grid.open, run: () => actions.open() }],
    ]);
    if (type.actions.create) letters.set("n", { title: text.app.newRecord(type.title), run: () => actions.create() });
    if (type.actions.update) letters.set("e", { title: text.grid.bulkEdit, run: () => actions.change() });
    return letters;
}

/** Does what a letter means in the list; false where it means nothing. */
export function runLetter(letters: Letters, name: string): boolean {
    const letter = letters.get(name);
    letter?.run();
    return letter !== undefined;
}

/** Registers the keys of a list. Returns how to remove them. */
export function listKeys(type: TypeModel, letters: Letters, actions: ListActions): () => void {
    const region = type.title;
    const outsideFields =
        (run: () => void): Run =>
        (event) => {
            if (isTyping(event.target)) return false;
            run();
        };
    // The grid has these itself; without rows, its empty state has the focus.
    const everywhere = new Map<string, Run>([
        ["Ctrl+Z", outsideFields(undo)],
        ["Ctrl+Y", outsideFields(redo)],
    ]);
    const keys: [string, string, Run][] = [
        ["/", text.grid.wordsOf(type.title), () => actions.words()],
        ...[...letters].map(([key, { title, run }]): [string, string, Run] => [key, title, run]),
        ...text.grid.keys.map(([key, title]): [string, string, Run] => [key, title, everywhere.get(key) ?? elsewhere]),
    ];
    const stops = keys.map(([key, title, run]) => shortcut(region, key, title, run));
    return () => {
        for (const stop of stops) stop();
    };
}
