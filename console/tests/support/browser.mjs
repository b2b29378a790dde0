// The browser of the tests: Debian's Chromium, pages that note everything that must not happen.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

/** Time that a slow machine may take for one step; no test measures it. */
const PATIENCE = 15_000;

/** `THROTTLE=6` makes the browser as slow as on a loaded machine: for tests that fail there alone. */
const THROTTLE = Number(process.env["THROTTLE"] ?? 1);

/** The requests on their way, by page. */
const pages = new WeakMap();

/** Chromium without windows takes less of the processor; any other one will do. */
const NAMES = ["chromium-headless-shell", "chromium", "google-chrome", "chromium-browser"];

function executable() {
    const folders = (process.env["PATH"] ?? "").split(delimiter);
    const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
    if (found === undefined) throw new Error("There is no chromium and no google-chrome in PATH.");
    return found;
}

export async function launch() {
    const root = process.getuid?.() === 0;
    return chromium.launch({ executablePath: executable(), args: root ? ["--no-sandbox"] : [] });
}

/**
 * A browser of one person: its pages are signed in with `state`, and note in `noted` what must never happen.
 * Options are those of Playwright's contexts.
 */
export async function person(browser, server, { state, language = "en", ...options } = {}) {
    const context = await browser.newContext({
        baseURL: `${server.url}/`,
        viewport: { width: 1280, height: 800 },
        locale: language,
        storageState: state,
        reducedMotion: "reduce",
        ...options,
    });
    endRoutesFirst(context);
    context.setDefaultTimeout(PATIENCE);
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
    const noted = [];
    await context.exposeBinding("plinthNote", (_, note) => noted.push(note));
    await context.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (event) => {
            window.plinthNote(
                `policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}`,
            );
        });
    });
    context.on("page", (page) => {
        page.on("pageerror", (error) => noted.push(`page error: ${error.stack ?? error}`));
        page.on("dialog", (dialog) => {
            noted.push(`dialog: ${dialog.type()} ${dialog.message()}`);
            void dialog.dismiss();
        });
        page.on("console", (message) => {
            // Answers of 4xx are part of many tests.
            if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
                noted.push(`console: ${message.text()}`);
        });
        const running = new Set();
        pages.set(page, { running });
        page.on("requestfinished", (request) => running.delete(request));
        page.on("requestfailed", (request) => running.delete(request));
        page.on("request", (request) => {
            running.add(request);
            const { origin, protocol } = new URL(request.url());
            if (protocol !== "blob:" && protocol !== "data:" && origin !== server.url)
                noted.push(`request: ${request.url()}`);
        });
        page.on("response", (response) => {
            if (response.status() >= 500)
                noted.push(`answer: ${response.status()} ${response.request().method()} ${response.url()}`);
        });
    });
    await serveFolder(context, server);
    const page = await context.newPage();
    if (THROTTLE > 1) {
        const session = await context.newCDPSession(page);
        await session.send("Emulation.setCPUThrottlingRate", { rate: THROTTLE });
    }
    return { context, noted, page };
}

/** While the console is built: `CONSOLE_DIST` is a folder of built files that are shown in place of those in the binary. */
async function serveFolder(context, server) {
    const dist = process.env["CONSOLE_DIST"];
    if (dist === undefined) return;
    const types = { js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
    const isFile = (url) => url.origin === server.url && /^(\/t\/[^/]+)?\/console\/[^/]+$/.test(url.pathname);
    await context.route(isFile, (route) => {
        const name = new URL(route.request().url()).pathname.split("/").pop() ?? "";
        const contentType = types[name.split(".").pop()];
        const file = join(dist, name);
        const answer = existsSync(file) ? route.fulfill({ contentType, body: readFileSync(file) }) : route.continue();
        // The page may be left before it comes.
        return answer.catch(() => undefined);
    });
    await context.route(
        (url) =>
            url.origin === server.url &&
            /^(\/t\/[^/]+)?\/((c|board|query|operate|account)\/|(inbox|tags)?$)/.test(url.pathname),
        async (route) => {
            if (route.request().resourceType() !== "document") return route.continue();
            const response = await route.fetch();
            const place = /^\/t\/[^/]+/.exec(new URL(response.url()).pathname)?.[0] ?? "";
            if (!response.headers()["content-type"]?.startsWith("text/html") || /\/sign-in/.test(response.url()))
                return route.fulfill({ response });
            // The server writes the way from the place to the files, as seen from the place.
            const root = /href="([^"]*)console\/icon/.exec(await response.text())?.[1] ?? `${place}/`;
            const page = readFileSync(join(dist, "index.html"), "utf8").replace(
                /(src|href)="\.\//g,
                `$1="${root}console/`,
            );
            return route.fulfill({ response, body: page }).catch(() => undefined);
        },
    );
}

/** Ends what routes are still doing before `context` closes: an answer on its way would fail where no test sees it. */
function endRoutesFirst(context) {
    const close = context.close.bind(context);
    let closed = false;
    context.on("close", () => (closed = true));
    context.close = async (...options) => {
        if (closed) return;
        const routed = [context, ...context.pages()];
        await Promise.all(routed.map((one) => one.unrouteAll({ behavior: "ignoreErrors" })));
        return close(...options);
    };
}

/** Signs in at the page of the server; answers the state of the browser for further ones. */
export async function signIn(page, server, { user = server.user, password = server.password } = {}) {
    await page.goto("sign-in");
    await page.locator("input[name=user]").fill(user);
    await page.locator("input[name=password]").fill(password);
    await page.locator("form button").click();
    await page.getByRole("navigation").first().waitFor();
    return page.context().storageState();
}

/** Nothing is on its way any more, and no place of the screen waits for anything. */
export async function settled(page) {
    const { running } = pages.get(page);
    await page.locator("main").first().waitFor();
    await eventually(async () => {
        for (let quiet = 0; quiet < 3; quiet += 1) {
            if (running.size > 0 || (await page.locator(".skeleton:visible, [aria-busy=true]:visible").count()) > 0)
                return false;
            await new Promise((resolve) => setTimeout(resolve, 40));
        }
        return true;
    }, `${page.url()} is still loading`);
}

/** Fails with what was noted, but for what the test expects. */
export function nothingNoted(noted, expected = /$^/) {
    assert.deepEqual(
        noted.filter((note) => !expected.test(note)),
        [],
    );
}

/** Waits until the condition holds: for what has no element to wait for. */
export async function eventually(condition, message = "it did not happen in time", patience = PATIENCE) {
    const end = Date.now() + patience;
    let last;
    for (;;) {
        try {
            const value = await condition();
            if (value) return value;
        } catch (error) {
            last = error;
        }
        if (Date.now() > end) throw new Error(message, { cause: last });
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
}
