"""A store with the protocol of S3 in memory, for tests/faults, that can hang, drip, cut and refuse."""

import hashlib
import http.server
import threading
import urllib.parse
import xml.sax.saxutils

# When all objects were written, as far as clients see.
WRITTEN, WRITTEN_ISO = "Sun, 29 Nov 2026 12:00:00 GMT", "2026-11-29T12:00:00.000Z"


class Bucket(http.server.ThreadingHTTPServer):
    """The store, with one way of answering at a time."""

    daemon_threads, block_on_close, request_queue_size = True, False, 128

    def __init__(self):
        self.way, self.objects, self.parts, self.lock = "good", {}, {}, threading.Lock()
        # Ends what hangs.
        self.let_go = threading.Event()
        super().__init__(("127.0.0.1", 0), Call)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def be(self, way):
        """Answers so from now on; what hangs is let go without an answer."""
        self.way = way
        self.let_go.set()
        self.let_go = threading.Event()

    def handle_error(self, request, client_address):
        """A client that goes early is expected here."""

    def stop(self):
        self.let_go.set()
        self.shutdown()
        self.server_close()


class Call(http.server.BaseHTTPRequestHandler):
    """A call of a client."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Nothing is printed."""

    def split(self):
        path, _, query = self.path.partition("?")
        return urllib.parse.unquote(path), urllib.parse.parse_qs(query, keep_blank_values=True)

    def handle_call(self):
        store, way = self.server, self.server.way
        if way == "deaf":
            # Not a byte of the body is read.
            self.end_hung(store.let_go)
            return
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if way == "hang":
            self.end_hung(store.let_go)
        elif way == "refuse":
            self.answer(503, b"<Error><Code>SlowDown</Code></Error>")
        else:
            status, content, fields = self.result(body)
            self.answer(status, content, fields)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_call

    def end_hung(self, let_go):
        let_go.wait(60)
        self.close_connection = True

    def answer(self, status, content, fields=()):
        """Sends an answer in the way of the moment: whole, in drops, or a half."""
        lines = [f"HTTP/1.1 {status} Answer"]
        for name, value in {"Content-Length": len(content), "Last-Modified": WRITTEN, **dict(fields)}.items():
            lines.append(f"{name}: {value}")
        whole = "\r\n".join([*lines, "", ""]).encode() + (b"" if self.command == "HEAD" else content)
        way, let_go = self.server.way, self.server.let_go
        if way == "cut":
            self.wfile.write(whole[: len(whole) // 2])
            self.close_connection = True
        elif way == "drip":
            for at in range(0, len(whole), 4):
                self.wfile.write(whole[at : at + 4])
                self.wfile.flush()
                if let_go.wait(0.5):
                    self.close_connection = True
                    return
        else:
            self.wfile.write(whole)

    def result(self, body):
        """Does what is asked; returns the status, the body and the headers of the answer."""
        (path, query), store = self.split(), self.server
        with store.lock:
            if self.command == "POST" and "uploads" in query:
                name = f"u{len(store.parts)}"
                store.parts[name] = {}
                return 200, xml_of("InitiateMultipartUploadResult", UploadId=name), {}
            if self.command == "PUT" and "uploadId" in query:
                store.parts[query["uploadId"][0]][int(query["partNumber"][0])] = body
                return 200, b"", {"ETag": tag(body)}
            if self.command == "POST":
                parts = store.parts.pop(query["uploadId"][0])
                store.objects[path] = b"".join(parts[number] for number in sorted(parts))
                return 200, xml_of("CompleteMultipartUploadResult", ETag=tag(store.objects[path])), {}
            if self.command == "DELETE":
                store.parts.pop(query.get("uploadId", [None])[0], None)
                store.objects.pop(path, None)
                return 204, b"", {}
            if self.command == "PUT":
                store.objects[path] = body
                return 200, b"", {"ETag": tag(body)}
            if "list-type" in query:
                return 200, self.listed(path, query), {}
            found = store.objects.get(path)
        if found is None:
            return 404, xml_of("Error", Code="NoSuchKey"), {}
        return self.piece(found)

    def piece(self, found):
        """Returns an object, or the part of it that is asked for."""
        wanted = self.headers.get("range")
        if not wanted:
            return 200, found, {"ETag": tag(found)}
        first, _, last = wanted.removeprefix("bytes=").partition("-")
        end = min(int(last or len(found) - 1), len(found) - 1)
        told = f"bytes {first}-{end}/{len(found)}"
        return 206, found[int(first) : end + 1], {"ETag": tag(found), "Content-Range": told}

    def listed(self, path, query):
        bucket, prefix = path.rstrip("/") + "/", query.get("prefix", [""])[0]
        entries = [
            f"<Contents><Key>{xml.sax.saxutils.escape(name.removeprefix(bucket))}</Key><Size>{len(content)}</Size>"
            f"<LastModified>{WRITTEN_ISO}</LastModified><ETag>{tag(content)}</ETag></Contents>"
            for name, content in sorted(self.server.objects.items())
            if name.startswith(bucket + prefix)
        ]
        return f"<ListBucketResult><IsTruncated>false</IsTruncated>{''.join(entries)}</ListBucketResult>".encode()


def tag(content):
    return f'"{hashlib.md5(content).hexdigest()}"'


def xml_of(name, **members):
    inner = "".join(f"<{key}>{xml.sax.saxutils.escape(value)}</{key}>" for key, value in members.items())
    return f"<{name}>{inner}</{name}>".encode()
