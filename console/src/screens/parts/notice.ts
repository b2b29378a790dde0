// A notification as the server answers it, and where it leads to.

import { href } from "../../app/router";
import { base } from "../../data/call";
import { model } from "../../data/model";
import type { IconName } from "../../ui/icons";

export interface Notice {
    id: number;
    type: string;
    title: string;
    body: string | null;
    level: "info" | "success" | "warning" | "error";
    read: boolean;
    archived: boolean;
    created: string;
    expiresAt: string | null;
    actor: { id: number; title: string } | null;
    target: { type?: string | null; objectId?: number | null; url?: string | null } | null;
    actions: { label: string; url: string }[] | null;
}

export const levelIcons: Record<Notice["level"], IconName> = {
    info: "info",
    success: "check",
    warning: "triangle-alert",
    error: "circle-alert",
};

/** The record that it is about, if the user may see its type; else the address that it names. */
export function targetOf(notice: Notice): string | null {
    const { target } = notice;
    if (target?.type && target.objectId && model.type(target.type) !== undefined) {
        return href({ name: "record", type: target.type, id: String(target.objectId), values: {} });
    }
    return target?.url ? safeUrl(target.url) : null;
}

/** Only http, https and paths of this host; a path is below the tenant's place. */
export function safeUrl(url: string): string | null {
    if (/^https?:\/\//i.test(url)) return url;
    return /^\/(?![/\\])/.test(url) ? base + url.slice(1) : null;
}

export function isOutside(url: string): boolean {
    return new URL(url, location.href).origin !== location.origin;
}
