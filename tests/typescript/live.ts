// A program against a live demo: each method of the client does what its types say.
import assert from "node:assert/strict";
import { etagOf, PlinthError } from "plinth-client";
import { connect } from "./world.js";

const options = { url: process.env["URL"]!, key: process.env["KEY"]! };
const api = connect(options);

const refused = async (status: number, code: string, promise: Promise<unknown>): Promise<PlinthError> => {
    const error: unknown = await promise.then(() => assert.fail("It was not refused."), (error: unknown) => error);
    assert(error instanceof PlinthError, String(error));
    assert.deepEqual([error.status, error.code], [status, code], error.detail);
    return error;
};

async function reads(): Promise<void> {
    const page = await api.country.list({
        where: { continent: { in: ["EU"] }, cities: { some: { population: { gte: 3_000_000 } } }, $or: [{ code: "DE" }, { code: "RU" }] },
        select: {
            code: true,
            cities: { name: true, $limit: 2, $where: { population: { gte: 1_000_000 } }, $orderBy: ["-population"], $count: true, $max: { population: true } },
        },
        orderBy: "code",
    });
    assert.equal(page.stats.total, 2);
    const germany = page.data[0]!;
    assert.equal(germany.code, "DE");
    assert.deepEqual(germany.cities.map((city) => city.name), ["Berlin", "Hamburg"]);
    assert(germany["cities.$count"] > 2 && germany["cities.$more"] === true, JSON.stringify(germany));
    assert(germany["cities.$max.population"]! > 3_000_000);
    const city = await api.city.get(germany.cities[0]!.id, { select: { country: { code: true, cities: { $count: true } }, created: true } });
    assert.equal(city.country?.code, "DE");
    assert(city.country["cities.$count"] > 100 && !Number.isNaN(Date.parse(city.created)));
    assert.equal((await api.country.by("code", "CZ")).name, "Czechia");
    const none = await api.country.list({ where: { code: "00" } });
    assert.deepEqual([none.data, none.stats.total], [[], 0]);
    assert.equal((await api.country.list({ where: { capital: { like: "Pra%" }, $not: { code: "XX" }, population: { between: [1, null] } } })).stats.total, 2);
    await refused(404, "item_missing", api.country.get(999_999));
    await assert.rejects(api.city.list({ where: JSON.parse('{"name": ["x"]}') }), /The filter name is an array/);
}

async function iterates(): Promise<void> {
    const where = { country: { is: { code: "AT" } } };
    const { stats } = await api.city.list({ where, perPage: 1 });
    const ids = new Set<number>();
    let last = 0;
    for await (const city of api.city.all({ where, select: { country: { code: true } }, perPage: 40 })) {
        assert(city.id > last && city.country?.code === "AT");
        last = city.id;
        ids.add(city.id);
    }
    assert(stats.total > 50, `${stats.total}`);
    assert.equal(ids.size, stats.total);
    for await (const _ of api.city.all({ where: { name: "Nowhere at all" } })) assert.fail();
}

async function groups(): Promise<void> {
    const { data, totals } = await api.city.aggregate({
        where: { population: { gt: 0 } },
        groupBy: [{ property: "country.continent", as: "continent" }],
        values: { cities: "count", large: { function: "count", where: { population: { gte: 5_000_000 } } }, people: { function: "sum", property: "population" } },
        having: { cities: { gte: 100 } },
        orderBy: "-people",
        totals: true,
    });
    assert.equal(data[0]!.continent, "AS");
    assert(data[0]!.large > 10 && totals!.cities > data[0]!.cities);
    const largest = await api.query("largest_cities", { least: 20_000_000 });
    assert.equal(largest.data[0]!.name, "Shanghai");
    assert.equal(largest.data[0]!.country?.name, "China");
    assert.deepEqual((await api.query("largest_cities", { least: 2_000_000_000 })).data, []);
    const continents = await api.query("continents", { least: 5_000_000 });
    assert.equal(continents.data[0]!.continent, "AS");
    assert(continents.totals.people > continents.data[0]!.people);
}

