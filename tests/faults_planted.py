"""Faults that are planted beside the ledger of tests/faults: the judge must find each of them."""

import glob
import json
import os
import random

from faults_clients import Scene
from faults_ledger import Judge, Seen
from faults_server import demand


def planted(lab, _count):
    """Does things that no entry of the ledger tells of; returns what the judge found."""
    scene = Scene(lab, "planted").start()
    server, chance = scene.servers[0], random.Random(lab.seed)
    load = scene.load()
    made = [load.create(server, chance) for _ in range(20)]
    files = [load.file(server, chance) for _ in range(3)]
    pair, _, box = load.pair(server, chance), load.user(server, chance), load.boxes[0]
    demand(all([*made, *files, pair]), "the writes fail")
    scene.judge()

    def do(method, path, body=None):
        status, content, _ = load.ask(server, method, path, body)
        demand(status < 300, f"{method} {path}: {status} {content[:300]}")

    plants = {
        f"lost: {made[0]['code']}": lambda: do("DELETE", f"/api/v1/collection/doc/{made[0]['id']}"),
        f"doubled: {made[1]['code']}": lambda: do("POST", "/api/v1/collection/doc", {"code": made[1]["code"], "box": box}),
        "torn: pair": lambda: do("DELETE", f"/api/v1/collection/doc/{pair['results'][0]['id']}"),
        "doubled: box": lambda: do("PATCH", f"/api/v1/collection/box/{box}", {"hits+=": 1}),
        "torn: nobody-1": lambda: do("POST", "/api/v1/collection/doc", {"code": "nobody-1", "box": box}),
        "lost: the file": lambda: change_file(server),
    }
    refused = next(entry for entry in scene.ledger.entries if entry.code == made[2]["code"])
    plants[f"refused and done: {refused.code}"] = lambda: refused.attempts.__setitem__(0, ("node", 0.0, 503, 0.0))
    for plant in plants.values():
        plant()
    problems = Judge(scene.ledger, Seen(server, "acme", scene.key)).judge().problems
    missed = [name for name in plants if not any(problem.startswith(name) for problem in problems)]
    demand(not missed, f"the judge does not find {missed} but {json.dumps(problems)}")
    return {"planted": len(plants), "found": len(plants)}


def change_file(server):
    """Changes a byte of an uploaded file."""
    paths = [path for path in glob.glob(os.path.join(server.data, "**"), recursive=True) if os.path.isfile(path)]
    path = next(path for path in paths if b"file-" in open(path, "rb").read(5))
    with open(path, "r+b") as file:
        file.write(b"FILE")
