"""A fault of tests/faults: an SMS gateway and a bucket that hang, drip, cut or refuse, and others that must not wait."""

import collections
import json
import random
import threading
import time

from faults_bucket import Bucket
from faults_clients import KINDS, Scene
from faults_ledger import Seen
from faults_receivers import KNOWN, UNKNOWN, Receiver, files, wait_of_good
from faults_server import ask, await_that, demand
from faults_stops import MailServer

# The ways of both, and those of the short form.
SMS_WAYS, BUCKET_WAYS, FIRST = ["hang", "drip", "cut", "redirect", "big"], ["hang", "deaf", "drip", "cut", "refuse"], 2
# The SMS of each way, and the clients that upload.
TEXTS, CLIENTS = 20, 2
# The setting files.timeout, what one part of an upload may take beside it, and the time of each way, in seconds.
TIMEOUT, BESIDE, LONG, SHORT = 2, 2, 12, 4
# The seconds that writes without a file may take meanwhile, and until uploads are done again.
OTHERS, HEAL = 1, 2


def gateways(lab, count):
    """Has an SMS gateway, then a bucket, answer in each bad way, and be good again."""
    figures = {"times": 0}
    for _ in range(count):
        for part in (gateway, bucket):
            part(lab, figures)
            figures["times"] += 1
            lab.end_parts()
    return figures


def ways_of(lab, ways):
    return ways if lab.patience == 1 else ways[:FIRST]


def gateway(lab, figures):
    """Registers users who are sent SMS, and measures the wait of mails and requests of automations meanwhile."""
    good, smtp, sms = Receiver("good", "127.0.0.1"), MailServer(0), Receiver("good", "127.0.0.6")
    lab.parts += [good, smtp, sms]
    settings = {
        "MAIL_TRANSPORT": "smtp", "MAIL_HOST": "127.0.0.1", "MAIL_PORT": str(smtp.port), "MAIL_TLS": "none",
        "SMS_TRANSPORT": "http", "SMS_URL": f"http://127.0.0.6:{sms.server_address[1]}/",
        "SMS_BODY": "{=jsonEncode({code: trigger('text')})}", "SMS_HEADERS": "Idempotency-Key: {=trigger('id')}",
    }
    scene = Scene(lab, "gateway", settings=[(f"PLINTH_{name}", value) for name, value in settings.items()],
                  **files({"good": good}))
    server = scene.start().servers[0]
    load, asked = scene.load(), []
    for _ in range(5):
        load.create(server, random)
    figures["SMS: wait of others alone s"] = round(max(wait_of_good(load, server, good, smtp, "base")), 2)
    for way in ways_of(lab, SMS_WAYS):
        sms.way = way
        for number in range(TEXTS):
            asked.append(register(load, server, f"{way}-{number}", len(asked)))
        first = max(wait_of_good(load, server, good, smtp, f"{way}-first"))
        then = max(wait_of_good(load, server, good, smtp, f"{way}-then"))
        figures[f"SMS, {way}: wait of others at first, then s"] = f"{first:.2f}, {then:.2f}"
        in_time = first <= UNKNOWN * lab.patience and then <= KNOWN * lab.patience
        demand(in_time, f"others wait for an SMS gateway ({way}): {figures}")
    sms.way = "good"
    began = time.monotonic()
    # What is under way ends first, and is retried then.
    demand(await_that(lambda: all_sent(server), 60, 1), f"SMS are not sent: {left(server)}")
    names = {text.split(" ")[0]: {name for _, name in attempts} for text, attempts in sms.came.items()}
    demand(set(names) == set(asked), f"SMS are lost: {sorted(set(asked) - set(names))[:5]} of {len(asked)}")
    demand(all(len(name) == 1 for name in names.values()), "a repeated SMS has another name")
    figures.update({"SMS": len(asked), "SMS lost": 0, "SMS: all accepted after s": round(time.monotonic() - began, 1)})
    demand(server.running() and server.ready(), "the server ended")
    scene.judge()


def register(load, server, text, number):
    """Registers a user who is sent an SMS; returns a text of it that no other has."""
    code = f"sms-{text}."
    body = {"user_id": f"{text}@acme.example", "user_name": "Someone", "phone": f"+4206010{number:05}",
            "verify_account": {"sms_code": {"message": code + " %code%"}}}
    status, content, _ = load.ask(server, "POST", "/api/v1/app/user.register", body)
    demand(status == 200, f"no registration: {status} {content[:300]}")
    return code


def left(server):
    """Returns the SMS that are not sent."""
    words = ["outbox", "list", "--channel", "sms", "--limit", "1000", "--json", "--tenant", "acme"]
    return [row for row in json.loads(server.command(*words).stdout)["items"] if row["state"] != "sent"]


