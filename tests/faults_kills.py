"""Faults of tests/faults: processes that are killed, at random times and at steps of a write."""

import glob
import math
import os
import random
import shutil
import subprocess
import time

from faults_clients import Scene
from faults_disk import Injection
from faults_ledger import Judge, Seen
from faults_server import END, Fault, Missing, Postgres, await_that, demand

# Kills of one tenant, until the judge comes and another tenant begins.
ROUND = 20
# The seconds within which a node is ready behind a kill (p99).
READY = 1


def p99(values):
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * 0.99) - 1)] if ordered else 0.0


def add_up(figures, more):
    for name, value in more.items():
        figures[name] = figures.get(name, 0) + value


def rounds(count, most=ROUND):
    """Splits a number of kills into those of each tenant."""
    return [min(most, count - begun) for begun in range(0, count, most)]


def kill_nodes(lab, scene, kills, chance, figures):
    """Kills the first node again and again under load, at random times after it answered."""
    victim, others = scene.servers[0], scene.servers[1:]
    with scene.load() as load:
        for _ in range(kills):
            load.heals(30, victim.name)
            time.sleep(chance.uniform(0, 0.8))
            victim.kill()
            figures["ready"].append(victim.start())
            figures["kills"] += 1
    answers = sum((scene.ledger.answers(node=other.name) for other in others), scene.ledger.answers(node="none"))
    figures["other node's answers"] += sum(answers.values())
    bad = {status: count for status, count in answers.items() if status not in range(200, 300)}
    figures["other node's errors"] += sum(bad.values())
    if bad:
        figures["of these"] = str(bad)


def told(lab, figures):
    """Returns figures for the table: the slowest of the ready times by rank, and all counts."""
    ready = figures.pop("ready")
    demand(p99(ready) <= READY * lab.patience, f"ready after {p99(ready):.2f} s (p99)")
    return {**figures, "ready p99 s": round(p99(ready), 2), "ready most s": round(max(ready, default=0), 2)}


def kill_servers(lab, name, count, nodes, with_postgres):
    figures = {"kills": 0, "ready": [], "other node's answers": 0, "other node's errors": 0}
    chance = random.Random(lab.seed)
    for number, kills in enumerate(rounds(count)):
        url = Postgres(lab, f"{name}-postgres-{number}").url if with_postgres else None
        scene = Scene(lab, f"{name}-{number}", url, nodes).start()
        kill_nodes(lab, scene, kills, chance, figures)
        add_up(figures, scene.judge())
        lab.end_parts()
    return told(lab, figures)


def kills_sqlite(lab, count):
    return kill_servers(lab, "kills-sqlite", count, 1, False)


def kills_postgres(lab, count):
    return kill_servers(lab, "kills-postgres", count, 1, True)


