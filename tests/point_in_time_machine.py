"""A machine of its own for tests/point_in_time: with its network, its processes and its folders, and the page's commands."""

import glob
import os
import pwd
import re
import shutil
import subprocess
import sys

from faults_server import Fault, demand

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "backups.md")
TITLE = "## Any second on PostgreSQL\n"
# The blocks of commands of the section, in their order.
BLOCKS = ["archive", "schedule", "aside", "verify", "tenant", "away", "whole"]
# The version and the instant that the page shows.
VERSION, INSTANT = "15", "2026-11-29 10:15:07+00"
# Folders that are empty here, with their owners.
FOLDERS = {
    "/run/postgresql": "postgres",
    "/var/lib/postgresql": "postgres",
    "/var/log/postgresql": "postgres",
    "/var/lib/pgbackrest": "postgres",
    "/var/log/pgbackrest": "postgres",
    "/var/spool/pgbackrest": "postgres",
    "/var/backups": "root",
    "/srv": "root",
}
PROGRAMS = ["ip", "pgbackrest", "pg_createcluster", "pg_ctlcluster", "runuser", "unshare", "openssl"]


def missing():
    """Returns the programs that are missing here."""
    return [program for program in PROGRAMS if not shutil.which(program)]


def enter_namespace(arguments):
    """Runs the program again with a network, processes and mounts of its own, which end with it."""
    if os.environ.get("OWN_MACHINE"):
        become_first_process()
        return
    command = ["unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"]
    os.execvpe("unshare", [*command, sys.executable, *arguments], {**os.environ, "OWN_MACHINE": "1"})


def become_first_process():
    """Stays in a child, and takes the processes that others leave behind, as PostgreSQL is left."""
    child = os.fork()
    while child != 0:
        ended, status = os.wait()
        if ended == child:
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def blocks():
    """Returns the blocks of commands of the page's section by name."""
    with open(PAGE) as file:
        section = file.read().partition(TITLE)[2].partition("\n## ")[0]
    found = re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    demand(len(found) == len(BLOCKS), f"{PAGE} has {len(found)} blocks in {TITLE.strip()}, and {len(BLOCKS)} are known")
    return dict(zip(BLOCKS, found))


def append(path, text):
    with open(path, "a") as file:
        file.write(text)


class Machine:
    """The folders of the machine, and what is run in them."""

    def __init__(self, folder, program):
        self.folder, self.home, self.blocks = folder, os.path.join(folder, "home"), blocks()
        self.version = sorted(os.listdir("/usr/lib/postgresql"), key=int)[-1]
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        self.cover("etc", "/etc", copied=True)
        self.add_account("plinth")
        # The folder hides a running systemd: clusters are started without it.
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run"], check=True)
        os.mkdir("/run/postgresql")
        for place, owner in FOLDERS.items():
            self.cover(place.strip("/").replace("/", "-"), place, owner=owner)
        for place in glob.glob("/etc/postgresql/*"):
            shutil.rmtree(place)
        # No power is lost here: clusters need not wait for the disk.
        append("/etc/postgresql-common/createcluster.conf", "initdb_options = '--no-sync'\nfsync = off\n")
        self.tools(program)

    def cover(self, name, place, copied=False, owner="root"):
        """Mounts a folder of our own over one of the machine."""
        own = os.path.join(self.folder, name)
        if copied:
            subprocess.run(["cp", "-a", place, own], check=True)
        else:
            os.mkdir(own, 0o755)
            user = pwd.getpwnam(owner)
            os.chown(own, user.pw_uid, user.pw_gid)
        demand(os.path.isdir(place), f"{place} is missing: Debian's packages make it")
        subprocess.run(["mount", "--bind", own, place], check=True)

    def add_account(self, name):
        """Makes the account of Plinth's package."""
        try:
            pwd.getpwnam(name)
        except KeyError:
            append("/etc/passwd", f"{name}:x:990:990::/srv/{name}:/usr/sbin/nologin\n")
            append("/etc/group", f"{name}:x:990:\n")

    def tools(self, program):
        """Makes the folder in which commands run: Plinth is a program of it, and packages are there already."""
        tools = os.path.join(self.folder, "tools")
        os.makedirs(os.path.join(self.home, "deploy"))
        os.mkdir(tools)
        with open(os.path.join(ROOT, "deploy", "pgbackrest.conf")) as source:
            with open(os.path.join(self.home, "deploy", "pgbackrest.conf"), "w") as file:
                file.write(self.here(source.read()))
        os.symlink(program, os.path.join(tools, "plinth"))
        with open(os.path.join(tools, "apt-get"), "w") as file:
            file.write('#!/bin/sh\n[ "$1" = install ] && shift && exec dpkg-query --show "$@"\n')
        os.chmod(os.path.join(tools, "apt-get"), 0o755)
        self.environment = {"PATH": f"{tools}:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": self.home, "LC_ALL": "C.UTF-8"}

    def here(self, text, instant=INSTANT):
        """Returns a text of the page or of deploy/ with the version of this machine and an instant."""
        text = text.replace(f"/{VERSION}/", f"/{self.version}/").replace(f"cluster {VERSION} ", f"cluster {self.version} ")
        return text.replace(INSTANT, instant)

    def run(self, *command, ok=True, variables=()):
        """Runs a command; returns its result."""
        environment = {**self.environment, **dict(variables)}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=self.home, timeout=300)
        if ok and done.returncode != 0:
            raise Fault(f"{' '.join(command)[:400]}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
        return done

    def run_block(self, name, instant=INSTANT, ok=True):
        """Runs a block of the page, as it stands there."""
        text = self.here(self.blocks[name], instant)
        demand(instant == INSTANT or instant in text, f"the block {name} of {PAGE} does not show {INSTANT}")
        return self.run("bash", "-euo", "pipefail", "-c", text, ok=ok)

    def postgres(self, *command, ok=True):
        return self.run("runuser", "-u", "postgres", "--", *command, ok=ok)

    def sql(self, text, port=5432, database="postgres"):
        """Runs a statement as the superuser; returns what it prints."""
        return self.postgres("psql", "-p", str(port), "-d", database, "-XAtqc", text).stdout.strip()

    def plinth(self, *arguments, ok=True, variables=()):
        variables = {"PLINTH_CONFIG": "/etc/plinth/plinth.toml", **dict(variables)}
        return self.run("runuser", "-u", "plinth", "--", "plinth", *arguments, ok=ok, variables=variables)

    def log(self, cluster):
        """Returns what a cluster has said."""
        with open(f"/var/log/postgresql/postgresql-{self.version}-{cluster}.log", errors="replace") as file:
            return file.read()

    def segment(self, name):
        """Returns the file of a segment in the repository."""
        found = glob.glob(f"/var/lib/pgbackrest/archive/plinth/*/*/{name}-*")
        demand(len(found) == 1, f"the segment {name} is in the repository {len(found)} times")
        return found[0]
