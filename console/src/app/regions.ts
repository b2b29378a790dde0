// F6: moves the focus from one region of the screen to the next.

/** Moves to the next region (or the one before); regions carry `data-region` and `tabindex="-1"`. */
export function moveRegion(step: 1 | -1): void {
    const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter(
        (region) => region.offsetParent !== null,
    );
    if (regions.length === 0) return;
    const here = document.activeElement;
    // The innermost one: the panel of a record stands within the content.
    const at = regions.findLastIndex((region) => region.contains(here));
    const next = regions[(at + step + regions.length) % regions.length];
    if (next === undefined) return;
    const last = next.querySelector<HTMLElement>("[tabindex='0']:not([data-region])");
    (last ?? next).focus();
}
