"""A fault of tests/faults: a network that is cut between PostgreSQL and one of two nodes."""

import collections
import os
import random
import shutil
import subprocess
import threading
import time

from faults_clients import Scene
from faults_database import WAIT, probe
from faults_server import Missing, Postgres, await_that, demand

# The allowance of a busy machine on top of the wait, and the goals: seconds to heal, seconds that anything may take.
SLACK, HEAL, STUCK = 1, 2, 10
# The seconds after which a node counts as away for ever.
AWAY = 60
# The seconds of a cut, in the long form and in the short one, and the clients that begin to write meanwhile.
LONG, SHORT, PROBES = 14, 2.6, 12
TOOLS = ("ip", "nft", "ss", "nsenter", "unshare")


class Network:
    """A network namespace with two links to this machine: each node takes one of its own."""

    def __init__(self, lab):
        missing = [tool for tool in TOOLS if not shutil.which(tool)]
        if missing:
            raise Missing(f"{missing} are missing (Debian: apt-get install iproute2 nftables util-linux)")
        self.holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"], stderr=subprocess.DEVNULL)
        lab.parts.append(self)
        ours = os.readlink("/proc/self/ns/net")
        space = f"/proc/{self.holder.pid}/ns/net"
        made = lambda: self.holder.poll() is not None or os.readlink(space) != ours
        if not await_that(made, 5, 0.01) or self.holder.poll() is not None:
            raise Missing("this user may not make a network")
        self.before = ["nsenter", f"--net={space}"]
        self.inside("ip", "link", "set", "lo", "up")
        # Addresses for measurements within a network, so that no other machine is reached by them.
        place = random.randrange(1 << 14) << 2
        self.addresses = [self.link(f"pf{os.getpid()}-{way}", place ^ way << 16) for way in range(2)]

    def link(self, name, place):
        """Makes a link; returns the address at its far end, whose interface is named like it."""
        here, there = (f"198.{18 + (place >> 16)}.{place >> 8 & 255}.{(place & 255) + end}" for end in (1, 2))
        run("ip", "link", "add", name, "type", "veth", "peer", "name", name, "netns", str(self.holder.pid))
        run("ip", "addr", "add", f"{here}/30", "dev", name)
        run("ip", "link", "set", name, "up")
        self.inside("ip", "addr", "add", f"{there}/30", "dev", name)
        self.inside("ip", "link", "set", name, "up")
        return there

    def inside(self, *command, text=None):
        run(*self.before, *command, text=text)

    def stop(self):
        """Ends it, and its links with it."""
        self.holder.kill()
        self.holder.wait()


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    demand(done.returncode == 0, f"{' '.join(command)}: {done.stderr}")


class FarPostgres(Postgres):
    """A cluster behind the links."""

    listen = "*"

    def __init__(self, lab, name, network):
        self.before = network.before
        super().__init__(lab, name)
        with open(os.path.join(self.data, "pg_hba.conf"), "a") as file:
            file.write("host all all 198.18.0.0/15 trust\n")
        self.sql("SELECT pg_reload_conf()")
        self.urls = [f"postgresql://app@{address}:{self.port}/app" for address in network.addresses]


class Cut:
    """A cut of the second link, and the way back. A cut of this kind lets nothing through."""

    is_whole, answers = True, {503}

    def __init__(self, network):
        self.network, self.address = network, network.addresses[1]


class Rules(Cut):
    """Rules of a firewall in front of the database."""

    def begin(self):
        rules = f"""table inet faults {{
            chain input {{ type filter hook input priority 0; ip daddr {self.address} {self.verdict}; }}
            chain output {{ type filter hook output priority 0; ip saddr {self.address} tcp flags != rst drop; }}
        }}"""
        self.network.inside("nft", "-f", "-", text=rules)

    def end(self):
        self.network.inside("nft", "delete", "table", "inet", "faults")


class Dropped(Rules):
    verdict = "drop"


class Rejected(Rules):
    verdict = "reject with tcp reset"


class LinkDown(Cut):
    def begin(self):
        self.network.inside("ip", "link", "set", f"pf{os.getpid()}-1", "down")

    def end(self):
        self.network.inside("ip", "link", "set", f"pf{os.getpid()}-1", "up")


class KilledSockets(Cut):
    """All connections of the node to the database end, each 50 ms. It may have things done between."""

    # 500 where the end of a transaction was sent; 409 where the same write is under way still.
    is_whole, answers = False, {503, 500, 409, *range(200, 300)}

    def begin(self):
        self.ending, self.killed = threading.Event(), 0
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def work(self):
        while not self.ending.wait(0.05):
            done = subprocess.run(["ss", "-t", "-H", "-n", "-K", "dst", self.address], capture_output=True, text=True)
            self.killed += len(done.stdout.splitlines())

    def end(self):
        self.ending.set()
        self.thread.join()
        if not self.killed:
            raise Missing("this kernel ends no sockets (INET_DIAG_DESTROY)")


