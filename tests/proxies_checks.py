"""The checks of tests/proxies behind each proxy: the client, links, sizes, bytes and limits."""

import concurrent.futures
import contextlib
import glob
import hashlib
import json
import os
import re
import ssl
import time

from faults_server import Fault, ask, await_that, demand, read
from proxies_front import HOST

# The bytes of the upload, of one that is too large, and those that a proxy may hold of an export that nobody reads.
UPLOAD, TOO_LARGE, HELD = 20_000_000, 24_000_000, 16_000_000
# The requests of an address without a key, and those at a time that a proxy lets through.
RATE, AT_ONCE = 60, 256
EXPORT = "/api/ext/v1/export/thing?format=jsonl"


def request_line(server, number):
    """Returns the line of the log about a request."""
    def found():
        lines = (line for line in read(server.log).splitlines() if f'"id":"{number}"' in line and '"target":"request"' in line)
        return next(lines, None)
    line = await_that(found, 10)
    demand(line, f"the log has no request {number}")
    return json.loads(line)


def identity(client, server, key):
    """The log has the client's address and the id of the answer, whatever a client says of itself."""
    lies = ["-H", "X-Forwarded-For: 6.6.6.6", "-H", "X-Forwarded-For: 127.0.0.1, 7.7.7.7", "-H", "Forwarded: for=6.6.6.6",
            "-H", "X-Real-IP: 6.6.6.6", "-H", "X-Request-Id: 00000000"]
    for words in ([], lies):
        for version in ("--http2", "--http1.1"):
            answer = client.ask("/api/v1/auth", *words, key=key, version=version).expect(200, "a valid key")
            demand(answer.version == version.removeprefix("--http"), f"the client speaks {answer.version}, not {version}")
            line = request_line(server, answer.field("x-request-id"))
            demand(line["address"] == client.address, f"{client.address} is {line['address']} in the log, {words}")
            demand(line["tenant"] == "acme", f"the host leads to {line['tenant']}")


def rate(client, other):
    """Requests without a key are counted by the client's address, and one that lies about it has no other count."""
    statuses = []
    for number in range(RATE + 20):
        words = ("-H", f"X-Forwarded-For: 6.6.6.{number}")
        answer = client.ask("/api/v1/collection/thing", *words)
        statuses.append(answer.status)
        if answer.status == 429:
            break
    demand(statuses[-1] == 429 and len(statuses) > 1, f"{client.address} is not limited: {statuses}")
    demand(answer.field("retry-after") and answer.field("x-error-code") == "rate_limited", "the 429 is not that of Plinth")
    other.ask("/api/v1/collection/thing").expect(403, "another address without a key")


def links(client, server, key):
    """A redirect to HTTPS, the cookie of a session, the proof with Origin, Location, and the link of a mail."""
    plain = f"http://{HOST}:{client.proxy.http}/account?lang=cs"
    moved = client.ask("", "--http1.1", url=plain)
    demand(moved.status in (301, 308), f"HTTP is answered with {moved.status}")
    demand(re.fullmatch(rf"https://{re.escape(HOST)}(:\d+)?/account\?lang=cs", moved.field("location")), f"HTTP leads to {moved.field('location')}")
    content = ("-H", "Content-Type: application/json")
    body = json.dumps({"user": "ann", "password": "a long enough password"})
    own = ("-H", f"Origin: {client.origin}")
    signed = client.ask("/api/ext/v1/session", *content, *own, "-d", body).expect(200, "sign-in")
    cookie = signed.field("set-cookie")
    demand(all(part in cookie for part in ("__Host-plinth-acme=", "; Secure", "; HttpOnly")), f"the cookie is {cookie}")
    cookie = ("-H", f"Cookie: {cookie.split(';')[0]}")
    session = client.ask("/api/ext/v1/session", *cookie).expect(200, "the session").json()
    proven = (*cookie, *content, "-H", f"X-Plinth-Proof: {session['proof']}", "-d", '{"name": "by a session"}')
    made = client.ask("/api/ext/v1/collection/thing", *proven, *own).expect(201, "a write of our own page")
    demand(re.fullmatch(r"/api/ext/v1/collection/thing/\d+", made.field("location")), f"Location is {made.field('location')}")
    client.ask("/api/ext/v1/collection/thing", *proven, "-H", "Origin: https://evil.example").expect(403, "a write of another site")
    page = client.ask("/account", "-H", "Accept: text/html")
    demand(page.status == 303 and page.field("location").startswith("./sign-in?"), f"/account leads to {page.status} {page.field('location')}")
    before = set(glob.glob(f"{server.data}/mail/acme/*.eml"))
    login = f"user-{client.proxy.name}@example.com"
    wanted = json.dumps({"user_id": login})
    client.ask("/api/v1/app/user.resetpassword", *content, "-d", wanted, key=key).expect(200, "a reset")
    written = await_that(lambda: sorted(set(glob.glob(f"{server.data}/mail/acme/*.eml")) - before), 20)
    demand(written, "no mail is written")
    text = read(written[0]).replace("=\n", "").replace("=\r\n", "")
    demand(f"https://{HOST}/" in text and "http://127" not in text, f"the link of the mail is another: {text}")


