// The settings that keep states of lists: at most twenty, the oldest go first.
import type { CollectionState } from "../app/places";
import { ApiError, call } from "../data/call";
import { text } from "../text";
import { problemText } from "../ui/problems";
import { say } from "../ui/toasts";

const MOST_KEPT = 20;
const PREFIX = "list-";

export function settingOf(name: string): string {
    return `${PREFIX}${name}`;
}

/** The settings to delete before another one is kept. */
export function outdated(settings: readonly string[], most = MOST_KEPT): string[] {
    const kept = settings.filter((name) => name.startsWith(PREFIX)).sort();
    return kept.slice(0, Math.max(0, kept.length - most + 1));
}

/** Keeps a state under a name. */
export async function save(name: string, state: CollectionState): Promise<void> {
    try {
        const { data } = await call<{ data: { name: string }[] }>("GET", "setting");
        for (const old of outdated(data.data.map((setting) => setting.name))) await call("DELETE", `setting/${old}`);
        await call("PUT", `setting/${settingOf(name)}`, { body: state });
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        say(text.grid.notKept, { error: true });
    }
}

/** Reads the state of a name; null where it cannot be read, with the words for that. */
export async function load(name: string): Promise<{ state: CollectionState | null; problem: string | null }> {
    try {
        return { state: (await call<CollectionState>("GET", `setting/${settingOf(name)}`)).data, problem: null };
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { state: null, problem: error.status === 404 ? text.grid.linkGone : problemText(error) };
    }
}
