"""The clients of tests/faults: they write all the time, and note in the ledger what they ask for and what they hear."""

import json
import os
import random
import threading
import time

from faults_ledger import Judge, Ledger, Seen, content_of, files_of
from faults_server import Server, ask, await_that, demand

BOXES = 4
# Each kind of write, with its weight.
KINDS = {"create": 8, "pair": 3, "once": 4, "add": 4, "drop": 2, "file": 2, "user": 1}


class Load:
    """Clients of a tenant, on one node or several, until they are ended; each writes at once again, or after `pace` seconds."""

    def __init__(self, ledger, servers, key, tenant="acme", clients=4, kinds=KINDS, seed=1, pace=0):
        self.pace = pace
        self.ledger, self.servers, self.key, self.tenant, self.kinds = ledger, servers, key, tenant, kinds
        self.boxes, self.ending, self.made, self.open = [], threading.Event(), [], []
        self.began, self.timeout, self.patience = time.monotonic(), 30, 0.02
        self.make_boxes()
        self.threads = [threading.Thread(target=self.work, args=(number, seed), daemon=True) for number in range(clients)]

    def make_boxes(self):
        for row in Seen(self.servers[0], self.tenant, self.key).rows("box", "name"):
            self.boxes.append(row["id"])
        while len(self.boxes) < BOXES:
            status, content, _ = self.ask(self.servers[0], "POST", "/api/v1/collection/box", {"name": f"b{len(self.boxes)}"})
            demand(status == 201, f"no box: {status} {content[:300]}")
            self.boxes.append(json.loads(content)["id"])

    def ask(self, server, method, path, body=None, headers=()):
        return ask(server.port, method, f"/t/{self.tenant}{path}", body, self.key, self.timeout, headers)

    def start(self):
        for thread in self.threads:
            thread.start()
        return self

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.end()

    def end(self):
        self.ending.set()
        for thread in self.threads:
            thread.join()

    def work(self, number, seed):
        chance = random.Random(seed * 1000 + number)
        server = self.servers[number % len(self.servers)]
        while not self.ending.is_set():
            kind = chance.choices(list(self.kinds), list(self.kinds.values()))[0]
            if not getattr(self, kind)(server, chance):
                time.sleep(self.patience)
            elif self.pace:
                time.sleep(self.pace)

    def attempt(self, server, entry, method, path, body=None, headers=()):
        """Sends a write, and notes its end; returns the answer if it was done."""
        sent = time.monotonic()
        try:
            status, content, _ = self.ask(server, method, path, body, headers)
        except OSError as error:
            self.ledger.note(entry, server.name, sent, type(error).__name__)
            return None
        self.ledger.note(entry, server.name, sent, status)
        if status >= 300:
            return None
        return json.loads(content) if content else {}

    def doc(self, code, chance, **more):
        return {"code": code, "box": chance.choice(self.boxes), "text": code * chance.choice([1, 10, 300]), **more}

    def create(self, server, chance):
        entry = self.ledger.begin("create")
        made = self.attempt(server, entry, "POST", "/api/v1/collection/doc", self.doc(entry.code, chance))
        if made:
            self.made.append((entry.code, made["id"]))
        return made

    def pair(self, server, chance):
        entry = self.ledger.begin("pair")
        operations = [{"op": "create", "type": "doc", "set": self.doc(entry.code + side, chance)} for side in "ab"]
        return self.attempt(server, entry, "POST", "/api/ext/v1/batch", {"operations": operations})

    def once(self, server, chance):
        """Sends a write under a name until it is done, also after the server died meanwhile."""
        try:
            entry, body = self.open.pop()
        except IndexError:
            entry = self.ledger.begin("once")
            body = json.dumps(self.doc(entry.code, chance))
        name = [("idempotency-key", entry.code)]
        made = self.attempt(server, entry, "POST", "/api/ext/v1/collection/doc", body, name)
        if made is None:
            self.open.append((entry, body))
        return made

    def add(self, server, chance):
        box = chance.choice(self.boxes)
        entry = self.ledger.begin("add", box=box)
        return self.attempt(server, entry, "PATCH", f"/api/v1/collection/box/{box}", {"hits+=": 1})

    def drop(self, server, chance):
        try:
            code, resource = self.made.pop(0)
        except IndexError:
            return self.create(server, chance)
        entry = self.ledger.begin("drop", code=code)
        return self.attempt(server, entry, "DELETE", f"/api/v1/collection/doc/{resource}") is not None

    def file(self, server, chance):
        entry = self.ledger.begin("file")
        edge = "plinthfaultsedge"
        name = f'Content-Disposition: form-data; name="file"; filename="{entry.code}.txt"'
        head = f"--{edge}\r\n{name}\r\nContent-Type: text/plain\r\n\r\n"
        body = head.encode() + content_of(entry.code) + f"\r\n--{edge}--\r\n".encode()
        form = [("content-type", f"multipart/form-data; boundary={edge}")]
        sent = time.monotonic()
        try:
            status, content, _ = self.ask(server, "POST", "/api/v1/upload/doc/scan", body, form)
        except OSError as error:
            status, content = type(error).__name__, b""
        if status != 200:
            self.ledger.note(entry, server.name, sent, status)
            return None
        doc = self.doc(entry.code, chance, scan=json.loads(content)[0])
        return self.attempt(server, entry, "POST", "/api/v1/collection/doc", doc)

    def user(self, server, chance):
        entry = self.ledger.begin("user")
        account = {"user_id": entry.code, "user_name": "Someone"}
        return self.attempt(server, entry, "POST", "/api/v1/collection/user", account)

    def wrote_since(self, moment, node=None):
        """Returns true if a write that was sent after a moment was done."""
        with self.ledger.lock:
            return any(
                isinstance(status, int) and status < 300 and sent > moment and node in (None, at)
                for entry in reversed(self.ledger.entries[-400:])
                for at, sent, status, _ in entry.attempts
            )

    def heals(self, seconds, node=None):
        """Waits until writes are done again; returns the seconds until then."""
        began = time.monotonic()
        demand(await_that(lambda: self.wrote_since(began, node), seconds, 0.01), f"no write is done within {seconds} s")
        return time.monotonic() - began


class Scene:
    """A tenant on one node or more, with a ledger, for one fault."""

    def __init__(self, lab, name, postgres=None, nodes=1, settings=(), data=None, **files):
        self.lab, self.name = lab, name
        self.servers = [Server(lab, f"{name}{number or ''}", postgres, settings, data) for number in range(nodes)]
        first = self.servers[0]
        self.key = first.make_tenant("acme", files_of("acme", **files))
        for other in self.servers[1:]:
            # Uploaded files lie in the data folder: nodes without a bucket share it.
            other.data = other.environment["PLINTH_DATA_FOLDER"] = first.data
        self.ledger = Ledger(os.path.join(first.folder, "ledger"))

    def start(self):
        for server in self.servers:
            server.start()
        return self

    def load(self, **more):
        return Load(self.ledger, self.servers, self.key, seed=self.lab.seed, **more)

    def judge(self, server=None):
        """Compares ledger and tenant, and returns the figures; raises what is wrong."""
        return Judge(self.ledger, Seen(server or self.servers[0], "acme", self.key)).judge().demand()

    def stop(self):
        for server in self.servers:
            server.stop()
