// Work that waits until a press has ended: what lies under the pointer must not move before its click.

let pressed = false;
const set = (value: boolean) => (): void => {
    pressed = value;
};
addEventListener("pointerdown", set(true), true);
for (const name of ["pointerup", "pointercancel"]) addEventListener(name, set(false), true);

/** Runs the work now, or after the press that is going on, with its click. */
export function afterPress(run: () => void): void {
    if (!pressed) run();
    // A click is told in the same task as the end of its press.
    else addEventListener("pointerup", () => setTimeout(run), { once: true });
}
