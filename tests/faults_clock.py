"""A fault of tests/faults: the clock of one node is wrong, and jumps."""

import collections
import datetime
import glob
import json
import os
import time

from faults_clients import Scene
from faults_ledger import Seen
from faults_server import Missing, Postgres, await_that, demand, read

# The offsets of the clock, in seconds, one after another.
OFFSETS = [120, -120, 86_400, -86_400]
# The time from write to write of a client, in seconds: minutes pass here, and a load for all of them tells no more.
PACE = 0.1
TICKS = {
    "types/tick.yaml": "name: tick\nproperties:\n  at: {kind: pString}\n",
    "automations/clock.yaml": 'automation: clock\nrate: 100000\non: {schedule: "* * * * *"}\n'
    "do:\n  - create: {type: tick, set: {at: \"{=trigger('scheduled')}\"}}\n",
}


def library():
    found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1") or glob.glob("/usr/lib/*/faketime/libfaketime.so.1")
    if not found:
        raise Missing("faketime is missing (Debian: apt-get install faketime)")
    return found[0]


def clock(lab, count):
    """Runs two nodes, one with a wrong clock, for some minutes: each minute starts one run, and no lease is lost."""
    scene = Scene(lab, "clock", Postgres(lab, "clock-postgres").url, 2, **TICKS)
    wrong = scene.servers[1]
    hands = hands_of(wrong, OFFSETS[0])
    scene.start()
    began, step = time.time(), 0
    with scene.load(clients=2, pace=PACE) as load:
        load.heals(30)
        first = time.time()
        # The next minute, and as many as are asked for.
        ends = (first // 60 + count) * 60 + 8
        while time.time() < ends or step < len(OFFSETS):
            offset = OFFSETS[step % len(OFFSETS)]
            set_hands(hands, offset)
            step += 1
            demand(await_that(lambda: abs(lead_of(wrong) - offset) < 5, 10), f"the clock of the node is not off by {offset} s")
            time.sleep(max(3, min(20, (ends - first) / len(OFFSETS))))
            for server in scene.servers:
                load.heals(30, server.name)
        last = time.time() - 5
    seen = Seen(scene.servers[0], "acme", scene.key)
    wanted = [moment for moment in range(int(first // 60 + 1) * 60, int(last) + 1, 60)]
    await_that(lambda: {*wanted} <= set(moments(seen)), 20, 0.5)
    found = moments(seen)
    skipped = [moment for moment in wanted if not found[moment]]
    doubled = [moment for moment, runs in found.items() if runs > 1]
    beyond = [moment for moment in found if not began - 90 <= moment <= time.time()]
    figures = {"minutes": len(wanted), "jumps": step, "skipped": len(skipped), "doubled jobs": len(doubled)}
    demand(not skipped and not doubled and not beyond, f"{figures}: {skipped} {doubled} {beyond}")
    demand("clock differs" in read(wrong.log), "the node does not notice that its clock is wrong")
    bad = {status: number for status, number in scene.ledger.answers().items() if status not in range(200, 300)}
    demand(not bad, f"requests failed: {bad}")
    return {**figures, **scene.judge()}


def clock_sqlite(lab, count):
    """Has the clock of a single node jump a day ahead and back: schedules go on by the clock that is right."""
    scene = Scene(lab, "clock-sqlite", **TICKS)
    server, figures = scene.servers[0], {"jumps": 0, "minutes": 0, "skipped": 0, "doubled jobs": 0}
    hands = hands_of(server, 0)
    seen = Seen(scene.start().servers[0], "acme", scene.key)
    with scene.load(clients=2, pace=PACE) as load:
        for _ in range(count):
            for offset in (86_400, 0):
                set_hands(hands, offset)
                load.heals(30)
                demand(await_that(lambda: abs(lead_of(server) - offset) < 5, 10), f"the clock is not off by {offset} s")
                # It looks for what is due each two seconds.
                time.sleep(6)
            figures["jumps"] += 2
            back = time.time()
            wanted = [int(back // 60 + number) * 60 for number in (1, 2)]
            await_that(lambda: {*wanted} <= set(moments(seen)), wanted[-1] + 15 - back, 0.5)
            found = moments(seen)
            figures["minutes"] += len(wanted)
            figures["skipped"] += sum(not found[moment] for moment in wanted)
            figures["doubled jobs"] += sum(runs > 1 for runs in found.values())
    demand(not figures["skipped"] and not figures["doubled jobs"], f"{figures}; the next moment is {next_of(seen)}")
    return {**figures, **scene.judge()}


def next_of(seen):
    """Returns the next moment of the schedule, as the server tells it."""
    return next(item["next"] for item in seen.get("/api/ext/v1/automation")["items"] if item["automation"] == "clock")


def hands_of(server, offset):
    """Gives a server a clock of its own; returns the file that sets it."""
    hands = os.path.join(server.folder, "hands")
    set_hands(hands, offset)
    server.environment.update({
        "LD_PRELOAD": library(), "FAKETIME_TIMESTAMP_FILE": hands, "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "FAKETIME_DONT_RESET": "1", "FAKETIME_CACHE_DURATION": "1", "PLINTH_LOG_ACCESS": "true",
    })
    return hands


def set_hands(path, offset):
    """Sets the clock of the node, as an offset to the time that is right."""
    with open(path + ".new", "w") as file:
        file.write(f"{offset:+d}\n")
    os.rename(path + ".new", path)


def lead_of(server):
    """Returns how far a node's clock is ahead, as the last line of its log tells."""
    whole, _, _ = read(server.log).rpartition("\n")
    last = whole.rpartition("\n")[2]
    if not last.startswith("{"):
        # It has just started.
        return float("inf")
    told = json.loads(last)["timestamp"]
    return datetime.datetime.fromisoformat(told).timestamp() - time.time()


def moments(seen):
    """Returns how many runs each scheduled moment has."""
    texts = [row["at"] for row in seen.rows("tick", "at", still=False)]
    return collections.Counter(int(datetime.datetime.fromisoformat(text).timestamp()) for text in texts)
