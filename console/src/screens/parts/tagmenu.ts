// The menu of a tag: the actions that its rights and its place in the tree allow.

import { text } from "../../text";
import type { MenuItem } from "../../ui/menu";
import type { Tags } from "./tags.svelte";
import { shifted, type Tag } from "./tagtree";

export interface TagActions {
    edit: (tag: Tag) => void;
    create: (parent: string) => void;
    move: (tag: Tag, parent: string | null | undefined) => void;
    shuffle: (tag: Tag, step: 1 | -1) => void;
    remove: (tag: Tag) => void;
}

export function tagItems(tags: Tags, tag: Tag, actions: TagActions): MenuItem[] {
    const able = tags.mayChange(tag);
    const out = shifted(tags.all, tag, -1);
    const into = shifted(tags.all, tag, 1);
    const items: (MenuItem | false)[] = [
        able && { title: text.more.editTag, icon: "pencil", keys: "Enter", run: () => actions.edit(tag) },
        tags.creates && { title: text.more.newBelow, icon: "plus", run: () => actions.create(tag.id) },
        tags.manages && {
            title: text.more.moveUp,
            icon: "arrow-up",
            keys: "Alt+↑",
            separated: true,
            run: () => actions.shuffle(tag, -1),
        },
        tags.manages && {
            title: text.more.moveDown,
            icon: "arrow-down",
            keys: "Alt+↓",
            run: () => actions.shuffle(tag, 1),
        },
        able &&
            into !== undefined && {
                title: text.more.moveIn,
                icon: "chevron-right",
                keys: "Alt+→",
                run: () => actions.move(tag, into),
            },
        able &&
            out !== undefined && {
                title: text.more.moveOut,
                icon: "chevron-left",
                keys: "Alt+←",
                run: () => actions.move(tag, out),
            },
        able && {
            title: text.app.delete,
            icon: "trash-2",
            keys: "Delete",
            danger: true,
            separated: true,
            run: () => actions.remove(tag),
        },
    ];
    return items.filter((item) => item !== false);
}
