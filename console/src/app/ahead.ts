// Keys that are typed while a field is still being loaded: none of them is lost or means another thing.

/** What was typed ahead, and whether Enter ended it. */
export interface Ahead {
    text: string;
    entered: boolean;
}

let typed: Ahead = { text: "", entered: false };

function keep(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typed.entered) return;
    if (event.key === "Enter") typed.entered = true;
    else if (event.key === "Backspace") typed.text = typed.text.slice(0, -1);
    else if (event.key.length === 1) typed.text += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
}

/** Begins to keep what is typed, until `takeAhead`. */
export function keepAhead(): void {
    typed = { text: "", entered: false };
    addEventListener("keydown", keep, { capture: true });
}

/** Returns what was typed, and leaves further keys to the field. */
export function takeAhead(): Ahead {
    removeEventListener("keydown", keep, { capture: true });
    return typed;
}
