"""The pieces of a long soak of tests/faults: each one continues over the data that the last one left in a folder."""

import collections
import json
import os

from faults_ledger import Entry
from faults_server import demand, read

# A moment before all those of a piece: clocks of processes begin anew with the machine.
BEFORE = 0.0
# The columns of a look at a process. Its own memory is without files that are mapped, which grow with the data.
COLUMNS = {"memory MiB": 1, "files": 2, "threads": 3, "own memory MiB": 4}


class Pieces:
    """The sums of all pieces, and what the last one left of each side. It is kept where the folder is."""

    def __init__(self, lab):
        self.path, self.stays = os.path.join(lab.folder, "pieces.json"), lab.stays
        found = json.loads(read(self.path) or "{}")
        demand(not found.get("runs"), "the last piece did not end, or failed: begin with an empty folder")
        if self.stays:
            self.save({**found, "runs": True})
        self.number, self.minutes = found.get("number", 0), found.get("minutes", 0)
        self.sums, self.bad = collections.Counter(found.get("sums", {})), collections.Counter(found.get("bad", {}))
        self.grown, self.left = found.get("grown", {name: [] for name in COLUMNS}), found.get("left", {})

    def add(self, minutes, sides, looks, open_deleted):
        """Adds a piece that has ended, and keeps it."""
        self.number, self.minutes = self.number + 1, round(self.minutes + minutes, 2)
        self.sums["open deleted files"] += open_deleted
        for side in sides:
            self.sums.update(side.figures)
            self.sums["kills"] += len(side.outages)
            self.sums["requests"] += side.counts["requests"]
            self.bad.update({str(status): count for status, count in side.bad.items()})
        for name, column in COLUMNS.items():
            self.grown[name].append([*looks.grown(column), looks.tells_growth()])
        if self.stays:
            self.left = {side.name: side.left() for side in sides}
            self.save({name: value for name, value in vars(self).items() if name not in ("path", "stays")})

    def save(self, found):
        with open(self.path + ".new", "w") as file:
            json.dump(found, file)
        os.replace(self.path + ".new", self.path)


def lines_of(ledger):
    """Returns the entries of a ledger as JSON has them."""
    return [[entry.kind, entry.code, entry.facts, entry.attempts] for entry in ledger.entries]


def entries_of(lines):
    """Returns the entries of an earlier piece."""
    entries = []
    for kind, code, facts, attempts in lines:
        entry = Entry(kind, code, facts)
        entry.attempts = [(node, BEFORE, status, BEFORE) for node, _, status, _ in attempts]
        entries.append(entry)
    return entries
