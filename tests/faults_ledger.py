"""The ledger outside the server: each request with its answer, and the judge who compares it with what is there."""

import collections
import hashlib
import json
import os
import sqlite3
import threading
import time
import urllib.parse

from faults_server import Fault, ask, await_that, demand

# The seconds that runs of automations may take to come to an end: a lease has eight.
RUNS = 90
# Files of a tenant in which every write has an effect elsewhere: a total, a note of an automation, a row of the audit.
FILES = {
    "tenant.yaml": "tenant: {tenant}\napi: {rate: 0}\n",
    "types/box.yaml": "name: box\nproperties:\n  name: {kind: pString, unique: true}\n  hits: {kind: pInteger, default: 0}\n"
    "  docs: {kind: pRollup, relation: doc.box, function: count}\n",
    "types/doc.yaml": "name: doc\nproperties:\n  code: {kind: pString, index: true}\n  box: {kind: pRelation, type: box}\n"
    "  text: {kind: pText}\n  scan: {kind: pFile}\n",
    "types/note.yaml": "name: note\nproperties:\n  text: {kind: pString}\n",
    "roles/admin.yaml": 'role: admin\nsystem: ["*"]\ntypes: {"*": {show: true, edit: true}}\n',
    "automations/tell.yaml": "automation: tell\nrate: 100000\non: {event: doc.created}\n"
    'do:\n  - create: {type: note, set: {text: "{=code}"}}\n',
}


def files_of(tenant, **more):
    files = {name: text.replace("{tenant}", tenant, 1) if name == "tenant.yaml" else text for name, text in FILES.items()}
    return {**files, **more}


class Entry:
    """An effect that a client asked for, with all attempts."""

    def __init__(self, kind, code, facts):
        self.kind, self.code, self.facts, self.attempts = kind, code, facts, []

    def acknowledged(self):
        return any(isinstance(status, int) and 200 <= status < 300 for _, _, status, _ in self.attempts)

    def refused(self):
        """Returns true if each attempt got an answer that says: not done."""
        said = [status for _, _, status, _ in self.attempts]
        return all(isinstance(status, int) and status >= 300 and status != 500 for status in said)


class Ledger:
    """All requests of clients to a tenant, in memory and in a file."""

    def __init__(self, path):
        self.lock, self.entries, self.count = threading.Lock(), [], 0
        self.file = open(path, "a")

    def begin(self, kind, **facts):
        with self.lock:
            self.count += 1
            entry = Entry(kind, f"{kind}-{self.count}", facts)
            self.entries.append(entry)
            return entry

    def note(self, entry, node, sent, status):
        """Notes how an attempt ended: a status, or the name of an error."""
        now = time.monotonic()
        with self.lock:
            entry.attempts.append((node, sent, status, now))
            self.file.write(json.dumps([entry.code, node, sent, now, status]) + "\n")

    def answers(self, since=0.0, node=None, until=float("inf")):
        """Returns how many attempts ended with each status."""
        with self.lock:
            return collections.Counter(
                status
                for entry in self.entries
                for at, sent, status, _ in entry.attempts
                if since <= sent <= until and node in (None, at)
            )

    def longest(self, since=0.0):
        """Returns the longest time that a client waited for an answer or an error."""
        with self.lock:
            spans = (end - sent for entry in self.entries for _, sent, _, end in entry.attempts if sent >= since)
            return max(spans, default=0.0)

    def acknowledged(self):
        with self.lock:
            return sum(entry.acknowledged() for entry in self.entries)


