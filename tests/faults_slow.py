"""A fault of tests/faults: statements that take seconds, and disks that take long to save, below both engines."""

import collections
import os
import shutil
import subprocess
import threading
import time

from faults_clients import Scene
from faults_kills import p99
from faults_ledger import files_of
from faults_server import Missing, Postgres, ask, await_that, demand, read

# The seconds of a measurement with and without the fault, in the long form and in the short one.
LONG, SHORT = 12, 2
# The seconds that a lock is held, and that each fsync takes.
LOCK, SYNC = 5, 0.2
# The factor by which others may be slower; a p99 below this is not told apart; the seconds that nothing may exceed.
TIMES, LEAST, STUCK = 2, 0.02, 10
# The clients of the slow tenant, and the pause of each between its requests.
CLIENTS, PAUSE = 24, 0.2


class Readers:
    """Clients that read lists of a tenant all the time, and measure."""

    def __init__(self, server, key, count=2):
        self.server, self.key, self.seen, self.ending = server, key, [], threading.Event()
        self.threads = [threading.Thread(target=self.work, daemon=True) for _ in range(count)]

    def work(self):
        while not self.ending.is_set():
            self.seen.append(measured(self.server, "GET", "/t/acme/api/v1/collection/box?_noCache=1", None, self.key))
            time.sleep(0.01)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        for thread in self.threads:
            thread.join()


class SlowTenant(Readers):
    """Clients of the tenant that has the slow statements: each reads and writes in turn."""

    def work(self):
        turn = 0
        while not self.ending.is_set():
            turn += 1
            name = {"name": f"{threading.get_ident()}-{turn}"}
            words = ("POST", "", name) if turn % 2 else ("GET", "?_noCache=1", None)
            method, more, body = words
            self.seen.append(measured(self.server, method, f"/t/slow/api/v1/collection/box{more}", body, self.key))
            time.sleep(PAUSE)


def measured(server, method, path, body, key):
    """Sends a request; returns when it was sent, the status or the name of an error, and the seconds that it took."""
    sent = time.monotonic()
    try:
        status = ask(server.port, method, path, body, key)[0]
    except OSError as error:
        status = type(error).__name__
    return sent, status, time.monotonic() - sent


class Phase:
    """What clients saw between two moments."""

    def __init__(self, lab):
        self.began = time.monotonic()
        time.sleep(LONG if lab.patience == 1 else SHORT)
        self.ended = time.monotonic()

    def of(self, seen):
        """Returns what was under way meanwhile."""
        return [(status, span) for sent, status, span in seen if sent <= self.ended and sent + span >= self.began]

    def answers(self, seen):
        return dict(collections.Counter(status for status, _ in self.of(seen)))

    def p99(self, seen):
        return p99([span for _, span in self.of(seen)])


def writes(ledger):
    """Returns the writes of the ledger in the form of a measurement."""
    with ledger.lock:
        return [(sent, status, end - sent) for entry in ledger.entries for _, sent, status, end in entry.attempts]


def milliseconds(before, then):
    return f"{before * 1000:.0f} → {then * 1000:.0f}"


def is_slower(lab, before, then):
    return then > max(before, LEAST * min(lab.patience, 5)) * TIMES * lab.patience


def failed(answers):
    return {status: number for status, number in answers.items() if status not in range(200, 300)}


def slow(lab, count):
    """Has statements of one tenant take seconds, then each fsync of PostgreSQL, and of a node with SQLite."""
    if not shutil.which("strace"):
        raise Missing("strace is missing (Debian: apt-get install strace)")
    figures, problems = {"times": 0}, []
    for _ in range(count):
        for part in (locked, slow_sqlite, slow_postgres)[: None if lab.patience == 1 else 2]:
            part(lab, figures, problems)
            figures["times"] += 1
            lab.end_parts()
    demand(not problems, "\n".join(problems), figures)
    return figures


class Locks:
    """A session that locks all tables of a tenant's types again and again."""

    def __init__(self, postgres, tenant):
        schema = f"plinth_{tenant}"
        tables = postgres.own_sql(f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}' AND tablename ~ '^t[0-9]+$'")
        demand(tables, f"no tables are found in {schema}")
        names = ", ".join(f"{schema}.{table}" for table in tables)
        self.text = f"BEGIN; LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep({LOCK}); COMMIT"
        self.postgres, self.ending = postgres, threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)

    def work(self):
        while not self.ending.is_set():
            self.postgres.own_sql(self.text)
            time.sleep(0.3)

    def __enter__(self):
        self.thread.start()
        time.sleep(0.3)

    def __exit__(self, *_):
        self.ending.set()
        self.thread.join()


class OwnPostgres(Postgres):
    """A cluster whose database is asked by its owner, and that may start below strace."""

    def own_sql(self, text):
        words = ["-h", self.folder, "-p", str(self.port), "-U", "plinth", "-d", "app", "-XAtqc", text]
        return subprocess.run(["psql", *words], capture_output=True, text=True, timeout=60, check=True).stdout.splitlines()