CUTS = {"dropped": Dropped, "sockets killed": KilledSockets, "rejected": Rejected, "link down": LinkDown}
# Those of the short form.
FIRST = 2


def network(lab, count):
    """Cuts one of two nodes off from the database in each way, under load on both."""
    links = Network(lab)
    postgres = FarPostgres(lab, "far", links)
    scene = Scene(lab, "network", postgres.urls[0], 2)
    scene.servers[1].environment["PLINTH_DATA_POSTGRES"] = postgres.urls[1]
    scene.start()
    ways = list(CUTS.items())[: None if lab.patience == 1 else FIRST]
    figures = {"times": count * len(ways)}
    with scene.load() as load:
        trials = Trials(scene, load)
        for _ in range(count):
            for name, kind in ways:
                figures[name] = trials.cut(name, kind(links))
    figures.update(trials.judge(), **scene.judge())
    # Each cut is tried, also behind one that fails.
    demand(not trials.problems, "\n".join(trials.problems), figures)
    return figures


class Trials:
    """Cuts under load, one after another, and what they showed."""

    def __init__(self, scene, load):
        self.scene, self.load, self.problems = scene, load, []
        self.others, self.split, self.lasts = collections.Counter(), 0, SHORT if scene.lab.patience > 1 else LONG

    def cut(self, name, cut):
        """Makes a cut; returns what the node answered meanwhile, its longest answer, and the seconds to its next write."""
        other, node = self.scene.servers
        for server in self.scene.servers:
            self.load.heals(AWAY, server.name)
        cut.begin()
        began = time.monotonic()
        # What is sent is answered before the cut ends, if it is answered in time.
        until = began + max(0.2, self.lasts - WAIT - SLACK)
        probes = [threading.Thread(target=probe, args=(self.load, node, until)) for _ in range(PROBES)]
        for thread in probes:
            thread.start()
        time.sleep(self.lasts)
        is_ready, ended = node.ready(), time.monotonic()
        cut.end()
        healed = self.load.heals(AWAY, node.name)
        for thread in probes:
            thread.join()
        self.load.heals(AWAY, other.name)
        ours = [(sent, status, end) for sent, status, end in self.attempts(node) if end > began]
        answers = collections.Counter(status for sent, status, end in ours if began <= sent and end <= ended)
        spans = {
            "longest": [end - sent for sent, _, end in ours if began <= sent <= until],
            "of those under way": [end - sent for sent, _, end in ours if sent < began],
            "other node's longest": [end - sent for sent, _, end in self.attempts(other) if end > began],
        }
        longest = {what: max(values, default=0.0) for what, values in spans.items()}
        self.others.update(status for _, status, end in self.attempts(other) if end > began)
        self.split += sum(number for status, number in answers.items() if cut.is_whole and status in range(200, 300))
        told = ", ".join(f"{what} {value:.1f} s" for what, value in longest.items())
        seen = f"{dict(answers)}, {told}, writes again {healed:.2f} s"
        patience = self.scene.lab.patience
        rules = {
            "no request was sent and answered meanwhile, so nothing is known": answers,
            "other answers than there should be": set(answers) <= cut.answers,
            "the node says that it is ready": not (cut.is_whole and is_ready),
            "a request waited too long": longest["longest"] <= WAIT + SLACK * patience,
            "the node heals late": healed <= HEAL * patience,
            "a request is stuck": max(longest.values()) <= STUCK,
        }
        self.problems += [f"{name}: {what}: {seen}" for what, holds in rules.items() if not holds]
        return seen

    def attempts(self, server):
        """Returns what a node was asked: when, the answer, and its time."""
        with self.load.ledger.lock:
            entries = [attempt for entry in self.load.ledger.entries for attempt in entry.attempts]
        return [(sent, status, end) for at, sent, status, end in entries if at == server.name]

    def judge(self):
        """Judges the other node; returns the figures."""
        bad = {status: number for status, number in self.others.items() if status not in range(200, 300)}
        count, errors = sum(self.others.values()), sum(bad.values())
        # In the short form a few of them are many.
        if errors > max(1 if self.scene.lab.patience == 1 else 20, count // 1000):
            self.problems.append(f"the other node fails: {bad} of {count}")
        return {"other node's answers": count, "other node's errors": errors, "split writes": self.split}
