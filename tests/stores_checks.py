"""What a kept store must still do: sign in, give files, take writes, run what waited, come back."""

import glob
import hashlib
import http.server
import json
import os
import sqlite3
import threading
import time
import urllib.parse

from faults_server import ask, await_that, demand, read
from stores_answers import SIGNED
from stores_filling import CARL, FORM, PASSWORD, SECRET


class Receiver:
    """A server to which automations send."""

    def __init__(self):
        self.got = got = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                got.append((self.headers["authorization"], self.headers["idempotency-key"], body))
                answer = json.dumps({"reference": f"told of {body['number']}"}).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Opened:
    """A server over a kept store, with the keys of its release."""

    def __init__(self, server, keys):
        self.server, self.keys = server, keys

    def ask(self, method, path, body=None, key="ann", headers=(), tenant="acme", wanted=200):
        whole = f"/t/{tenant}/api/{path}"
        status, content, _ = ask(self.server.port, method, whole, body, self.keys[key], headers=headers)
        told = content.decode(errors="replace")[:600]
        demand(status == wanted, f"{method} {path}: {status} and not {wanted}: {told}")
        return json.loads(content) if content else {}

    def rows(self, of, **filters):
        found = [{"property": name, "type": "eq", "param": value} for name, value in filters.items()]
        words = urllib.parse.urlencode({"filters": json.dumps(found), "perPage": 100, "_noCache": 1})
        path = f"/t/acme/api/v1/collection/{of}?{words}"
        status, content, _ = ask(self.server.port, "GET", path, key=self.keys["ann"])
        demand(status in (200, 204), f"{of}: {status} {content[:300]}")
        return json.loads(content)["data"] if content else []


def signs_in(opened):
    """A user of then signs in, and the new key works."""
    body = urllib.parse.urlencode({"user": CARL, "password": PASSWORD})
    opened.keys["new"] = opened.ask("POST", "v1/auth", body, headers=FORM)["authToken"]["keyString"]
    opened.ask("GET", "v1/app/user.current", key="new")


def gives_files(opened):
    """Each file has the bytes that its checksum tells."""
    files = []
    for row in [*opened.rows("thing"), *opened.rows("company")]:
        for value in row.values():
            files += [file for file in (value if isinstance(value, list) else [value]) if is_file(file)]
    demand(len(files) == 6, f"{len(files)} files and not 6")
    for file in files:
        status, content, _ = ask(opened.server.port, "GET", file["url"])
        is_whole = hashlib.sha256(content).hexdigest() == file["hash"]
        demand(status == 200 and is_whole, f"{file}: {status} {content[:100]}")


def is_file(value):
    return isinstance(value, dict) and "hash" in value and SIGNED.search(value["url"])


def audit_holds(opened):
    opened.server.command("audit", "verify", "--tenant", "acme")


def takes_writes(opened):
    """Numbers go on, totals follow, and rules of then hold."""
    last = max(row["number"] for row in opened.rows("invoice"))
    acme = opened.rows("company", code="ACME")[0]
    body = {"company": acme["id"], "net": "0.50", "reference": "new"}
    made = opened.ask("POST", "v1/collection/invoice", body, wanted=201)
    demand(int(made["number"][4:]) == int(last[4:]) + 1, f"{made['number']} follows {last}")
    after = opened.rows("company", code="ACME")[0]
    totals = [after["invoices"] - acme["invoices"], round(after["turnover"] - acme["turnover"], 2), after["least"]]
    demand(totals == [1, 0.5, 0.5], f"the totals of a company: {acme} {after}")
    opened.ask("POST", "v1/collection/invoice", body, wanted=409)
    opened.ask("DELETE", f"v1/collection/company/{acme['id']}", wanted=409)
    opened.ask("POST", "v1/collection/company", {"code": "ACME", "name": "Again"}, wanted=409)
    opened.ask("PATCH", f"v1/collection/invoice/{made['id']}", {"status": "lost"}, key="carl", wanted=403)
    opened.ask("PATCH", f"v1/collection/invoice/{made['id']}", {"reference": "newer"}, key="carl")
    found = opened.ask("GET", "v1/collection/invoice?" + urllib.parse.urlencode(
        {"filters": json.dumps([{"property": "*", "type": "search", "param": "newer"}])}))
    demand([row["id"] for row in found["data"]] == [made["id"]], f"the new word is found: {found}")
    # The answer of then is kept for a day.
    headers = {"Idempotency-Key": "of-the-stores"}
    opened.ask("POST", "ext/v1/collection/event", {"what": "once"}, headers=headers, wanted=201)


