// The focus within a row of the builder: from the property to the operator, and from there to the value.
import { tick } from "svelte";

export type Part = "operator" | "value";

/** Moves the focus to a part of a row, once it is there. Without a value, the operator has it. */
export async function focusPart(group: HTMLElement | undefined, row: number, part: Part): Promise<void> {
    await tick();
    const find = (place: string): HTMLElement | null | undefined =>
        group?.querySelector<HTMLElement>(`:scope > [data-row="${row}"] ${place}`);
    const value = part === "value" ? find(".row > .value :is(input, select, textarea)") : null;
    const field = value ?? find(".row > select") ?? find("select");
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
}

/**
 * Tells of a list of choices by the browser whether a change ends the choice. Keys change a closed list with each press,
 * and must not lose the focus to the value on the way.
 */
export class Choosing {
    private pressed = false;

    key(event: KeyboardEvent): void {
        // These open the list: the change that follows is the choice.
        const opens = event.key === " " || event.key === "F4" || (event.altKey && event.key.startsWith("Arrow"));
        this.pressed = !opens;
    }

    pointer(): void {
        this.pressed = false;
    }

    get ends(): boolean {
        return !this.pressed;
    }
}
