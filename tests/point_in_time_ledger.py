"""The writer of tests/point_in_time, and its ledger: each write with the instants of its request and its answer."""

import json
import threading
import time

from faults_ledger import Seen
from faults_server import ask, demand

FILES = {
    "tenant.yaml": "tenant: {tenant}\napi: {rate: 0, allowApiPasswordReset: true}\n",
    "types/row.yaml": "name: row\nproperties:\n  code: {kind: pString, unique: true}\n  value: {kind: pInteger}\n",
    "types/doc.yaml": "name: doc\nproperties:\n  code: {kind: pString}\n  scan: {kind: pFile}\n",
    "types/letter.yaml": "name: letter\nproperties:\n  code: {kind: pString}\n",
    "roles/admin.yaml": 'role: admin\nsystem: ["*"]\ntypes: {"*": {show: true, edit: true}}\n',
    "automations/write.yaml": "automation: write\non: {event: letter.created}\n"
    'do:\n  - mail: {to: "ann@example.com", subject: A letter, text: "{=code}"}\n',
}
# The seconds between two writes.
PAUSE = 0.01


class Writer:
    """A client of a tenant: it creates, changes and deletes rows, one write after another."""

    def __init__(self, port, tenant, key):
        # `Seen` reads by the port of a server: that is this client.
        self.port, self.tenant, self.key = port, tenant, key
        self.lock, self.ending, self.events, self.ids = threading.Lock(), threading.Event(), [], {}
        self.thread, self.count = threading.Thread(target=self.work, daemon=True), 0

    def request(self, method, path, body=None, headers=()):
        status, content, _ = ask(self.port, method, f"/t/{self.tenant}{path}", body, self.key, headers=headers)
        return status, content

    def write(self, method, path, body, code, value):
        """Does one write, and notes it; returns the answer. One that is not acknowledged may be done at any time."""
        sent = time.time()
        try:
            status, content = self.request(method, path, body)
        except OSError as error:
            status, content = type(error).__name__, b""
        done = status in (200, 201, 204)
        self.events.append((code, value, sent, time.time() if done else float("inf")))
        return json.loads(content or b"{}") if done else {}

    def work(self):
        while not self.ending.is_set():
            with self.lock:
                self.count += 1
                self.create(f"r{self.count}")
                if self.count % 3 == 0:
                    self.change(f"r{self.count // 2}")
            time.sleep(PAUSE)

    def create(self, code):
        row = self.write("POST", "/api/v1/collection/row", {"code": code, "value": 0}, code, 0)
        if "id" in row:
            self.ids[code] = row["id"]

    def change(self, code):
        if code in self.ids:
            self.write("PATCH", f"/api/v1/collection/row/{self.ids[code]}", {"value": self.count}, code, self.count)

    def drop_all(self):
        """Deletes every row that is known; returns their number."""
        codes = list(self.ids)
        for code in codes:
            with self.lock:
                self.write("DELETE", f"/api/v1/collection/row/{self.ids.pop(code)}", None, code, None)
        return len(codes)

    def start(self):
        self.thread.start()
        return self

    def end(self):
        demand(self.thread.is_alive(), f"the writer of {self.tenant} has ended by itself")
        self.ending.set()
        self.thread.join()

    def upload(self, code, content):
        """Creates a document with a file."""
        edge = "plinthpointintime"
        head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{code}.txt"\r\nContent-Type: text/plain\r\n\r\n'
        body = head.encode() + content + f"\r\n--{edge}--\r\n".encode()
        form = [("content-type", f"multipart/form-data; boundary={edge}")]
        status, said = self.request("POST", "/api/v1/upload/doc/scan", body, form)
        demand(status == 200, f"no upload: {status} {said[:300]}")
        status, said = self.request("POST", "/api/v1/collection/doc", {"code": code, "scan": json.loads(said)[0]})
        demand(status == 201, f"no document: {status} {said[:300]}")
        return json.loads(said)["id"]

    def acknowledged(self, until):
        return sum(acked <= until for *_, acked in self.events)

    def in_flight(self, instant):
        return sum(sent <= instant < acked for _, _, sent, acked in self.events)

    def possible(self, instant):
        """Returns what each row may be at an instant; `None` is a row that is not there. More than one is in flight."""
        rows = {}
        for code, value, sent, acked in self.events:
            if acked <= instant:
                rows[code] = {value}
            elif sent <= instant:
                rows.setdefault(code, {None}).add(value)
        return rows

    def compare(self, rows, instant, where):
        """Demands that rows are exactly those of an instant; returns their number."""
        found = {row["code"]: row["value"] for row in rows}
        possible = self.possible(instant)
        wrong = [f"{code}: {found.get(code)} and not {may}" for code, may in possible.items() if found.get(code) not in may]
        wrong += [f"{code}: {value}, and was written later" for code, value in found.items() if code not in possible]
        demand(not wrong, f"{where}: {len(wrong)} of {len(possible)} rows differ: {'; '.join(wrong[:5])}")
        return len(found)

    def seen(self, tenant=None):
        return Seen(self, tenant or self.tenant, self.key)
