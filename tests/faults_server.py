"""A server of Plinth, its PostgreSQL, and the small helpers around processes that tests/faults needs."""

import glob
import http.client
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import threading
import time

# The seconds that a server may take to be ready, and a process to end.
START, END = 60, 30


class Fault(Exception):
    """A condition that must hold and does not, and the figures that are known nevertheless."""

    def __init__(self, message, seen=None):
        super().__init__(message)
        self.seen = seen or {}


class Missing(Exception):
    """A fault that this machine cannot make."""


def demand(holds, message, seen=None):
    if not holds:
        raise Fault(message, seen)


def await_that(condition, seconds, pause=0.05):
    """Waits until the condition returns something, and returns that."""
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found or time.monotonic() > deadline:
            return found
        time.sleep(pause)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def read(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def send_signal(process, number):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


def children(parent):
    """Returns the processes that a process has started, and those of them."""
    found = []
    for path in glob.glob(f"/proc/{parent}/task/*/children"):
        for child in map(int, read(path).split()):
            found += [child, *children(child)]
    return found


def ask(port, method, path, body=None, key=None, timeout=30, headers=()):
    """Sends one request; returns the status, the bytes and the headers of the answer. Without one, an OSError."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        content = json.dumps(body) if isinstance(body, (dict, list)) else body
        fields = {"content-type": "application/json", **({"key": key} if key else {}), **dict(headers)}
        connection.request(method, path, content, fields)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers
    except http.client.HTTPException as error:
        raise ConnectionError(str(error)) from error
    finally:
        connection.close()


class Server:
    """A server with its data folder; it starts, dies and starts again."""

    def __init__(self, lab, name, postgres=None, settings=(), data=None):
        self.lab, self.name = lab, name
        self.folder = os.path.join(lab.folder, name)
        os.makedirs(self.folder, exist_ok=True)
        self.data = data or os.path.join(self.folder, "data")
        self.log = os.path.join(self.folder, "log")
        self.process = self.port = self.admin = None
        # Words before the command, of a program that becomes it, such as prlimit.
        self.before = []
        self.environment = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
        self.environment.update({
            "PLINTH_DATA_FOLDER": self.data, "PLINTH_LIMITS_REQUESTS_PER_ADDRESS": "0", "PLINTH_LOG_ACCESS": "false",
            "PLINTH_DATA_POLL_INTERVAL": "2s", "PLINTH_OUTGOING_ALLOW_PRIVATE": "true",
            "PLINTH_ADMIN_LISTEN": "127.0.0.1:0",
            # As the unit of systemd has it.
            "MALLOC_ARENA_MAX": "2",
        })
        if postgres:
            self.environment["PLINTH_DATA_POSTGRES"] = postgres
        self.environment.update(dict(settings))
        lab.parts.append(self)

    def command(self, *arguments, ok=True, text=None):
        """Runs a command of Plinth; returns the result."""
        whole = [self.lab.program, *arguments]
        done = subprocess.run(whole, input=text, capture_output=True, text=True, env=self.environment, timeout=300)
        demand(not ok or done.returncode == 0, f"plinth {' '.join(arguments)}: {done.stderr[-800:]}")
        return done

    def make_tenant(self, tenant, files):
        """Applies the files of a tenant; returns the key of an administrator."""
        folder = os.path.join(self.folder, "files", tenant)
        for name, text in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
        self.command("apply", folder)
        self.command("user", "create", "ann", "--role", "admin", "--tenant", tenant)
        return self.command("key", "create", "ann", "--tenant", tenant).stdout.strip()

    def start(self, listen=0):
        """Starts it, and returns the seconds until it is ready."""
        demand(not self.lab.is_over, "the run ends")
        began = time.monotonic()
        command = [*self.before, self.lab.program, "serve", "--json", "--listen", f"127.0.0.1:{listen}"]
        with open(self.log, "a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=self.environment)
        line = first_line(self.process, START)
        demand(line, f"{self.name} did not start: {read(self.log)[-1500:]}")
        self.port = int(json.loads(line)["url"].rstrip("/").rsplit(":", 1)[1])
        demand(await_that(self.ready, START, 0.005), f"{self.name} is not ready: {read(self.log)[-1500:]}")
        return time.monotonic() - began

    def ready(self):
        try:
            return ask(self.port, "GET", "/readyz", timeout=5)[0] == 200
        except OSError:
            return False

    def stores(self, tenant):
        """Returns the files of SQLite that a tenant has."""
        return glob.glob(os.path.join(self.data, "**", tenant, "tenant.db"), recursive=True)

    def running(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        self.process.kill()
        self.process.wait(timeout=END)

    def terminate(self):
        """Asks it to stop; returns the seconds until it has, and its status."""
        began = time.monotonic()
        self.process.terminate()
        status = self.process.wait(timeout=END)
        return time.monotonic() - began, status

    def stop(self):
        if not self.running():
            return
        self.process.send_signal(signal.SIGCONT)
        try:
            self.terminate()
        except subprocess.TimeoutExpired:
            self.kill()


def first_line(process, seconds):
    """Returns the first line that a process prints, or nothing if it ends or takes too long."""
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    try:
        return process.stdout.readline()
    finally:
        timer.cancel()


class Postgres:
    """A cluster of its own, which dies and comes back."""

    # The addresses at which it listens, and words before its command, of a program that becomes it.
    listen, before = "127.0.0.1", []

    def __init__(self, lab, name="postgres"):
        self.lab, self.folder, self.name = lab, os.path.join(lab.folder, name), name
        os.makedirs(self.folder, exist_ok=True)
        self.bins, self.user, self.process = postgres_programs(), [], None
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.user = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        self.data, self.port = os.path.join(self.folder, "data"), free_port()
        lab.parts.append(self)
        # The folder of an earlier piece has a cluster.
        made = os.path.exists(self.data)
        if not made:
            words = ["--username=plinth", "--auth=trust", "--encoding=UTF8", "--no-sync", "-D", self.data]
            command = [*self.user, f"{self.bins}/initdb", *words]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)
        self.start()
        if not made:
            # The nodes' role is no superuser: some connections are reserved for those.
            self.sql("CREATE ROLE app LOGIN")
            self.sql("CREATE DATABASE app OWNER app")
        self.url = f"postgresql://app@127.0.0.1:{self.port}/app"

    def start(self, *options):
        demand(not self.lab.is_over, "the run ends")
        words = ["-D", self.data, "-p", str(self.port), "-h", self.listen, "-k", self.folder, *options]
        with open(os.path.join(self.folder, "log"), "a") as log:
            command = [*self.before, *self.user, f"{self.bins}/postgres", *words]
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder)
        demand(await_that(lambda: self.process.poll() is not None or self.answers(), START), "PostgreSQL does not start")
        demand(self.process.poll() is None, f"PostgreSQL ended: {read(os.path.join(self.folder, 'log'))[-800:]}")

    def answers(self):
        done = subprocess.run([f"{self.bins}/pg_isready", "-q", "-h", self.folder, "-p", str(self.port)])
        return done.returncode == 0

    def sql(self, text):
        """Runs statements as the owner, by the socket; returns the rows."""
        words = ["-h", self.folder, "-p", str(self.port), "-U", "plinth", "-d", "postgres", "-XAtqc", text]
        done = subprocess.run(["psql", *words], capture_output=True, text=True, timeout=60)
        demand(done.returncode == 0, f"{text}: {done.stderr}")
        return done.stdout.splitlines()

    def pids(self):
        return [self.process.pid, *children(self.process.pid)]

    def kill(self):
        """Kills all of its processes at once, as a lack of memory or a lost machine does."""
        for process in self.pids():
            send_signal(process, signal.SIGKILL)
        self.process.wait(timeout=END)

    def stop(self):
        if self.process is None or self.process.poll() is not None:
            return
        for process in self.pids():
            send_signal(process, signal.SIGCONT)
        send_signal(self.process.pid, signal.SIGINT)
        try:
            self.process.wait(timeout=END)
        except subprocess.TimeoutExpired:
            # A busy disk takes its time for the last checkpoint.
            self.kill()


def postgres_programs():
    found = os.environ.get("PLINTH_POSTGRES_BIN")
    if not found:
        folders = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        found = folders[-1] if folders else os.path.dirname(shutil.which("initdb") or "")
    demand(found, "PostgreSQL's server programs are missing")
    return found
