// Open parts of the shell: the command box, the help.

class ShellState {
    commands = $state(false);
    help = $state(false);
}

export const shell = new ShellState();
