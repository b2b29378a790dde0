// Starts the console: language, session and screen are asked for side by side.

import { mount } from "svelte";
import "./ui/tokens.css";
import "./ui/base.css";
import App from "./app/App.svelte";
import { firstLanguage } from "./app/preferences.svelte";
import { reloadOnNewVersion } from "./app/reload";
import { router } from "./app/router";
import { loadScreen } from "./app/screens";
import { startSession } from "./app/session.svelte";
import { applyTheme } from "./app/theme";
import { speak } from "./text";

// The page names its icon from where it was opened, and the address changes without it.
for (const icon of document.querySelectorAll<HTMLLinkElement>("link[rel=icon]")) icon.href = new URL(icon.href).href;
reloadOnNewVersion();
applyTheme();
const started = startSession();
// The screen tells of its failure itself, when it is shown.
loadScreen(router.place.name).catch(() => undefined);
started.catch(() => undefined);

const target = document.getElementById("console");
// The language of the last visit; the session may tell another one.
void speak(firstLanguage()).then(() => {
    if (target !== null) mount(App, { target, props: { started } });
});
