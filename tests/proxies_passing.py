"""Proxies of tests/proxies that pass connections on, with PROXY headers: HTTPS is the server's own."""

import os
import re
import socket
import ssl

import proxies_checks as checks
import proxies_front as front
from faults_server import Server, ask, demand, free_port
from proxies_client import Client


class Named(Server):
    """A server with HTTPS that takes connections of proxies alone."""

    def __init__(self, lab, settings):
        self.operators = free_port()
        pair = {f"PLINTH_TLS_{part}": os.path.join(lab.folder, file) for part, file in (("CERTIFICATE", "fullchain.pem"), ("KEY", "privkey.pem"))}
        super().__init__(lab, "named", settings={**settings, **pair, "PLINTH_PROXY_PROTOCOL": "true", "PLINTH_ADMIN_LISTEN": f"127.0.0.1:{self.operators}"})

    def ready(self):
        try:
            return ask(self.operators, "GET", "/readyz", timeout=5)[0] == 200
        except OSError:
            return False

    def closed(self):
        """Returns the number of connections that were closed for their header."""
        page = ask(self.operators, "GET", "/metrics")[1].decode()
        # What has not happened is left out.
        found = re.search(r'^plinth_http_rejected_total\{reason="proxy"\} (\d+)$', page, re.MULTILINE)
        return int(found[1]) if found else 0


class Passing(front.Proxy):
    """A proxy without a port for HTTP."""

    def __init__(self, lab, nodes, label):
        super().__init__(lab, nodes, label)
        self.http = self.https


class HaproxyTcp(Passing, front.Haproxy):
    name, file = "haproxy-tcp", "haproxy-tcp.cfg"

    def places(self):
        return {"    user haproxy\n    group haproxy\n": "", ":::443 v4v6": f"127.0.0.1:{self.https}"}


class NginxStream(Passing):
    name, file = "nginx-stream", "nginx-stream.conf"
    # Debian has the part of nginx for streams in a package of its own.
    MODULE = "/usr/lib/nginx/modules/ngx_stream_module.so"

    def places(self):
        return {"        listen [::]:443;\n": "", "listen 443;": f"listen 127.0.0.1:{self.https};"}

    def command(self):
        module = f"load_module {self.MODULE};\n" if os.path.exists(self.MODULE) else ""
        with open(self.at("whole.conf"), "w") as file:
            file.write(f"{module}daemon off;\npid {self.at('pid')};\nworker_processes 2;\nevents {{}}\ninclude {self.config};\n")
        return ["nginx", "-e", "stderr", "-p", self.folder, "-c", self.at("whole.conf")]


KINDS = {"haproxy": HaproxyTcp, "nginx": NginxStream}


def answers(client):
    """Returns true once a proxy leads to the server: it asks for its health first."""
    try:
        return client.ask("/readyz", version="--http1.1").status == 200
    except checks.Fault:
        return False


def identity(client, server, key):
    """The client of the header is in the log, and it cannot say that it is another one."""
    for words in ([], ["-H", "X-Forwarded-For: 6.6.6.6"], ["-H", "Forwarded: for=6.6.6.6", "-H", "X-Real-IP: 6.6.6.6"]):
        answer = client.ask("/api/v1/auth", *words, key=key, version="--http1.1").expect(200, "a valid key")
        line = checks.request_line(server, answer.field("x-request-id"))
        demand(line["address"] == client.address, f"{client.proxy.name}: {client.address} is {line['address']} in the log, {words}")


def without_header(lab, server):
    """A connection without a header is closed before its handshake, and counted."""
    before = server.closed()
    context = ssl.create_default_context(cafile=os.path.join(lab.folder, "fullchain.pem"))
    with socket.create_connection(("127.0.0.1", server.port), 30) as plain:
        try:
            context.wrap_socket(plain, server_hostname=front.HOST)
            demand(False, "a connection without a PROXY header is served")
        except OSError:
            pass
    demand(server.closed() == before + 1, f"{server.closed() - before} connections without a header are counted")


def try_named(lab, server, key, kinds):
    """Looks at the clients of each proxy that passes connections on."""
    without_header(lab, server)
    for number, kind in enumerate(kinds, 1):
        clients = [f"127.1.{number}.{last}" for last in (2, 3, 4)]
        proxy = front.start(kind, lab, [server], "named", lambda proxy: answers(Client(lab, proxy, clients[0])))
        client, greedy, other = (Client(lab, proxy, address) for address in clients)
        identity(client, server, key)
        checks.rate(greedy, other)
        proxy.stop()
        lab.tell(f"{proxy.name}: PROXY headers tell the client, for the log and limits")