class Seen:
    """The tenant as a client and its administrator see it."""

    def __init__(self, server, tenant, key):
        self.server, self.tenant, self.key = server, tenant, key

    def get(self, path):
        status, content, _ = ask(self.server.port, "GET", f"/t/{self.tenant}{path}", key=self.key)
        demand(status in (200, 204), f"GET {path}: {status} {content[:300]}")
        return json.loads(content) if content else None

    def rows(self, kind, fields, still=True):
        """Reads all resources of a type in pages, and checks their total, unless others are written meanwhile."""
        rows, last, total = [], 0, None
        while True:
            filters = urllib.parse.quote(json.dumps([{"property": "id", "type": "gt", "param": last}]))
            page = self.get(f"/api/v1/collection/{kind}?orderBy=id&perPage=500&filters={filters}&showFields=id,{fields}")
            if page is None:
                break
            total = page["stats"]["total"] if total is None else total
            rows += page["data"]
            last = rows[-1]["id"]
        if not still:
            return rows
        demand((total or 0) == len(rows), f"{kind}: the total is {total}, and {len(rows)} rows are there")
        counted = self.get(f"/api/v1/collection/{kind}?perPage=1")
        demand((counted["stats"]["total"] if counted else 0) == len(rows), f"{kind}: the counter differs from {len(rows)}")
        return rows

    def digest(self, row):
        path = f"/t/{self.tenant}/api/ext/v1/file/doc/{row['id']}/scan/{urllib.parse.quote(row['scan']['name'])}"
        status, content, _ = ask(self.server.port, "GET", path, key=self.key)
        return hashlib.sha256(content).hexdigest() if status == 200 else f"{status}"


