"""A fault of tests/faults: an `apply` that changes types under their rows dies at each of its steps."""

import json
import os
import random
import re
import shutil
import subprocess

from faults_server import Missing, Postgres, Server, ask, await_that, demand, read

# The steps of an `apply` that others see: writes to files and their saving on SQLite, what it sends to PostgreSQL.
CALLS = {"sqlite": "pwrite64,fdatasync,fsync,ftruncate,unlink", "postgres": "write,sendto,sendmsg,writev"}
ROWS, BOXES = 200, 10
# The seconds that a running server has for totals, and to learn of new types.
LEARN = 30
ROLE = {"roles/admin.yaml": 'role: admin\nsystem: ["*"]\ntypes: {"*": {show: true, edit: true}}\n'}
BEFORE = {
    "types/box.yaml": "id: 40\nname: box\nproperties:\n  name: {id: 400, kind: pString, unique: true}\n"
    "  docs: {id: 401, kind: pRollup, relation: doc.box, function: count}\n",
    "types/doc.yaml": "id: 41\nname: doc\nproperties:\n  code: {id: 410, kind: pString}\n"
    "  box: {id: 411, kind: pRelation, type: box}\n  amount: {id: 412, kind: pString}\n"
    "  title: {id: 413, kind: pString}\n  old: {id: 414, kind: pString}\n",
}
# A property gets another kind, one another name, one goes, two come, and so do a total, indexes and a type.
AFTER = {
    "types/box.yaml": BEFORE["types/box.yaml"]
    + "  sum: {id: 402, kind: pRollup, relation: doc.box, function: sum, property: amount}\n",
    "types/doc.yaml": "id: 41\nname: doc\nunique: [[code]]\nindexes: [[state, amount]]\nproperties:\n"
    "  code: {id: 410, kind: pString}\n  box: {id: 411, kind: pRelation, type: box}\n"
    "  amount: {id: 412, kind: pInteger}\n  label: {id: 413, kind: pString, searchable: true}\n"
    "  state: {id: 415, kind: pEnum, options: [new, done], default: new, required: true}\n"
    '  double: {id: 416, kind: pInteger, calculate: "{=amount * 2}"}\n',
    "types/note.yaml": "id: 42\nname: note\nproperties:\n  text: {id: 420, kind: pString}\n",
}


def migration(lab, count):
    """Kills `apply` at some of its steps on each engine, beside a server that serves the tenant."""
    if not shutil.which("strace"):
        raise Missing("strace is missing (Debian: apt-get install strace)")
    figures = {"times": 0}
    for engine in CALLS:
        url = Postgres(lab, "migrated").url if engine == "postgres" else None
        server, chance = Server(lab, f"migrated_{engine}", url), random.Random(lab.seed)
        server.start()
        steps = steps_of(Cut(server, engine, 0))
        demand(steps >= 10, f"{engine}: an `apply` of {steps} steps is none")
        # Equal parts of all steps, and one step by chance of each.
        cuts = [1 + int((number + chance.random()) * steps / count) for number in range(count)]
        found = [cut_at(Cut(server, engine, number + 1), step) for number, step in enumerate(cuts)]
        demand("before" in found or count < 5, f"{engine}: no `apply` died before it had an effect: {cuts} {found}")
        figures["times"] += len(cuts)
        figures |= {f"{engine}: steps of an apply": steps, f"{engine}: killed before it had an effect": found.count("before"),
                    f"{engine}: killed behind it": found.count("after"), f"{engine}: ended before that step": found.count("ended")}
        demand(server.running() and server.ready(), "the server beside it does not serve")
        server.stop()
    return figures


