// The items of menus, as a part of its own that comes after the first screen: a menu is closed at first.
import type MenuListView from "./MenuList.svelte";

class Late {
    view = $state.raw<typeof MenuListView | null>(null);

    /** Loads it, for a menu that may be opened. */
    want(): void {
        if (this.view === null) void import("./MenuList.svelte").then((loaded) => (this.view = loaded.default));
    }
}

export const menuList = new Late();
