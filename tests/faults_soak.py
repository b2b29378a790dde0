"""A fault of tests/faults: everything at once, for a long time, with a judge again and again."""

import collections
import glob
import math
import os
import random
import re
import statistics
import threading
import time

from faults_clients import Load
from faults_clock import TICKS, moments
from faults_ledger import Judge, Ledger, Seen, files_of
from faults_pieces import Pieces, entries_of, lines_of
from faults_server import Fault, Postgres, Server, await_that, demand, read
from faults_stops import MAILED, PLACES, MailServer

# The pause of a client between two requests, and the clients that read and that write, for each server.
PAUSE, READERS, WRITERS = 0.05, 2, 4
# The seconds between two kills, between two judgements, and between two looks at a process, unless the time is short.
KILL, JUDGE, LOOK = 180, 900, 5
# The minutes in which caches, threads and the heap of a process fill. A shorter time than three of these says nothing of
# growth. Then a process is compared in two times between judgements: the first one behind the warm-up, and the last. A
# part of such a time would not do: each has a new tenant, whose mapped file grows from nothing. In a shorter time it is
# compared in tenths.
WARM_UP, PART = 20, 0.1
# The growth that is no growth.
GROWTH = 0.05
# The seconds within which a new tenant has its first backup: the server looks each two.
FIRST_BACKUP = 30
# The seconds within which a server lets go of a deleted tenant.
DELETED = 30
# The share of requests outside injected outages that is answered, and the seconds behind a start that belong to one.
AVAILABLE, BEHIND = 0.999, 1
# The figures of the judge that are summed up.
JUDGED = ("acknowledged", "unknown", "lost", "doubled", "torn")
NAMES = ["steady", "mortal"]
# A backup each five minutes, and a cache that is full before memory is measured: one of 8 MiB takes half an hour.
SETTINGS = {"BACKUP_AT": "*/5 * * * *", "BACKUP_KEEP": "1d", "CACHE_BYTES": str(1 << 20)}
# Each note is mailed.
MAIL = MAILED["automations/mail.yaml"].replace("doc.created", "note.created").replace("{=code}", "{=text}")
FILES = {**MAILED, **TICKS, "automations/mail.yaml": MAIL}


def files_for(tenant):
    """Returns the files of a tenant, whose mails go to a domain of its own."""
    return files_of(tenant, **{path: text.replace("acme", tenant) for path, text in FILES.items()})


class Mails(MailServer):
    """A mail server that gives away what came."""

    def take(self, domain):
        """Returns the recipients of a domain, and forgets them."""
        with self.lock:
            taken = [to for to, _, _ in self.mails if to.endswith("@" + domain)]
            self.mails = [mail for mail in self.mails if not mail[0].endswith("@" + domain)]
        return taken


class Pacing(Load):
    """Clients that write at the pace of people, and others that read lists, pages and single resources."""

    def __init__(self, *arguments, **more):
        super().__init__(*arguments, clients=WRITERS, **more)
        self.reads, self.patience = [], PAUSE
        self.threads += [threading.Thread(target=self.read, args=(number,), daemon=True) for number in range(READERS)]

    def attempt(self, *arguments, **more):
        made = super().attempt(*arguments, **more)
        # One that failed waits elsewhere.
        if made is not None:
            self.ending.wait(PAUSE)
        return made

    def read(self, number):
        chance, server = random.Random(number), self.servers[number % len(self.servers)]
        while not self.ending.wait(PAUSE):
            path = chance.choice([
                "box?_noCache=1", "doc?orderBy=id&perPage=50", f"doc?perPage=20&page={chance.randrange(1, 40)}",
                "note?perPage=10&orderBy=text", f"box/{chance.choice(self.boxes)}",
            ])
            sent = time.monotonic()
            try:
                status = self.ask(server, "GET", f"/api/v1/collection/{path}")[0]
            except OSError as error:
                status = type(error).__name__
            self.reads.append((sent, status, time.monotonic()))

    def all(self):
        """Returns when each request was sent and ended, and how."""
        with self.ledger.lock:
            written = [(sent, status, end) for entry in self.ledger.entries for _, sent, status, end in entry.attempts]
        return written + self.reads


