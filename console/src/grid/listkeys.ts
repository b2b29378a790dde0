// Keys of a list: letters of its own, and the words of the grid's keys for `?`.
import { elsewhere, isTyping, shortcut } from "../app/keys";
import type { TypeModel } from "../data/model";
import { loadMoreTexts, text } from "../text";

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
    const keys: [string, string, Run][] = [
        ["/", text.grid.wordsOf(type.title), () => actions.words()],
        ...[...letters].map(([key, { title, run }]): [string, string, Run] => [key, title, run]),
        // The grid has these itself; without rows, its empty state has the focus.
        ["Ctrl+Z", text.grid.undoEdit, outsideFields(undo)],
        ["Ctrl+Y", text.form.redo, outsideFields(redo)],
    ];
    const stops: (() => void)[] = [];
    const add = ([key, title, run]: [string, string, Run]): number => stops.push(shortcut(region, key, title, run));
    keys.forEach(add);
    let over = false;
    const later = (): void => {
        if (over) return;
        for (const [key, title] of text.more.list.keys) add([key, title, elsewhere]);
    };
    // They tell of keys that the grid has itself.
    void loadMoreTexts().then(later, () => undefined);
    return () => {
        over = true;
        for (const stop of stops) stop();
    };
}
