// The menu of the account: pages, theme, language, sign-out.

import { languages, isLanguage, language, text } from "../text";
import { coarse } from "../ui/media";
import type { MenuItem } from "../ui/menu";
import { problemText } from "../ui/problems";
import { say } from "../ui/toasts";
import { accountEntries } from "./navigation";
import { prefer, preferences } from "./preferences.svelte";
import { href } from "./router";
import { signOut } from "./session.svelte";
import { themeChoices } from "./theme";

/** Theme, language and keys, each as a choice that can be named: for the command box. */
export function choices(): { title: string; checked: boolean; run: () => void }[] {
    const { theme, letters } = preferences();
    return [
        ...themeChoices.map((choice) => ({
            title: `${text.app.theme}: ${text.app.themes[choice]}`,
            checked: choice === theme,
            run: () => prefer({ theme: choice }),
        })),
        ...Object.entries(languages).map(([name, title]) => ({
            title: `${text.app.language}: ${title}`,
            checked: name === language(),
            run: () => {
                if (isLanguage(name)) prefer({ language: name });
            },
        })),
        { title: text.app.singleKeys, checked: letters, run: () => prefer({ letters: !letters }) },
    ];
}

export function accountItems(): MenuItem[] {
    const { theme, letters } = preferences();
    return [
        ...accountEntries().map((entry) => ({ title: entry.title, icon: entry.icon, href: href(entry.place) })),
        ...themeChoices.map((choice, index) => ({
            title: text.app.themes[choice],
            group: text.app.theme,
            radio: true,
            checked: choice === theme,
            separated: index === 0,
            run: () => prefer({ theme: choice }),
        })),
        ...Object.entries(languages).map(([name, title], index) => ({
            title,
            group: text.app.language,
            radio: true,
            checked: name === language(),
            separated: index === 0,
            run: () => {
                if (isLanguage(name)) prefer({ language: name });
            },
        })),
        // A finger has no letters.
        ...(coarse.current
            ? []
            : [
                  {
                      title: text.app.singleKeys,
                      checked: letters,
                      separated: true,
                      run: () => prefer({ letters: !letters }),
                  },
              ]),
        { title: text.app.signOut, icon: "log-out", separated: true, run: leave },
    ];
}

export function leave(): void {
    signOut().catch((error: unknown) => say(problemText(error), { error: true }));
}
