"""Faults of tests/faults: processes that are killed at random times, and servers that are asked to stop under load."""

import glob
import http.client
import json
import math
import os
import random
import shutil
import signal
import subprocess
import threading
import time

from faults_clients import Scene
from faults_ledger import Judge, Ledger, Seen
from faults_server import Postgres, Server, ask, await_that, demand, send_signal

# Kills of one tenant, until the judge comes and another tenant begins.
ROUND = 20


def p99(values):
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * 0.99) - 1)] if ordered else 0.0


def add_up(figures, more):
    for name, value in more.items():
        figures[name] = figures.get(name, 0) + value


def rounds(count):
    """Splits a number of kills into those of each tenant."""
    return [min(ROUND, count - begun) for begun in range(0, count, ROUND)]


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


def told(figures):
    """Returns figures for the table: the slowest of the ready times by rank, and all counts."""
    ready = figures.pop("ready")
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
    return told(figures)


def kills_sqlite(lab, count):
    return kill_servers(lab, "kills-sqlite", count, 1, False)


def kills_postgres(lab, count):
    return kill_servers(lab, "kills-postgres", count, 1, True)


def kills_nodes(lab, count):
    figures = kill_servers(lab, "kills-nodes", count, 2, True)
    allowed = max(1, figures["other node's answers"] // 1000)
    demand(figures["other node's errors"] <= allowed, f"the other node fails: {figures}")
    return figures
