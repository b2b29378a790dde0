// Starts the console.

import { mount } from "svelte";
import "./ui/tokens.css";
import "./ui/base.css";
import App from "./app/App.svelte";
import { firstLanguage } from "./app/preferences.svelte";
import { applyTheme } from "./app/theme";
import { speak } from "./text";

applyTheme();
const target = document.getElementById("console");
// The language of the last visit; the session may tell another one.
void speak(firstLanguage()).then(() => {
    if (target !== null) mount(App, { target });
});