class Cut:
    """A tenant with rows, and the `apply` that changes its types."""

    def __init__(self, server, engine, number):
        self.server, self.engine, self.tenant = server, engine, f"t{number}"
        tenant = {"tenant.yaml": f"tenant: {self.tenant}\napi: {{rate: 0}}\n", **ROLE}
        self.key = server.make_tenant(self.tenant, {**tenant, **BEFORE})
        demand(await_that(lambda: self.send("POST", "box", {"name": "b0"})[0] == 201, LEARN), "a new tenant takes no row")
        boxes = [{"name": f"b{number}"} for number in range(1, BOXES)]
        docs = [
            {"code": f"c{row}", "box": 1 + row % BOXES, "amount": str(row), "title": f"Title {row}", "old": "x"}
            for row in range(ROWS)
        ]
        for kind, rows in (("box", boxes), ("doc", docs)):
            for first in range(0, len(rows), 100):
                body = [{"op": "create", "type": kind, "set": row} for row in rows[first:first + 100]]
                status, content = self.send("POST", "", {"operations": body}, "ext/v1/batch")
                demand(status == 200, f"rows of {kind}: {status} {content[:500]}")
        self.folder = os.path.join(server.folder, "files", f"{self.tenant}-after")
        for name, text in {**tenant, **AFTER}.items():
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)

    def send(self, method, path, body=None, place="v1/collection/"):
        try:
            status, content, _ = ask(self.server.port, method, f"/t/{self.tenant}/api/{place}{path}", body, self.key)
            return status, content.decode(errors="replace")
        except OSError as error:
            return 0, str(error)

    def apply(self, inject=()):
        """Runs `apply` under strace; returns its status and the trace."""
        trace, calls = os.path.join(self.server.folder, f"{self.tenant}.trace"), CALLS[self.engine]
        words = ["strace", "-f", "-qq", "-o", trace, "-e", f"trace={calls}", *inject]
        command = [*words, self.server.lab.program, "apply", "--allow-loss", self.folder]
        done = subprocess.run(command, env=self.server.environment, capture_output=True, text=True, timeout=120)
        return done, read(trace)

    def rows(self, kind):
        status, content = self.send("GET", f"{kind}?perPage=500&orderBy=id&_noCache=1")
        return json.loads(content)["data"] if status == 200 else f"{status} {content[:300]}"

    def is_before(self):
        rows = self.rows("doc")
        wanted = [(f"c{row}", str(row), f"Title {row}", "x") for row in range(ROWS)]
        return isinstance(rows, list) and [tuple(map(row.get, ("code", "amount", "title", "old"))) for row in rows] == wanted

    def is_after(self):
        rows, boxes = self.rows("doc"), self.rows("box")
        wanted = [(f"c{row}", row, f"Title {row}", "new", 2 * row, None) for row in range(ROWS)]
        names = ("code", "amount", "label", "state", "double", "old")
        if not isinstance(rows, list) or [tuple(map(row.get, names)) for row in rows] != wanted:
            return False
        sums = [(ROWS // BOXES, sum(range(box, ROWS, BOXES))) for box in range(BOXES)]
        return [(box["docs"], box["sum"]) for box in boxes] == sums


def steps_of(cut):
    """Counts the steps of an `apply` that is not killed. strace counts those of each thread for itself."""
    done, trace = cut.apply()
    demand(done.returncode == 0, f"apply: {done.stderr[-800:]}")
    demand(await_that(cut.is_after, LEARN, 0.1), f"the types are not as they should be: {cut.rows('doc')} {cut.rows('box')}")
    threads = re.findall(r"^(\d+) +\w+\(", trace, re.M)
    return max(map(threads.count, set(threads)), default=0)


def cut_at(cut, step):
    """Kills an `apply` at a step. The rows are those of before or of after, whole, and the next `apply` ends."""
    done, _ = cut.apply(["-e", f"inject={CALLS[cut.engine]}:signal=SIGKILL:when={step}"])
    where = f"{cut.engine}, step {step}"
    if done.returncode == 0:
        demand(await_that(cut.is_after, LEARN, 0.1), f"{where}: apply ended, and the rows differ: {cut.rows('doc')}")
        return "ended"
    demand(done.returncode in (-9, 137), f"{where}: apply fails by itself: {done.returncode} {done.stderr[-800:]}")
    shown = await_that(lambda: "before" if cut.is_before() else "after" if cut.is_after() else None, LEARN, 0.1)
    demand(shown, f"{where}: the rows are neither those of before nor of after: {cut.rows('doc')} {cut.rows('box')}")
    demand(cut.send("POST", "box", {"name": "more"})[0] == 201, f"{where}: the tenant takes no write")
    cut.send("DELETE", f"box/{BOXES + 1}")
    cut.server.command("apply", "--allow-loss", cut.folder)
    demand(await_that(cut.is_after, LEARN, 0.1), f"{where}: the next apply leaves {cut.rows('doc')} {cut.rows('box')}")
    status, content = cut.send("POST", "doc", {"code": "c1"})
    demand(status in (400, 409, 422), f"{where}: a unique property takes a value twice: {status} {content[:300]}")
    left = cut.server.command("plan", "--json", cut.folder).stdout
    demand(json.loads(left)["changes"] == [], f"{where}: a change is left over: {left[:500]}")
    return shown
