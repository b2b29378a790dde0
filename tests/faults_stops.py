"""Faults of tests/faults: servers that are asked to stop under load, and nodes that are killed while they send mails."""

import collections
import http.client
import json
import random
import re
import socketserver
import threading
import time

from faults_clients import Load, Scene
from faults_ledger import Seen
from faults_server import Postgres, await_that, demand

# The times of the settings: how long a stopping node still accepts, and what it may take to end.
NOTICE, DRAIN = 0.5, 9
# Mails that one node has under way (outbox.places), and those of a trial.
PLACES, MAILS = 16, 60
MAILED = {
    "automations/mail.yaml": "automation: mail\nrate: 100000\non: {event: doc.created}\n"
    'do:\n  - mail: {to: "{=code}@acme.example", subject: "Doc {=code}", text: There it is.}\n',
    "tenant.yaml": "tenant: acme\napi: {rate: 0}\nmail: {perHour: 1000000}\n",
}


class Balancer(Load):
    """Clients behind a balancer: their connections stay open until the server says that it closes them."""

    def __init__(self, *arguments, honours=True, **more):
        self.honours, self.local, self.unready = honours, threading.local(), set()
        super().__init__(*arguments, **more)
        self.watch = threading.Thread(target=self.look, daemon=True)
        self.watch.start()

    def look(self):
        """Asks each node for its readiness, as a balancer does."""
        while not self.ending.is_set():
            self.unready = {server.name for server in self.servers if not server.ready()}
            time.sleep(0.03)

    def connect(self):
        """Connects to a node; one that refuses the connection got nothing, and another is taken."""
        order = sorted(self.servers, key=lambda server: (self.honours and server.name in self.unready, random.random()))
        for server in order:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=self.timeout)
            try:
                connection.connect()
                return connection
            except ConnectionRefusedError:
                continue
        raise ConnectionRefusedError("no node accepts a connection")

    def ask(self, server, method, path, body=None, headers=()):
        connection = getattr(self.local, "connection", None) or self.connect()
        self.local.connection = None
        content = json.dumps(body) if isinstance(body, (dict, list)) else body
        fields = {"content-type": "application/json", "key": self.key, **dict(headers)}
        try:
            connection.request(method, f"/t/{self.tenant}{path}", content, fields)
            answer = connection.getresponse()
            result = answer.status, answer.read(), answer.headers
        except http.client.HTTPException as error:
            raise ConnectionError(f"{type(error).__name__}") from error
        if answer.will_close:
            connection.close()
        else:
            self.local.connection = connection
        return result


def sigterm(lab, count):
    """Stops two nodes of one PostgreSQL in turn, and starts them again at the same port."""
    postgres = Postgres(lab, "stops-postgres")
    scene = Scene(lab, "stops", postgres.url, 2, [("PLINTH_SHUTDOWN_NOTICE", f"{int(NOTICE * 1000)}ms")]).start()
    figures, slowest = {"stops": 0}, 0.0
    for honours in (True, False):
        began = time.monotonic()
        with Balancer(scene.ledger, scene.servers, scene.key, clients=6, honours=honours) as load:
            for number in range(count // 2):
                load.heals(30)
                time.sleep(0.3)
                server = scene.servers[number % 2]
                span, status = server.terminate()
                demand(status == 0, f"a stopped node exits with {status}")
                slowest = max(slowest, span)
                server.start(server.port)
                figures["stops"] += 1
                time.sleep(0.2)
        answers = scene.ledger.answers(began)
        name = "readiness honoured" if honours else "readiness not honoured"
        failed = {status: number for status, number in answers.items() if status not in range(200, 300)}
        figures[f"requests, {name}"], figures[f"failed, {name}"] = sum(answers.values()), sum(failed.values())
        demand(not failed, f"requests failed while nodes stopped, {name}: {failed} of {sum(answers.values())}")
    figures["exit most s"] = round(slowest, 2)
    demand(slowest <= NOTICE + DRAIN + lab.patience, f"a node took {slowest:.1f} s to stop")
    return {**figures, **scene.judge()}


class MailServer(socketserver.ThreadingTCPServer):
    """A mail server that is slow to accept, and remembers what it accepted."""

    daemon_threads, allow_reuse_address = True, True

    def __init__(self, delay):
        self.delay, self.lock, self.mails = delay, threading.Lock(), []
        super().__init__(("127.0.0.1", 0), MailSession)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self):
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        """A killed client is expected here."""

    def delay_of(self, _recipient):
        return self.delay

    def timed(self):
        with self.lock:
            return list(self.mails)

    def accepted(self):
        return [(recipient, identity) for recipient, identity, _ in self.timed()]


