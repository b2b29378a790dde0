"""A fault of tests/faults: everything at once, for a long time, with a judge again and again."""

import collections
import glob
import os
import random
import re
import statistics
import threading
import time

from faults_clients import Load, Scene
from faults_clock import TICKS, moments
from faults_ledger import Judge, Ledger, Seen, files_of
from faults_server import Fault, Postgres, await_that, demand, read
from faults_stops import MAILED, PLACES, MailServer

# The pause of a client between two requests, and the clients that read and that write, for each server.
PAUSE, READERS, WRITERS = 0.05, 2, 4
# The seconds between two kills, between two judgements, and between two looks at a process, unless the time is short.
KILL, JUDGE, LOOK = 180, 900, 5
# The parts of the time at whose beginning and end a process is compared, and the growth that is no growth.
WARM, LAST, GROWTH = 0.1, 0.9, 0.05
# The seconds within which a new tenant has its first backup: the server looks each two.
FIRST_BACKUP = 30
# The seconds within which a server lets go of a deleted tenant.
DELETED = 30
# The share of requests outside injected outages that is answered, and the seconds behind a start that belong to one.
AVAILABLE, BEHIND = 0.999, 1
NAMES = ["steady", "mortal"]
# A backup each five minutes, and a cache that is full before memory is measured.
SETTINGS = {"BACKUP_AT": "*/5 * * * *", "BACKUP_KEEP": "1d", "CACHE_BYTES": str(8 << 20)}
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
        self.began = time.monotonic()
        self.tenant = f"{self.name}{self.number}"
        self.key = self.server.make_tenant(self.tenant, files_for(self.tenant))
        self.seen = Seen(self.server, self.tenant, self.key)
        demand(await_that(self.is_served, 30, 0.2), f"{self.tenant} is not served")
        ledger = Ledger(os.path.join(self.server.folder, "ledger"))
        self.load = Pacing(ledger, [self.server], self.key, tenant=self.tenant, seed=self.lab.seed + self.number).start()

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

    def judge(self, kills):
        """Ends the clients, compares ledger, rows and mails, proves the last backup, and removes the tenant."""
        lasted = time.monotonic() - self.began
        self.load.end()
        for sent, status, end in self.load.all():
            if not any(sent <= last and end >= first for first, last in self.outages):
                self.counts["requests"] += 1
                if not isinstance(status, int) or status >= 500:
                    self.bad[status] += 1
        found = Judge(self.load.ledger, self.seen).judge().demand()
        self.figures.update({name: found[name] for name in ("acknowledged", "unknown", "lost", "doubled", "torn")})
        self.judge_mails(kills)
        doubled = [moment for moment, runs in moments(self.seen).items() if runs > 1]
        demand(not doubled, f"{self.name}: a moment of the schedule has more runs than one: {doubled}")
        self.figures["judgements"] += 1
        archives = sorted(glob.glob(os.path.join(self.server.environment["PLINTH_BACKUP_TO"], f"{self.tenant}-*")))
        demand(archives or lasted < FIRST_BACKUP, f"{self.tenant} has no backup after {lasted:.0f} s")
        if archives:
            self.server.command("backup", "verify", archives[-1])
        self.figures["backups proven"] += bool(archives)
        self.server.command("tenant", "delete", self.tenant, "--now", "--yes")

    def judge_mails(self, kills):
        """Demands a mail for each note, and no more repeats than places for each kill."""
        domain = f"{self.tenant}.example"
        wanted = {f"{note['text']}@{domain}" for note in self.seen.rows("note", "text")}
        counts = collections.Counter()

        def all_come():
            counts.update(self.mails.take(domain))
            return wanted <= set(counts)

        demand(await_that(all_come, 120, 0.5), f"{self.name}: mails are lost: {sorted(wanted - set(counts))[:5]}")
        repeats = sum(counts.values()) - len(counts)
        demand(repeats <= PLACES * kills, f"{self.name}: {repeats} mails came twice, in {kills} kills")
        self.figures.update({"mails": len(counts), "mails that came twice": repeats})


