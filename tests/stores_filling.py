"""An installation with something of everything that Plinth stores, for tests/stores --make."""

import base64
import hashlib
import hmac
import json
import os
import shutil
import time
import urllib.parse

from faults_server import Server, ask, await_that, demand
from stores_files import MODEL, QUIET

# A test key: 32 bytes that everyone may read.
KEY = base64.b64encode(b"test key of tests/stores, public").decode()
PASSWORD, SECRET = "a password of the stores", "made up for the stores"
ANN, CARL = "ann@acme.example.com", "carl@acme.example.com"
FORM = {"content-type": "application/x-www-form-urlencoded"}
# The smallest PNG.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SMALL = {
    "types/note.yaml": "id: 40\nname: note\nproperties:\n  text: {id: 400, kind: pString}\n",
    "roles/admin.yaml": 'role: admin\nsystem: ["*"]\ntypes: {"*": {show: true, edit: true}}\n',
}


class Filling:
    """A server that is being filled, and the keys of its users."""

    def __init__(self, lab, name, postgres):
        self.server, self.keys = Server(lab, name, postgres, QUIET), {}
        os.makedirs(self.server.data, mode=0o700)
        with open(os.open(f"{self.server.data}/plinth.key", os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write(KEY + "\n")
        folder = os.path.join(self.server.folder, "files", "acme")
        shutil.copytree(MODEL, folder)
        self.run("apply", folder)

    def run(self, *words, text=None):
        return self.server.command(*words, text=text).stdout.strip()

    def ask(self, method, path, body=None, key="ann", headers=(), tenant="acme", wanted=(200, 201, 202, 204)):
        status, content, _ = ask(
            self.server.port, method, f"/t/{tenant}/api/{path}", body, self.keys[key], headers=headers
        )
        demand(status in wanted, f"{method} {path}: {status} {content.decode(errors='replace')[:600]}")
        return json.loads(content) if content else None

    def create(self, of, **values):
        return self.ask("POST", f"v1/collection/{of}", values)["id"]

    def upload(self, place, *files):
        """Uploads files; returns their promises."""
        line = "the-line-between-parts"
        body = b""
        for name, media, content in files:
            part = f'Content-Disposition: form-data; name="file"; filename="{name}"'
            body += f"--{line}\r\n{part}\r\nContent-Type: {media}\r\n\r\n".encode() + content + b"\r\n"
        body += f"--{line}--\r\n".encode()
        headers = {"content-type": f"multipart/form-data; boundary={line}"}
        return self.ask("POST", f"v1/upload/{place}", body, headers=headers)

    def started(self, **settings):
        """Starts the server anew, with settings of its own."""
        self.server.stop()
        self.server.environment.update({f"PLINTH_{name.upper()}": value for name, value in settings.items()})
        self.server.start()


def fill(lab, name, postgres=None):
    """Makes an installation; returns its stopped server and the keys."""
    filling = Filling(lab, name, postgres)
    people(filling)
    small_tenants(filling)
    filling.run("automation", "disable", "clock", "--tenant", "acme")
    filling.started(outbox_send="true")
    for tenant in ("cold", "gone"):
        filling.ask("POST", "v1/collection/note", {"text": "kept"}, tenant, tenant=tenant)
    companies, invoices = records(filling)
    things(filling, companies)
    beside(filling, companies)
    await_runs(filling, lambda runs: all(run["state"] == "done" for run in runs))
    # A message and a run fail, and wait: nothing listens on that port.
    filling.started(mail_transport="smtp", mail_host="127.0.0.1", mail_port="9", mail_tls="none")
    filling.create("company", code="LATE", name="Late & Sons")
    filling.ask("PATCH", f"v1/collection/invoice/{invoices[0]}", {"status": "paid"})
    failed = lambda run: run["automation"] == "paid" and run["tries"] > 0 and run["state"] == "waiting"
    await_runs(filling, lambda runs: any(map(failed, runs)))
    waits = lambda: [item for item in messages(filling) if item["state"] == "waiting" and item["tries"] > 0]
    demand(await_that(waits, 60), f"no message waits after a failure: {messages(filling)}")
    # What comes now has not begun.
    filling.started(outbox_send="false", mail_transport="files")
    waiting(filling, invoices)
    filling.server.stop()
    filling.run("tenant", "freeze", "cold")
    filling.run("tenant", "delete", "gone", "--after", "3650d")
    return filling.server, filling.keys


def people(filling):
    words = ["--password-stdin", "--tenant", "acme"]
    filling.run("user", "create", ANN, "--name", "Ann", "--role", "admin", *words, text=PASSWORD)
    filling.run("user", "create", "bob@acme.example.com", "--name", "Bob", "--role", "clerk", *words, text=PASSWORD)
    filling.run("user", "disable", "bob@acme.example.com", "--tenant", "acme")
    filling.run("user", "password", CARL, *words, text=PASSWORD)
    for name in ("erp", "shop"):
        filling.run("secret", "set", name, "--title", f"The {name}", "--tenant", "acme", text=SECRET)
    filling.keys["ann"] = filling.run("key", "create", ANN, "--tenant", "acme")
    filling.keys["carl"] = filling.run("key", "create", CARL, "--tenant", "acme")
    filling.keys["scoped"] = filling.run("key", "create", ANN, "--scope", "collection:company:show", "--tenant", "acme")


def small_tenants(filling):
    for tenant in ("cold", "gone"):
        filling.keys[tenant] = filling.server.make_tenant(tenant, {"tenant.yaml": f"tenant: {tenant}\n", **SMALL})


def records(filling):
    """Makes companies and their invoices; returns their ids."""
    logo = filling.upload("company/logo", ("logo.png", "image/png", PNG))[0]
    acme = filling.create("company", code="ACME", name="Acme", email="office@acme.example.com", logo=logo, owner=1)
    papers = filling.upload("company/papers", ("a.txt", "text/plain", b"first"), ("b.txt", "text/plain", b"second"))
    dolce = filling.create("company", code="DOLCE", name="Dolcé vita", parent=acme, papers=papers)
    closed = filling.create("company", code="OLD", name="Old Ltd", parent=acme, open=False)
    filling.ask("DELETE", f"v1/collection/company/{filling.create('company', code='NONE', name='None')}")
    invoices = []
    for number, (company, net, status) in enumerate(
        [(acme, "120.50", "new"), (acme, "80", "new"), (dolce, "0.01", "paid"), (closed, "999999.99", "lost")]
    ):
        due = f"2026-1{number % 3}-15"
        invoices.append(
            filling.create("invoice", company=company, net=net, status=status, due=due, reference=f"order {number}")
        )
    filling.ask("PATCH", f"v1/collection/invoice/{invoices[1]}", {"net+=": 20})
    filling.create("visit", note="looked at the books", company=acme)
    filling.ask("GET", "v1/collection/visit")
    return [acme, dolce, closed], invoices


def things(filling, companies):
    """Makes a record with a value of each kind, and an empty one."""
    file = filling.upload("thing/file", ("The cover.png", "image/png", PNG))[0]
    files = filling.upload("thing/files", ("a.txt", "text/plain", b"a"), ("b.txt", "text/plain", b"bb"))
    filling.create(
        "thing", string="Žluťoučký \"kůň\"\n", text="A long text. " * 20, integer=-(2**40), decimal="12.5001",
        float=1.5e-7, boolean=True, date="2024-02-29", month="2026-11", time="14:30:05",
        datetime="2026-10-25T00:30:00.250Z", enum="a", enums=["b", "a"], relation=companies[0],
        relations=[companies[1], companies[0], companies[1]], user=1, group="blue", file=file, files=files,
        json={"value": [1, 2.5, "x", None, {"deep": {"er": True}}]}, email="thing@acme.example.com",
        url="https://acme.example.com/?a=1", phone="+420123456789", slug="a-thing", color="#a0b",
    )
    filling.create("thing")


def beside(filling, companies):
    """Makes tags, notifications, settings, views, jobs, sessions and keys."""
    tag = filling.ask("POST", "v1/collection/tags", {"name": "Own", "code": "own", "private": True})["id"]
    for company, tags in ((companies[0], ["vip", tag]), (companies[1], ["customers"])):
        assigned = {"type": "company", "item": company, "operation": "add", "tags": tags}
        filling.ask("POST", "v1/app/tags.assign", assigned)
    recipients = {"recipients": [{"customId": "n-1"}, {"userId": 1}], "title": "Hello", "body": "From the stores."}
    filling.ask("POST", "ext/v1/notifications", recipients)
    filling.ask("PUT", "ext/v1/setting/grid.company", {"columns": ["code", "name"]})
    view = {"type": "company", "title": "All", "state": {"orderBy": ["-name"]}, "shared": "all"}
    filling.ask("POST", "ext/v1/view", view)
    rows = b"code,name\nIMP1,First import\nIMP2,Second import\n"
    filling.ask("POST", "ext/v1/import/company?run=1", rows, headers={"content-type": "text/csv"})
    body = urllib.parse.urlencode({"user": CARL, "password": PASSWORD, "description": "made at sign-in"})
    filling.ask("POST", "v1/auth", body, headers=FORM)


def waiting(filling, invoices):
    """Makes runs that have not begun, an answer that is kept, and a schedule that runs from now on."""
    filling.ask("PATCH", f"v1/collection/invoice/{invoices[1]}", {"status": "paid"})
    headers = {"Idempotency-Key": "of-the-stores"}
    filling.ask("POST", "ext/v1/collection/event", {"what": "once"}, headers=headers)
    body, now = '{"number": "O-1"}', int(time.time())
    mac = hmac.new(SECRET.encode(), f"{now}.{body}".encode(), hashlib.sha256).hexdigest()
    filling.ask("POST", "ext/v1/hook/orders", body, headers={"X-Signature": f"t={now},v1={mac}"})
    filling.ask("POST", "ext/v1/automation/clock/enable", {})


def await_runs(filling, holds):
    runs = lambda: filling.ask("GET", "ext/v1/automation-run?limit=100")["items"]
    demand(await_that(lambda: holds(runs()), 90, 0.2), f"the runs are not as they should be: {runs()}")


def messages(filling):
    return json.loads(filling.run("outbox", "list", "--json", "--tenant", "acme"))["items"]
