// Short messages at the foot of the screen, read aloud politely: `say`.

import { signal } from "../data/signal";

export interface Toast {
    id: number;
    text: string;
    error: boolean;
    undo?: () => void;
    action?: ToastAction;
}

export interface ToastAction {
    title: string;
    run?: () => void;
    /** The address that it leads to. */
    href?: string;
}

export interface SayOptions {
    /** Runs by the button Undo. */
    undo?: () => void;
    /** Another thing to do than Undo. */
    action?: ToastAction;
    /** An error stays until it is closed. */
    error?: boolean;
}

const list = signal<readonly Toast[]>([]);
const most = 4;
let last = 0;

export function toasts(): readonly Toast[] {
    return list.value;
}

/** Says a sentence; returns how to take it back. */
export function say(text: string, options: SayOptions = {}): () => void {
    last += 1;
    const id = last;
    list.value = [
        ...list.value,
        { id, text, error: options.error ?? false, undo: options.undo, action: options.action },
    ].slice(-most);
    const close = (): void => closeToast(id);
    if (!options.error) setTimeout(close, options.undo || options.action ? 10_000 : 5000);
    return close;
}

export function closeToast(id: number): void {
    list.value = list.value.filter((toast) => toast.id !== id);
}
