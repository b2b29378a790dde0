// The menu of a record: its link, a copy of it, reading it anew, and its deletion.

import type { TypeModel } from "../data/model";
import { text } from "../text";
import type { MenuItem } from "../ui/menu";

export interface RecordActions {
    copyLink: () => void;
    duplicate: () => void;
    reload: () => void;
    remove: () => void;
}

export function recordMenu(type: TypeModel, actions: RecordActions): MenuItem[] {
    const { create, delete: remove } = type.actions;
    return [
        { title: text.form.copyLink, icon: "link", run: actions.copyLink },
        ...(create ? [{ title: text.form.duplicate, icon: "copy" as const, run: actions.duplicate }] : []),
        { title: text.form.reload, icon: "refresh-cw", run: actions.reload },
        ...(remove
            ? [
                  {
                      title: text.form.remove,
                      icon: "trash-2" as const,
                      danger: true,
                      separated: true,
                      run: actions.remove,
                  },
              ]
            : []),
    ];
}
