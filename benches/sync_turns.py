#!/usr/bin/env python3
"""Prints the time of a tenant's commits beside hostile ones on one disk, with and without turns for their syncs.

Usage: benches/sync_turns.py FOLDER. SECONDS (4) and ROUNDS (5) change the run. A commit is what SQLite does for one: some
pages are written, and the file is synced (fdatasync). Two tenants commit 12 KiB each 5 ms, the hostile ones 128 KiB as
often as they can. With turns, one file is synced at a time, in the order in which they asked.
"""

import os, statistics, sys, threading, time

folder = sys.argv[1]
seconds = float(os.environ.get("SECONDS", "4"))
rounds = int(os.environ.get("ROUNDS", "5"))
PAGE, SIZE = b"x" * 4096, 8 << 20


class Turns:
    """One at a time, in the order of asking."""

    def __init__(self):
        self.next, self.serving, self.changed = 0, 0, threading.Condition()

    def __enter__(self):
        with self.changed:
            own, self.next = self.next, self.next + 1
            self.changed.wait_for(lambda: self.serving == own)

    def __exit__(self, *_):
        with self.changed:
            self.serving += 1
            self.changed.notify_all()


class Free:
    def __enter__(self):
        pass

    def __exit__(self, *_):
        pass


def commit(number, pages, pause, turns, end, times):
    """Commits to a file of its own until the end."""
    file = os.open(f"{folder}/sync{number}", os.O_RDWR | os.O_CREAT, 0o600)
    os.pwrite(file, b"x" * SIZE, 0)
    os.fsync(file)
    place = 0
    while time.monotonic() < end:
        began = time.monotonic()
        for _ in range(pages):
            os.pwrite(file, PAGE, place)
            place = (place + len(PAGE)) % SIZE
        with turns:
            os.fdatasync(file)
        times.append(time.monotonic() - began)
        time.sleep(pause)
    os.close(file)
    os.remove(f"{folder}/sync{number}")


def measure(hostile, turns):
    """Returns the 99th percentile of the two tenants in ms, and the syncs a second of the hostile ones."""
    end, others, greedy = time.monotonic() + seconds, [], []
    threads = [threading.Thread(target=commit, args=(number, 3, 0.005, turns, end, others)) for number in range(2)]
    threads += [threading.Thread(target=commit, args=(2 + number, 32, 0, turns, end, greedy)) for number in range(hostile)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(others)[int(len(others) * 0.99)] * 1000, len(greedy) / seconds


os.makedirs(folder, exist_ok=True)
for hostile in (0, 1, 4):
    results = {"free": [], "in turns": []}
    for _ in range(rounds):
        for name, turns in (("free", Free()), ("in turns", Turns())):
            results[name].append(measure(hostile, turns))
    for name, measured in results.items():
        p99, syncs = (statistics.median(of) for of in zip(*measured))
        print(f"{hostile} hostile, {name:8}  p99 of the others {p99:6.1f} ms, hostile syncs a second {syncs:6.0f}", flush=True)