def locked(lab, figures, problems):
    """Locks the tables of one tenant for five seconds, again and again; others have the other connections."""
    postgres = OwnPostgres(lab, "locked")
    scene = Scene(lab, "slow-locked", postgres.url)
    server = scene.servers[0]
    slow_key = server.make_tenant("slow", files_of("slow"))
    scene.start()
    with scene.load() as load, Readers(server, scene.key) as readers, SlowTenant(server, slow_key, CLIENTS) as slows:
        load.heals(30)
        time.sleep(1)
        calm = Phase(lab)
        with Locks(postgres, "slow"):
            during = Phase(lab)
    told = {"reads": readers.seen, "writes": writes(scene.ledger)}
    for what, seen in told.items():
        before, then = calm.p99(seen), during.p99(seen)
        figures[f"locks: others' {what}, p99 ms"] = milliseconds(before, then)
        bad = failed(during.answers(seen))
        if is_slower(lab, before, then):
            problems.append(f"locks of one tenant: others' {what} are slower: {milliseconds(before, then)} ms (p99)")
        if sum(bad.values()) > len(during.of(seen)) // 1000:
            problems.append(f"locks of one tenant: others' {what} fail: {bad}")
    answers, longest = during.answers(slows.seen), max(span for _, span in during.of(slows.seen))
    figures["locks: answers to the slow tenant"] = f"{answers}, longest {longest:.1f} s"
    if longest > STUCK or not set(answers) <= {200, 201, 204, 503}:
        problems.append(f"locks of one tenant: its own requests: {answers}, longest {longest:.1f} s")
    scene.judge()
    judge_node(server, problems)


def judge_node(server, problems):
    if not (server.running() and server.ready()):
        problems.append(f"{server.name} ended, or is not ready")


def below_strace(trace):
    """Returns the words in front of a command that make each of its calls that save take longer."""
    calls = "fsync,fdatasync"
    words = ["-D", "-f", "--seccomp-bpf", "-qq", "-o", trace, "-e", f"trace={calls}", "-e", "signal=none"]
    return ["strace", *words, "-e", f"inject={calls}:delay_exit={int(SYNC * 1_000_000)}"]


def end_at_once(postgres):
    """Kills a cluster, and waits for processes that strace holds."""
    ended = postgres.pids()
    postgres.kill()
    demand(await_that(lambda: not any(os.path.exists(f"/proc/{process}") for process in ended), 30), "PostgreSQL does not end")


def slow_postgres(lab, figures, problems):
    """Starts PostgreSQL below a strace that delays what its disk saves."""
    postgres = OwnPostgres(lab, "slow-disk")
    scene = Scene(lab, "slow-postgres", postgres.url).start()

    def start_again(words):
        # A slow disk takes long to end well; what is acknowledged needs no such end.
        if postgres.before:
            end_at_once(postgres)
        postgres.stop()
        postgres.before = words
        postgres.start()

    measure_disk("PostgreSQL", lab, scene, start_again, figures, problems)


def slow_sqlite(lab, figures, problems):
    """Starts a node below a strace that delays what its disk saves."""
    scene = Scene(lab, "slow-sqlite").start()
    server = scene.servers[0]

    def start_again(words):
        server.terminate()
        server.before = words
        server.start(server.port)

    measure_disk("SQLite", lab, scene, start_again, figures, problems)


def measure_disk(name, lab, scene, start_again, figures, problems):
    """Measures reads and writes with the disk as it is, and with one that takes long to save."""
    server, trace = scene.servers[0], os.path.join(lab.folder, f"trace-{name}")
    with scene.load() as load, Readers(server, scene.key) as readers:
        load.heals(30)
        time.sleep(1)
        calm = Phase(lab)
        start_again(below_strace(trace))
        load.heals(30)
        time.sleep(1)
        slow_phase = Phase(lab)
    saved = read(trace).count("(DELAYED)")
    if not saved:
        raise Missing("strace delays no calls here")
    written = writes(scene.ledger)
    for what, seen in {"reads": readers.seen, "writes": written}.items():
        before, then = calm.p99(seen), slow_phase.p99(seen)
        figures[f"fsync of {name} takes {SYNC:.1f} s: {what}, p99 ms"] = milliseconds(before, then)
        # Writes wait for the disk: they have no goal but to be done.
        if what == "reads" and is_slower(lab, before, then):
            problems.append(f"a slow disk of {name}: reads are slower: {milliseconds(before, then)} ms (p99)")
        bad = failed(slow_phase.answers(seen))
        if bad:
            problems.append(f"a slow disk of {name}: {what} fail: {bad} of {len(slow_phase.of(seen))}")
    longest = max(span for _, span in slow_phase.of(written))
    rates = [len(phase.of(written)) / (phase.ended - phase.began) for phase in (calm, slow_phase)]
    figures[f"fsync of {name}: writes a second"] = f"{rates[0]:.0f} → {rates[1]:.0f}, longest {longest:.1f} s"
    figures[f"fsync of {name}: calls"] = saved
    if longest > STUCK:
        problems.append(f"a slow disk of {name}: a write took {longest:.1f} s")
    judge_node(server, problems)
    # What is judged is read faster so.
    start_again([])
    figures["lost"] = figures.get("lost", 0) + scene.judge()["lost"]
