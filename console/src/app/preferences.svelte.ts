// Preferences for the whole console: language, theme, keys, sidebar.

import { isLanguage, type Language, languageOf, speak } from "../text";
import { allowLetters } from "./keys";
import { beforeLeave, router } from "./router";
import { loadModel, session } from "./session.svelte";
import { setting, type Setting } from "./settings.svelte";
import { applyTheme, type ThemeChoice } from "./theme";

export interface Preferences {
    /** Null follows the browser, then the tenant. */
    language: Language | null;
    theme: ThemeChoice;
    /** True if single letters are keys. */
    letters: boolean;
    folded: boolean;
    /** Types whose views are shown in the sidebar. */
    unfolded: string[];
    /** Types whose few views the person put away. */
    refolded: string[];
    /** Width of the panel of a record, in pixels. */
    panel: number;
    /** The user knows how a cell is edited. */
    hinted?: boolean;
}

const fallback: Preferences = {
    language: null,
    theme: "system",
    letters: true,
    folded: false,
    unfolded: [],
    refolded: [],
    panel: 480,
};

let own: Setting<Partial<Preferences>> | null = null;

function stored(): Setting<Partial<Preferences>> {
    own ??= setting<Partial<Preferences>>("console", {});
    return own;
}

/** The preferences of now. */
export function preferences(): Preferences {
    return { ...fallback, ...stored().value };
}

/** The server has told them, or cannot. */
export function preferencesLoaded(): boolean {
    return stored().loaded;
}

export function prefer(change: Partial<Preferences>): void {
    stored().value = { ...stored().value, ...change };
}

/** The language before the session is known: of the last visit, else of the browser. */
export function firstLanguage(): Language {
    const kept = localStorage.getItem("plinth-language");
    return isLanguage(kept) ? kept : (languageOfBrowser() ?? "en");
}

function languageOfBrowser(): Language | null {
    for (const tag of navigator.languages) {
        const found = languageOf(tag);
        if (found !== null) return found;
    }
    return null;
}

/** The language that holds, as on the other pages: the user's choice, else the browser's, else the tenant's. */
export function languageOfUser(): Language {
    return preferences().language ?? languageOfBrowser() ?? languageOf(session.tenant.locale) ?? "en";
}

/** Makes the preferences hold; run again when they change. */
export function applyPreferences(): void {
    const { theme, letters } = preferences();
    allowLetters(letters);
    if (!stored().loaded) return;
    applyTheme(theme);
    const [before, language] = [firstLanguage(), languageOfUser()];
    localStorage.setItem("plinth-language", language);
    void speak(language);
    // The model has titles in the language that it was asked in.
    if (language !== before) void loadModel(early ? untouchedOrLeft : undefined).catch(() => undefined);
    early = false;
}

/** The preferences have not come yet: the first screen is in the language of the last visit. */
let early = true;
let touched = false;
for (const event of ["keydown", "pointerdown"]) addEventListener(event, () => (touched = true), { capture: true });

/** Waits until the screen is left, if something was done there: with other types it begins anew. */
function untouchedOrLeft(): Promise<void> {
    return new Promise((done) => {
        if (!touched) return done();
        const { name, ...more } = router.place;
        const type = "type" in more ? more.type : "";
        const stop = beforeLeave((next) => {
            if (next.name !== name || ("type" in next && next.type !== type)) {
                stop();
                done();
            }
            return true;
        });
    });
}
