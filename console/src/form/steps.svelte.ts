// Undo and redo of a form: the edited values before each step. Typing without a pause is one step.

import type { Row } from "../data/model";

interface Step {
    name: string;
    edited: Row;
    at: number;
}

const most = 100;
const pause = 800;

export class Steps {
    #past = $state.raw<readonly Step[]>([]);
    #future = $state.raw<readonly Step[]>([]);

    /** A field is about to be edited; `edited` is what was before. */
    note(name: string, edited: Row): void {
        const last = this.#past.at(-1);
        const at = Date.now();
        const goesOn = last !== undefined && last.name === name && at - last.at <= pause && this.#future.length === 0;
        this.#past = goesOn
            ? [...this.#past.slice(0, -1), { ...last, at }]
            : [...this.#past, { name, edited, at }].slice(-most);
        this.#future = [];
    }

    /** The step to go back to, given what is now. */
    undo(now: Row): { name: string; edited: Row } | undefined {
        const step = this.#past.at(-1);
        if (!step) return undefined;
        this.#past = this.#past.slice(0, -1);
        this.#future = [...this.#future, { ...step, edited: now }];
        return step;
    }

    redo(now: Row): { name: string; edited: Row } | undefined {
        const step = this.#future.at(-1);
        if (!step) return undefined;
        this.#future = this.#future.slice(0, -1);
        this.#past = [...this.#past, { ...step, edited: now, at: 0 }];
        return step;
    }

    clear(): void {
        this.#past = [];
        this.#future = [];
    }
}
