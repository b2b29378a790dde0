"""Clients of tests/proxies: curl from an address of their own, and connections that keep still."""

import http.client
import json
import os
import socket
import ssl
import subprocess

from faults_server import demand
from proxies_front import HOST

# The status of curl where an answer is cut off.
PARTIAL = 18


class Answer:
    """The status, version, fields and bytes of an answer."""

    def __init__(self, status, version, head, body):
        self.status, self.version, self.body = status, version, body
        lines = [line.split(":", 1) for line in head.splitlines() if ":" in line]
        self.fields = [(name.strip().lower(), value.strip()) for name, value in lines]

    def field(self, name):
        """Returns the only value of a field, or nothing."""
        values = [value for given, value in self.fields if given == name]
        demand(len(values) < 2, f"{name} stands {len(values)} times in the answer")
        return values[0] if values else None

    def json(self):
        return json.loads(self.body)

    def expect(self, status, what):
        demand(self.status == status, f"{what}: {self.status} instead of {status}: {self.body[:500]!r}")
        return self


class Client:
    """A client with an address of its own, which reaches the host by a proxy."""

    def __init__(self, lab, proxy, address):
        self.lab, self.proxy, self.address = lab, proxy, address
        self.authority = os.path.join(lab.folder, "fullchain.pem")
        self.origin = f"https://{HOST}:{proxy.https}"

    def ask(self, path, *words, key=None, version="--http2", url=None, loses=False):
        """Sends a request by curl. With `loses`, the body of the answer may be cut off."""
        head, body = (os.path.join(self.proxy.folder, f"{self.address}.{part}") for part in ("head", "body"))
        command = [*self.curl(version), "-D", head, "-o", body, "-w", "%{response_code} %{http_version}"]
        command += [*(["-H", f"key: {key}"] if key else []), *words, url or self.origin + path]
        for part in (head, body):
            open(part, "w").close()
        done = subprocess.run(command, capture_output=True, text=True)
        demand(done.returncode == 0 or loses and done.returncode == PARTIAL, f"{self.proxy.name}: curl {path}: {done.stderr}")
        status, version = done.stdout.split()
        with open(head, encoding="latin-1") as file:
            heads = file.read().replace("\r", "").strip().split("\n\n")
        with open(body, "rb") as file:
            return Answer(int(status), version, heads[-1], file.read())

    def curl(self, version):
        words = ["curl", "-sS", "-g", "--path-as-is", version, "--max-time", "120", "--cacert", self.authority, "--interface", self.address]
        for port in (self.proxy.http, self.proxy.https):
            words += ["--resolve", f"{HOST}:{port}:127.0.0.1"]
        return words

    def begin(self, path, words):
        """Returns a curl that sends by HTTP/2 what is written to it."""
        command = [*self.curl("--http2"), *words, self.origin + path]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def connect(self):
        """Returns a connection of HTTP/1.1 that stays open."""
        context = ssl.create_default_context(cafile=self.authority)
        connection = Connection(HOST, self.proxy.https, timeout=60, context=context)
        connection.source = (self.address, 0)
        return connection


class Connection(http.client.HTTPSConnection):
    """A connection from an address to the proxy, which has the name of the host."""

    source = None

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout, self.source)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock = self._context.wrap_socket(plain, server_hostname=self.host)
