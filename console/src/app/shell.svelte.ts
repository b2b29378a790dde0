// Open parts of the shell: the command box, the help.

import { keepAhead, takeAhead } from "./ahead";

class ShellState {
    commands = $state(false);
    help = $state(false);

    /** Opens the command box. It is loaded first: what is typed until then is kept for it. */
    openCommands(): void {
        if (this.commands) return;
        keepAhead();
        this.commands = true;
    }

    closeCommands(): void {
        takeAhead();
        this.commands = false;
    }
}

export const shell = new ShellState();
