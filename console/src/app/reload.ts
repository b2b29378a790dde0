// A chunk that is gone means a new version of the console: the page is loaded once more.

const mark = "plinth-reloaded";
const pause = 60_000;

/** Reloads once when a chunk cannot be loaded; drafts are kept by then. */
export function reloadOnNewVersion(): void {
    addEventListener("vite:preloadError", () => {
        const last = Number(sessionStorage.getItem(mark) ?? 0);
        // Not over and over: without a connection a chunk is missing, too.
        if (Date.now() - last < pause || !navigator.onLine) return;
        sessionStorage.setItem(mark, String(Date.now()));
        // Drafts are written half a second after the last key.
        setTimeout(() => location.reload(), 700);
    });
}
