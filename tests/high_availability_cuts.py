"""Cuts of the network of tests/high-availability, and the look for a second primary meanwhile."""

import os
import subprocess
import threading

MEMBERS = ["db1", "db2", "db3"]
# The cuts, with the longest times without a write that are accepted, in seconds.
CUTS = {"primary's etcd cut off": 45, "etcds apart": 45, "replication cut": 45, "primary cut off": 45}
# The seconds of a cut: longer than a silent primary keeps its lease.
CUT = 35


def address(member):
    return f"10.0.0.{MEMBERS.index(member) + 1}"


def programs():
    versions = sorted(os.listdir("/usr/lib/postgresql"), key=int)
    return f"/usr/lib/postgresql/{versions[-1]}/bin"


def cut(event, primary, standby, machines):
    """Cuts the network as an event says; returns the machines to heal."""
    etcd = ["tcp dport {2379, 2380}", "tcp sport {2379, 2380}"]
    if event == "primary's etcd cut off":
        # The others have the majority.
        cuts = {primary: [f"ip {side} != {address(primary)} {port}" for side in ("saddr", "daddr") for port in etcd]}
    elif event == "etcds apart":
        cuts = {member: [f"ip {side} {address(other)} {port}" for other in MEMBERS if other != member for side in ("saddr", "daddr") for port in etcd] for member in MEMBERS}
    elif event == "replication cut":
        cuts = {primary: [f"ip {side} {address(standby)} tcp {port} 5432" for side in ("saddr", "daddr") for port in ("dport", "sport")]}
    else:
        # From clients, too.
        cuts = {primary: ["ip saddr 10.0.0.0/24 ip saddr != " + address(primary), "ip daddr 10.0.0.0/24 ip daddr != " + address(primary)]}
    for member, rules in cuts.items():
        machines[member].cut(rules)
    return [machines[member] for member in cuts]


class Primaries:
    """Looks, from within each machine, at which members acknowledge writes; two at a time are a split brain."""

    def __init__(self, machines):
        self.machines, self.ending, self.doubles, self.looks = machines, threading.Event(), 0, 0
        self.thread = threading.Thread(target=self.look, daemon=True)
        self.thread.start()

    def writes(self, machine):
        command = ["nsenter", "--target", str(machine.holder.pid), "--net", "setpriv", "--reuid", str(machine.user.pw_uid), "--regid", str(machine.user.pw_gid), "--clear-groups",
                   f"{programs()}/psql", "-h", machine.folder, "-U", "postgres", "-d", "postgres", "-XqAtc",
                   "SET statement_timeout = 700; SELECT pg_logical_emit_message(true, 'look', 'at the log')"]
        environment = {"PATH": os.environ["PATH"], "PGPASSWORD": "password-of-postgres", "PGCONNECT_TIMEOUT": "2"}
        try:
            ran = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=3)
        except subprocess.TimeoutExpired:
            return False
        # A write that no standby has is there with a warning, and acknowledged to no client that waits.
        return ran.returncode == 0 and not ran.stderr.strip()

    def look(self):
        while not self.ending.wait(0.5):
            began = [self.writes(machine) for machine in self.machines.values()]
            self.looks += 1
            self.doubles += sum(began) > 1

    def end(self):
        self.ending.set()
        self.thread.join()