def all_sent(server):
    """Makes due what waits; returns true if nothing does."""
    server.command("outbox", "retry", "--all", "--tenant", "acme")
    return not left(server)


class Downloads:
    """Clients that read one file all the time."""

    def __init__(self, server, key, address):
        self.server, self.key, self.address = server, key, address
        self.seen, self.ending = [], threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)

    def work(self):
        while not self.ending.is_set():
            sent = time.monotonic()
            try:
                status = ask(self.server.port, "GET", self.address, key=self.key)[0]
            except OSError as error:
                status = type(error).__name__
            self.seen.append((sent, status, time.monotonic()))
            time.sleep(0.05)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ending.set()
        self.thread.join()


def bucket(lab, figures):
    """Has the bucket of the files answer badly under load; uploads end in time, and what needs no file does not wait."""
    store = Bucket()
    lab.parts.append(store)
    settings = {"STORAGE": "s3", "ENDPOINT": store.url, "BUCKET": "files", "ACCESS_KEY": "key", "SECRET_KEY": "secret",
                "TIMEOUT": f"{TIMEOUT}s"}
    scene = Scene(lab, "bucket", settings=[(f"PLINTH_FILES_{name}", value) for name, value in settings.items()])
    server = scene.start().servers[0]
    with scene.load(kinds={**KINDS, "file": 0}) as load, scene.load(kinds={"file": 1}, clients=CLIENTS) as uploads:
        uploads.heals(30)
        with Downloads(server, scene.key, address_of_file(scene, server)) as downloads:
            for way in ways_of(lab, BUCKET_WAYS):
                figures[f"bucket, {way}"] = try_bucket(lab, way, store, scene, downloads)
                heals = lambda: any(status == 200 for sent, status, _ in downloads.seen if sent > began)
                began = time.monotonic()
                healed = uploads_heal(scene.ledger, began)
                demand(healed <= HEAL * lab.patience, f"bucket, {way}: uploads are done again after {healed:.1f} s")
                demand(await_that(heals, 30, 0.02), f"bucket, {way}: a file is not served again")
    figures["lost"] = scene.judge()["lost"]


def address_of_file(scene, server):
    """Returns the address of a file, once there is one."""
    seen = Seen(server, "acme", scene.key)
    row = await_that(lambda: next((row for row in seen.rows("doc", "scan", still=False) if row["scan"]), None), 30, 0.1)
    demand(row, "no file is there")
    return f"/t/acme/api/ext/v1/file/doc/{row['id']}/scan/{row['scan']['name']}"


def uploads_heal(ledger, began):
    """Waits until an upload is done; returns the seconds until then."""
    def done():
        with ledger.lock:
            return any(sent > began and status == 201 for entry in ledger.entries[-400:] if entry.kind == "file"
                       for _, sent, status, _ in entry.attempts)
    demand(await_that(done, 30, 0.02), "uploads are not done again")
    return time.monotonic() - began


def try_bucket(lab, way, store, scene, downloads):
    """Has the bucket answer badly for some time; returns what uploads, downloads and others saw."""
    store.be(way)
    began = time.monotonic()
    time.sleep(LONG if lab.patience == 1 else SHORT)
    ended = time.monotonic()
    store.be("good")
    time.sleep(0.2)
    with scene.ledger.lock:
        attempts = [(entry.kind == "file", *attempt) for entry in scene.ledger.entries for attempt in entry.attempts]
    spans, answers = {True: [0.0], False: [0.0]}, {True: collections.Counter(), False: collections.Counter()}
    for is_file, _, sent, status, end in attempts:
        if began <= sent and end <= ended:
            spans[is_file].append(end - sent)
            answers[is_file][status] += 1
    # The bucket had these files before.
    demand(answers[True].pop(201, 0) <= CLIENTS, f"bucket, {way}: uploads are done: {answers[True]}")
    served = collections.Counter(status for sent, status, end in downloads.seen if began <= sent and end <= ended)
    seen = (f"uploads {dict(answers[True])}, longest {max(spans[True]):.1f} s; downloads {dict(served)}; "
            f"others {sum(answers[False].values())}, longest {max(spans[False]):.2f} s")
    demand(answers[True], f"bucket, {way}: no upload was tried and ended, so nothing is known: {seen}")
    demand(set(answers[True]) <= {503, 504}, f"bucket, {way}: uploads have other answers: {seen}")
    demand(max(spans[True]) <= TIMEOUT + BESIDE * lab.patience, f"bucket, {way}: an upload waited too long: {seen}")
    demand(max(spans[False]) <= OTHERS * lab.patience, f"bucket, {way}: others wait: {seen}")
    demand(set(answers[False]) <= {*range(200, 300)}, f"bucket, {way}: others fail: {dict(answers[False])}; {seen}")
    return seen
