// Measures the built files as brotli sends them, and fails beyond the budgets: node sizes.mjs [folder of the build]

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const budgets = { first: 100, chunk: 40, chart: 25 };
/** What is loaded until a grid and a form are seen, in the larger of the languages. */
const firstScreens = ["src/screens/Collection.svelte", "src/screens/Record.svelte", "src/screens/RecordPanel.svelte"];
const languages = ["src/text/en/index.ts", "src/text/cs/index.ts"];

const dist = process.argv[2] ?? join(import.meta.dirname, "dist");
const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));

const measured = new Map();
function size(name) {
    if (!measured.has(name)) {
        const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
        measured.set(name, brotliCompressSync(readFileSync(join(dist, name)), options).length);
    }
    return measured.get(name);
}

/** The key of a file: the page names files. */
const keyOf = new Map(Object.entries(manifest).map(([key, chunk]) => [chunk.file, key]));

/** The files of a chunk, with those that it imports at once. */
function files(key, found = new Set()) {
    const chunk = manifest[key];
    if (chunk === undefined || found.has(chunk.file)) return found;
    found.add(chunk.file);
    for (const css of chunk.css ?? []) found.add(css);
    for (const imported of chunk.imports ?? []) files(imported, found);
    return found;
}

function sum(names) {
    return [...names].reduce((total, name) => total + size(name), 0);
}

const page = readFileSync(join(dist, "index.html"), "utf8");
const named = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, name]) => name);
const entry = new Set(named.flatMap((name) => [name, ...files(keyOf.get(name))]));
const first = new Set([...entry, ...firstScreens.flatMap((key) => [...files(key)])]);
const language = languages.map((key) => [...files(key)]).sort((one, other) => sum(other) - sum(one))[0] ?? [];
for (const name of language) first.add(name);

const rows = [{ name: "first load", bytes: sum(first), budget: budgets.first }];
for (const name of [...first].sort((one, other) => size(other) - size(one)))
    rows.push({ name: `  ${name}`, bytes: size(name) });
for (const [key, chunk] of Object.entries(manifest)) {
    if (!chunk.isDynamicEntry || languages.includes(key) || firstScreens.includes(key)) continue;
    const isChart = key.startsWith("src/chart/");
    // A chart comes after the screen that shows it, and shares what that has loaded.
    const more = (isChart ? [chunk.file, ...(chunk.css ?? [])] : [...files(key)]).filter((name) => !first.has(name));
    const budget = isChart ? budgets.chart : budgets.chunk;
    rows.push({ name: key.replace(/^src\//, ""), bytes: sum(more), budget });
}

let failed = false;
for (const { name, bytes, budget } of rows) {
    const over = budget !== undefined && bytes > budget * 1000;
    failed ||= over;
    const limit = budget === undefined ? "" : `of ${budget}${over ? "  TOO LARGE" : ""}`;
    console.log(`${(bytes / 1000).toFixed(1).padStart(7)} KB  ${name.padEnd(44)} ${limit}`);
}
process.exit(failed ? 1 : 0);
