// The words of the console in the user's language: `text.app.…`; and numbers, dates and times as they are written there.

import { signal } from "../data/signal";
import type en from "./en";

export type Texts = typeof en;
export type Language = "en" | "cs";

/** The languages by their own names. */
export const languages: Record<Language, string> = { en: "English", cs: "Čeština" };

const chunks: Record<Language, () => Promise<{ default: Texts }>> = {
    en: () => import("./en"),
    cs: () => import("./cs"),
};

interface Spoken {
    language: Language;
    locale: string;
    texts: Texts;
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
    get more(): Texts["more"] {
        return now().texts.more;
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

export async function speak(next: Language): Promise<void> {
    if (spoken.value?.language === next) return;
    const texts = (await chunks[next]()).default;
    const own = navigator.languages.find((tag) => languageOf(tag) === next);
    spoken.value = { language: next, locale: own ?? next, texts };
    document.documentElement.lang = next;
}
