// Servers of the tests: the real binary on a free port and a folder of its own, which goes when the server ends.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const binary = process.env["PLINTH"];
if (binary === undefined) throw new Error("PLINTH names the binary: PLINTH=target/release/plinth node --test tests/");

/** Servers that a failed test left behind must not outlive it. */
const running = new Set();
process.on("exit", () => {
    for (const server of running) server.end();
});

/** Serves one of the examples: `world`, `shop` or `helpdesk`. */
export async function demo(example, { env = {} } = {}) {
    const folder = mkdtempSync(join(tmpdir(), "plinth-console-"));
    const args = ["demo", example, "--data", join(folder, "data"), "--listen", "127.0.0.1:0", "--json"];
    return started(folder, args, env);
}

/** Applies the files (path to text) of a tenant, and gives its user `admin` the password; returns a key of that user. */
function applied(folder, data, name, files, password) {
    for (const [path, text] of Object.entries(files)) {
        const file = join(folder, name, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
    }
    command(["apply", join(folder, name), "--data", data]);
    const tenant = /^tenant: (\S+)/m.exec(files["tenant.yaml"] ?? "")?.[1];
    const of = ["--data", data, ...(tenant === undefined ? [] : ["--tenant", tenant])];
    command(["user", "password", "admin", "--password-stdin", ...of], `${password}\n`);
    return JSON.parse(command(["key", "create", "admin", ...of, "--json"])).keyString;
}

/**
 * Serves a tenant that is given as files (path to text), with the user `admin`; `others` are further tenants, whose
 * keys are in `keys`.
 */
export async function tenant(files, { password = "correct horse battery", others = [] } = {}) {
    const folder = mkdtempSync(join(tmpdir(), "plinth-console-"));
    const data = join(folder, "data");
    const [key, ...keys] = [files, ...others].map((one, at) => applied(folder, data, `tenant${at}`, one, password));
    const args = (listen) => ["serve", "--data", data, "--listen", listen, "--json"];
    const server = await started(folder, args("127.0.0.1:0"), {});
    const { host } = new URL(server.url);
    return Object.assign(server, {
        user: "admin",
        password,
        key,
        keys,
        /** Starts a killed server again, at its address and with its data. */
        again: async () => Object.assign(server, await started(folder, args(host), {}), { url: server.url }),
    });
}

function command(args, input = "") {
    const { status, stdout, stderr } = spawnSync(binary, args, { input, encoding: "utf8" });
    if (status !== 0) throw new Error(`plinth ${args.slice(0, 2).join(" ")}: ${stderr}${stdout}`);
    return stdout;
}

async function started(folder, args, env) {
    const child = spawn(binary, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
    let log = "";
    child.stderr.on("data", (chunk) => {
        log = (log + String(chunk)).slice(-200_000);
    });
    const server = {
        folder,
        /** Gives a user of the tenant a password, and answers it. */
        setPassword(login, password = `${login} has a long password`) {
            command(["user", "password", login, "--password-stdin", "--data", join(folder, "data")], `${password}\n`);
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