class Looks:
    """What a process has, again and again: memory, files, threads."""

    def __init__(self, server, seconds):
        self.server, self.began, self.seconds, self.seen = server, time.monotonic(), seconds, []

    def look(self):
        status, process = read(f"/proc/{self.server.process.pid}/status"), self.server.process.pid
        number = lambda name: int(re.search(rf"{name}:\s+(\d+)", status).group(1))
        files = len(os.listdir(f"/proc/{process}/fd"))
        self.seen.append((time.monotonic() - self.began, number("VmRSS") / 1024, files, number("Threads")))

    def grown(self, column):
        """Returns the median behind the first part of the time, and that at its end."""
        of = lambda first, last: [look[column] for look in self.seen if first <= look[0] / self.seconds <= last]
        return statistics.median(of(WARM, 2 * WARM)), statistics.median(of(LAST, 2))


def sides_of(lab):
    """Starts two servers of their own with SQLite, or two nodes of one PostgreSQL."""
    mails, folder = Mails(0), os.path.join(lab.folder, "backups")
    lab.parts.append(mails)
    mail = {"TRANSPORT": "smtp", "HOST": "127.0.0.1", "PORT": str(mails.port), "TLS": "none"}
    settings = {**{f"MAIL_{key}": value for key, value in mail.items()}, **SETTINGS, "BACKUP_TO": folder}
    settings = [(f"PLINTH_{key}", value) for key, value in settings.items()]
    if lab.on_postgres:
        servers = Scene(lab, "node", Postgres(lab, "soak").url, 2, settings).start().servers
    else:
        servers = [Scene(lab, name, settings=settings).start().servers[0] for name in NAMES]
    return [Side(lab, name, server, mails) for name, server in zip(NAMES, servers)]


def soak(lab, minutes):
    """Loads two servers for some minutes, kills one of them now and then, and judges both again and again."""
    seconds = minutes * 60
    steady, mortal = sides = sides_of(lab)
    for side in sides:
        side.begin()
    looks, chance = Looks(steady.server, seconds), random.Random(lab.seed)
    kill_each, judge_each, look_each = min(KILL, seconds / 6), min(JUDGE, seconds / 4), min(LOOK, seconds / 100)
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
    for side in sides:
        side.judge(len(mortal.outages) - judged)
    return told(minutes, steady, mortal, looks)


def deleted_files(server):
    """Returns how many files a server has open that nothing leads to any more."""
    return sum(read_link(path).endswith(" (deleted)") for path in glob.glob(f"/proc/{server.process.pid}/fd/*"))


def read_link(path):
    try:
        return os.readlink(path)
    except FileNotFoundError:
        return ""


def told(minutes, steady, mortal, looks):
    """Returns the figures, if the goals are reached."""
    engine = "PostgreSQL" if steady.lab.on_postgres else "SQLite"
    figures = {"minutes": minutes, "engine": engine, "kills": len(mortal.outages)}
    for name in ("judgements", "backups proven", "mails", "mails that came twice", "acknowledged", "unknown", "lost",
                 "doubled", "torn"):
        figures[name] = steady.figures[name] + mortal.figures[name]
    requests, bad = steady.counts["requests"] + mortal.counts["requests"], steady.bad + mortal.bad
    figures["requests outside outages"], figures["of these without an answer, or 5xx"] = requests, str(dict(bad))
    share = 1 - sum(bad.values()) / requests
    figures["available %"] = round(share * 100, 3)
    problems = [] if share >= AVAILABLE else ["requests fail outside injected outages"]
    for column, what, least in ((1, "memory MiB", 0), (2, "files", 2), (3, "threads", 2)):
        before, then = looks.grown(column)
        figures[f"{what}, after a tenth of the time → at the end"] = f"{before:.0f} → {then:.0f}"
        if then - before > max(before * GROWTH, least):
            problems.append(f"the {what} of a server grow")
    # The room of a deleted tenant is free once its files are closed.
    await_that(lambda: deleted_files(steady.server) == 0, DELETED, 1)
    figures["files of deleted tenants that are open"] = deleted_files(steady.server)
    if figures["files of deleted tenants that are open"]:
        problems.append("files of deleted tenants stay open")
    demand(not problems, "; ".join(problems), figures)
    return figures