def thaws(opened):
    """A frozen tenant takes no writes until it is unfrozen."""
    note = {"text": "after the winter"}
    opened.ask("POST", "v1/collection/note", note, "cold", tenant="cold", wanted=503)
    opened.server.command("tenant", "unfreeze", "cold")
    status = lambda: ask(opened.server.port, "POST", "/t/cold/api/v1/collection/note", note, opened.keys["cold"])[0]
    demand(await_that(lambda: status() == 201, 20), "an unfrozen tenant takes writes")


def comes_back(opened):
    """A deleted tenant comes back with its rows."""
    opened.server.command("tenant", "undelete", "gone")
    status = lambda: ask(opened.server.port, "GET", "/t/gone/api/v1/collection/note", key=opened.keys["gone"])
    found = await_that(lambda: (lambda answer: answer if answer[0] == 200 else None)(status()), 20)
    demand(found and json.loads(found[1])["data"][0]["text"] == "kept", f"a deleted tenant comes back: {found}")


def runs_what_waited(opened):
    """Runs, messages and the moment of a schedule that waited are done once each, by a server that sends."""
    server, receiver = opened.server, Receiver()
    server.lab.parts.append(receiver)
    server.stop()
    folder = os.path.join(server.folder, "pulled")
    server.command("pull", folder, "--tenant", "acme")
    path = os.path.join(folder, "env.yaml")
    text = read(path).replace("http://127.0.0.1:9", receiver.url)
    demand(receiver.url in text, f"the pulled file has no receiver: {text}")
    with open(path, "w") as file:
        file.write(text)
    server.command("apply", folder)
    for of in ("automation", "outbox"):
        server.command(of, "retry", "--all", "--tenant", "acme")
    server.environment["PLINTH_OUTBOX_SEND"] = "true"
    began = time.time()
    server.start()
    done = lambda: len(opened.rows("event", what="told")) == 2 and opened.rows("event", what="order")
    # A run of this minute waits for its second attempt.
    demand(await_that(done, 100, 0.2), f"the waiting runs are done: {opened.rows('event')} {receiver.got}")
    demand(len(opened.rows("event", what="paid")) == 2, f"a step of a run is done once: {opened.rows('event')}")
    demand(sorted(body["number"] for _, _, body in receiver.got) == ["INV-00001", "INV-00002"], f"{receiver.got}")
    demand({line for line, _, _ in receiver.got} == {f"Bearer {SECRET}"}, f"the sealed secret is sent: {receiver.got}")
    mails = lambda: [read(path) for path in glob.glob(f"{server.data}/mail/acme/*")]
    late = lambda: [mail for mail in mails() if "LATE" in mail]
    demand(await_that(late, 100, 0.2), f"the waiting mail is sent: {mails()}")
    # A store of this minute has no moment that was missed: the first one comes.
    ticks = lambda: opened.rows("event", what="tick")
    demand(await_that(ticks, 70, 0.2), "the schedule goes on")
    moments = [row["at"] for row in ticks()]
    most = 1 + int((time.time() // 60) - (began // 60))
    demand(len(set(moments)) == len(moments) <= most, f"one missed moment is made up, once: {moments}")
    demand(len(late()) == 1, f"a mail is sent once: {late()}")


def later_is_refused(opened):
    """A store that needs a later version is refused with that version."""
    opened.server.stop()
    path = os.path.join(opened.server.data, "tenants", "cold", "tenant.db")
    with sqlite3.connect(path) as store:
        store.execute("INSERT OR REPLACE INTO plinth_meta (name, content) VALUES ('form', '999 99.0.0')")
    store.close()
    done = opened.server.command("user", "list", "--tenant", "cold", ok=False)
    demand(done.returncode == 1 and "Plinth 99.0.0 or later" in done.stderr, f"a later store is refused: {done}")


# What each installation must do, in this order. The first ones are asked of restored archives, too.
OF_ARCHIVES = [signs_in, gives_files, takes_writes, audit_holds]
OF_STORES = [*OF_ARCHIVES, thaws, comes_back, runs_what_waited, audit_holds]