async function writes(): Promise<void> {
    const created = await api.country.create({ name: "Xanadu", code: "XA", population: 5 });
    const etag = etagOf(created);
    assert.match(etag, /^".+"$/);
    for (const other of [{ ...created }, { id: 1 }]) {
        let message = "";
        try {
            etagOf(other);
        } catch (error) {
            message = String(error);
        }
        assert.match(message, /has no ETag/);
    }
    const patched = await api.country.patch(created.id, { _add: { population: 2 } }, { ifMatch: etag, select: { population: true } });
    assert.deepEqual(patched, { id: created.id, population: 7 });
    await refused(412, "resource_changed", api.country.patch(created.id, { population: 8 }, { ifMatch: etag }));
    const taken = await refused(409, "unique", api.country.create({ name: "Other", code: "XA" }));
    assert.equal(taken.errors[0]?.property, "code");
    const there = await api.country.upsert({ code: "XA" }, { population: 9 }, { create: { name: "No" } });
    assert.deepEqual([there.id, there.name, there.population], [created.id, "Xanadu", 9]);
    const fresh = await api.country.upsert({ code: "XB" }, { population: 9 }, { create: { name: "Xebia" }, select: { name: true } });
    assert.equal(fresh.name, "Xebia");
    const many = await api.country.upsertMany("code", [{ set: { code: "XA", population: 1 } }, { set: { code: "XC" }, create: { name: "C" } }]);
    assert.deepEqual(many.results.map((result) => result.status), [200, 201]);
    const replaced = await api.country.replace(created.id, { name: "Xanadu", code: "XA" });
    assert.equal(replaced.population, null);
    await batches();
    for await (const country of api.country.all({ where: { code: { like: "X_" }, name: { neq: "Kosovo" } } })) await api.country.delete(country.id);
    await refused(404, "item_missing", api.country.get(created.id));
}

async function batches(): Promise<void> {
    const { country, city, seen } = await api.batch((b) => {
        const country = b.country.create({ name: "Yonder", code: "XY" });
        const city = b.city.create({ name: "Newtown", country, population: 10 });
        b.city.patch(city, { _add: { population: 5 } });
        const seen = b.city.get(city, { select: { population: true, country: { name: true } } });
        return { country, city, seen };
    });
    assert.equal(city.data?.country, country.id);
    assert.deepEqual(seen.data, { id: city.id, population: 15, country: { id: country.id, name: "Yonder" } });
    const error = await refused(409, "unique", api.batch((b) => [
        b.city.create({ name: "Never", country: country.id! }),
        b.country.create({ name: "Double", code: "XY" }),
    ]));
    assert.equal(error.operation, 1);
    assert.equal(error.errors[0]?.pointer, "/operations/1/set/code");
    assert.equal((await api.city.list({ where: { name: "Never" } })).stats.total, 0);
    const all = await api.batch((b) => void b.city.delete(city.id!));
    assert.equal(all[0]!.status, 204);
}

