"""Faults of tests/faults: a PostgreSQL that is frozen, full of connections, closed to us, or a standby."""

import collections
import os
import random
import signal
import subprocess
import threading
import time

from faults_clients import Scene
from faults_server import Fault, Postgres, await_that, demand, send_signal

# The seconds that a request waits for a connection (data.wait), and what a busy machine may add.
WAIT, SLACK = 2, 1
# The seconds that each fault lasts, the time after its begin from which on answers count, and the longest recovery.
LASTS, BEGINS, HEAL = 5, 0.5, 15


class Outage:
    """A way in which the database does not serve, and the way back."""

    # True if reads are served meanwhile.
    reads = False

    def __init__(self, postgres):
        self.postgres = postgres

    def __enter__(self):
        self.begin()

    def __exit__(self, *_):
        self.end()


class Frozen(Outage):
    def begin(self):
        # The first process stops first: it begins no other behind our list.
        send_signal(self.postgres.process.pid, signal.SIGSTOP)
        time.sleep(0.05)
        self.signal(signal.SIGSTOP)

    def end(self):
        self.signal(signal.SIGCONT)

    def signal(self, number):
        for process in self.postgres.pids():
            send_signal(process, number)


class Full(Outage):
    """Others have all connections. Ours are kept away while they take them, since each one free is ours at once."""

    def begin(self):
        self.limit(0)
        end_connections(self.postgres)
        ours = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'app'"
        demand(await_that(lambda: self.postgres.sql(ours) == ["0"], 20), "our connections do not end")
        places = int(self.postgres.sql("SELECT current_setting('max_connections')::int - 3")[0])
        words = ["psql", "-h", self.postgres.folder, "-p", str(self.postgres.port), "-U", "other", "-d", "postgres"]
        sleeps = [*words, "-XAtqc", "SELECT pg_sleep(60)"]
        self.clients = []
        count = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'other'"

        def taken():
            # The connection that counts may have the place of one that comes.
            missing = places - int(self.postgres.sql(count)[0])
            for _ in range(missing):
                self.clients.append(subprocess.Popen(sleeps, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            return missing == 0

        demand(await_that(taken, 20, 0.5), "the connections cannot be taken")
        self.limit(-1)

    def end(self):
        # A client that is killed leaves its statement running on the server.
        end_connections(self.postgres, "usename = 'other'")
        for client in self.clients:
            client.wait()

    def limit(self, connections):
        self.postgres.sql(f"ALTER ROLE app CONNECTION LIMIT {connections}")


class Closed(Outage):
    """The password is wrong: the server asks for one from now on."""

    def begin(self):
        self.rules("scram-sha-256")
        end_connections(self.postgres)

    def end(self):
        self.rules("trust")

    def rules(self, method):
        with open(os.path.join(self.postgres.data, "pg_hba.conf"), "w") as file:
            file.write(f"local all all trust\nhost all all 127.0.0.1/32 {method}\n")
        self.postgres.sql("SELECT pg_reload_conf()")


class Standby(Outage):
    """The server comes back as a standby, which takes no writes, and becomes the primary later."""

    reads = True

    def begin(self):
        self.postgres.stop()
        path = os.path.join(self.postgres.data, "standby.signal")
        with open(path, "w"):
            owner = os.stat(self.postgres.data)
        os.chown(path, owner.st_uid, owner.st_gid)
        self.postgres.start()

    def end(self):
        self.postgres.sql("SELECT pg_promote()")


def end_connections(postgres, which="true"):
    postgres.sql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                 f" AND backend_type = 'client backend' AND {which}")


# Clients of each node that begin to write meanwhile: more than it has connections.
PROBES = 12
OUTAGES = {"frozen": Frozen, "no connection left": Full, "wrong password": Closed, "standby": Standby}


def database(lab, count):
    """Has the database not serve in each way, under load; requests meanwhile are 503 in time, and writes come back."""
    postgres = Postgres(lab, "faulty")
    postgres.sql("CREATE ROLE other LOGIN")
    postgres.sql("ALTER SYSTEM SET max_connections = 30")
    postgres.sql("ALTER SYSTEM SET log_connections = on")
    postgres.stop()
    postgres.start()
    scene = Scene(lab, "database", postgres.url, 2).start()
    figures = {"times": 0}
    with scene.load() as load:
        for _ in range(count):
            for name, kind in OUTAGES.items():
                figures[name] = try_outage(name, kind(postgres), scene, load)
                figures["times"] += 1
    return {**figures, **scene.judge()}


def probe(load, server, until):
    """Writes one after another until a moment."""
    while time.monotonic() < until:
        load.create(server, random)
        time.sleep(0.05)


def try_outage(name, outage, scene, load):
    """Makes one fault; returns the answers while it lasted, the longest of them, and the seconds to the next write."""
    load.heals(30)
    with outage:
        time.sleep(BEGINS)
        began = time.monotonic()
        # Those of the load may wait still for what they asked before, and some of these take connections that were free.
        words = [(load, server, began + LASTS - WAIT) for server in scene.servers for _ in range(PROBES)]
        probes = [threading.Thread(target=probe, args=arguments) for arguments in words]
        for thread in probes:
            thread.start()
        time.sleep(LASTS)
        ready = [server.name for server in scene.servers if server.ready()]
        ended = time.monotonic()
    for thread in probes:
        thread.join()
    try:
        healed = max(load.heals(HEAL, server.name) for server in scene.servers)
    except Fault as error:
        raise Fault(f"{name}: {error}; answers {dict(scene.ledger.answers(began))}") from error
    with scene.ledger.lock:
        attempts = [attempt for entry in scene.ledger.entries for attempt in entry.attempts]
    longest = max((end - sent for _, sent, _, end in attempts if began <= sent <= ended - WAIT), default=0.0)
    held = max((end - sent for _, sent, _, end in attempts if sent < began < end), default=0.0)
    # What was sent meanwhile and is answered behind it may be done.
    answers = collections.Counter(status for _, sent, status, end in attempts if began <= sent and end <= ended)
    seen = f"{dict(answers)}, longest {longest:.1f} s, of those under way {held:.1f} s, writes again {healed:.2f} s, ready meanwhile {len(ready)}"
    demand(answers, f"{name}: no request was sent and answered meanwhile, so nothing is known")
    demand(not any(isinstance(status, int) and status < 300 for status in answers), f"{name}: writes are done: {seen}")
    demand(set(answers) <= {503}, f"{name}: other answers than 503: {seen}")
    # A single host that takes no writes still serves reads, so a node may be ready.
    demand(outage.reads or not ready, f"{name}: a node says that it is ready: {seen}")
    demand(longest <= (WAIT + SLACK) * scene.lab.patience, f"{name}: a request waited too long: {seen}")
    return seen
