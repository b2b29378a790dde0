// The title of the page: what is shown, then the tenant.

import { session } from "./session.svelte";

/** Sets the title of the browser's tab; screens that know a better one than their place's call it in an effect. */
export function setTitle(title: string): void {
    document.title = [title, session.tenant.title || session.tenant.name].filter(Boolean).join(" · ");
}
