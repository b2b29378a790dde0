// Saved views: the own ones, and those that others share.

import type { CollectionState } from "../app/places";
import { call } from "./call";

export interface SavedView {
    id: number;
    type: string;
    title: string;
    state: CollectionState;
    /** Null for the owner alone; `all`, or names of roles. */
    shared: null | "all" | string[];
    owner: { id: number; name: string };
    own: boolean;
}

export type ViewDraft = Pick<SavedView, "type" | "title" | "state" | "shared">;

class Views {
    all = $state.raw<readonly SavedView[]>([]);
    /** They were read, or cannot be. */
    settled = $state(false);

    of(type: string): SavedView[] {
        return this.all.filter((view) => view.type === type);
    }

    find(id: string | number): SavedView | undefined {
        return this.all.find((view) => String(view.id) === String(id));
    }

    async load(): Promise<void> {
        try {
            const answer = await call<{ data: SavedView[] } | undefined>("GET", "view");
            this.all = answer.data?.data ?? [];
        } finally {
            this.settled = true;
        }
    }

    async create(draft: ViewDraft): Promise<SavedView> {
        const { data } = await call<SavedView>("POST", "view", { body: draft });
        this.all = [...this.all, data];
        return data;
    }

    async change(id: number, draft: ViewDraft): Promise<SavedView> {
        const now = await call<SavedView>("GET", `view/${id}`);
        const { data } = await call<SavedView>("PUT", `view/${id}`, { body: draft, ifMatch: now.etag });
        this.all = this.all.map((view) => (view.id === id ? data : view));
        return data;
    }

    async remove(id: number): Promise<void> {
        await call("DELETE", `view/${id}`);
        this.all = this.all.filter((view) => view.id !== id);
    }
}

export const views = new Views();
