// Choices of a combobox, and their search by words.

import type { IconName } from "./icons";

export interface Choice {
    value: string;
    title: string;
    /** A quiet word after the title. */
    hint?: string;
    color?: string | null;
    icon?: IconName;
    disabled?: boolean;
    /** Choices with the same one stand under it. */
    group?: string;
}

export type Phase = "idle" | "searching" | "failed";

/** The choices whose title has the words, without regard of case and marks. */
export function matching(choices: readonly Choice[], words: string): Choice[] {
    const wanted = fold(words).split(/\s+/).filter(Boolean);
    return choices.filter((choice) => {
        const title = fold(`${choice.title} ${choice.hint ?? ""}`);
        return wanted.every((word) => title.includes(word));
    });
}

export function fold(words: string): string {
    return words.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
