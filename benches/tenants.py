#!/usr/bin/env python3
"""Prints memory, descriptors and first answers of many tenants in turn, and what one hostile tenant costs the others.

Usage: benches/tenants.py PLINTH DATA_FOLDER [POSTGRES_URL]. TENANTS (1000), SECONDS (8), ROUNDS (3), KINDS and SETTINGS
(such as PLINTH_DATA_OPEN_FILES=64, separated by spaces) change the run. The hostile tenant has 64 clients of wrk. The
others are measured alone and beside it in turns. wrk stands for other machines: it runs with the lowest priority (NICE,
19), so that it takes no processor time that the server wants; with 0 it competes with the server. The clients of the
others stand for other machines, too: as root they run with a higher priority than the server (FIRST, 10), so that no
answer waits for a processor to be read; with 0 they compete with it. The kind `equals` has ten tenants ask for as much
as they get, and prints Jain's index of their requests: 1 where all have the same.
"""

import concurrent.futures, http.client, json, os, random, re, subprocess, sys, tempfile, time, urllib.parse

plinth, data = sys.argv[1], sys.argv[2]
base = ["--data", data] + (["--postgres", sys.argv[3]] if len(sys.argv) > 3 else [])
tenants = int(os.environ.get("TENANTS", "1000"))
seconds = float(os.environ.get("SECONDS", "8"))
rounds = int(os.environ.get("ROUNDS", "3"))
first = int(os.environ.get("FIRST", "10")) if os.geteuid() == 0 else 0
kinds = os.environ.get("KINDS", "lists writes uploads expressions sign-ins equals").split()
settings = dict(part.split("=", 1) for part in os.environ.get("SETTINGS", "").split())
keys_file = data + "-keys.json"
if first:
    try:
        os.setpriority(os.PRIO_PROCESS, 0, -first)
        os.setpriority(os.PRIO_PROCESS, 0, 0)
    except PermissionError:
        first = 0
        print("This user may not raise priorities: the clients of the others compete with the server.")


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
        command = ["nice", "-n", str(first), plinth, "serve", *base, "--listen", "127.0.0.1:0"]
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


def neighbours(server, action, until, pause=0.005):
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
    """Reads and writes of the others side by side, for the time of a run; returns the times of both."""
    until = time.time() + seconds
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        reads, writes = pool.map(lambda action: neighbours(server, action, until), ("reads", "writes"))
    for name, (times, refused) in (("reads", reads), ("writes", writes)):
        print(f"  {name:6} {quantiles(times)}  ({len(times)} of which {refused} refused)", flush=True)
    return reads[0], writes[0]


def attack(server, kind):
    """Starts the hostile tenant."""
    script = data + ".lua"
    filters = urllib.parse.quote(json.dumps([{"property": "subject", "type": "contains", "param": "q"}]))
    open(script, "w").write(
        f'local FILTER = "{filters}"\nlocal head = {{["key"] = "{keys[0]}", ["Content-Type"] = "application/json"}}\n'
        f'local upload = {{["key"] = "{keys[0]}", ["Content-Type"] = "multipart/form-data; boundary=b"}}\n'
        'local form = {["Content-Type"] = "application/x-www-form-urlencoded"}\n' + SCRIPTS[kind])
    last = str(first + int(os.environ.get("NICE", "19")))
    return subprocess.Popen(["nice", "-n", last, "wrk", "-t1", "-c64", f"-d{seconds + 2:.0f}s", "-s", script,
                             f"http://127.0.0.1:{server.port}/"], stdout=subprocess.PIPE, text=True)


def beside(server, kind):
    """Measures the others alone and beside a hostile tenant in turns."""
    before, during = [], []
    for round in range(rounds):
        print(f"alone, round {round + 1}")
        before.append(measure(server))
        wrk = attack(server, kind)
        time.sleep(1.5)
        print(f"beside {kind}, round {round + 1}")
        during.append(measure(server))
        told = wrk.communicate()[0]
        print("  hostile:", " ".join(re.findall(r"Requests/sec: *[\d.]+|Non-2xx.*", told)))
    for place, name in enumerate(("reads", "writes")):
        all_rounds = [sorted(sum((round[place] for round in of), [])) for of in (before, during)]
        for part in (0.5, 0.99):
            alone, hostile = (times[int(len(times) * part)] * 1000 for times in all_rounds)
            print(f"{kind}, {name} of others, p{part * 100:.0f} of all rounds: {alone:.1f} ms alone, {hostile:.1f} ms beside, "
                  f"times {hostile / alone:.2f}", flush=True)


def equals(server):
    """Has ten tenants read and write as much as they can; prints Jain's index of what they got."""
    numbers = range(min(tenants, 10))
    for action in ("reads", "writes"):
        until = time.time() + seconds

        def greedy(number):
            caller, count = Caller(server.port), 0
            while time.time() < until:
                if action == "reads":
                    _, status = caller("GET", number, f"{LIST}&_noCache=1")
                else:
                    _, status = caller("POST", number, ROWS, {"subject": "e", "views": 4})
                count += status in (200, 201, 204)
            return count

        # The first tenant has four clients, each of the others two.
        clients = [number for number in numbers for _ in range(2 if number else 4)]
        with concurrent.futures.ThreadPoolExecutor(len(clients)) as pool:
            counts = list(pool.map(greedy, clients))
        got = [sum(count for client, count in zip(clients, counts) if client == number) for number in numbers]
        index = sum(got) ** 2 / (len(got) * sum(count * count for count in got))
        print(f"ten tenants, {action}: {got}, Jain's index {index:.3f}", flush=True)


def hostile():
    """Measures the others alone, and beside one tenant of each kind."""
    server = Server()
    try:
        caller = Caller(server.port)
        for number in range(min(tenants, 10)):
            for _ in range(3):
                caller("POST", number, ROWS, {"subject": "z", "views": 3})
        for _ in range(3_000):
            caller("POST", 0, ROWS, {"subject": "of the hostile", "views": 3})
        for kind in kinds:
            if kind == "equals":
                equals(server)
            else:
                beside(server, kind)
    finally:
        server.end()


LIST, ROWS = "/api/ext/v1/collection/ticket?perPage=20", "/api/v1/collection/ticket"

if __name__ == "__main__":
    if not os.path.exists(keys_file):
        began = time.time()
        with concurrent.futures.ThreadPoolExecutor(1 if len(sys.argv) > 3 else 2) as pool:
            made = list(pool.map(make, range(tenants)))
        json.dump(made, open(keys_file, "w"))
        print(f"{tenants} tenants made in {time.time() - began:.0f} s")
    keys = json.load(open(keys_file))
    if first:
        os.setpriority(os.PRIO_PROCESS, 0, -first)
    in_turn()
    hostile()
