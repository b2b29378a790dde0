// Parts that the screens of the operation share: the query of their filters, entries of the server, and their words.

import type { Values } from "../../app/places";
import { href } from "../../app/router";
import { ApiError } from "../../data/call";
import { model } from "../../data/model";
import { text } from "../../text";
import { formatDateTime } from "../../text/format";
import { problemText } from "../../ui/problems";
import { say } from "../../ui/toasts";
import type { Fact } from "./Facts.svelte";
import type { FilterField } from "./Filters.svelte";

/** The filters of the address that the list knows. The last day is a part of what is asked for. */
export function queryOf(fields: readonly FilterField[], values: Values): Record<string, string> {
    const query: Record<string, string> = {};
    for (const { name, kind } of fields) {
        const value = values[name];
        if (!value) continue;
        query[name] = kind === "date" && name === "to" ? dayAfter(value) : value;
    }
    return query;
}

function dayAfter(day: string): string {
    const date = new Date(`${day}T00:00:00Z`);
    if (Number.isNaN(date.getTime())) return day;
    date.setUTCDate(date.getUTCDate() + 1);
    return date.toISOString().slice(0, 10);
}

/** A line of a list. */
export interface Line {
    at?: string;
    number?: number;
    texts: LineText[];
    state?: string;
    /** The moment of its making, shown as the time since then. */
    since?: string | null;
    error?: string | null;
}

export interface LineText {
    value: string;
    /** The server's own word for it. */
    code?: string;
    muted?: boolean;
    mono?: boolean;
    /** Left out on phones. */
    spare?: boolean;
}

/** One entry, opened. */
export interface Entry {
    title: string;
    words?: string;
    state?: string;
    error?: string | null;
    /** The words for trying it again, where the server allows that. */
    again?: string | null;
    facts: Fact[];
}

export interface Automation {
    id: string;
    automation: string;
    title: string;
    description: string;
    event: string | null;
    schedule: string | null;
    hook: string | null;
    rate: number;
    next: string | null;
    enabled: boolean;
    reason: string | null;
}

export interface Run {
    id: number;
    automation: string;
    event: string;
    typeId: number | null;
    objectId: number | null;
    actor: number | null;
    depth: number;
    state: string;
    tries: number;
    due: string | null;
    created: string | null;
    begun: string | null;
    ended: string | null;
    position: string | null;
    steps: number;
    error: string | null;
    trigger?: Record<string, unknown> | null;
    log?: Step[];
}

export interface Step {
    position: string;
    kind: string;
    name: string | null;
    result: unknown;
    error: string | null;
    started: string | null;
    ended: string | null;
}

export interface Message {
    id: number;
    channel: string;
    template: string;
    recipient: string | null;
    language: string | null;
    state: string;
    tries: number;
    due: string | null;
    error: string | null;
    messageId: string;
    reference: { kind: string; id: number; part?: string } | null;
    created: string;
    ended: string | null;
}

export interface AuditEvent {
    id: number;
    at: string;
    event: string;
    subjectId: number | null;
    subject: string | null;
    actorId: number | null;
    actor: string | null;
    keyId: number | null;
    via: string;
    address: string | null;
    details: Record<string, unknown>;
    digest: string;
}

export interface Read {
    id: number;
    at: string;
    userId: number;
    user: string | null;
    keyId: number | null;
    address: string | null;
    typeId: number;
    type: string | null;
    objectId: number;
    way: string;
}

export const runStates = ["waiting", "running", "done", "failed", "stopped"];
export const messageStates = ["waiting", "sending", "sent", "failed", "cancelled"];
export const channels = ["mail", "sms", "task"];
/** The choices of a filter: codes of the server with their words. */
export function choicesOf(codes: readonly string[], words: Record<string, string>): { value: string; title: string }[] {
    return codes.map((value) => ({ value, title: words[value] ?? value }));
}

/** The words for an event of the audit log; a newer server may know more of them. */
export function eventTitle(event: string): string {
    return text.more.events[event] ?? event;
}

/** The words for an event of a type, `ticket.created`; others are their code. */
export function triggerTitle(event: string): string {
    const [, name = "", change = ""] = /^(.+)\.(\w+)$/.exec(event) ?? [];
    const title = name === "tag" ? text.app.tags : model.types.find((one) => one.name === name)?.title;
    const words = text.more.changes[change];
    return title === undefined || words === undefined ? event : `${title}: ${words}`;
}

export function templateTitle(template: string): string {
    return text.more.templates[template] ?? template;
}

export function momentOf(value: string | null): string {
    return value === null ? "" : formatDateTime(value);
}

/** A record that a log names: by its title of the type and its number, with a link where it can be seen. */
export function recordFact(title: string, typeName: string | null, typeId: number | null, id: number | null): Fact {
    if (id === null) return { title, value: "" };
    const type = model.types.find((one) => one.name === typeName || (one.id !== undefined && one.id === typeId));
    const name = type?.title ?? typeName ?? (typeId === null ? "" : `${text.more.type} ${typeId}`);
    return {
        title,
        value: `${name} #${id}`,
        ...(type === undefined ? {} : { href: href({ name: "record", type: type.name, id: String(id), values: {} }) }),
    };
}

export function userFact(title: string, id: number | null, login: string | null = null): Fact {
    if (id === null) return { title, value: "" };
    const seen = model.type("user") !== undefined && login !== null;
    return {
        title,
        value: login ?? text.more.userGone(id),
        ...(seen ? { href: href({ name: "record", type: "user", id: String(id), values: {} }) } : {}),
    };
}

/** Says what the server refused; a state that does not allow it has its own words. */
export function sayRefusal(error: unknown): void {
    const words = error instanceof ApiError && error.status === 409 ? error.detail : problemText(error);
    say(words, { error: true });
}

/** The duration in words: milliseconds, seconds or minutes. */
export function tookOf(from: string | null, to: string | null): string {
    if (from === null || to === null) return "";
    const milliseconds = Date.parse(to) - Date.parse(from);
    if (Number.isNaN(milliseconds)) return "";
    if (milliseconds < 1000) return `${milliseconds} ms`;
    return milliseconds < 120_000
        ? `${Math.round(milliseconds / 100) / 10} s`
        : `${Math.round(milliseconds / 60_000)} min`;
}
