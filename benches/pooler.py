#!/usr/bin/env python3
"""Prints requests a second by way of PgBouncer with deploy/pgbouncer.ini, and straight to PostgreSQL, measured in turns.

Usage: benches/pooler.py PLINTH. ROUNDS (5), SECONDS (4) and CLIENTS (16) change the run. Both nodes use one database, whose
role has the settings of requests. It needs Debian's postgresql, pgbouncer and wrk.
"""

import json, os, re, shutil, signal, statistics, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from faults_server import Postgres, Server, ask, await_that, free_port

rounds, seconds, clients = (int(os.environ.get(name, least)) for name, least in (("ROUNDS", 5), ("SECONDS", 4), ("CLIENTS", 16)))
FILES = {
    "tenant.yaml": "tenant: acme\napi: {rate: 0}\n",
    "roles/admin.yaml": 'role: admin\nsystem: ["*"]\ntypes: {"*": {show: true, edit: true}}\n',
    "types/ticket.yaml": "name: ticket\nproperties:\n  subject: {kind: pString, index: true}\n  views: {kind: pInteger, index: true}\n",
}
TICKET = '{"subject": "Ticket of the bench", "views": 7}'


class Lab:
    """What the parts of tests/faults need."""

    is_over = False

    def __init__(self):
        self.program, self.parts, self.folder = os.path.abspath(sys.argv[1]), [], tempfile.mkdtemp(prefix="plinth-pooler-")
        os.chmod(self.folder, 0o755)


class Pooler:
    """PgBouncer with the lines of the file for operators, but for addresses and the way to sign in."""

    def __init__(self, lab, postgres):
        with open(os.path.join(ROOT, "deploy", "pgbouncer.ini")) as file:
            lines = file.read().partition("; Each transaction gets")[2].partition("\n")[2]
        self.port = free_port()
        path = os.path.join(lab.folder, "pgbouncer.ini")
        with open(path, "w") as file:
            file.write(f"[databases]\n* = host={postgres.folder} port={postgres.port} user=app\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
                       f"listen_port = {self.port}\nauth_type = any\nmax_client_conn = 200\n{lines}")
        program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
        self.process = subprocess.Popen([*postgres.user, program, "-q", path], cwd=postgres.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        lab.parts.append(self)
        answers = lambda: subprocess.run([f"{postgres.bins}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode == 0
        assert await_that(answers, 20), "PgBouncer does not start"

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=20)


def rate(lab, server, key, operation, first):
    """Returns the answers a second that were good."""
    script = os.path.join(lab.folder, operation + ".lua")
    method, path = {"get": ("GET", f"/api/v1/collection/ticket/{first}"), "list": ("GET", "/api/v1/collection/ticket?perPage=20&orderBy=views"),
                    "create": ("POST", "/api/v1/collection/ticket")}[operation]
    body = TICKET if method == "POST" else ""
    with open(script, "w") as file:
        # What is cached says nothing of the database.
        file.write(f'wrk.method = "{method}"\nwrk.body = [[{body}]]\nwrk.headers["content-type"] = "application/json"\n'
                   f'wrk.headers["key"] = "{key}"\nwrk.headers["cache-control"] = "no-cache"\n')
    told = subprocess.run(["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "-s", script, f"http://127.0.0.1:{server.port}{path}"],
                          capture_output=True, text=True, check=True).stdout
    assert "Non-2xx" not in told, told
    return float(re.search(r"Requests/sec:\s+([\d.]+)", told).group(1))


def main():
    lab = Lab()
    try:
        postgres = Postgres(lab)
        pooler = Pooler(lab, postgres)
        straight = Server(lab, "straight", postgres.url)
        key = straight.make_tenant("acme", FILES)
        for setting in re.findall(r"ALTER ROLE app IN DATABASE plinth SET .*", open(os.path.join(ROOT, "docs", "operation.md")).read().replace("ROLE plinth IN", "ROLE app IN")):
            postgres.sql(setting.replace("DATABASE plinth", "DATABASE app"))
        pooled = Server(lab, "pooled", f"postgresql://app@127.0.0.1:{pooler.port}/app", [("PLINTH_POSTGRES_POOLER", "transaction")], data=straight.data)
        servers = {"straight": straight, "pooled": pooled}
        for server in servers.values():
            server.start()
        for _ in range(1000):
            status, content, _ = ask(straight.port, "POST", "/api/v1/collection/ticket", TICKET, key)
            assert status == 201, content
        first = json.loads(content)["id"]
        print(f"load {os.getloadavg()[0]:.0f}, {clients} clients, {rounds} rounds of {seconds} s: median of requests a second")
        for operation in ("get", "list", "create"):
            found = {name: [] for name in servers}
            for turn in range(rounds):
                for name in sorted(servers, reverse=turn % 2 == 0):
                    found[name].append(rate(lab, servers[name], key, operation, first))
            ratios = [after / before for before, after in zip(found["straight"], found["pooled"])]
            told = "  ".join(f"{name} {statistics.median(rates):7.0f}" for name, rates in found.items())
            print(f"{operation:7} {told}  ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})", flush=True)
    finally:
        while lab.parts:
            lab.parts.pop().stop()
        shutil.rmtree(lab.folder, ignore_errors=True)


main()
