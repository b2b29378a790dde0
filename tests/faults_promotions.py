"""A fault of tests/faults: the primary of a pair ends or falls silent, and its standby is promoted under load."""

import os
import signal
import subprocess
import time

from faults_clients import Scene
from faults_server import Postgres, await_that, demand, postgres_programs, send_signal

# The seconds from the end of the primary to the promotion, in which nodes find out; and the goal behind it.
BEFORE, GOAL = 4, 1.0


class Standby(Postgres):
    """A server that follows another one, on a port that is kept."""

    def __init__(self, lab, primary, port, number):
        self.lab, self.name = lab, f"member-{number}"
        self.folder, self.bins, self.user = os.path.join(lab.folder, self.name), postgres_programs(), primary.user
        os.makedirs(self.folder)
        owner = os.stat(primary.folder)
        os.chown(self.folder, owner.st_uid, owner.st_gid)
        self.data, self.port, self.process = os.path.join(self.folder, "data"), port, None
        words = ["-h", primary.folder, "-p", str(primary.port), "-U", "plinth", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "--no-sync"]
        subprocess.run([*self.user, f"{self.bins}/pg_basebackup", *words], check=True, cwd=self.folder)
        lab.parts.append(self)
        self.start()
        # Its own file of settings: it waits for no other once it is the primary.
        wait_for_none(self)
        follows = "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'"
        demand(await_that(lambda: primary.sql(follows), 30), "the standby does not follow")
        primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.sql("SELECT pg_reload_conf()")
        follows = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
        demand(await_that(lambda: primary.sql(follows), 30), "commits do not wait for the standby")


def wait_for_none(postgres):
    postgres.sql("ALTER SYSTEM SET synchronous_standby_names = ''")
    postgres.sql("SELECT pg_reload_conf()")


class Console:
    """A connection of psql that stays open: a program for each look takes longer than the looks."""

    def __init__(self, postgres):
        words = ["psql", "-h", postgres.folder, "-p", str(postgres.port), "-U", "plinth", "-d", "postgres", "-XAtq"]
        self.program = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, text):
        self.program.stdin.write(text + "\n")
        return self.program.stdout.readline().strip()

    def end(self):
        self.program.stdin.close()
        self.program.wait(timeout=10)


def promote(standby):
    """Promotes a standby; returns the moments of the order, of the first look that finds it writable, and of the end of
    a write of psql that begins then: on a busy machine PostgreSQL itself takes its time."""
    console = Console(standby)
    ordered = time.monotonic()
    console.ask("SELECT pg_promote(wait => false);")
    demand(await_that(lambda: console.ask("SHOW transaction_read_only;") == "off", 30, 0.001), "the standby stays one")
    writable = time.monotonic()
    standby.sql("SET default_transaction_read_only = off; SELECT pg_logical_emit_message(true, 'first', 'write')")
    written = time.monotonic()
    console.end()
    return ordered, writable, written


def first_writes(scene, ordered):
    """Returns the moment of the first write that each node acknowledged since the order, once there is one of each."""
    def found():
        first = {}
        with scene.ledger.lock:
            for entry in scene.ledger.entries[-2000:]:
                for node, _, status, end in entry.attempts:
                    if isinstance(status, int) and status < 300 and end >= ordered:
                        first[node] = min(end, first.get(node, end))
        return first if len(first) == len(scene.servers) else None

    first = await_that(found, 30, 0.02)
    demand(first, "no write is done behind the promotion")
    return first


def promotions(lab, count):
    """Promotes standbys in turn; half of the primaries end, the others fall silent."""
    primary = Postgres(lab, "member-0")
    others = Postgres(lab, "port")
    ports = [primary.port, others.port]
    others.stop()
    hosts = ",".join(f"127.0.0.1:{port}" for port in ports)
    scene = Scene(lab, "promotions", f"postgresql://app@{hosts}/app?target_session_attrs=read-write", 2).start()
    waits, own = {"ended": [], "silent": []}, []
    with scene.load() as load:
        for number in range(count):
            load.heals(30)
            standby = Standby(lab, primary, ports[(number + 1) % 2], number + 1)
            time.sleep(0.5)
            way = list(waits)[number % 2]
            if way == "ended":
                primary.kill()
            else:
                send_signal(primary.process.pid, signal.SIGSTOP)
                time.sleep(0.05)
                for process in primary.pids():
                    send_signal(process, signal.SIGSTOP)
            time.sleep(BEFORE)
            ordered, writable, written = promote(standby)
            found = [max(0.0, moment - writable) for moment in first_writes(scene, ordered).values()]
            waits[way] += found
            own.append(written - writable)
            if way == "silent":
                primary.kill()
            lab.parts.remove(primary)
            primary = standby
    figures = {"promotions": count}
    for name, found in [*((f"first write of a node, primary {way}", found) for way, found in waits.items()), ("first write of psql", own)]:
        if found:
            found.sort()
            middle, late = found[len(found) // 2], found[int((len(found) - 1) * 0.9)]
            figures[name] = f"median {middle * 1e3:.0f} ms, p90 {late * 1e3:.0f} ms, most {found[-1] * 1e3:.0f} ms, of {len(found)}"
    longest = max(map(max, filter(None, waits.values())))
    figures.update(scene.judge())
    demand(longest <= GOAL * lab.patience, f"a node wrote after {longest:.2f} s", figures)
    return figures
