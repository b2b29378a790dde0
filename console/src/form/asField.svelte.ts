// The head that the fields of all widgets share: their name, state and description, their keys, and the focus in a cell.

import { untrack } from "svelte";
import type { Attachment } from "svelte/attachments";
import { fieldKeys, focusIn } from "./field";
import type { WidgetProps } from "./widget";

/** Makes an element the field of a widget. `lines`: Enter belongs to the field, and Ctrl+Enter submits. */
export function asField(widget: WidgetProps, lines = false): Attachment<HTMLElement> {
    return (element) => {
        const put = (name: string, value: string | undefined): void => {
            if (value === undefined) element.removeAttribute(name);
            else element.setAttribute(name, value);
        };
        $effect.pre(() => {
            put("id", widget.id);
            put("aria-label", widget.compact ? widget.property.title : undefined);
            put("aria-invalid", (widget.errors ?? []).length > 0 ? "true" : undefined);
            put("aria-required", widget.property.required ? "true" : undefined);
            put("aria-describedby", widget.describedBy);
        });
        $effect(() => fieldKeys({ onsubmit: widget.onsubmit, onescape: widget.onescape, lines })(element) ?? undefined);
        untrack(() => focusIn(widget.compact ?? false)(element));
    };
}
