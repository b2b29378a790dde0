"""A fault of tests/faults: the power fails. Writes that no fsync has saved are dropped, torn and reordered.

strace records each call that changes a file. For a moment of the record, an image of the disk is made: all that an fsync
had saved by then, and by chance the rest. A server on the image is judged by what was acknowledged until the moment.
"""

import glob
import os
import random
import re
import shutil
import subprocess
import time

from faults_clients import Scene
from faults_ledger import Entry, Judge, Ledger, Seen
from faults_server import Missing, Postgres, Server, demand

# The bytes that a disk writes at once, and the seconds of a record.
SECTOR, SPAN = 512, 4
# The cuts of a record.
ROUND = 20
CALLS = ["openat", "write", "pwrite64", "writev", "pwritev", "ftruncate", "fsync", "fdatasync", "rename", "renameat",
         "renameat2", "unlink", "unlinkat", "linkat", "mkdir", "mkdirat", "lseek", "copy_file_range", "sendfile", "fallocate"]
LINE = re.compile(r"^(\d+\.\d+) (\w+)\((.*)\)\s+= (-?\d+)(?:<((?:\\x..)*)>)?.* <([\d.]+)>$")
TEXT, PLACE = re.compile(r'"((?:\\x..)*)"'), re.compile(r"^\d+<((?:\\x..)*)>")
# A name below an open folder.
BELOW = re.compile(r'(?:AT_FDCWD|\d+)<((?:\\x..)*)>, "((?:\\x..)*)"')


class Call:
    """A call that changes a file or saves it."""

    def __init__(self, begin, end, name, path):
        self.begin, self.end, self.name, self.path = begin, end, name, path
        self.data, self.at, self.to, self.file = b"", 0, None, None


def plain(text):
    return bytes.fromhex(text.replace("\\x", ""))


def paths_of(name, words, opened, texts):
    """Returns the paths that a call is about."""
    at = PLACE.match(words)
    if name == "openat":
        found = [plain(opened or "")]
    elif name.endswith(("at", "at2")):
        found = [os.path.join(plain(folder), plain(below)) for folder, below in BELOW.findall(words)]
    else:
        found = [plain(at.group(1))] if at else texts
    return [os.path.normpath(path).decode(errors="replace") for path in found if path.startswith(b"/")]


def parse(lines, folder):
    """Returns the calls of one thread that concern the folder. Writes without a place are noted as `write`."""
    for line in lines:
        found = LINE.match(line)
        if not found:
            continue
        begin, name, words, result, opened, span = found.groups()
        if result.startswith("-") and not name.endswith("sync"):
            continue
        texts = [plain(text) for text in TEXT.findall(words)]
        paths = paths_of(name, words, opened, texts)
        if not paths or not paths[0].startswith(folder + "/") or "(deleted)" in words or paths[0].endswith("-shm"):
            continue
        path = paths[0]
        demand(name not in ("copy_file_range", "sendfile", "linkat"), f"the record has a {name}, which the image does not know")
        call = Call(float(begin), float(begin) + float(span), name if not result.startswith("-") else "failed", path)
        numbers = re.findall(r", (-?\d+)", TEXT.sub('""', words))
        if name in ("pwrite64", "pwritev", "write", "writev"):
            call.data = b"".join(texts)[: int(result)]
            call.at = int(numbers[-1]) if name.startswith("p") else None
        elif name == "openat":
            call.data = words.encode()
        elif name == "ftruncate":
            call.at = int(numbers[-1])
        elif name == "lseek":
            call.at = int(result)
        elif name.startswith("rename"):
            call.to = paths[-1]
        yield call


def record_of(prefix, folder):
    calls = []
    for path in glob.glob(prefix + ".*"):
        with open(path, errors="replace") as file:
            calls += parse(file, folder)
    calls.sort(key=lambda call: call.begin)
    return calls


