#!/usr/bin/env python3
"""Answers names and HTTPS for tests/packages: `tests/packages_peer.py CERTIFICATE KEY LOG`.

Each name that ends in .test is 127.0.0.1, at port 53; HTTPS is at port 8443. Each request is a line of the log: the
host that it named, and its path. It says "ready" once it answers both.
"""

import http.server
import socket
import ssl
import sys
import threading

CERTIFICATE, KEY, LOG = sys.argv[1:4]


def answer_names(names):
    while True:
        query, sender = names.recvfrom(512)
        end = query.index(b"\0", 12) + 5
        question, kind = query[12:end], query[end - 4 : end - 2]
        found = kind == b"\0\1" and b"\4test\0" in question
        head = query[:2] + b"\x81\x80\0\1" + (b"\0\1" if found else b"\0\0") + b"\0\0\0\0"
        record = b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\x7f\0\0\1" if found else b""
        names.sendto(head + question + record, sender)


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        with open(LOG, "a") as log:
            log.write(f"{self.headers['host']} {self.path}\n")
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
names.bind(("127.0.0.1", 53))
threading.Thread(target=answer_names, args=(names,), daemon=True).start()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 8443), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(CERTIFICATE, KEY)
server.socket = context.wrap_socket(server.socket, server_side=True)
print("ready", flush=True)
server.serve_forever()
