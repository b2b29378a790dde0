// axe-core in a world of its own: the policy of the page forbids scripts that are put into it.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const sessions = new WeakMap();

/** The violations of what the page shows, as words to read. */
export async function violations(page) {
    const session = sessions.get(page) ?? (await page.context().newCDPSession(page));
    sessions.set(page, session);
    const { frameTree } = await session.send("Page.getFrameTree");
    const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
        frameId: frameTree.frame.id,
        worldName: "axe",
    });
    await session.send("Runtime.evaluate", { contextId, expression: source });
    const run = `axe.run(document, { runOnly: ${JSON.stringify(tags)}, resultTypes: ["violations"] }).then((result) => JSON.stringify(result.violations.map(
        ({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 4).map(({ html, failureSummary }) => html.slice(0, 200) + " — " + failureSummary.replace(/\\s+/g, " ").slice(0, 300)) })
    )))`;
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