class MailSession(socketserver.StreamRequestHandler):
    """One connection of a client."""

    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def handle(self):
        self.say("220 mail.test ESMTP")
        recipient = None
        for line in iter(self.rfile.readline, b""):
            word = line.decode().strip()
            if word.upper().startswith("RCPT"):
                recipient = re.search(r"<([^>]*)>", word).group(1)
            if word.upper() == "DATA":
                self.take(recipient)
            elif word.upper() == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 fine")

    def take(self, recipient):
        self.say("354 go ahead")
        text = b""
        while not text.endswith(b"\r\n.\r\n"):
            line = self.rfile.readline()
            if not line:
                return
            text += line
        identity = re.search(rb"^Message-ID:\s*(\S+)", text, re.I | re.M).group(1).decode()
        with self.server.lock:
            self.server.mails.append((recipient, identity, time.monotonic()))
        time.sleep(self.server.delay_of(recipient))
        self.say("250 taken")


def mails(lab, count):
    """Kills a node in the window between the sending of mails and their record; the judge is the mail server."""
    figures, chance = {"kills": 0, "mails": 0, "repeated": 0, "repeated most in a kill": 0}, random.Random(lab.seed)
    smtp = MailServer(0.05)
    lab.parts.append(smtp)
    settings = {"TRANSPORT": "smtp", "HOST": "127.0.0.1", "PORT": str(smtp.port), "TLS": "none"}
    scene = Scene(lab, "mails", None, 1, [(f"PLINTH_MAIL_{name}", value) for name, value in settings.items()], **MAILED)
    server = scene.start().servers[0]
    load = scene.load()
    for _ in range(count):
        with smtp.lock:
            smtp.mails.clear()
        codes = [load.create(server, chance) for _ in range(MAILS)]
        demand(all(codes), "no docs for mails")
        wanted = {f"{made['code']}@acme.example" for made in codes}
        reached = chance.randrange(5, MAILS - PLACES)
        demand(await_that(lambda: len(smtp.accepted()) >= reached, 30, 0.002), "no mails come")
        server.kill()
        server.start()
        demand(await_that(lambda: wanted <= {to for to, _ in smtp.accepted()}, 60), "mails are lost")
        await_that(lambda: not outbox(server, scene.key), 30)
        by_mail = collections.defaultdict(list)
        for to, identity in smtp.accepted():
            by_mail[to].append(identity)
        demand(set(by_mail) == wanted, "mails came that nothing asked for")
        demand(all(len(set(ids)) == 1 for ids in by_mail.values()), "a repeated mail has another Message-ID")
        repeats = sum(len(ids) - 1 for ids in by_mail.values())
        demand(repeats <= PLACES, f"{repeats} mails came twice")
        figures["kills"] += 1
        figures["mails"] += len(wanted)
        figures["repeated"] += repeats
        figures["repeated most in a kill"] = max(figures["repeated most in a kill"], repeats)
    return {**figures, **scene.judge()}


def outbox(server, key):
    """Returns the mails that are not sent yet."""
    seen = Seen(server, "acme", key)
    return [item for state in ("waiting", "sending") for item in seen.get(f"/api/ext/v1/outbox?state={state}")["items"]]
