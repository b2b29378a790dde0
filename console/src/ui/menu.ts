// Items of a menu.

import type { IconName } from "./icons";

export interface MenuItem {
    title: string;
    icon?: IconName;
    /** Runs when it is chosen; an item without it is shown but cannot be chosen. */
    run?: () => void;
    href?: string;
    /** Makes it an item that is on or off. */
    checked?: boolean;
    /** One of several of which one is on. */
    radio?: boolean;
    disabled?: boolean;
    danger?: boolean;
    /** Keys that do the same. */
    keys?: string;
    /** A quiet word after the title. */
    hint?: string;
    /** A line above it. */
    separated?: boolean;
    /** The choice that it is one of: a heading above the first. */
    group?: string;
    /** Its name, where the title alone does not say enough. */
    label?: string;
    /** More about it, where the pointer rests. */
    tip?: string;
    /** The other choice of the same line, by its icon. */
    aside?: MenuItem;
}