async function files(): Promise<void> {
    const exported = await api.country.export({ where: { continent: "OC" }, select: { code: true, name: true }, orderBy: "code", safe: true });
    const lines = (await exported.text()).trim().split(/\r?\n/);
    assert.equal(lines[0], "id,code,name");
    assert(lines.length > 20 && lines.some((line) => line.endsWith("NZ,New Zealand")), lines[1]);
    const making = await api.ended(await api.country.exportJob({ where: { continent: "OC" }, select: { code: true, name: true }, orderBy: "code", safe: true }));
    assert.deepEqual([making.kind, making.state], ["export", "done"]);
    const made = await fetch(new URL(String(making.result?.["url"]), options.url));
    assert.equal(await made.text(), await exported.text());
    const workbook = await api.country.export({ format: "xlsx" });
    assert.equal(new TextDecoder().decode((await workbook.arrayBuffer()).slice(0, 2)), "PK");
    // The server takes the file as a workbook, and reads `dates` for it.
    const read = await api.country.import(workbook, { format: "xlsx", mode: "update", key: "uuid", dates: "dmy", dryRun: true });
    assert(!("id" in read) && read.state === "done", JSON.stringify(read.problems));
    const rows = "Name,Code\nYonder,QM\nFaraway,QN\n";
    const mapping = { Name: "name", Code: "code" } as const;
    const tried = await api.country.import(rows, { mapping, dryRun: true });
    assert(!("id" in tried) && tried.state === "done");
    const imported = await api.country.import(new Blob([rows]), { mapping, mode: "upsert", key: "code" });
    assert.deepEqual("id" in imported ? imported : imported.result!["created"], 2);
    const where = { code: { in: ["QM", "QN"] } } as const;
    const trial = await api.country.bulk({ action: "delete", where, dryRun: true });
    assert(!("id" in trial) && trial.matched === 2 && trial.digest !== undefined);
    const set = { _add: { population: 1 } };
    await refused(409, "count_unexpected", api.country.bulk({ action: "patch", where, set, expect: 3 }));
    assert.deepEqual(await api.country.bulk({ action: "delete", where, digest: trial.digest }), { matched: 2, changed: 2, refused: [] });
    // More rows are a job.
    const cities = Array.from({ length: 1_200 }, (_, number) => JSON.stringify({ name: `Nowhere ${number}`, country: "CZ" })).join("\n");
    const begun = await api.city.import(cities, { format: "jsonl" });
    assert("id" in begun);
    let seen = 0;
    const job = await api.ended(begun, { onProgress: ({ total }) => (seen = total) });
    assert.deepEqual([job.state, job.done, job.problems], ["done", 1_200, []]);
    assert(seen === 0 || seen === 1_200);
    assert.equal((await api.job(begun.id)).state, "done");
    const gone = await api.city.bulk({ action: "delete", where: { name: { like: "Nowhere %" } }, limit: 2_000 });
    assert("id" in gone && (await api.ended(gone)).state === "done");
}

/** A network that fails: each answer is taken from a list, and null stands for the server's own. */
function failing(answers: (Response | Error | "lost" | null)[]): { api: typeof api; seen: string[] } {
    const seen: string[] = [];
    const fetched: typeof fetch = async (input, init) => {
        const headers = new Headers(init?.headers);
        seen.push(headers.get("Idempotency-Key") ?? "");
        const answer = answers.shift() ?? null;
        if (answer instanceof Error) throw answer;
        if (answer instanceof Response) return answer;
        const response = await fetch(input, init);
        if (answer === "lost") throw new TypeError("The connection broke.");
        return response;
    };
    return { api: connect({ ...options, fetch: fetched }), seen };
}

async function retries(): Promise<void> {
    const busy = () => new Response('{"detail": "Busy.", "code": "timeout"}', { status: 503 });
    const limited = () => new Response("{}", { status: 429, headers: { "Retry-After": "1" } });
    const started = Date.now();
    const passes = failing([busy(), limited()]);
    assert.equal((await passes.api.country.by("code", "CZ")).code, "CZ");
    assert(Date.now() - started >= 1_000);
    assert.deepEqual(passes.seen, ["", "", ""]);
    const fails = failing([busy(), busy(), busy()]);
    await refused(503, "timeout", fails.api.country.list());
    assert.equal(fails.seen.length, 3);
    const late = failing([new Response("{}", { status: 429, headers: { "Retry-After": "3600" } })]);
    await refused(429, "", late.api.country.list());
    const down = failing([new TypeError("a"), new TypeError("b"), new TypeError("c")]);
    await refused(0, "network", down.api.country.list());
    // The answer of a write gets lost: the second try changes nothing, and has the first one's answer.
    const lost = failing(["lost"]);
    const created = await lost.api.country.create({ name: "Once", code: "XO" });
    assert.equal(lost.seen.length, 2);
    assert(lost.seen[0] !== "" && lost.seen[0] === lost.seen[1]);
    assert.equal((await api.country.list({ where: { code: "XO" } })).stats.total, 1);
    await api.country.delete(created.id);
    const stop = new AbortController();
    const stopped = failing([busy()]).api.country.list({ signal: stop.signal });
    setTimeout(() => stop.abort(new Error("Enough.")), 20);
    await assert.rejects(stopped, /Enough/);
    // Other mistakes are told at once.
    await refused(403, "key_invalid", connect({ url: options.url, key: "plk_wrong" }).country.list());
}

await reads();
await iterates();
await groups();
await writes();
await files();
await retries();
console.log("TypeScript: the client did its work against a live server.");
