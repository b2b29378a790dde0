"""A fault of tests/faults: receivers that hang, drip, redirect or answer without end, and others that must not wait."""

import http.server
import json
import random
import re
import threading
import time

from faults_clients import Scene
from faults_ledger import Seen
from faults_server import await_that, demand, read
from faults_stops import MailServer

# Each way has an address of this machine, since a destination is a host.
WAYS = {"good": "127.0.0.1", "hang": "127.0.0.2", "drip": "127.0.0.3", "redirect": "127.0.0.4", "big": "127.0.0.5"}
# Requests to each bad receiver, and to the good one.
BAD, GOOD = 30, 20
# The longest waits of good ones, in seconds: while bad receivers are not known as such, which takes 2 s, and afterwards.
UNKNOWN, KNOWN = 3.0, 1.0
# The bytes of an answer that is too large, and the memory that all of them may cost, in KiB.
BIG, MEMORY = 200 << 20, 96 << 10


class Receiver(http.server.ThreadingHTTPServer):
    """A receiver with one way of answering."""

    daemon_threads, block_on_close = True, False

    def __init__(self, way, address, port=0):
        self.way, self.came, self.lock, self.ending = way, {}, threading.Lock(), threading.Event()
        self.most = self.under_way = 0
        super().__init__((address, port), Answer)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A client that goes early is expected here."""

    def stop(self):
        self.ending.set()
        self.shutdown()
        self.server_close()


class Answer(http.server.BaseHTTPRequestHandler):
    """An answer of a receiver."""

    def log_message(self, *_):
        """Nothing is printed."""

    def do_POST(self):
        receiver = self.server
        code = json.loads(self.rfile.read(int(self.headers["content-length"])))["code"]
        with receiver.lock:
            receiver.came.setdefault(code, []).append((time.monotonic(), self.headers["idempotency-key"]))
            receiver.under_way += 1
            receiver.most = max(receiver.most, receiver.under_way)
        try:
            getattr(self, receiver.way)()
        finally:
            with receiver.lock:
                receiver.under_way -= 1

    def head(self, status, length, **fields):
        self.send_response(status)
        for name, value in {"Content-Length": str(length), "Connection": "close", **fields}.items():
            self.send_header(name, value)
        self.end_headers()

    def good(self):
        self.head(200, 2)
        self.wfile.write(b"{}")

    def hang(self):
        self.server.ending.wait(40)

    def drip(self):
        self.head(200, 1000)
        for _ in range(1000):
            self.wfile.write(b" ")
            self.wfile.flush()
            if self.server.ending.wait(0.5):
                return

    def cut(self):
        self.head(200, 1000)
        self.wfile.write(b"{")

    def redirect(self):
        self.head(302, 0, Location="http://127.0.0.1:1/elsewhere")

    def big(self):
        self.head(200, BIG)
        for _ in range(BIG >> 16):
            self.wfile.write(bytes(1 << 16))


class SlowMailServer(MailServer):
    """A mail server that never answers for one domain."""

    def delay_of(self, recipient):
        return 40 if recipient.endswith("@slow.example") else 0


def files(receivers):
    """Returns the files of the automations: one for each receiver, and one for mails."""
    texts = {"types/call.yaml": "name: call\nproperties:\n  code: {kind: pString}\n  way: {kind: pString}\n"}
    for way, receiver in receivers.items():
        url = f"http://{WAYS[way]}:{receiver.server_address[1]}/"
        texts[f"automations/{way}.yaml"] = (
            f"automation: {way}\nrate: 100000\non: {{event: call.created, if: \"{{=way == '{way}'}}\"}}\n"
            f'do:\n  - http: {{url: "{url}", body: {{code: "{{=code}}"}}}}\n'
        )
    for domain in ("slow", "fast"):
        texts[f"automations/mail_{domain}.yaml"] = (
            f"automation: mail_{domain}\nrate: 100000\non: {{event: call.created, if: \"{{=way == '{domain}'}}\"}}\n"
            f'do:\n  - mail: {{to: "{{=code}}@{domain}.example", subject: A, text: B}}\n'
        )
    texts["tenant.yaml"] = "tenant: acme\napi: {rate: 0}\nmail: {perHour: 1000000}\n"
    return texts


def receivers(lab, count):
    """Has many requests go to bad receivers, and measures the wait of those that go to good ones meanwhile."""
    places = {way: Receiver(way, address) for way, address in WAYS.items()}
    smtp = SlowMailServer(0)
    lab.parts += [*places.values(), smtp]
    mail = {"TRANSPORT": "smtp", "HOST": "127.0.0.1", "PORT": str(smtp.port), "TLS": "none"}
    scene = Scene(lab, "receivers", settings=[(f"PLINTH_MAIL_{name}", value) for name, value in mail.items()], **files(places))
    server = scene.start().servers[0]
    load, chance = scene.load(), random.Random(lab.seed)
    for _ in range(5):
        load.create(server, chance)
    alone = wait_of_good(load, server, places["good"], smtp, "base")
    before, first, then = memory(server), [], []
    for turn in range(count):
        for number in range(BAD):
            for way in ("hang", "drip", "redirect", "big", "slow"):
                call(load, server, way, f"{way}-{turn}-{number}")
        (first if turn == 0 else then).extend(wait_of_good(load, server, places["good"], smtp, f"{turn}-first"))
        then.extend(wait_of_good(load, server, places["good"], smtp, f"{turn}-then"))
    grown = memory(server) - before
    figures = {
        "requests to bad ones": BAD * 5 * count, "requests and mails to good ones": GOOD * 4 * count,
        "longest wait of good ones at first s": round(max(first), 2), "then s": round(max(then), 2),
        "alone s": round(max(alone), 2), "memory grown KiB": grown,
        "most at once": str({way: place.most for way, place in places.items()}),
    }
    in_time = max(first) <= UNKNOWN * lab.patience and max(then) <= KNOWN * lab.patience
    demand(in_time, f"others wait for bad receivers: {figures}")
    demand(grown <= MEMORY, f"large answers take memory: {figures}")
    demand(server.running() and server.ready(), "the server ended")
    names = [{name for _, name in attempts} for attempts in places["hang"].came.values()]
    demand(all(len(name) == 1 for name in names), "a repeated request has another name")
    return {**figures, "lost": 0}


def call(load, server, way, code):
    status, content, _ = load.ask(server, "POST", "/api/v1/collection/call", {"code": code, "way": way})
    demand(status == 201, f"no call: {status} {content[:300]}")


def wait_of_good(load, server, receiver, smtp, turn):
    """Sends to the good receivers; returns the longest waits of a request and of a mail."""
    asked = {}
    for number in range(GOOD):
        code = f"good-{turn}-{number}"
        asked[code] = time.monotonic()
        call(load, server, "good", code)
        call(load, server, "fast", code)
        time.sleep(0.1)
    demand(await_that(lambda: set(asked) <= set(receiver.came), 60), "good requests do not come")
    mails = lambda: {to.split("@")[0]: at for to, _, at in smtp.timed() if to.endswith("@fast.example")}
    demand(await_that(lambda: set(asked) <= set(mails()), 60), "good mails do not come")
    arrived = mails()
    requests = max(receiver.came[code][0][0] - at for code, at in asked.items())
    return requests, max(arrived[code] - at for code, at in asked.items())


def memory(server):
    """Returns the most memory that the process has had, in KiB."""
    return int(re.search(r"VmHWM:\s+(\d+)", read(f"/proc/{server.process.pid}/status")).group(1))