class Side:
    """A server under load. One of the two lives all the time, and the other one is killed."""

    def __init__(self, lab, name, server, mails):
        self.lab, self.name, self.server, self.mails = lab, name, server, mails
        self.outages, self.counts, self.bad = [], collections.Counter(), collections.Counter()
        self.figures, self.number = collections.Counter(), 0

    def begin(self):
        """Makes a tenant for the next part of the time, and lets its clients begin."""
        self.number += 1
        self.tenant = f"{self.name}{self.number}"
        self.key = self.server.make_tenant(self.tenant, files_for(self.tenant))
        self.counted, self.mailed = collections.Counter(), collections.Counter()
        self.load_with(Ledger(os.path.join(self.server.folder, "ledger")))
        self.load.start()

    def load_with(self, ledger):
        self.began, self.seen = time.monotonic(), Seen(self.server, self.tenant, self.key)
        demand(await_that(self.is_served, 30, 0.2), f"{self.tenant} is not served")
        self.load = Pacing(ledger, [self.server], self.key, tenant=self.tenant, seed=self.lab.seed + self.number)

    def left(self):
        """Returns what the next piece needs to write to the same tenant, with the same ledger."""
        once = [[entry.code, body] for entry, body in self.load.open]
        return {
            "number": self.number, "tenant": self.tenant, "key": self.key, "made": self.load.made, "once": once,
            "mailed": self.mailed, "counted": self.counted, "entries": lines_of(self.load.ledger),
        }

    def go_on(self, left):
        """Lets clients write to the tenant that the last piece left."""
        self.number, self.tenant, self.key = left["number"], left["tenant"], left["key"]
        self.counted, self.mailed = collections.Counter(left["counted"]), collections.Counter(left["mailed"])
        ledger = Ledger(os.path.join(self.server.folder, "ledger"))
        ledger.entries = entries_of(left["entries"])
        ledger.count = len(ledger.entries)
        self.load_with(ledger)
        by_code = {entry.code: entry for entry in ledger.entries}
        self.load.made = [tuple(made) for made in left["made"]]
        self.load.open = [(by_code[code], body) for code, body in left["once"]]
        self.load.start()

    def is_served(self):
        try:
            self.seen.get("/api/v1/collection/box?perPage=1")
            return True
        except (OSError, Fault):
            return False

    def kill(self):
        began = time.monotonic()
        self.server.kill()
        self.server.start(self.server.port)
        self.outages.append((began, time.monotonic() + BEHIND))

    def judge(self, kills, stays=False):
        """Ends the clients, compares ledger, rows and mails, and proves the last backup. Unless it stays for the next
        piece, the tenant is removed."""
        lasted = time.monotonic() - self.began
        self.load.end()
        for sent, status, end in self.load.all():
            if sent >= self.began and not any(sent <= last and end >= first for first, last in self.outages):
                self.counts["requests"] += 1
                if not isinstance(status, int) or status >= 500:
                    self.bad[status] += 1
        found = Judge(self.load.ledger, self.seen).judge().demand()
        counted = collections.Counter({name: found[name] for name in JUDGED})
        counted.update(self.judge_mails(kills))
        # What an earlier piece has counted of this tenant is told already.
        self.figures.update(counted)
        self.figures.subtract(self.counted)
        self.counted = counted
        doubled = [moment for moment, runs in moments(self.seen).items() if runs > 1]
        demand(not doubled, f"{self.name}: a moment of the schedule has more runs than one: {doubled}")
        self.figures["judgements"] += 1
        archives = sorted(glob.glob(os.path.join(self.server.environment["PLINTH_BACKUP_TO"], f"{self.tenant}-*")))
        demand(archives or lasted < FIRST_BACKUP, f"{self.tenant} has no backup after {lasted:.0f} s")
        if archives:
            self.server.command("backup", "verify", archives[-1])
        self.figures["backups proven"] += bool(archives)
        if not stays:
            self.server.command("tenant", "delete", self.tenant, "--now", "--yes")

    def judge_mails(self, kills):
        """Demands a mail for each note, and no more repeats than places for each kill. Returns the figures."""
        domain, counts = f"{self.tenant}.example", self.mailed
        wanted = {f"{note['text']}@{domain}" for note in self.seen.rows("note", "text")}

        def all_come():
            counts.update(self.mails.take(domain))
            return wanted <= set(counts)

        demand(await_that(all_come, 120, 0.5), f"{self.name}: mails are lost: {sorted(wanted - set(counts))[:5]}")
        repeats = sum(counts.values()) - len(counts)
        fresh = repeats - self.counted["mails that came twice"]
        demand(fresh <= PLACES * kills, f"{self.name}: {fresh} mails came twice, in {kills} kills")
        return {"mails": len(counts), "mails that came twice": repeats}


