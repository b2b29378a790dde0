#!/usr/bin/env python3
"""Prints the processor time that the log of requests, slow requests and traces add to a request, by settings.

Usage: benches/monitoring.py PLINTH DATA_FOLDER [POSTGRES_URL]. ROUNDS (12), SECONDS (1), CONNECTIONS (16) and VARIANTS
change the run. Each variant is a server with settings of its own: `quiet` (no lines, no slow log, no traces), `slow`
(the slow log), `default` (lines of requests, too, into a file), `traces` (the default and one trace of a hundred),
`all` (every trace). A name may have another program behind it: VARIANTS="quiet default=../other/plinth". All servers
run at the same time, and wrk asks one after another in short turns. Figures are microseconds of the server's processor
time for a request: medians, and the median of the ratios to the first variant in the same round. The counters of
metrics cannot be switched off, and are in all of them.
"""

import glob, http.server, json, os, re, statistics, subprocess, sys, tempfile, threading, time

plinth, data = sys.argv[1], sys.argv[2]
postgres = sys.argv[3:4]
rounds, seconds = int(os.environ.get("ROUNDS", "12")), int(os.environ.get("SECONDS", "1"))
connections = int(os.environ.get("CONNECTIONS", "16"))
names = os.environ.get("VARIANTS", "quiet slow default traces all").split()

TYPE = """name: ticket
properties:
  subject: {kind: pString, required: true, index: true}
  views: {kind: pInteger, index: true}
"""


class Collector(http.server.BaseHTTPRequestHandler):
    """A collector of traces that takes all of them."""

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
threading.Thread(target=collector.serve_forever, daemon=True).start()
quiet = {"PLINTH_LOG_ACCESS": "false", "PLINTH_LOG_SLOW": "0s"}
traces = {"PLINTH_TRACES_ENDPOINT": f"http://127.0.0.1:{collector.server_port}"}
SETTINGS = {
    "quiet": quiet,
    "slow": {"PLINTH_LOG_ACCESS": "false"},
    "default": {},
    "traces": traces,
    "all": {**traces, "PLINTH_TRACES_SAMPLE": "1"},
}


class Variant:
    """A server with settings of its own, and the data of its tenant."""

    def __init__(self, name):
        self.name = name
        kind, _, program = name.partition("=")
        self.program = program or plinth
        self.folder = f"{data}/{kind}{len(program)}"
        # Nodes of one database have one key.
        key = {"PLINTH_SECURITY_KEY": "A" * 43 + "="} if postgres else {}
        self.environment = {**os.environ, **key, **SETTINGS[kind]}
        self.base = ["--data", self.folder] + (["--postgres", postgres[0]] if postgres else [])
        os.makedirs(self.folder, exist_ok=True)
        self.times = {}

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments, *self.base], env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def prepare(self):
        """Makes the tenant, unless an earlier run did; returns its key."""
        kept = (f"{data}/postgres" if postgres else self.folder) + ".key"
        if os.path.exists(kept):
            return open(kept).read()
        with tempfile.TemporaryDirectory() as folder:
            for name in ("types", "roles"):
                os.makedirs(f"{folder}/{name}")
            open(folder + "/tenant.yaml", "w").write("tenant: watched\napi: {rate: 0}\n")
            open(folder + "/roles/all.yaml", "w").write('role: all\nsystem: ["*"]\ntypes: {"*": {show: true, edit: true}}\n')
            open(folder + "/types/ticket.yaml", "w").write(TYPE)
            self.run("apply", folder)
            rows = folder + "/rows.csv"
            open(rows, "w").write("subject,views\n" + "".join(f"ticket {number},{number % 97}\n" for number in range(10_000)))
            self.run("import", "ticket", rows, "--tenant", "watched")
        self.run("user", "create", "ann", "--role", "all", "--tenant", "watched")
        key = self.run("key", "create", "ann", "--tenant", "watched")
        open(kept, "w").write(key)
        return key

    def start(self):
        self.key = self.prepare()
        self.log = self.folder + ".log"
        with open(self.log, "w") as log:
            command = [self.program, "serve", *self.base, "--listen", "127.0.0.1:0"]
            self.process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)", open(self.log).read())):
            if self.process.poll() is not None:
                raise SystemExit(open(self.log).read())
            time.sleep(0.05)
        self.port = found[1]

    def processor(self):
        """Returns seconds of all threads, exact to the nanosecond, where /proc/PID/stat counts hundredths."""
        times = [open(path).read().split()[0] for path in glob.glob(f"/proc/{self.process.pid}/task/*/schedstat")]
        return sum(map(int, times)) / 1e9

    def ask(self, operation):
        """Has wrk ask for some time; returns microseconds of the processor for each request."""
        path = {"get": "/1", "list": "?perPage=20&_noCache=1&page=2", "create": ""}[operation]
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-H", f"key: {self.key}"]
        api = "ext/v1" if operation == "list" else "v1"
        if operation == "create":
            script = self.folder + ".lua"
            body = json.dumps({"subject": "a ticket", "views": 7})
            open(script, "w").write(f"wrk.method = 'POST'\nwrk.body = '{body}'\nwrk.headers['Content-Type'] = 'application/json'\n")
            command += ["-s", script]
        before = self.processor()
        url = f"http://127.0.0.1:{self.port}/t/watched/api/{api}/collection/ticket{path}"
        told = subprocess.run([*command, url], capture_output=True, text=True, check=True).stdout
        time.sleep(0.15)
        used = self.processor() - before
        if "Non-2xx" in told or "Socket errors" in told:
            raise SystemExit(told)
        return used / int(re.search(r"(\d+) requests in", told)[1]) * 1e6


variants = [Variant(name) for name in names]
try:
    for variant in variants:
        variant.start()
    for operation in ("get", "list", "create"):
        for variant in variants:
            variant.ask(operation)
        for turn in range(rounds):
            for variant in variants if turn % 2 else variants[::-1]:
                variant.times.setdefault(operation, []).append(variant.ask(operation))
        first = variants[0].times[operation]
        for variant in variants:
            own = variant.times[operation]
            ratios = sorted(one / other for one, other in zip(own, first))
            quarters = f"{ratios[len(ratios) // 4]:.3f} to {ratios[-1 - len(ratios) // 4]:.3f}"
            print(f"{operation:6}  {variant.name:12}  {statistics.median(own):6.1f} us  times {variants[0].name}: {statistics.median(ratios):.3f} ({quarters})", flush=True)
finally:
    for variant in variants:
        if hasattr(variant, "process"):
            variant.process.terminate()
            variant.process.wait()