def conditions(client, key):
    """Answers keep their ETags, packed or not, and are 304 to who has them."""
    path = "/api/ext/v1/collection/thing?perPage=50"
    tags = set()
    for packed in ((), ("-H", "Accept-Encoding: gzip")):
        first = client.ask(path, *packed, key=key).expect(200, "a list")
        tag = first.field("etag")
        demand(tag and not tag.startswith("W/"), f"the ETag is {tag}")
        demand((first.field("content-encoding") == "gzip") == bool(packed), "an answer is packed where it should not, or not where it should")
        again = client.ask(path, *packed, "-H", f"If-None-Match: {tag}", key=key).expect(304, "a known list")
        demand(again.field("etag") == tag and not again.body, "a 304 has no ETag, or a body")
        tags.add(tag)
    demand(len(tags) == 2, "the packed answer has the ETag of the other")


def shapes(client, key):
    """What Plinth takes passes: an encoded slash, long heads and addresses, SEARCH. What it refuses has its reason."""
    client.ask("/api/v1/collection/thing/get-by/code/a%2Fb", key=key).expect(200, "a code with a slash")
    client.ask("/api/v1/collection//thing", key=key).expect(404, "a path with //")
    searched = client.ask("/api/v1/collection/thing", "-X", "SEARCH", "-H", "Content-Type: application/json", "-d", '{"perPage": 1}', key=key)
    demand(len(searched.expect(200, "SEARCH").json()["data"]) == 1, "SEARCH loses its body")
    for version in ("--http2", "--http1.1"):
        client.ask("/api/v1/auth", "-H", f"X-Long: {'x' * 24000}", key=key, version=version).expect(200, f"a head of 24 KB, {version}")
        filters = json.dumps([{"property": "code", "type": "eq", "param": "x" * 7800}], separators=(",", ":"))
        filters = filters.replace("[", "%5B").replace("]", "%5D").replace("{", "%7B").replace("}", "%7D").replace('"', "%22")
        client.ask(f"/api/v1/collection/thing?filters={filters}", key=key, version=version).expect(204, f"an address of 8 KB, {version}")
    refused = client.ask("/api/v1/auth?" + "x" * 9000, key=key).expect(400, "an address of 9 KB")
    demand(refused.field("x-error-code") == "url_too_long", "a long address is refused by the proxy")


def upload(client, key, lab):
    """An upload comes back byte for byte, and one that is too large is refused by Plinth."""
    path = "/api/v1/upload/thing/paper"
    for version in ("--http2", "--http1.1"):
        for words in ((), ("-H", "Transfer-Encoding: chunked")) if version == "--http1.1" else ((),):
            promise = client.ask(path, *words, "-F", f"file=@{lab.folder}/paper.bin", key=key, version=version).expect(200, "an upload").json()[0]
            body = json.dumps({"name": "with a paper", "paper": promise})
            made = client.ask("/api/v1/collection/thing", "-H", "Content-Type: application/json", "-d", body, key=key).expect(201, "a file")
            paper = made.json()["paper"]
            got = client.ask(paper["url"].removeprefix(f"https://{HOST}"), version=version).expect(200, "a download")
            demand(paper["hash"] == lab.digest == hashlib.sha256(got.body).hexdigest(), "a file comes back as another one")
            part = client.ask(paper["url"].removeprefix(f"https://{HOST}"), "-r", "1000000-1000099", version=version).expect(206, "a part")
            demand(part.body == got.body[1000000:1000100], "a part of the file is another one")
        # Caddy closes the connection below the rest of a refused body: its client may not see the answer.
        if (client.proxy.name, version) == ("caddy", "--http1.1"):
            continue
        # It ends the stream behind an early answer, as it may by HTTP/2: some versions of curl then lose the body.
        loses = client.proxy.name == "caddy"
        refused = client.ask(path, "-F", f"file=@{lab.folder}/large.bin", key=key, version=version, loses=loses).expect(413, "an upload that is too large")
        demand(refused.field("x-request-id") and (loses or refused.json()["message"]), "the 413 is not that of Plinth")


