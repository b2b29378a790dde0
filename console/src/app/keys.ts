// Keys: each screen registers its own, `?` shows them.

import { signal } from "../data/signal";
import { closeTopLayer } from "./layers";

export interface Shortcut {
    /** The heading under which the help shows it: a part of the screen in the user's language. */
    region: string;
    /** `Ctrl+K`, `Shift+F`, `n`, `g i` (one after the other). `Ctrl` is Cmd on a Mac. */
    key: string;
    title: string;
    /** Returning false leaves the key to others. */
    run: (event: KeyboardEvent) => void | boolean;
}

interface Entry extends Shortcut {
    /** The number of dialogs open at its registration: those beneath a dialog have no keys. */
    dialogs: number;
}

const registered = new Set<Entry>();
const list = signal<readonly Shortcut[]>([]);
/** Single letters, which people who speak to their computer switch off (WCAG 2.1.4). */
const letters = { on: true };
let prefix = "";
let prefixTimer: ReturnType<typeof setTimeout> | undefined;

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** For keys that a part of the screen handles itself: the help names them. */
export const elsewhere = (): boolean => false;

/** Registers a key; returns how to remove it, as `$effect` wants it. */
export function shortcut(region: string, key: string, title: string, run: Shortcut["run"]): () => void {
    const entry: Entry = { region, key, title, run, dialogs: 0 };
    registered.add(entry);
    // A dialog opens after what stands in it has registered.
    queueMicrotask(() => {
        entry.dialogs = openDialogs();
    });
    list.value = [...registered];
    return () => {
        registered.delete(entry);
        list.value = [...registered];
    };
}

/** The keys of now, for the help. */
export function shortcuts(): readonly Shortcut[] {
    return list.value;
}

export function allowLetters(on: boolean): void {
    letters.on = on;
}

/** The name of a pressed key as `shortcut` takes it. */
export function keyName(event: KeyboardEvent): string {
    const named = event.key === " " ? "Space" : event.key;
    const letter = named.length === 1;
    const { control, alt } = modifiersOf(event);
    const parts = [
        control ? "Ctrl" : "",
        alt ? "Alt" : "",
        // The shift of `?` is in the sign itself.
        event.shiftKey && (!letter || /[a-z]/i.test(named)) ? "Shift" : "",
        letter ? (event.shiftKey || control ? named.toUpperCase() : named.toLowerCase()) : named,
    ];
    return parts.filter(Boolean).join("+");
}

/** AltGr, by which many keyboards write brackets, is not Ctrl+Alt. */
function modifiersOf(event: KeyboardEvent): { control: boolean; alt: boolean } {
    const graph = event.getModifierState("AltGraph");
    return { control: (event.ctrlKey || event.metaKey) && !graph, alt: event.altKey && !graph };
}

function openDialogs(): number {
    return document.querySelectorAll("dialog[open]").length;
}

/** True if the user types into this element. */
export function isTyping(target: EventTarget | null): boolean {
    if (!(target instanceof HTMLElement)) return false;
    if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
        return true;
    return (
        target instanceof HTMLInputElement &&
        !["checkbox", "radio", "button", "submit", "range", "file"].includes(target.type)
    );
}

/** Listens for keys; returns how to stop. */
export function startKeys(): () => void {
    const down = (event: KeyboardEvent): void => {
        if (event.defaultPrevented || event.isComposing) return;
        const name = keyName(event);
        if (name === "Escape" && closeTopLayer()) {
            event.preventDefault();
            return;
        }
        const { control, alt } = modifiersOf(event);
        const single = !control && !alt && event.key.length === 1;
        if (single && (isTyping(event.target) || !letters.on)) return;
        const dialogs = openDialogs();
        const able = [...registered].filter((entry) => entry.dialogs >= dialogs);
        const whole = prefix === "" ? name : `${prefix} ${name}`;
        setPrefix("");
        // The last one registered is the nearest to the user.
        for (const entry of [...able].reverse()) {
            if (normal(entry.key) !== whole) continue;
            if (entry.run(event) !== false) {
                event.preventDefault();
                return;
            }
        }
        if (single && able.some((entry) => normal(entry.key).startsWith(`${whole} `))) {
            event.preventDefault();
            setPrefix(whole);
        }
    };
    document.addEventListener("keydown", down);
    return () => document.removeEventListener("keydown", down);
}

function normal(key: string): string {
    return key.replace(
        /^(Ctrl|Shift|Ctrl\+Shift)\+([a-z])$/,
        (_, modifiers: string, letter: string) => `${modifiers}+${letter.toUpperCase()}`,
    );
}

function setPrefix(next: string): void {
    clearTimeout(prefixTimer);
    prefix = next;
    if (next !== "") prefixTimer = setTimeout(() => setPrefix(""), 1500);
}

/** A key as people read it: signs of a Mac on a Mac. */
export function readableKey(key: string): string {
    const signs: Record<string, string> = {
        ArrowUp: "↑",
        ArrowDown: "↓",
        ArrowLeft: "←",
        ArrowRight: "→",
        Escape: "Esc",
    };
    const text = key.replace(/Arrow(Up|Down|Left|Right)|Escape/g, (name) => signs[name] ?? name);
    return isMac
        ? text
              .replace(/Ctrl\+/g, "⌘")
              .replace(/Alt\+/g, "⌥")
              .replace(/Shift\+/g, "⇧")
        : text;
}
