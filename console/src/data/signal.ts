// A value outside of components whose readers in components are run again when it changes.

import { createSubscriber } from "svelte/reactivity";

export interface Signal<T> {
    value: T;
}

export function signal<T>(initial: T): Signal<T> {
    let value = initial;
    let changed = (): void => undefined;
    const subscribe = createSubscriber((update) => {
        changed = update;
        return () => {
            changed = () => undefined;
        };
    });
    return {
        get value() {
            subscribe();
            return value;
        },
        set value(next: T) {
            value = next;
            changed();
        },
    };
}