class Judge:
    """Compares a ledger with a tenant. Each problem is a line; figures are counts."""

    def __init__(self, ledger, seen):
        self.ledger, self.seen, self.problems = ledger, seen, []
        self.figures = {"acknowledged": 0, "unknown": 0, "unknown and done": 0, "lost": 0, "doubled": 0, "torn": 0, "refused and done": 0}

    def blame(self, figure, message):
        self.figures[figure] = self.figures.get(figure, 0) + 1
        if len(self.problems) < 20:
            self.problems.append(f"{figure}: {message}")

    def judge(self):
        self.runs_end()
        entries = list(self.ledger.entries)
        self.figures["acknowledged"] = sum(entry.acknowledged() for entry in entries)
        self.figures["unknown"] = sum(not entry.acknowledged() and not entry.refused() for entry in entries)
        docs = self.seen.rows("doc", "code,box,text,scan")
        self.check_docs(entries, docs)
        self.check_totals(entries, docs)
        self.check_files(docs)
        self.check_users(entries)
        self.check_audit()
        return self

    def runs_end(self):
        path = "/api/ext/v1/automation-run?limit=1&state="
        ended = lambda: not any(self.seen.get(path + state)["items"] for state in ("waiting", "running"))
        if not await_that(ended, RUNS, 0.3):
            self.blame("runs that do not end", str(self.seen.get(path + "waiting")["items"])[:300])
        if self.seen.get(path + "failed")["items"]:
            self.blame("failed runs", str(self.seen.get(path + "failed")["items"])[:300])

    def check_docs(self, entries, docs):
        """Creations, pairs and deletions, and the notes that the automation made of them."""
        present = collections.Counter(doc["code"] for doc in docs)
        notes = collections.Counter(note["text"] for note in self.seen.rows("note", "text"))
        dropped = {entry.facts["code"]: entry for entry in entries if entry.kind == "drop"}
        expected = set()
        for entry in entries:
            if entry.kind not in ("create", "once", "file", "pair"):
                continue
            codes = [entry.code + "a", entry.code + "b"] if entry.kind == "pair" else [entry.code]
            counts = [present[code] for code in codes]
            drop = dropped.get(entry.code)
            if max(counts) > 1 or any(notes[code] > 1 for code in codes):
                self.blame("doubled", f"{entry.code}: {counts} rows, {[notes[code] for code in codes]} notes")
            if min(counts) != max(counts):
                self.blame("torn", f"{entry.code}: {counts}")
            if entry.acknowledged() and min(counts) == 0 and drop is None:
                self.blame("lost", f"{entry.code}: {entry.attempts}")
            if drop is not None and drop.acknowledged() and max(counts) > 0:
                self.blame("lost", f"the deletion of {entry.code}: {drop.attempts}")
            if not entry.acknowledged() and not entry.refused() and min(counts) > 0:
                self.figures["unknown and done"] += 1
            if entry.refused() and max(counts) > 0:
                self.blame("refused and done", f"{entry.code}: {entry.attempts}")
            for code in codes:
                if present[code] or entry.acknowledged():
                    expected.add(code)
                    if notes[code] == 0:
                        self.blame("lost", f"the note of {code}")
        for code in [*present, *notes]:
            if code not in expected:
                self.blame("torn", f"{code} is there, and nothing made it")

    def check_totals(self, entries, docs):
        """The totals by box, and the counters that were raised."""
        by_box, raised, may = collections.Counter(doc["box"] for doc in docs), collections.Counter(), collections.Counter()
        for entry in entries:
            if entry.kind == "add":
                raised[entry.facts["box"]] += entry.acknowledged()
                may[entry.facts["box"]] += not entry.acknowledged()
        for box in self.seen.rows("box", "name,hits,docs"):
            if box["docs"] != by_box[box["id"]]:
                self.blame("torn", f"box {box['name']} counts {box['docs']} docs of {by_box[box['id']]}")
            least, hits = raised[box["id"]], box["hits"] or 0
            if hits < least:
                self.blame("lost", f"box {box['name']} has {hits} hits of {least}")
            if hits > least + may[box["id"]]:
                self.blame("doubled", f"box {box['name']} has {hits} hits, at most {least + may[box['id']]} were made")

    def check_files(self, docs):
        for doc in docs:
            if doc["scan"]:
                wanted, found = hashlib.sha256(content_of(doc["code"])).hexdigest(), self.seen.digest(doc)
                if not wanted == found == doc["scan"]["hash"]:
                    self.blame("lost", f"the file of {doc['code']}: {found}")

    def check_users(self, entries):
        """Accounts, each of which has one row of the audit log."""
        users = collections.Counter(user["user_id"] for user in self.seen.rows("user", "user_id"))
        told, cursor = collections.Counter(), ""
        while True:
            page = self.seen.get(f"/api/ext/v1/audit?event=user.created&limit=500{cursor}")
            told.update(item["subject"] for item in page["items"])
            if not page["hasMore"]:
                break
            cursor = "&cursor=" + urllib.parse.quote(str(page["nextCursor"]))
        for name in {*users, *told}:
            if users[name] != told[name]:
                self.blame("torn", f"user {name}: {users[name]} accounts, {told[name]} in the audit log")
        for entry in entries:
            if entry.kind == "user" and entry.acknowledged() and users[entry.code] != 1:
                self.blame("lost", f"user {entry.code}: {entry.attempts}")

    def check_audit(self):
        done = self.seen.server.command("audit", "verify", "--tenant", self.seen.tenant, ok=False)
        if done.returncode != 0:
            self.blame("audit chains that do not hold", (done.stdout + done.stderr)[-300:])
        self.check_store()

    def check_store(self):
        """Asks SQLite itself about its file, where the tenant has one."""
        stores = self.seen.server.stores(self.seen.tenant)
        demand(stores or "PLINTH_DATA_POSTGRES" in self.seen.server.environment, "the tenant's file is not found")
        for path in stores:
            store = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)
            try:
                found = [row[0] for row in store.execute("PRAGMA integrity_check")]
                loose = store.execute("PRAGMA foreign_key_check").fetchall()
            finally:
                store.close()
            if found != ["ok"] or loose:
                self.blame("stores that are damaged", f"{os.path.basename(path)}: {found[:3]} {loose[:3]}")

    def demand(self):
        """Raises a fault if anything is wrong; returns the figures."""
        if self.problems:
            raise Fault("\n".join(self.problems))
        return self.figures


def content_of(code):
    """Returns the bytes of the file of a resource: some are larger than what is written at once."""
    return (code + "\n").encode() * (4_000 if code.endswith("3") else 20)