def streams_up(client):
    """An upload reaches Plinth while it comes: the refusal is there before its end is sent."""
    path, head = "/api/v1/upload/thing/paper", os.path.join(client.proxy.folder, "early")
    sender = client.begin(path, ["-D", head, "-o", os.devnull, "-X", "POST", "-H", "Content-Type: application/octet-stream", "-T", "-"])

    def answered():
        # curl looks for its answer between two pieces of the body, and ends where it has it.
        with contextlib.suppress(BrokenPipeError):
            sender.stdin.write(b"x" * 1000)
            sender.stdin.flush()
        return "HTTP/2 403" in read(head)

    try:
        demand(await_that(answered, 20), f"{client.proxy.name}: no answer before the end of an upload by HTTP/2: {read(head)}")
    finally:
        sender.kill()
        sender.wait()
    # Go, of which Caddy is made, answers by HTTP/1.1 only once it has the body.
    if client.proxy.name == "caddy":
        return
    connection = client.connect()
    connection.putrequest("POST", path)
    connection.putheader("Content-Type", "application/octet-stream")
    connection.putheader("Content-Length", str(UPLOAD))
    connection.endheaders(b"x" * 1_000_000)
    status = connection.getresponse().status
    demand(status == 403, f"{client.proxy.name}: an upload without a key is {status} before its end")
    connection.close()


def export(client, server, key):
    """A long export has the bytes that the server sends, and waits at the server while its client does not read."""
    status, body, _ = ask(server.port, "GET", EXPORT, key=key, timeout=120, headers=[("Host", HOST)])
    demand(status == 200 and len(body) > 30_000_000, f"the export is {status}, {len(body)} bytes")
    wanted = hashlib.sha256(body).hexdigest()
    got = client.ask(EXPORT, key=key).expect(200, "an export")
    demand(hashlib.sha256(got.body).hexdigest() == wanted, "the export is another one by HTTP/2")
    before = client.proxy.held()
    connection = client.connect()
    connection.request("GET", EXPORT, headers={"key": key})
    answer = connection.getresponse()
    digest = hashlib.sha256(answer.read(100_000))
    # A proxy that takes all of it does so meanwhile.
    time.sleep(2)
    grown = client.proxy.held() - before
    demand(grown < HELD, f"{client.proxy.name} holds {grown} bytes of an export that nobody reads")
    while piece := answer.read(1 << 20):
        digest.update(piece)
    demand(digest.hexdigest() == wanted, "the export is another one by HTTP/1.1")
    connection.close()
    return len(body), grown


def crowd(client, other, key):
    """One address has some requests at a time, and no more; another address has its own."""
    connections = [client.connect() for _ in range(AT_ONCE + 40)]

    def open_one(connection):
        connection.putrequest("POST", "/api/v1/collection/thing")
        for name, value in (("key", key), ("Content-Type", "application/json"), ("Content-Length", "1000")):
            connection.putheader(name, value)
        connection.endheaders(b"{")

    with concurrent.futures.ThreadPoolExecutor(16) as threads:
        list(threads.map(open_one, connections))
    waiting, refused = list(connections), []

    def look():
        for connection in list(waiting):
            with contextlib.suppress(ssl.SSLWantReadError):
                connection.sock.setblocking(False)
                status = connection.sock.recv(12)
                demand(status == b"HTTP/1.1 429", f"of many requests at once, one is answered with {status}")
                waiting.remove(connection)
                refused.append(connection)
        return len(refused) >= len(connections) - AT_ONCE

    await_that(look, 20)
    other.ask("/api/v1/auth", key=key).expect(200, "another address meanwhile")
    look()
    for connection in connections:
        connection.close()
    demand(len(refused) == len(connections) - AT_ONCE, f"{len(refused)} of {len(connections)} requests at once are refused")


def restart(client, server, key):
    """A single server is stopped and started anew: with Caddy, a request meanwhile waits for it."""
    server.terminate()
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(client.ask, "/api/v1/auth", key=key)
        server.start(server.port)
        waiting.result().expect(200, "a request while the server starts anew")
