// Focus after a command has led to another place: the grid there, else the heading.

import { router } from "./router";
import { loadScreen } from "./screens";

/** Frames in which a list is waited for; then the heading has to do. */
const PATIENCE = 60;

const frame = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => done()));

/** Moves the focus to the screen of the place of now, unless something there takes it by itself. */
export async function arrive(): Promise<void> {
    const { place } = router;
    const main = document.getElementById("main");
    await loadScreen(place.name).catch(() => undefined);
    // The box closes and gives the focus back; the screen before stays for a frame.
    await frame();
    const before = document.activeElement;
    for (let frames = 0; frames < PATIENCE; frames += 1) {
        await frame();
        const now = document.activeElement;
        // A field that is meant to be typed into, or the next step of a quick person.
        const taken = now !== before && now !== main && now?.closest("main, dialog");
        if (router.place.name !== place.name || taken) return;
        const target = main?.querySelector<HTMLElement>(place.name === "collection" ? ".area [tabindex='0']" : "h1");
        // A grid is there before it is seen.
        if (target && focusOn(target)) return;
    }
    const heading = main?.querySelector<HTMLElement>("h1") ?? main;
    if (heading !== null) focusOn(heading);
}

function focusOn(element: HTMLElement): boolean {
    if (!element.hasAttribute("tabindex")) {
        element.tabIndex = -1;
        element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
    }
    element.focus({ preventScroll: true });
    return document.activeElement === element;
}
