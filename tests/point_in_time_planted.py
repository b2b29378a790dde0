"""The planted errors of tests/point_in_time: bytes and segments that are missing or broken, which must be told."""

import datetime
import glob
import os
import re

from faults_server import demand

# What PostgreSQL says where the log does not reach the instant, as the page has it.
NOT_REACHED = "recovery ended before configured recovery target was reached"


class Planted:
    """The errors, while the cluster aside is there."""

    def __init__(self, trial):
        self.trial, self.machine = trial, trial.machine

    def lack_bytes(self):
        """Plants a file whose bytes were removed since."""
        (path,) = glob.glob("/srv/plinth/files/acme/**/*", recursive=True)
        os.rename(path, "/srv/bytes")
        done = self.machine.run_block("tenant", ok=False)
        os.rename("/srv/bytes", path)
        demand(done.returncode != 0 and os.path.basename(path) in done.stderr, f"missing bytes are not told: {done.stderr}")
        demand(not glob.glob("/var/backups/aside/*"), "there is an archive without the bytes of a file")
        return done.stderr.strip().splitlines()[0]

    def lose_segment(self):
        """Plants a segment that is missing: an instant behind it is refused, and without one the log ends there."""
        path = self.machine.segment(self.trial.last_segment)
        os.rename(path, path + ".away")
        # A gap, and not the end of the log.
        self.machine.postgres("pgbackrest", "--stanza=plinth", "check")
        demand(self.verify().count("wal start") == 2, "pgbackrest verify does not show that a segment is missing")
        last = self.refuse_aside()
        done = self.restore_again(r"--type=time .*--target-action=promote ")
        demand(done.returncode == 0, f"no cluster aside without an instant: {done.stderr}")
        demand(self.last_transaction() == last, "the cluster aside ends at another transaction without an instant")
        os.rename(path + ".away", path)
        said = self.verify()
        demand(said.count("wal start") == 1 and "status: error" not in said, f"the repository is not whole again: {said}")
        return f"{NOT_REACHED}; without an instant, it ends {self.trial.instant - instant_of(last):.1f} s before that"

    def break_segment(self):
        """Plants a segment that is broken."""
        path = self.machine.segment(self.trial.last_segment)
        with open(path, "rb") as file:
            content = file.read()
        half = len(content) // 2
        overwrite(path, content[:64] + bytes(half) + content[64 + half :])
        demand("status: error" in self.verify(), "pgbackrest verify does not find a broken segment")
        self.refuse_aside(f"unable to get {self.trial.last_segment}")
        overwrite(path, content)
        return f"{NOT_REACHED}; unable to get {self.trial.last_segment}"

    def refuse_aside(self, *said):
        """Demands that a restoration to the instant fails and says so; returns the last instant of the log."""
        done = self.restore_again()
        log = self.machine.log("aside")
        demand(done.returncode != 0, "the cluster aside starts with a log that does not reach the instant")
        for text in (NOT_REACHED, *said):
            demand(text in log, f"{text!r} is not told: {log[-1500:]}")
        return self.last_transaction()

    def restore_again(self, without="^$"):
        """Restores the cluster aside once more by the page's commands, without those that make it."""
        machine = self.machine
        machine.run("pg_ctlcluster", machine.version, "aside", "stop", ok=False)
        os.truncate(f"/var/log/postgresql/postgresql-{machine.version}-aside.log", 0)
        text = machine.here(machine.blocks["aside"], self.trial.shown_instant()).partition("hot_standby=off\n")[2]
        demand("restore\npg_ctlcluster" in text, f"the block of the cluster aside has another form: {text}")
        return machine.run("bash", "-euo", "pipefail", "-c", re.sub(without, "", text), ok=False)

    def last_transaction(self):
        found = re.findall(r"last completed transaction was at log time (.*)", self.machine.log("aside"))
        demand(found, "the log of PostgreSQL does not tell the last transaction")
        return found[-1]

    def verify(self):
        return self.machine.run_block("verify").stdout


def overwrite(path, content):
    with open(path, "r+b") as file:
        file.write(content)


def instant_of(text):
    """Returns the seconds since 1970 of an instant of PostgreSQL, whose zone may have no minutes."""
    text = re.sub(r"([+-]\d\d)$", r"\g<1>00", text)
    return datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S.%f%z").timestamp()