class Image:
    """The disk at a moment: names that lead to files, and the bytes of files."""

    def __init__(self, base, folder, chance):
        self.base, self.folder, self.chance = base, folder, chance
        self.names, self.bytes, self.count = {}, {}, 0
        for path in glob.glob(os.path.join(base, "**"), recursive=True, include_hidden=True):
            if os.path.isfile(path) and not path.endswith("-shm"):
                self.names[os.path.join(folder, os.path.relpath(path, base))] = self.new(path)

    def new(self, path=None):
        self.count += 1
        self.bytes[self.count] = bytearray(open(path, "rb").read() if path else b"")
        return self.count

    def replay(self, calls, cut):
        """Applies what is saved at the moment of the cut, and by chance what is not. Returns how many calls are not."""
        calls = [call for call in calls if call.begin <= cut]
        made = self.identify(calls)
        saves = {}
        for call in calls:
            if call.name in ("fsync", "fdatasync", "failed") and call.end <= cut:
                saves.setdefault(call.file or call.path, []).append(call)

        def saved(call, key):
            # What a failed fsync has not saved, the kernel may forget: a later one does not save it.
            later = next((save for save in saves.get(key, ()) if save.begin >= call.end), None)
            return later is not None and later.name != "failed"

        changes = [call for call in calls if call in made or call.name.startswith(("rename", "unlink"))]
        last = max((number for number, call in enumerate(changes)
                    if saved(call, call.file) or saved(call, os.path.dirname(call.to or call.path))), default=-1)
        # A journal keeps the order of changes of names: some of the last are not there.
        kept = set(changes[: self.chance.randint(last + 1, len(changes))])
        names, loose = dict(self.names), len(changes) - len(kept)
        for call in calls:
            if call in kept:
                change(names, call)
            if call.data and call.name != "openat" or call.name == "ftruncate":
                is_saved = saved(call, call.file)
                loose += not is_saved
                if is_saved or self.chance.random() < 0.5:
                    self.apply(call, not is_saved)
        self.names = names
        return loose

    def identify(self, calls):
        """Finds the file that each call is about, and where a write without a place goes; returns those that made a file."""
        names, made, places = dict(self.names), set(), {}
        for call in calls:
            if call.name == "openat":
                places[call.path] = 0
                if call.path not in names and b"O_CREAT" in call.data:
                    names[call.path] = self.new()
                    made.add(call)
                elif b"O_TRUNC" in call.data and call.path in names:
                    call.name = "ftruncate"
            call.file = names.get(call.path)
            if call.name == "lseek":
                places[call.path] = call.at
            elif call.name in ("write", "writev"):
                call.at = places.get(call.path, 0)
                places[call.path] = call.at + len(call.data)
            elif call.name.startswith(("rename", "unlink")):
                change(names, call)
                if call.to in names:
                    places[call.to] = places.get(call.path, 0)
        return made

    def apply(self, call, may_tear):
        content = self.bytes.get(call.file)
        if content is None:
            return
        if call.name == "ftruncate":
            del content[call.at:]
            content.extend(bytes(call.at - len(content)))
            return
        for start in range(0, len(call.data), SECTOR):
            if may_tear and self.chance.random() < 0.2:
                continue
            part, at = call.data[start : start + SECTOR], call.at + start
            content.extend(bytes(max(0, at - len(content))))
            content[at : at + len(part)] = part

    def write(self, target):
        """Writes the image into a folder."""
        shutil.copytree(self.base, target, ignore=lambda folder, names: [n for n in names if os.path.isfile(os.path.join(folder, n))])
        for path, file in self.names.items():
            place = os.path.join(target, os.path.relpath(path, self.folder))
            os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
            with open(os.open(place, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
                out.write(self.bytes[file])


def change(names, call):
    """Does to names what a call does."""
    if call.name.startswith("unlink"):
        names.pop(call.path, None)
    elif call.name.startswith("rename"):
        if call.path in names:
            names[call.to] = names.pop(call.path)
    elif call.file:
        names[call.path] = call.file


def as_of(ledger, moment, path):
    """Returns the ledger as it was at a moment: answers that came later are none."""
    known = Ledger(path)
    for entry in ledger.entries:
        attempts = [attempt for attempt in entry.attempts if attempt[1] <= moment]
        if attempts:
            copy = Entry(entry.kind, entry.code, entry.facts)
            copy.attempts = [(node, sent, status if end <= moment else "cut", end) for node, sent, status, end in attempts]
            known.entries.append(copy)
    return known


def tracer(prefix):
    """Returns the words before a command whose calls are recorded."""
    words = ["strace", "-ff", "-D", "-qq", "-ttt", "-T", "-y", "-xx", "-s", "2097152", "--seccomp-bpf", "-o", prefix]
    return [*words, "-e", "trace=" + ",".join(CALLS)]


def record(lab, number):
    """Records a server under load; returns the scene, the calls, the base, and the bounds of the load."""
    scene = Scene(lab, f"power-{number}").start()
    server, folder = scene.servers[0], scene.servers[0].data
    with scene.load() as load:
        load.heals(30)
    server.terminate()
    base, prefix = os.path.join(lab.folder, f"base-{number}"), os.path.join(server.folder, "calls")
    shutil.copytree(folder, base)
    server.before = tracer(prefix)
    if number // ROUND % 2:
        server.before += ["-e", "inject=fsync,fdatasync:error=EIO:when=20+9"]
    server.start()
    began = time.monotonic()
    with scene.load() as load:
        load.heals(30)
        time.sleep(SPAN)
    ended = time.monotonic()
    server.kill()
    time.sleep(0.5)
    return scene, record_of(prefix, folder), base, began, ended


def begin(lab):
    if not shutil.which("strace"):
        raise Missing("strace is missing (Debian: apt-get install strace)")
    return random.Random(lab.seed), {"cuts": 0, "fsyncs that failed": 0, "calls that no fsync had saved": 0, "cuts with such calls": 0}


class Stored(Postgres):
    """A PostgreSQL server on files that are there."""

    def __init__(self, lab, like, data):
        self.lab, self.folder, self.name, self.data = lab, like.folder, "stored", data
        self.bins, self.user, self.port, self.process, self.url = like.bins, like.user, like.port, None, like.url
        subprocess.run(["chown", "-R", "--reference", like.data, data], check=True)
        subprocess.run(["chmod", "-R", "u=rwX,go=", data], check=True)
        lab.parts.append(self)


def record_postgres(lab, number):
    """Records a PostgreSQL server under load; returns the same as `record`, and the server."""
    postgres = Postgres(lab, f"recorded-{number}")
    # So that files of tables are written and saved, too, and not the log alone.
    postgres.sql("ALTER SYSTEM SET shared_buffers = '1MB'")
    postgres.sql("ALTER SYSTEM SET autovacuum = off")
    scene = Scene(lab, f"power-{number}", postgres.url).start()
    with scene.load() as load:
        load.heals(30)
    scene.stop()
    postgres.stop()
    base, prefix = os.path.join(lab.folder, f"base-{number}"), os.path.join(lab.folder, f"calls-{number}")
    shutil.copytree(postgres.data, base)
    postgres.before = tracer(prefix)
    postgres.start()
    scene.start()
    began = time.monotonic()
    with scene.load() as load:
        load.heals(60)
        time.sleep(SPAN)
        postgres.sql("CHECKPOINT")
        time.sleep(SPAN)
    ended = time.monotonic()
    scene.servers[0].kill()
    postgres.kill()
    time.sleep(0.5)
    return scene, record_of(prefix, postgres.data), base, began, ended, postgres


def power_postgres(lab, count):
    """Cuts the power of PostgreSQL at random moments of records, and starts it and a node on what is there."""
    chance, figures = begin(lab)
    while figures["cuts"] < count:
        scene, calls, base, began, ended, postgres = record_postgres(lab, figures["cuts"])
        shift = time.time() - time.monotonic()
        demand(calls, "nothing is recorded")
        for _ in range(min(ROUND, count - figures["cuts"])):
            cut = moment_of(calls, began + shift, ended + shift, chance)
            image = Image(base, postgres.data, chance)
            loose = image.replay(calls, cut)
            figures["calls that no fsync had saved"] += loose
            figures["cuts with such calls"] += loose > 0
            target, data = os.path.join(lab.folder, "image"), os.path.join(lab.folder, "image-files")
            image.write(target)
            shutil.copytree(scene.servers[0].data, data)
            stored = Stored(lab, postgres, target)
            stored.start()
            server = Server(lab, "cut", postgres.url, data=data)
            server.start()
            judge_cut(scene, server, cut - shift, figures)
            server.kill()
            stored.kill()
            lab.parts.remove(server)
            lab.parts.remove(stored)
            for folder in (target, data):
                shutil.rmtree(folder)
    demand(figures["cuts with such calls"] > 0, f"each cut found all saved, so nothing is known: {figures}")
    return figures


def judge_cut(scene, server, moment, figures):
    """Judges a server by what was acknowledged until a moment, and adds to the figures."""
    known = as_of(scene.ledger, moment, os.path.join(server.folder, "ledger"))
    seen = Judge(known, Seen(server, "acme", scene.key)).judge().demand()
    for name, value in seen.items():
        figures[name] = figures.get(name, 0) + value
    figures["cuts"] += 1


def power(lab, count):
    """Cuts the power at random moments of records. In each second record, each ninth fsync of a thread fails before."""
    chance, figures = begin(lab)
    while figures["cuts"] < count:
        scene, calls, base, began, ended = record(lab, figures["cuts"])
        # strace has the time of day, and the ledger that since the start of the machine.
        shift = time.time() - time.monotonic()
        demand(calls, "nothing is recorded")
        figures["fsyncs that failed"] += sum(call.name == "failed" for call in calls)
        for _ in range(min(ROUND, count - figures["cuts"])):
            cut = moment_of(calls, began + shift, ended + shift, chance)
            image = Image(base, scene.servers[0].data, chance)
            loose = image.replay(calls, cut)
            figures["calls that no fsync had saved"] += loose
            figures["cuts with such calls"] += loose > 0
            target = os.path.join(lab.folder, "image")
            image.write(target)
            server = Server(lab, "cut", data=target)
            server.start()
            judge_cut(scene, server, cut - shift, figures)
            server.kill()
            lab.parts.remove(server)
            shutil.rmtree(target)
    demand(figures["cuts with such calls"] > 0, f"each cut found all saved, so nothing is known: {figures}")
    return figures


def moment_of(calls, began, ended, chance):
    """Returns a moment right behind a random write: at most others, all may be saved."""
    writes = [call.end for call in calls if call.data and call.name != "openat" and began <= call.end <= ended]
    demand(writes, "nothing is written")
    return chance.choice(writes) + 1e-6
