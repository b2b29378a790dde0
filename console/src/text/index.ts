// The words of the console in the user's language: `text.app.…`; and numbers, dates and times as they are written there.

import { signal } from "../data/signal";
import type en from "./en";
import type more from "./en/more";

export type Texts = typeof en;
export type MoreTexts = typeof more;
export type Language = "en" | "cs";

/** The languages by their own names. */
export const languages: Record<Language, string> = { en: "English", cs: "Čeština" };

const chunks: Record<Language, () => Promise<{ default: Texts }>> = {
    en: () => import("./en"),
    cs: () => import("./cs"),
};

/** Texts of screens that are not part of the first load. */
const moreChunks: Record<Language, () => Promise<{ default: MoreTexts }>> = {
    en: () => import("./en/more"),
    cs: () => import("./cs/more"),
};

interface Spoken {
    language: Language;
    locale: string;
    texts: Texts;
    more: MoreTexts | null;
}

const spoken = signal<Spoken | null>(null);

function now(): Spoken {
    const value = spoken.value;
    if (value === null) throw new Error("no language is loaded yet");
    return value;
}

/** The texts; readers in components are run again when the language changes. */
export const text = {
    get app(): Texts["app"] {
        return now().texts.app;
    },
    get grid(): Texts["grid"] {
        return now().texts.grid;
    },
    get form(): Texts["form"] {
        return now().texts.form;
    },
    /** Loaded with the screens that need it. */
    get more(): MoreTexts {
        const { more } = now();
        if (more === null) throw new Error("these texts are not loaded yet");
        return more;
    },
};

export function language(): Language {
    return now().language;
}

/** The locale for `Intl`: the browser's if it is of the same language, so that a date looks as at home. */
export function locale(): string {
    return spoken.value?.locale ?? "en";
}

export function isLanguage(value: unknown): value is Language {
    return value === "en" || value === "cs";
}

/** The language for a locale: `cs-CZ` is `cs`. */
export function languageOf(tag: string): Language | null {
    const short = tag.slice(0, 2).toLowerCase();
    return isLanguage(short) ? short : null;
}

let moreWanted = false;

/** Loads `text.more`, before a screen that needs it is shown. */
export async function loadMoreTexts(): Promise<void> {
    moreWanted = true;
    const before = spoken.value;
    if (before === null || before.more !== null) return;
    const more = (await moreChunks[before.language]()).default;
    const after = spoken.value;
    // Another language was chosen meanwhile: it brings its own.
    if (after?.language === before.language && after.more === null) spoken.value = { ...after, more };
}

export async function speak(next: Language): Promise<void> {
    if (spoken.value?.language === next) return;
    const [texts, early] = await Promise.all([chunks[next](), moreWanted ? moreChunks[next]() : null]);
    // A screen that needs them may have been opened meanwhile.
    const more = early ?? (moreWanted ? await moreChunks[next]() : null);
    const own = navigator.languages.find((tag) => languageOf(tag) === next);
    spoken.value = { language: next, locale: own ?? next, texts: texts.default, more: more?.default ?? null };
    document.documentElement.lang = next;
}
