// The shape of a list on this screen: cards or a table, and the height of its rows.
import { setting, type Setting } from "../app/settings.svelte";

export type Density = "normal" | "compact";

interface Likes {
    density?: Density;
    table?: boolean;
}

export class Layout {
    private readonly narrow = matchMedia("(max-width: 640px)");
    isNarrow = $state(this.narrow.matches);
    private readonly likes: Setting<Likes> = setting<Likes>("grid", {});
    private readonly coarse = matchMedia("(pointer: coarse)").matches;

    /** Follows the width of the window. Returns how to stop. */
    follow(): () => void {
        const change = (): void => {
            this.isNarrow = this.narrow.matches;
        };
        this.narrow.addEventListener("change", change);
        return () => this.narrow.removeEventListener("change", change);
    }

    get cards(): boolean {
        return this.isNarrow && this.likes.value.table !== true;
    }

    get density(): Density {
        return this.likes.value.density ?? "normal";
    }

    set density(density: Density) {
        this.likes.value = { ...this.likes.value, density };
    }

    set table(table: boolean) {
        this.likes.value = { ...this.likes.value, table };
    }

    /** Height of a row in px; of a card, by the most lines that it may have. */
    rowHeight(lines: number): number {
        if (this.cards) return 48 + 22 * lines;
        if (this.coarse) return 44;
        return this.density === "compact" ? 28 : 36;
    }
}
