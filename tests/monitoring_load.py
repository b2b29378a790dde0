"""The load of tests/monitoring: ordinary work, and 100,000 values of each input of clients."""

import collections
import http.client
import json
import multiprocessing
import socket
import ssl
import threading
import time

# Each value of a client begins with it.
MARK = "zqx"
VALUES = 100_000
# A sign-in is counted in the database, so there are fewer of them.
SIGN_INS = 2_000
CLIENTS = 4
# Requests on their way on a connection.
AHEAD = 100


def work(port, secure, keys, seconds):
    """Lists, creates, changes and fails for some seconds; returns the number of answers by status."""
    counts, end = collections.Counter(), time.monotonic() + seconds
    threads = [threading.Thread(target=work_as, args=(port, secure, tenant, keys[tenant], number, end, counts)) for tenant in keys for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return dict(sorted(counts.items(), key=str))


def work_as(port, secure, tenant, key, number, end, counts):
    context = ssl._create_unverified_context() if secure else None
    client = http.client.HTTPSConnection("127.0.0.1", port, timeout=30, context=context) if secure else http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    base, turn, made = f"/t/{tenant}/api/v1/collection/thing", 0, None

    def send(method, path, body=None, key=key):
        try:
            client.request(method, path, body, {"content-type": "application/json", **({"key": key} if key else {})})
            answer = client.getresponse()
            counts[answer.status] += 1
            return answer.status, answer.read()
        except (http.client.RemoteDisconnected, ConnectionError):
            # A server that refuses without reading the body ends the connection behind its answer.
            client.close()
            counts["closed"] += 1
            return None, b""

    while time.monotonic() < end:
        turn += 1
        status, text = send("POST", base, json.dumps({"code": f"{number}-{turn}", "name": "mailed" if turn % 20 == 0 else "plain", "size": turn}))
        if status == 201:
            made = json.loads(text)["id"]
            send("PATCH", f"{base}/{made}", json.dumps({"size+=": 1}))
            send("GET", f"{base}/{made}")
        for _ in range(3):
            send("GET", base + "?perPage=20&orderBy=-size")
        if turn % 5 == 0:
            send("GET", f"{base}/99999999")
            send("GET", base, key="wrong")
            send("POST", f"/t/{tenant}/api/ext/v1/session", json.dumps({"user": "ann", "password": "wrong"}), key=None)
            for _ in range(10):
                send("GET", f"/t/{tenant}/api/v1/auth", key=None)


def inputs(key):
    """The ways in which a client's values reach a server: a name, and the request with a value."""
    def plain(value):
        return f"GET /api/v1/collection/{value}?{value}={value} HTTP/1.1\r\nHost: {value}.example\r\nUser-Agent: {value}\r\nKey: {value}\r\n\r\n"

    return {
        "paths, parameters, hosts and keys": plain,
        "methods": lambda value: f"{value.upper()} /{value} HTTP/1.1\r\nHost: a\r\nKey: {key}\r\n\r\n",
        "tenants": lambda value: f"GET /t/{value}/api/v1/auth HTTP/1.1\r\nHost: a\r\nKey: {key}\r\n\r\n",
        "records": lambda value: f"GET /api/v1/collection/thing/get-by/code/{value} HTTP/1.1\r\nHost: a\r\nKey: {key}\r\nX-Request-Id: {value}\r\n\r\n",
        "users": sign_in,
    }


def sign_in(login):
    body = json.dumps({"user": login, "password": login})
    return f"POST /api/ext/v1/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"


def send_values(port, key):
    """Sends all values of all inputs; returns the number of answers by input and status."""
    found = {}
    with multiprocessing.Pool(CLIENTS) as pool:
        for name in inputs(key):
            share = (SIGN_INS if name == "users" else VALUES) // CLIENTS
            parts = pool.starmap(send_some, [(port, key, name, number * share, share) for number in range(CLIENTS)])
            found[name] = dict(sum(parts, collections.Counter()))
    return found


def send_some(port, key, name, first, count):
    """Sends values one behind another without waiting for each answer; returns the number of answers by status."""
    write = inputs(key)[name]
    counts, done = collections.Counter(), 0
    while done < count:
        with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
            stream = client.makefile("rb", 1 << 16)
            is_open = True
            while is_open and done < count:
                batch = range(done, min(done + AHEAD, count))
                client.sendall("".join(write(f"{MARK}{first + number}") for number in batch).encode())
                for _ in batch:
                    status, is_open = read_answer(stream)
                    counts[status] += 1
                    done += 1
                    if not is_open:
                        break
    return counts


def read_answer(stream):
    """Reads an answer; returns its status, and whether the connection stays open."""
    status, length, is_open = int(stream.readline().split()[1]), 0, True
    while True:
        line = stream.readline()
        if line == b"\r\n":
            break
        name, _, value = line.partition(b":")
        if name == b"content-length":
            length = int(value)
        elif name == b"connection":
            is_open = value.strip() != b"close"
    stream.read(length)
    return status, is_open
