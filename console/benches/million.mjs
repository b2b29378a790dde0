// Figures of the grid over a million rows in Chromium: `PLINTH=target/release/plinth node benches/million.mjs`.
//
// ROWS, MINUTES (of scrolling) and TEST_ENGINE=postgres change the run. A line in JSON for each figure goes to standard
// output, with its limit. Measure on a machine that does nothing else.

import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, person, signIn } from "../tests/support/browser.mjs";
import { grid, gridReady, scrollTo } from "../tests/support/grid.mjs";
import { tenant } from "../tests/support/server.mjs";

const ROWS = Number(process.env["ROWS"] ?? 1_000_000);
const MINUTES = Number(process.env["MINUTES"] ?? 10);
const LIST = "c/ticket?cols=subject,status,views,opened,price&s=-opened";
const FILES = {
    "tenant.yaml": "tenant: acme\napi: {rate: 0}\n",
    "roles/admin.yaml": 'role: admin\nsystem: ["*"]\ntypes: {"*": {show: true, edit: true}}\n',
    "users/admin.yaml": "user: admin\nname: Administrator\nroles: [admin]\n",
    "types/ticket.yaml": `name: ticket
titleProperty: subject
properties:
  subject: {kind: pString, required: true, index: true}
  status: {kind: pEnum, index: true, options: {open: {}, closed: {}, waiting: {}}}
  views: {kind: pInteger, index: true}
  opened: {kind: pDateTime, index: true}
  price: {kind: pDecimal}
`,
};

/** Numbers that look random, the same in each run. */
function* numbers() {
    for (let state = 1; ; state = (state * 48_271) % 2_147_483_647) yield state;
}

function writeRows(path) {
    const random = numbers();
    const next = (limit) => random.next().value % limit;
    const two = (value) => String(value).padStart(2, "0");
    const line = () =>
        `Ticket ${next(10_000_000)},${["open", "closed", "waiting"][next(3)]},${next(ROWS)},` +
        `2026-${two(1 + next(12))}-${two(1 + next(28))}T${two(next(24))}:${two(next(60))}:${two(next(60))}Z,${next(1_000_000) / 100}\n`;
    appendFileSync(path, "subject,status,views,opened,price\n");
    for (let written = 0; written < ROWS; written += 10_000)
        appendFileSync(path, Array.from({ length: Math.min(10_000, ROWS - written) }, line).join(""));
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const p95 = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)];
const tell = (name, values, limit, unit = "ms") =>
    console.log(
        JSON.stringify({
            name,
            median: round(median(values)),
            p95: round(p95(values)),
            times: values.length,
            limit,
            unit,
        }),
    );
const round = (value) => Math.round(value * 10) / 10;

/** Milliseconds from an action in the page until the condition holds in a frame. Both are functions of the grid. */
function timed(page, action, condition) {
    return grid(page).evaluate(
        (box, [act, holds]) =>
            new Promise((resolve) => {
                const [run, done] = [new Function("box", act), new Function("box", holds)];
                const start = performance.now();
                run(box);
                const look = () => (done(box) ? resolve(performance.now() - start) : requestAnimationFrame(look));
                requestAnimationFrame(look);
            }),
        [action, condition],
    );
}

const IN_SIGHT = `
    const frame = box.getBoundingClientRect();
    const rows = [...box.querySelectorAll(".grid-body [role=row][aria-rowindex]")].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > frame.top + 40 && top < frame.bottom && row.checkVisibility();
    });`;
const FILLED = `${IN_SIGHT} return rows.length > 10 && rows.every((row) => row.textContent.includes("Ticket "));`;

async function firstRows(page) {
    const values = [];
    for (let run = 0; run < 25; run += 1) {
        await page.goto(LIST);
        await gridReady(page);
        values.push(await page.evaluate(() => window.firstRows));
    }
    tell("first rows, from the start of the page with warm assets", values.slice(5), 300);
}

async function jumps(page) {
    await page.goto(LIST);
    await gridReady(page, ROWS);
    const random = numbers();
    const values = [];
    for (let run = 0; run < 60; run += 1) {
        const share = (random.next().value % 10_000) / 10_000;
        values.push(await timed(page, `box.scrollTop = (box.scrollHeight - box.clientHeight) * ${share}`, FILLED));
        await page.waitForTimeout(100);
    }
    tell("jump to any place of an indexed order", values.slice(10), 200);
}

async function keys(page) {
    await page.goto(LIST);
    await gridReady(page, ROWS);
    await grid(page).focus();
    await page.evaluate(() => {
        window.tasks = [];
        window.answers = [];
        new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((one) => one.duration))).observe({
            type: "longtask",
        });
        const noted = (event) => {
            const start = event.timeStamp;
            requestAnimationFrame(() => setTimeout(() => window.answers.push(performance.now() - start)));
        };
        addEventListener("keydown", noted, { capture: true });
        addEventListener("mousedown", noted, { capture: true });
    });
    for (let run = 0; run < 10; run += 1) {
        for (const key of ["ArrowDown", "ArrowRight", "PageDown", "Enter", "Escape"]) {
            await page.keyboard.press(key);
            await page.waitForTimeout(60);
        }
    }
    for (let run = 0; run < 10; run += 1) {
        await page.mouse.click(400, 250 + run * 40);
        await page.waitForTimeout(60);
    }
    const { answers, tasks } = await page.evaluate(() => ({ answers: window.answers, tasks: window.tasks }));
    tell("answer to a key or click", answers, 100);
    tell("longest task meanwhile", [Math.max(0, ...tasks)], 50);
}

async function heap(page) {
    if (MINUTES === 0) return;
    await page.goto(LIST);
    await gridReady(page, ROWS);
    const session = await page.context().newCDPSession(page);
    const used = async () => {
        await session.send("HeapProfiler.collectGarbage");
        return (await session.send("Runtime.getHeapUsage")).usedSize / 1e6;
    };
    let failed = 0;
    page.on("response", (response) => (failed += response.status() >= 400 ? 1 : 0));
    const box = await grid(page).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const start = Date.now();
    let afterOne;
    for (let step = 0; Date.now() - start < MINUTES * 60_000; step += 1) {
        if (step % 100 === 99) await scrollTo(page, Math.random());
        await page.mouse.wheel(0, step % 3 === 0 ? -300 : 700);
        await page.waitForTimeout(40);
        if (afterOne === undefined && Date.now() - start > 60_000) afterOne = await used();
    }
    const end = await used();
    tell("heap after a minute of scrolling", [afterOne ?? end], 60, "MB");
    tell(`heap after ${MINUTES} minutes of scrolling`, [end], (afterOne ?? end) * 1.1, "MB");
    tell("requests that failed meanwhile", [failed], 0, "requests");
}

const folder = mkdtempSync(join(tmpdir(), "plinth-million-"));
const rows = join(folder, "ticket.csv");
writeRows(rows);
const server = await tenant(FILES, { imports: { ticket: rows } });
const browser = await launch();
try {
    const { page, context } = await person(browser, server);
    await signIn(page, server);
    await context.addInitScript(() => {
        const look = () => {
            const row = document.querySelector(".grid-body [role=row][aria-rowindex='2']");
            if (row?.textContent.includes("Ticket ")) window.firstRows = performance.now();
            else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
    });
    for (const measure of [firstRows, jumps, keys, heap]) await measure(page);
} finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
}
