// Width of the screen and kind of the pointer; readers in components are run again when it changes.

import { MediaQuery } from "svelte/reactivity";

/** A phone: one column, bars at the foot. */
export const narrow = new MediaQuery("(max-width: 767px)");

/** Room for words beside icons. */
export const wide = new MediaQuery("(min-width: 1100px)");

/** A finger. */
export const coarse = new MediaQuery("(pointer: coarse)");
