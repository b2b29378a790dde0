// The theme: the system's, or one that the user chose; kept in the browser too, so that the first paint has it.

export type Theme = "light" | "dark" | "contrast";
export type ThemeChoice = Theme | "system";

export const themeChoices: readonly ThemeChoice[] = ["system", "light", "dark", "contrast"];

const place = "plinth-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
const contrast = matchMedia("(prefers-contrast: more)");
let chosen: ThemeChoice = read();

function read(): ThemeChoice {
    const kept = localStorage.getItem(place);
    return themeChoices.find((choice) => choice === kept) ?? "system";
}

export function themeChoice(): ThemeChoice {
    return chosen;
}

/** Sets the theme; without a choice, the one of the last visit. */
export function applyTheme(choice: ThemeChoice = chosen): void {
    chosen = choice;
    localStorage.setItem(place, choice);
    document.documentElement.dataset["theme"] = choice === "system" ? ofSystem() : choice;
}

function ofSystem(): Theme {
    if (contrast.matches) return "contrast";
    return dark.matches ? "dark" : "light";
}

for (const query of [dark, contrast]) query.addEventListener("change", () => applyTheme());
