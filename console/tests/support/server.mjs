// Servers of the tests: the real binary on a free port and a folder of its own, which goes when the server ends.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { database, vacuum } from "./postgres.mjs";

const binary = process.env["PLINTH"];
if (binary === undefined) throw new Error("PLINTH names the binary: PLINTH=target/release/plinth node --test tests/");

const isPostgres = process.env["TEST_ENGINE"] === "postgres";

/** The options that name the store of one server: a folder of its own, and a database where PostgreSQL is tested. */
function storeIn(folder) {
    const options = ["--data", join(folder, "data")];
    return isPostgres ? [...options, "--postgres", database()] : options;
}

/** Servers that a failed test left behind must not outlive it. */
const running = new Set();
process.on("exit", () => {
    for (const server of running) server.end();
});

/** Serves one of the examples: `world`, `shop` or `helpdesk`. */
export async function demo(example, { env = {} } = {}) {
    const folder = mkdtempSync(join(tmpdir(), "plinth-console-"));
    const store = storeIn(folder);
    return started(folder, store, ["demo", example, ...store, "--listen", "127.0.0.1:0", "--json"], env);
}

/**
 * Applies the files (path to text) of a tenant, with rows of CSV files by their type, and gives its user `admin` the
 * password; returns a key of that user.
 */
function applied(folder, store, name, files, password, imports) {
    for (const [path, text] of Object.entries(files)) {
        const file = join(folder, name, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
    }
    command(["apply", join(folder, name), ...store]);
    const tenant = /^tenant: (\S+)/m.exec(files["tenant.yaml"] ?? "")?.[1];
    const of = tenant === undefined ? store : [...store, "--tenant", tenant];
    for (const [type, file] of Object.entries(imports)) command(["import", type, file, "--exclusive", ...of]);
    command(["user", "password", "admin", "--password-stdin", ...of], `${password}\n`);
    return JSON.parse(command(["key", "create", "admin", ...of, "--json"])).keyString;
}

/**
 * Serves a tenant that is given as files (path to text), with the user `admin` and rows of CSV files by their type
 * (`imports`); `others` are further tenants, whose keys are in `keys`.
 */
export async function tenant(files, { password = "correct horse battery", others = [], imports = {} } = {}) {
    const folder = mkdtempSync(join(tmpdir(), "plinth-console-"));
    const store = storeIn(folder);
    const key = applied(folder, store, "tenant0", files, password, imports);
    const keys = others.map((one, at) => applied(folder, store, `tenant${at + 1}`, one, password, {}));
    if (isPostgres && Object.keys(imports).length > 0) vacuum(store.at(-1));
    const args = (listen) => ["serve", ...store, "--listen", listen, "--json"];
    const server = await started(folder, store, args("127.0.0.1:0"), {});
    const { host } = new URL(server.url);
    return Object.assign(server, {
        user: "admin",
        password,
        key,
        keys,
        /** Starts a killed server again, at its address and with its data. */
        again: async () => Object.assign(server, await started(folder, store, args(host), {}), { url: server.url }),
    });
}

function command(args, input = "") {
    const { status, stdout, stderr } = spawnSync(binary, args, { input, encoding: "utf8" });
    if (status !== 0) throw new Error(`plinth ${args.slice(0, 2).join(" ")}: ${stderr}${stdout}`);
    return stdout;
}

async function started(folder, store, args, env) {
    const child = spawn(binary, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
    let log = "";
    child.stderr.on("data", (chunk) => {
        log = (log + String(chunk)).slice(-200_000);
    });
    const server = {
        folder,
        /** Gives a user of the tenant a password, and answers it. */
        setPassword(login, password = `${login} has a long password`) {
            command(["user", "password", login, "--password-stdin", ...store], `${password}\n`);
            return password;
        },
        end() {
            running.delete(server);
            child.kill("SIGTERM");
        },
        /** Ends at once, in the middle of whatever it does. */
        async kill() {
            const ended = new Promise((resolve) => child.once("exit", resolve));
            running.delete(server);
            child.kill("SIGKILL");
            await ended;
        },
        async stop() {
            const ended = child.exitCode !== null ? null : new Promise((resolve) => child.once("exit", resolve));
            server.end();
            await ended;
            rmSync(folder, { recursive: true, force: true });
        },
        log: () => log,
    };
    running.add(server);
    let output = "";
    const line = await new Promise((resolve, reject) => {
        child.stdout.on("data", (chunk) => {
            output += String(chunk);
            const end = output.indexOf("\n");
            if (end >= 0) resolve(output.slice(0, end));
        });
        child.once("exit", (code) => reject(new Error(`plinth ended with ${code}: ${log}`)));
        child.once("error", reject);
    });
    const told = JSON.parse(line);
    return Object.assign(server, told, { url: told.url ?? told.listening });
}

/** The API with a key, beside the console: what it answers is what the console must show. */
export function client(server) {
    return async function api(method, path, body, headers = {}) {
        const answer = await fetch(`${server.url}/api/ext/v1/${path}`, {
            method,
            headers: {
                key: server.key,
                ...(body === undefined ? {} : { "Content-Type": "application/json" }),
                ...headers,
            },
            body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
        });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
        return text === "" ? null : JSON.parse(text);
    };
}
