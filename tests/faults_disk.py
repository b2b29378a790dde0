"""Faults of tests/faults: a disk that is full, calls of the disk that fail, and a store with flipped pages."""

import os
import random
import shutil
import signal
import subprocess
import threading
import time

from faults_clients import BOXES, Scene
from faults_ledger import files_of
from faults_server import Missing, Server, ask, await_that, demand, read

# The bytes of the small disk, and the seconds for which it stays full.
ROOM, FULL = 64 << 20, 2
# The seconds within which writes are done again.
HEAL = 1


class SmallDisk:
    """A file system of its own in a file, or in memory where there is no loop device."""

    def __init__(self, lab):
        self.folder, image = os.path.join(lab.folder, "disk"), os.path.join(lab.folder, "image")
        os.makedirs(self.folder)
        with open(image, "wb") as file:
            file.truncate(ROOM)
        makes = [["mkfs.ext4", "-q", "-m", "0", image], ["mount", "-o", "loop", image, self.folder]]
        self.kind = "ext4"
        if not all(quiet(*command) for command in makes):
            self.kind = "tmpfs"
            if not quiet("mount", "-t", "tmpfs", "-o", f"size={ROOM}", "plinth-faults", self.folder):
                raise Missing("this user may not mount a file system")
        lab.parts.append(self)
        shutil.rmtree(os.path.join(self.folder, "lost+found"), ignore_errors=True)

    def fill(self):
        """Takes all room that is left."""
        with open(os.path.join(self.folder, "filler"), "ab", buffering=0) as filler:
            for size in (1 << 20, 4096, 1):
                try:
                    while filler.write(b"x" * size):
                        pass
                except OSError:
                    continue

    def clear(self):
        os.remove(os.path.join(self.folder, "filler"))

    def stop(self):
        subprocess.run(["umount", "--lazy", self.folder], check=False)


def quiet(*command):
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except FileNotFoundError:
        return False


class Readers:
    """A client that reads all the time, and remembers what was not answered well."""

    def __init__(self, server, tenant, key):
        self.server, self.path, self.key = server, f"/t/{tenant}/api/v1/collection/box?_noCache=1", key
        self.good, self.bad, self.ending = 0, [], threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)

    def work(self):
        while not self.ending.is_set():
            try:
                status = ask(self.server.port, "GET", self.path, key=self.key)[0]
            except OSError as error:
                status = type(error).__name__
            if status in (200, 204):
                self.good += 1
            else:
                self.bad.append(status)
            time.sleep(0.01)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        self.thread.join()


def disk_full(lab, count):
    """Fills the disk under load, again and again, and gives the room back."""
    disk = SmallDisk(lab)
    scene = Scene(lab, "full", data=os.path.join(disk.folder, "data")).start()
    server, figures = scene.servers[0], {"times": 0, "refused writes": 0, "file system": disk.kind}
    slowest = 0.0
    with Readers(server, "acme", scene.key) as readers, scene.load() as load:
        for _ in range(count):
            load.heals(30)
            began = time.monotonic()
            disk.fill()
            # The log of SQLite has room of its own at first.
            full = lambda: refused(scene.ledger.answers(began))
            demand(await_that(lambda: full() >= 5, 30), "a full disk refuses no write")
            disk.fill()
            time.sleep(FULL)
            figures["refused writes"] += full()
            disk.clear()
            slowest = max(slowest, load.heals(HEAL * lab.patience))
            figures["times"] += 1
            demand(server.running(), "the server ended")
    figures["answers"] = str(dict(scene.ledger.answers()))
    demand(not readers.bad, f"reads failed: {readers.bad[:10]} of {readers.good}")
    figures.update({"reads": readers.good, "failed reads": 0, "writes again most s": round(slowest, 2)})
    figures.update(scene.judge())
    server.kill()
    server.start()
    return {**figures, **scene.judge()}


def refused(answers):
    """Returns how many answers are no success."""
    return sum(number for status, number in answers.items() if status not in range(200, 300))


# What fails: the calls, and the error. `all` calls of the kind fail until strace lets go.
CALLS = [("fsync,fdatasync", "EIO"), ("pwrite64", "ENOSPC"), ("pwrite64", "EIO"), ("fsync,fdatasync", "ENOSPC"),
         ("ftruncate", "EIO")]


class Injection:
    """strace, attached to a server, that makes calls fail or kills it at them."""

    def __init__(self, server, calls, effect, when):
        self.trace = os.path.join(server.folder, "trace")
        words = ["-f", "-qq", "-o", self.trace, "-e", f"trace={calls}", "-e", f"inject={calls}:{effect}:when={when}"]
        command = ["strace", *words, "-p", str(server.process.pid)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.server = server
        demand(await_that(lambda: self.process.poll() is not None or self.attached(), 10), "strace does not attach")
        # With its prey strace ends, too.
        if self.process.poll() is not None and server.running():
            raise Missing(f"strace may not look at a process: {self.process.stderr.read().decode()[-200:]}")

    def attached(self):
        folder = f"/proc/{self.server.process.pid}/task"
        return all(f"TracerPid:\t{self.process.pid}\n" in read(f"{folder}/{task}/status") for task in os.listdir(folder))

    def count(self):
        return read(self.trace).count("(INJECTED)")

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=30)


