// A page in Chromium whose module script uses the client from another origin.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const { URL: url, KEY: key, CHROMIUM: chromium } = process.env;
const page = `<!doctype html><title>page</title><p id="said">nothing</p>
<script type="importmap">{"imports": {"plinth-client": "/client/index.js"}}</script>
<script type="module">
import { connect, etagOf } from "plinth-client";
const said = document.getElementById("said");
try {
    const api = connect({ url: ${JSON.stringify(url)}, key: ${JSON.stringify(key)} });
    const page = await api.country.list({ where: { code: "CZ" }, select: { name: true, cities: { name: true, $limit: 1 } } });
    const made = await api.country.create({ name: "Page", code: "XP" });
    const now = await api.country.patch(made.id, { population: 5 }, { ifMatch: etagOf(made) });
    await api.country.delete(made.id);
    said.textContent = [page.data[0].name, page.data[0].cities[0].name, now.population].join(", ");
} catch (error) {
    said.textContent = String(error);
}
</script>`;

const server = createServer(async (request, response) => {
    const script = /^\/client\/([a-z-]+\.js)$/.exec(request.url ?? "");
    response.setHeader("Content-Type", script ? "text/javascript" : "text/html");
    response.end(script ? await readFile(`node_modules/plinth-client/dist/${script[1]}`) : page);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--timeout=60000", "--dump-dom"];
const address = `http://127.0.0.1:${server.address().port}/`;
const dom = await new Promise((resolve, reject) => {
    execFile(chromium, [...options, address], { timeout: 120_000 }, (error, out) => (error ? reject(error) : resolve(out)));
});
server.close();
server.closeAllConnections();
assert.match(dom, /<p id="said">Czechia, Prague, 5<\/p>/);
console.log("TypeScript: the client did its work on a page in Chromium.");
