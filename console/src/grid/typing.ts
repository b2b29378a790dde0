// Typing in a cell: the signs that begin an edit in the place of its value, and the letters that stay keys.
import type { Column } from "./columns";

const chosen = new Set(["pEnum", "pEnums", "pGroup", "pBoolean", "pFile", "pFiles"]);
const numeric = new Set(["pInteger", "pDecimal", "pFloat", "pDate", "pMonth", "pTime", "pDateTime"]);
/** They lead out of the grid, and few values begin with them. */
const leading = new Set(["/", "?"]);

type Pressed = Pick<
    KeyboardEvent,
    "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing" | "getModifierState"
>;

/**
 * True where a sign begins an edit: letters in texts, digits in numbers and dates, too. Options, relations and files are
 * chosen. Letters that begin no edit are keys of the list.
 */
export function takesSign(column: Pick<Column, "write" | "property" | "target">, sign: string): boolean {
    const { kind } = column.property;
    if (!column.write || column.target !== null || chosen.has(kind)) return false;
    return !numeric.has(kind) || /^[\p{Nd}+−.,-]$/u.test(sign);
}

/** The sign that a key writes; null for keys that write none or mean something in the grid. */
export function signOf(event: Pressed): string | null {
    // AltGr writes signs on many keyboards; the browser tells it as Ctrl and Alt.
    const writes = event.getModifierState("AltGraph") || !(event.ctrlKey || event.metaKey || event.altKey);
    const isSign = [...event.key].length === 1 && event.key !== " " && !leading.has(event.key);
    return writes && isSign && !event.isComposing ? event.key : null;
}

/** The name of a letter that is pressed with Alt, which is a key of the list in every cell. */
export function letterOf(event: Pressed): string | null {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.getModifierState("AltGraph")) return null;
    // On a Mac, Alt writes another sign: its place on the keyboard tells the letter.
    const letter = /^[a-z]$/i.test(event.key) ? event.key : /^Key([A-Z])$/.exec(event.code)?.[1];
    if (letter === undefined) return null;
    return event.shiftKey ? `Shift+${letter.toUpperCase()}` : letter.toLowerCase();
}
