// axe-core in a world of its own: the policy of the page forbids scripts that are put into it.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Each page with its session of the protocol, and the context where axe was put in. */
const worlds = new WeakMap();

/** Returns the violations on the page, as words to read. */
export async function violations(page) {
    const run = `axe.run(document, { runOnly: ${JSON.stringify(tags)}, preload: false, resultTypes: ["violations"] }).then((result) => JSON.stringify(result.violations.map(
        ({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 4).map(({ html, failureSummary }) => html.slice(0, 200) + " — " + failureSummary.replace(/\\s+/g, " ").slice(0, 300)) })
    )))`;
    const { session, contextId } = await worldOf(page);
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
        contextId,
        expression: run,
        awaitPromise: true,
        returnByValue: true,
    });
    if (exceptionDetails !== undefined)
        throw new Error(`axe: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return JSON.parse(result.value);
}

/** The world of the page's document: axe is put in once, and again after a navigation of the browser. */
async function worldOf(page) {
    const session = worlds.get(page)?.session ?? (await page.context().newCDPSession(page));
    const { frameTree } = await session.send("Page.getFrameTree");
    const { id: frameId, loaderId } = frameTree.frame;
    const known = worlds.get(page);
    if (known?.loaderId === loaderId) return known;
    const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
        frameId,
        worldName: "axe",
    });
    await session.send("Runtime.evaluate", { contextId, expression: source });
    const world = { session, loaderId, contextId };
    worlds.set(page, world);
    return world;
}

/** Returns what makes the page scroll sideways or is cut off at its edge, but for the grid; as words to read. */
export async function sideways(page) {
    return page.evaluate(() => {
        const found = [];
        const words = (element, what) => `${what}: ${element.cloneNode(false).outerHTML.slice(0, 200)}`;
        const { clientWidth, scrollWidth } = document.documentElement;
        if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} of ${clientWidth} pixels wide`);
        for (const element of document.querySelectorAll("body *")) {
            if (element.closest("[role=grid]") !== null || !element.checkVisibility({ visibilityProperty: true }))
                continue;
            const over = element.scrollWidth - element.clientWidth;
            if (["auto", "scroll"].includes(getComputedStyle(element).overflowX) && over > 1 && element.clientWidth > 0)
                found.push(words(element, `scrolls by ${over} pixels`));
            if (!element.matches("button, a, input, select, textarea, h1, h2, p, label, dd")) continue;
            const { left, right, width } = element.getBoundingClientRect();
            // Texts for screen readers alone are a pixel wide.
            if (width > 1 && (right > clientWidth + 1 || left < -1)) found.push(words(element, `ends at ${right}`));
        }
        return found;
    });
}
