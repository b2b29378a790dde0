// Behaviour that all fields share: keys, focus in a cell, and growing text areas where the browser cannot do it.

import type { Attachment } from "svelte/attachments";

interface Keys {
    onsubmit?: (() => void) | undefined;
    onescape?: (() => void) | undefined;
    /** Enter belongs to the field; Ctrl+Enter submits. */
    lines?: boolean;
}

/** Enter submits and Esc gives up, where somebody asks for it: in cells of the grid. */
export function fieldKeys({ onsubmit, onescape, lines = false }: Keys): Attachment<HTMLElement> {
    return (element) => {
        const down = (event: KeyboardEvent): void => {
            if (event.isComposing || event.defaultPrevented) return;
            if (
                event.key === "Enter" &&
                onsubmit &&
                !event.altKey &&
                !event.shiftKey &&
                (!lines || event.ctrlKey || event.metaKey)
            ) {
                event.preventDefault();
                event.stopPropagation();
                onsubmit();
            } else if (event.key === "Escape" && onescape) {
                event.preventDefault();
                event.stopPropagation();
                onescape();
            }
        };
        element.addEventListener("keydown", down);
        return () => element.removeEventListener("keydown", down);
    };
}

/** A widget in a cell takes the focus at once, with its text selected. */
export function focusIn(compact: boolean): Attachment<HTMLElement> {
    return (element) => {
        if (!compact) return;
        element.focus({ preventScroll: true });
        if (element instanceof HTMLInputElement && element.type === "text") element.select();
    };
}

/** Lets a text area grow with its text, where `field-sizing` is not known. */
export function growing(value: string): Attachment<HTMLTextAreaElement> {
    return (element) => {
        if (CSS.supports("field-sizing", "content")) return;
        void value;
        element.style.height = "auto";
        element.style.height = `${element.scrollHeight + 2}px`;
    };
}