def disk_errors(lab, count):
    """Lets calls fail under load: one of them, or all for a second. What did not reach the disk is not acknowledged."""
    if not shutil.which("strace"):
        raise Missing("strace is missing (Debian: apt-get install strace)")
    scene, chance = Scene(lab, "errors").start(), random.Random(lab.seed)
    server, slowest = scene.servers[0], 0.0
    figures = {"times": 0, "times with a failed call": 0, "failed calls": 0, "acknowledged while each fsync failed": 0}
    with Readers(server, "acme", scene.key) as readers, scene.load() as load:
        for number in range(count):
            load.heals(30)
            calls, error = CALLS[number % len(CALLS)]
            whole = number % 2 == 0
            injection = Injection(server, calls, f"error={error}", "1+" if whole else str(chance.randrange(1, 20)))
            lab.parts.append(injection)
            began = time.monotonic()
            # The truncation of the log is rare.
            await_that(lambda: injection.count() > 0, 3)
            time.sleep(1 if whole else 0)
            ended = time.monotonic()
            if whole and calls.startswith("fsync"):
                figures["acknowledged while each fsync failed"] += done_within(scene.ledger, began, ended)
            injection.stop()
            lab.parts.remove(injection)
            figures["failed calls"] += injection.count()
            figures["times with a failed call"] += injection.count() > 0
            slowest = max(slowest, load.heals(HEAL * lab.patience))
            figures["times"] += 1
            demand(server.running(), f"the server ended when {calls} failed with {error}: {read(server.log)[-800:]}")
    demand(figures["times with a failed call"] >= count / 2, f"too few calls failed, so little is known: {figures}")
    demand(figures["acknowledged while each fsync failed"] == 0, f"writes are acknowledged that no fsync has saved: {figures}")
    demand(not readers.bad, f"reads failed: {readers.bad[:10]} of {readers.good}")
    figures.update({"answers": str(dict(scene.ledger.answers())), "writes again most s": round(slowest, 2)})
    figures["reads"] = readers.good
    scene.judge()
    server.kill()
    server.start()
    return {**figures, **scene.judge()}


def done_within(ledger, began, ended):
    """Returns the number of writes that were sent and acknowledged within a time."""
    with ledger.lock:
        attempts = [attempt for entry in ledger.entries for attempt in entry.attempts]
    within = [status for _, sent, status, end in attempts if began <= sent and end <= ended]
    return sum(isinstance(status, int) and status < 300 for status in within)


TENANTS = 20


def corrupted(lab, count):
    """Flips bytes in the file of one of many tenants, while the server runs and while it does not."""
    server, chance = Server(lab, "corrupted"), random.Random(lab.seed)
    names = [f"t{number}" for number in range(TENANTS)]
    keys = {name: server.make_tenant(name, files_of(name)) for name in names}
    server.start()
    figures = {"times": 0, "requests of others": 0, "errors of others": 0, "answers of the damaged": {},
               "answers of the damaged behind a start": {}}
    for name in names:
        for number in range(BOXES):
            demand(write(server, name, keys[name], number, 0) == 201, f"{name} takes no box")
    for turn in range(count):
        victim, others = names[turn % (TENANTS - 1)], names[turn % (TENANTS - 1) + 1:]
        is_running = turn % 2 == 0
        if not is_running:
            server.terminate()
        flip(server.stores(victim)[0], chance)
        if not is_running:
            server.start()
        seen = figures["answers of the damaged"] if is_running else figures["answers of the damaged behind a start"]
        for number in range(10):
            for status in (look(server, victim, keys[victim]), write(server, victim, keys[victim], number, turn + 1)):
                seen[status] = seen.get(status, 0) + 1
            for name in others:
                figures["requests of others"] += 2
                bad = [look(server, name, keys[name]) != 200, write(server, name, keys[name], number, turn + 1) != 201]
                figures["errors of others"] += sum(bad)
        demand(server.running(), "a damaged store ended the server")
        demand(server.ready(), "a damaged store of one tenant makes the node unready")
        figures["times"] += 1
    demand(figures["errors of others"] == 0, f"others fail: {figures}")
    demand(set(figures["answers of the damaged"]) <= {200, 201, 503}, f"damage is no 503: {figures}")
    demand(set(figures["answers of the damaged behind a start"]) <= {200, 503}, f"damage is no 503: {figures}")
    demand(503 in figures["answers of the damaged behind a start"], f"the damage has no effect, so nothing is known: {figures}")
    return {name: str(value) if isinstance(value, dict) else value for name, value in figures.items()}


def flip(path, chance):
    """Overwrites a half of the pages of a file, in the middle of each."""
    size = os.path.getsize(path)
    with open(path, "r+b") as file:
        for page in range(0, size, 8192):
            file.seek(page + chance.randrange(0, 2048))
            file.write(chance.randbytes(1024))


def look(server, tenant, key):
    return status_of(server, "GET", f"/t/{tenant}/api/v1/collection/box?_noCache=1", None, key)


def write(server, tenant, key, number, turn):
    return status_of(server, "POST", f"/t/{tenant}/api/v1/collection/box", {"name": f"b{turn}-{number}"}, key)


def status_of(server, *request):
    try:
        return ask(server.port, *request)[0]
    except OSError as error:
        return type(error).__name__
