#!/usr/bin/env python3
"""Prints memory, descriptors and first answers of many tenants in turn, and what one hostile tenant costs the others.

Usage: benches/tenants.py PLINTH DATA_FOLDER [POSTGRES_URL]. TENANTS (1000), SECONDS (8), KINDS and SETTINGS (such as
PLINTH_DATA_OPEN_FILES=64, separated by spaces) change the run. The hostile tenant has 64 clients of wrk.
"""

import concurrent.futures, http.client, json, os, random, re, subprocess, sys, tempfile, time, urllib.parse

plinth, data = sys.argv[1], sys.argv[2]
base = ["--data", data] + (["--postgres", sys.argv[3]] if len(sys.argv) > 3 else [])
tenants = int(os.environ.get("TENANTS", "1000"))
seconds = float(os.environ.get("SECONDS", "8"))
kinds = os.environ.get("KINDS", "lists writes uploads expressions sign-ins").split()
settings = dict(part.split("=", 1) for part in os.environ.get("SETTINGS", "").split())
keys_file = data + "-keys.json"


def run(*arguments):
    done = subprocess.run([plinth, *arguments, *base], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{arguments}: {done.stdout}{done.stderr}")
    return done.stdout


def make(number):
    """Makes a tenant with a key and some rows; returns its key."""
    name = f"n{number}"
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(folder + "/types")
        os.makedirs(folder + "/roles")
        open(folder + "/tenant.yaml", "w").write(f"tenant: {name}\napi: {{rate: 0}}\n")
        open(folder + "/roles/all.yaml", "w").write('role: all\nsystem: ["*"]\ntypes: {"*": {show: true, edit: true}}\n')
        open(folder + "/types/ticket.yaml", "w").write("""name: ticket
properties:
  subject: {kind: pString, required: true, index: true, searchable: true}
  views: {kind: pInteger, index: true}
  double: {kind: pCalculated, calculate: "{=views * 2}"}
  file: {kind: pFile}
""")
        run("apply", folder)
    run("user", "create", "ann", "--role", "all", "--tenant", name)
    return run("key", "create", "ann", "--tenant", name).strip()


def quantiles(times):
    times = sorted(times)
    at = lambda part: times[min(len(times) - 1, int(len(times) * part))] * 1000
    return f"p50 {at(0.5):6.1f}  p99 {at(0.99):6.1f}  max {times[-1] * 1000:6.1f} ms"




class Server:
    """A server of its own, on a free port."""

    def __init__(self):
        self.log = open(data + ".log", "w")
        environment = {**os.environ, "PLINTH_LOG_ACCESS": "false", **settings}
        command = [plinth, "serve", *base, "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, env=environment)
        while True:
            found = re.search(r"127\.0\.0\.1:(\d+)", open(data + ".log").read())
            if found:
                self.port = int(found[1])
                break
            time.sleep(0.05)

    def memory(self):
        """Resident memory and that of its own in MiB, descriptors, seconds of CPU."""
        pid = self.process.pid
        status = open(f"/proc/{pid}/status").read()
        memory, own = (int(re.search(name + r":\s+(\d+)", status)[1]) / 1024 for name in ("VmRSS", "RssAnon"))
        fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
        return memory, own, len(os.listdir(f"/proc/{pid}/fd")), (int(fields[11]) + int(fields[12])) / 100

    def end(self):
        self.process.terminate()
        self.process.wait()


class Caller:
    """A connection of one client."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def __call__(self, method, number, path, body=None):
        """Asks, and returns seconds and status."""
        headers = {"key": keys[number]}
        if body is not None:
            headers["Content-Type"] = "application/json"
        began = time.perf_counter()
        self.connection.request(method, f"/t/n{number}{path}", json.dumps(body) if body else None, headers)
        answer = self.connection.getresponse()
        self.body = answer.read()[:200]
        return time.perf_counter() - began, answer.status


def in_turn():
    """Asks each tenant once for a list and for a write, in an order of chance."""
    server = Server()
    try:
        print("at the start          %5.0f MiB (own %4.0f), %5d descriptors, %5.1f s of CPU" % server.memory())
        caller, order = Caller(server.port), random.Random(1)
        for round, action in ((1, "list"), (1, "write"), (2, "list"), (2, "write")):
            numbers = list(range(tenants))
            order.shuffle(numbers)
            times = []
            for number in numbers:
                if action == "list":
                    taken, status = caller("GET", number, LIST)
                else:
                    taken, status = caller("POST", number, ROWS, {"subject": "x", "views": 1})
                assert status in (200, 201, 204), (number, status, caller.body)
                times.append(taken)
            print(f"{action:5} of each, round {round}  %5.0f MiB (own %4.0f), %5d descriptors, %5.1f s of CPU  " % server.memory()
                  + quantiles(times), flush=True)
    finally:
        server.end()


SCRIPTS = {
    "lists": """request = function()
  return wrk.format("GET", "/t/n0/api/ext/v1/collection/ticket?filters=" .. FILTER .. "&orderBy=-views&_noCache=1", head) end""",
    "writes": """request = function()
  return wrk.format("POST", "/t/n0/api/v1/collection/ticket", head, '{"subject": "hostile", "views": 7}') end""",
    "uploads": """local bytes = "--b\\r\\nContent-Disposition: form-data; name=\\"file\\"; filename=\\"a.txt\\"\\r\\n" ..
  "Content-Type: text/plain\\r\\n\\r\\n" .. string.rep("x", 1000000) .. "\\r\\n--b--\\r\\n"
request = function()
  return wrk.format("POST", "/t/n0/api/v1/upload/ticket/file", upload, bytes) end""",
    "expressions": """request = function()
  return wrk.format("POST", "/t/n0/api/ext/v1/collection/ticket/search?_noCache=1", head, '{"perPage": 500, "showFields": "double"}') end""",
    "sign-ins": """request = function()
  return wrk.format("POST", "/t/n0/api/v1/auth", form, "user=ann&password=wrong") end""",
}


def neighbours(server, action, until, pause=0.02):
    """Asks as other tenants do, one request at a time; returns the seconds of each and the refused."""
    caller, times, refused, order = Caller(server.port), [], 0, random.Random(2)
    while time.time() < until:
        number = order.randrange(1, min(tenants, 9))
        if action == "reads":
            taken, status = caller("GET", number, f"{LIST}&_noCache=1")
        else:
            taken, status = caller("POST", number, ROWS, {"subject": "y", "views": 2})
        times.append(taken)
        refused += status not in (200, 201, 204)
        time.sleep(pause)
    return times, refused


def measure(server):
    """Reads and writes of the others side by side, for the time of a run."""
    until = time.time() + seconds
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        reads, writes = pool.map(lambda action: neighbours(server, action, until), ("reads", "writes"))
    for name, (times, refused) in (("reads", reads), ("writes", writes)):
        print(f"  {name:6} {quantiles(times)}  ({len(times)} of which {refused} refused)", flush=True)


def hostile():
    """Measures the others alone, and beside one tenant of each kind."""
    server = Server()
    try:
        caller = Caller(server.port)
        for number in range(min(tenants, 9)):
            for _ in range(3):
                caller("POST", number, ROWS, {"subject": "z", "views": 3})
        for _ in range(3_000):
            caller("POST", 0, ROWS, {"subject": "of the hostile", "views": 3})
        print("alone")
        measure(server)
        for kind in kinds:
            script = data + ".lua"
            filters = urllib.parse.quote(json.dumps([{"property": "subject", "type": "contains", "param": "q"}]))
            open(script, "w").write(
                f'local FILTER = "{filters}"\nlocal head = {{["key"] = "{keys[0]}", ["Content-Type"] = "application/json"}}\n'
                f'local upload = {{["key"] = "{keys[0]}", ["Content-Type"] = "multipart/form-data; boundary=b"}}\n'
                'local form = {["Content-Type"] = "application/x-www-form-urlencoded"}\n' + SCRIPTS[kind])
            address = f"http://127.0.0.1:{server.port}/"
            wrk = subprocess.Popen(["wrk", "-t1", "-c64", f"-d{seconds + 2:.0f}s", "-s", script, address],
                                   stdout=subprocess.PIPE, text=True)
            time.sleep(1.5)
            print(f"beside {kind}")
            measure(server)
            told = wrk.communicate()[0]
            print("  hostile:", " ".join(re.findall(r"Requests/sec: *[\d.]+|Non-2xx.*", told)))
    finally:
        server.end()


LIST, ROWS = "/api/ext/v1/collection/ticket?perPage=20", "/api/v1/collection/ticket"

if __name__ == "__main__":
    if not os.path.exists(keys_file):
        began = time.time()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            made = list(pool.map(make, range(tenants)))
        json.dump(made, open(keys_file, "w"))
        print(f"{tenants} tenants made in {time.time() - began:.0f} s")
    keys = json.load(open(keys_file))
    in_turn()
    hostile()
