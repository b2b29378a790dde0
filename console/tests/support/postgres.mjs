// A PostgreSQL cluster of this process's own, for the tests under `TEST_ENGINE=postgres`. It ends with the process.

import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAMS = ["initdb", "postgres", "psql"];
const NOT_FOUND = `initdb, postgres and psql are neither on PATH nor in /usr/lib/postgresql/*/bin. Install the package
postgresql, or name their folder in POSTGRES_BIN. A cluster that runs already is never used.`;

// The end of standard input ends the cluster: this process alone holds the other end, however it ends.
const WATCHDOG = `
cd "$1" || exit 1
trap '' HUP INT TERM
"$2/initdb" --no-sync --no-instructions -A trust -E UTF8 --locale=C -U postgres -D data >log 2>&1 </dev/null || exit 1
"$2/postgres" -D data -k "$1" -c listen_addresses= -c fsync=off -c full_page_writes=off -c synchronous_commit=off \\
    -c wal_level=minimal -c max_wal_senders=0 -c jit=off >>log 2>&1 </dev/null &
postmaster=$!
cat >/dev/null
kill -QUIT "$postmaster"
wait "$postmaster"
cd / && rm -rf "$1"`;

let cluster;
let made = 0;

/** Makes an empty database, and returns its URL. */
export function database() {
    cluster ??= start();
    const name = `console${(made += 1)}`;
    const { status, stderr } = cluster.ask(`CREATE DATABASE ${name}`);
    if (status !== 0) throw new Error(`CREATE DATABASE: ${stderr}`);
    return `postgresql://postgres@${encodeURIComponent(cluster.folder)}:5432/${name}?connect_timeout=60`;
}

/** Does what autovacuum does within a minute of a large import. */
export function vacuum(url) {
    const { status, stderr } = cluster.ask("VACUUM ANALYZE", new URL(url).pathname.slice(1));
    if (status !== 0) throw new Error(`VACUUM: ${stderr}`);
}

function start() {
    const binaries = folderOfPrograms();
    const folder = mkdtempSync(join(tmpdir(), "plinth-postgres-"));
    // PostgreSQL refuses to run as root.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (nobody.uid !== undefined) chownSync(folder, nobody.uid, nobody.gid);
    const watchdog = spawn("bash", ["-c", WATCHDOG, "watchdog", folder, binaries], {
        stdio: ["pipe", "ignore", "inherit"],
        detached: true,
        ...nobody,
    });
    watchdog.unref();
    watchdog.stdin.unref();
    const ask = (statement, database = "postgres") =>
        spawnSync(join(binaries, "psql"), ["-h", folder, "-U", "postgres", "-d", database, "-c", statement], {
            encoding: "utf8",
        });
    for (let attempt = 0; ask("SELECT 1").status !== 0; attempt += 1) {
        if (attempt > 300) throw new Error(`the cluster in ${folder} does not answer: see its log`);
        spawnSync("sleep", ["0.2"]);
    }
    return { folder, ask };
}

function folderOfPrograms() {
    const named = process.env["POSTGRES_BIN"];
    const installed = "/usr/lib/postgresql";
    const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
    const folders = named === undefined ? (process.env["PATH"] ?? "").split(":") : [named];
    folders.push(...versions.map((version) => join(installed, version, "bin")));
    const found = folders.find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))));
    if (found === undefined) throw new Error(NOT_FOUND);
    return found;
}