def kills_nodes(lab, count):
    figures = kill_servers(lab, "kills-nodes", count, 2, True)
    allowed = max(1, figures["other node's answers"] // 1000)
    demand(figures["other node's errors"] <= allowed, f"the other node fails: {figures}")
    return figures


# The steps of a write: calls that the disk, PostgreSQL and clients see. Each entry has as many kills.
OF_FILES = ["fsync,fdatasync", "rename,renameat,renameat2,link,linkat,unlink,unlinkat,ftruncate"]
STEPS = {
    "sqlite": ["pwrite64", *OF_FILES, "write,sendto,writev"],
    "postgres": ["sendto", "write,writev", *OF_FILES, "recvfrom"],
}


def kills_steps(lab, count):
    """Kills a node under load at one of its next calls, on both engines: in the middle of commits and answers."""
    if not shutil.which("strace"):
        raise Missing("strace is missing (Debian: apt-get install strace)")
    figures, chance = {"kills": 0, "kills by step": {}, "ready": []}, random.Random(lab.seed)
    for engine, steps in STEPS.items():
        for number, kills in enumerate(rounds(count // 2)):
            url = Postgres(lab, f"steps-cluster-{number}").url if engine == "postgres" else None
            scene = Scene(lab, f"steps-{engine}-{number}", url).start()
            server = scene.servers[0]
            with scene.load() as load:
                for kill in range(kills):
                    load.heals(30, server.name)
                    kill_at(lab, server, steps[kill % len(steps)], chance.randrange(1, 30), figures["kills by step"])
                    figures["ready"].append(server.start())
                    figures["kills"] += 1
            add_up(figures, scene.judge())
            lab.end_parts()
    figures["kills by step"] = str(figures["kills by step"])
    return told(lab, figures)


def kill_at(lab, server, calls, when, counts):
    """Has strace kill a server at a call, or kills it if that call does not come."""
    injection = Injection(server, calls, "signal=SIGKILL", when)
    lab.parts.append(injection)
    came = await_that(lambda: not server.running(), 5, 0.01)
    if not came:
        server.kill()
    server.process.wait(timeout=END)
    injection.process.wait(timeout=END)
    lab.parts.remove(injection)
    name = calls.split(",")[0] if came else "at random"
    counts[name] = counts.get(name, 0) + 1


def kills_database(lab, count):
    """Kills PostgreSQL with all of its processes under load, and starts it again."""
    figures, chance, pauses = {"kills": 0, "ready": []}, random.Random(lab.seed), []
    for number, kills in enumerate(rounds(count)):
        postgres = Postgres(lab, f"database-{number}")
        scene = Scene(lab, f"kills-database-{number}", postgres.url, 2).start()
        with scene.load() as load:
            for _ in range(kills):
                load.heals(30)
                time.sleep(chance.uniform(0, 0.8))
                postgres.kill()
                time.sleep(chance.uniform(0, 0.3))
                postgres.start()
                began = time.monotonic()
                demand(await_that(lambda: all(server.ready() for server in scene.servers), 30, 0.01), "nodes stay unready")
                figures["ready"].append(time.monotonic() - began)
                pauses.append(max(load.heals(30, server.name) for server in scene.servers))
                figures["kills"] += 1
        add_up(figures, scene.judge())
        lab.end_parts()
    return {**told(lab, figures), "writes again behind PostgreSQL most s": round(max(pauses), 2)}


def start_and_kill(server, arguments, moment):
    """Starts a command of Plinth and kills it after some seconds; returns true if it had not ended."""
    process = subprocess.Popen([server.lab.program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=server.environment)
    try:
        process.wait(timeout=moment)
        return False
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return True


def took(server, *arguments):
    began = time.monotonic()
    server.command(*arguments)
    return time.monotonic() - began


def next_second():
    """Waits for another second: archives are named by it."""
    time.sleep(1.05)


def proven(server, folder):
    """Verifies all archives of a folder; returns their number."""
    archives = glob.glob(os.path.join(folder, "*.tar.gz"))
    for archive in archives:
        server.command("backup", "verify", archive)
    return len(archives)


def kills_backup(lab, count):
    """Kills commands that back a tenant up under load, then those that restore it. Both engines take turns."""
    figures, chance = {"backups killed": 0, "restorations killed": 0, "archives proven": 0}, random.Random(lab.seed)
    for turn, kills in enumerate(rounds(count - count // 2, 10) + rounds(count // 2, 10)):
        is_postgres = turn >= len(rounds(count - count // 2, 10))
        url = Postgres(lab, f"backup-postgres-{turn}").url if is_postgres else None
        scene = Scene(lab, f"kills-backup-{turn}", url).start()
        server, folder = scene.servers[0], os.path.join(lab.folder, f"archives-{turn}")
        create = ["backup", "create", "acme", "--to", folder]
        with scene.load(clients=2) as load:
            load.heals(30)
            time.sleep(1)
            span = took(server, *create)
            for _ in range(kills):
                next_second()
                figures["backups killed"] += start_and_kill(server, create, chance.uniform(0, span))
        next_second()
        server.command(*create)
        figures["archives proven"] += proven(server, folder)
        parts = glob.glob(os.path.join(folder, ".plinth-part-*"))
        demand(not parts, f"killed backups left parts behind, also after another one: {parts}")
        add_up(figures, scene.judge())
        figures["restorations killed"] += kill_restorations(scene, folder, kills, chance)
        lab.end_parts()
    return figures


def kill_restorations(scene, folder, kills, chance):
    """Kills restorations beside a running server. Afterwards the tenant is not there, or it is whole."""
    server, killed = scene.servers[0], 0
    next_second()
    server.command("backup", "create", "acme", "--to", folder)
    archive = max(glob.glob(os.path.join(folder, "*.tar.gz")))
    restore, drop = ["backup", "restore", archive, "--as", "old"], ["tenant", "delete", "old", "--now", "--yes"]
    span = took(server, *restore)
    for _ in range(kills):
        server.command(*drop)
        was_killed = start_and_kill(server, restore, chance.uniform(0, span))
        killed += was_killed
        if was_killed:
            # What is there must be whole; what is not there can be restored.
            done = server.command(*restore, ok=False)
            demand(done.returncode == 0 or "old" in server.command("tenant", "list").stdout, done.stderr)
        seen = Seen(server, "old", scene.key)
        demand(await_that(lambda: is_served(seen), 10), "the restored tenant is not served")
        Judge(scene.ledger, seen).judge().demand()
    return killed


def is_served(seen):
    try:
        return bool(seen.get("/api/v1/collection/box?perPage=1"))
    except (OSError, Fault):
        return False