class Looks:
    """What a process has, again and again: memory, files, threads."""

    def __init__(self, server, seconds, judge_each):
        self.server, self.began, self.seconds, self.seen = server, time.monotonic(), seconds, []
        self.judge_each = judge_each

    def look(self):
        status, process = read(f"/proc/{self.server.process.pid}/status"), self.server.process.pid
        number = lambda name: int(re.search(rf"{name}:\s+(\d+)", status).group(1))
        files = len(os.listdir(f"/proc/{process}/fd"))
        memory, own = number("VmRSS") / 1024, number("RssAnon") / 1024
        self.seen.append((time.monotonic() - self.began, memory, files, number("Threads"), own))

    def tells_growth(self):
        return self.seconds >= 3 * WARM_UP * 60

    def grown(self, column):
        """Returns the medians of a time behind the warm-up and of one at the end."""
        if self.tells_growth():
            part = self.judge_each
            first, last = math.ceil(WARM_UP * 60 / part) * part, (self.seconds // part - 1) * part
        else:
            part = first = self.seconds * PART
            last = self.seconds - part

        def median(begin, end):
            looks = [look for look in self.seen if begin <= look[0] <= end]
            # In a judgement there are none.
            return statistics.median(look[column] for look in looks or self.seen[-1:])

        return median(first, first + part), median(last, last + part)


def sides_of(lab):
    """Starts two servers of their own with SQLite, or two nodes of one PostgreSQL."""
    mails, folder = Mails(0), os.path.join(lab.folder, "backups")
    lab.parts.append(mails)
    mail = {"TRANSPORT": "smtp", "HOST": "127.0.0.1", "PORT": str(mails.port), "TLS": "none"}
    settings = {**{f"MAIL_{key}": value for key, value in mail.items()}, **SETTINGS, "BACKUP_TO": folder}
    settings = [(f"PLINTH_{key}", value) for key, value in settings.items()]
    url = Postgres(lab, "soak").url if lab.on_postgres else None
    servers = [Server(lab, name, url, settings) for name in NAMES]
    for server in servers:
        if lab.on_postgres:
            # Uploaded files lie in the data folder: nodes without a bucket share it.
            server.data = server.environment["PLINTH_DATA_FOLDER"] = servers[0].data
        server.start()
    return [Side(lab, name, server, mails) for name, server in zip(NAMES, servers)]


def soak(lab, minutes):
    """Loads two servers for some minutes, kills one of them now and then, and judges both again and again."""
    seconds, pieces = minutes * 60, Pieces(lab)
    steady, mortal = sides = sides_of(lab)
    for side in sides:
        side.go_on(pieces.left[side.name]) if side.name in pieces.left else side.begin()
    kill_each, judge_each, look_each = min(KILL, seconds / 6), min(JUDGE, seconds / 4), min(LOOK, seconds / 100)
    looks, chance = Looks(steady.server, seconds, judge_each), random.Random(lab.seed)
    next_kill, next_judge, judged = kill_each * chance.uniform(0.5, 1), judge_each, 0
    while (now := time.monotonic() - looks.began) < seconds:
        looks.look()
        if now >= next_kill:
            mortal.kill()
            next_kill += kill_each * chance.uniform(0.5, 1.5)
        if now >= next_judge:
            next_judge += judge_each
            for side in sides:
                side.judge(len(mortal.outages) - judged)
            judged = len(mortal.outages)
            for side in sides:
                side.begin()
        time.sleep(look_each)
    looks.look()
    for side in sides:
        side.judge(len(mortal.outages) - judged, stays=lab.stays)
    pieces.add(minutes, sides, looks, opened_deleted(steady.server))
    return told(pieces, lab.on_postgres)


def opened_deleted(server):
    """Returns the files of deleted tenants that a server has open. The room of a deleted tenant is free once they are
    closed, which takes a moment."""
    await_that(lambda: deleted_files(server) == 0, DELETED, 1)
    return deleted_files(server)


def deleted_files(server):
    """Returns how many files a server has open that nothing leads to any more."""
    return sum(read_link(path).endswith(" (deleted)") for path in glob.glob(f"/proc/{server.process.pid}/fd/*"))


def read_link(path):
    try:
        return os.readlink(path)
    except FileNotFoundError:
        return ""


def told(pieces, on_postgres):
    """Returns the figures of all pieces, if the goals are reached."""
    sums, figures = pieces.sums, {"minutes": pieces.minutes, "engine": "PostgreSQL" if on_postgres else "SQLite"}
    if pieces.number > 1:
        figures["pieces over the same data"] = pieces.number
    for name in ("kills", "judgements", "backups proven", "mails", "mails that came twice", *JUDGED):
        figures[name] = sums[name]
    requests, bad = sums["requests"], pieces.bad
    figures["requests outside outages"], figures["of these without an answer, or 5xx"] = requests, str(dict(bad))
    share = 1 - sum(bad.values()) / requests
    figures["available %"] = round(share * 100, 3)
    problems = [] if share >= AVAILABLE else ["requests fail outside injected outages"]
    for what, least in (("memory MiB", 0), ("own memory MiB", 0), ("files", 2), ("threads", 2)):
        grown = pieces.grown[what]
        spans = "; ".join(f"{before:.0f} → {then:.0f}" for before, then, _ in grown)
        figures[f"{what}, behind the warm-up → at the end"] = spans
        if any(tells and then - before > max(before * GROWTH, least) for before, then, tells in grown):
            problems.append(f"the {what} of a server grow")
    if not all(tells for _, _, tells in pieces.grown["threads"]):
        figures["growth"] = f"not judged in less than {3 * WARM_UP} minutes: caches still fill"
    figures["files of deleted tenants that are open"] = sums["open deleted files"]
    if sums["open deleted files"]:
        problems.append("files of deleted tenants stay open")
    demand(not problems, "; ".join(problems), figures)
    return figures
