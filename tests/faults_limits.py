"""A fault of tests/faults: little memory, few files, many clients at once and slow ones."""

import os
import socket
import time

from faults_clients import Scene
from faults_server import Missing, await_that, demand, read

# The bytes of memory, the files, the clients of the calm and of the overload, and those that send nothing.
MEMORY, FILES, CALM, MANY, SLOW = 512 << 20, 256, 4, 60, 60
# The seconds of each part.
SPAN = 5
GROUPS = "/sys/fs/cgroup/memory"


class MemoryGroup:
    """A control group of the kernel with a limit of memory."""

    def __init__(self, lab):
        self.folder = os.path.join(GROUPS, f"plinth-faults-{os.getpid()}")
        try:
            os.mkdir(self.folder)
            self.write("memory.limit_in_bytes", MEMORY)
        except OSError as error:
            raise Missing(f"no control group of memory can be made here: {error}") from error
        lab.parts.append(self)

    def write(self, name, value):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(str(value))

    def add(self, process):
        self.write("cgroup.procs", process)

    def most(self):
        return int(read(os.path.join(self.folder, "memory.max_usage_in_bytes")))

    def stop(self):
        os.rmdir(self.folder)


def limits(lab, count):
    """Loads a server that has little far beyond what it can do; it refuses, and does not end."""
    group = MemoryGroup(lab)
    scene = Scene(lab, "limits")
    server = scene.servers[0]
    server.before = ["prlimit", f"--nofile={FILES}:{FILES}"]
    scene.start()
    group.add(server.process.pid)
    figures = {"times": 0, "writes a second, 4 clients": 0, "writes a second, 60 clients": 0}
    for _ in range(count):
        calm = rate(scene, CALM)
        slow = [stay(server.port) for _ in range(SLOW)]
        many = rate(scene, MANY)
        for client in slow:
            client.close()
        figures["writes a second, 4 clients"], figures["writes a second, 60 clients"] = round(calm), round(many)
        figures["times"] += 1
        demand(server.running(), "the server ended")
        demand(many >= calm * 0.8 / lab.patience, f"more clients have less done: {figures}")
    answers = scene.ledger.answers()
    figures["answers"] = str(dict(answers))
    figures["memory most MiB"] = group.most() >> 20
    demand(await_that(server.ready, 10), "the server is not ready behind the overload")
    demand(group.most() < MEMORY, f"memory is at its limit: {figures}")
    return {**figures, **scene.judge()}


def rate(scene, clients):
    """Returns the writes that are done in a second with so many clients."""
    before = scene.ledger.acknowledged()
    with scene.load(clients=clients):
        time.sleep(SPAN)
    return (scene.ledger.acknowledged() - before) / SPAN


def stay(port):
    """Connects, sends a part of a request, and nothing more."""
    client = socket.create_connection(("127.0.0.1", port))
    client.sendall(b"POST /t/acme/api/v1/collection/box HTTP/1.1\r\nHost: a\r\nContent-")
    return client
