"""The proxies of tests/proxies: Caddy, nginx and HAProxy with the files of deploy/proxies, run by an ordinary user."""

import glob
import os
import pwd
import shutil
import subprocess

from faults_server import END, await_that, children, demand, free_port, read

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HOST = "plinth.example.com"


def replaced(text, changes, name):
    """Returns a file of deploy/proxies for this machine. Each text that is changed must be there."""
    for old, new in changes.items():
        demand(old in text, f"deploy/proxies/{name} has no {old!r}")
        text = text.replace(old, new)
    return text


class Proxy:
    """A proxy with its folder, in front of one or two servers."""

    name = file = None

    def __init__(self, lab, nodes, label):
        self.folder = os.path.join(lab.folder, f"{self.name}-{label}")
        os.makedirs(self.folder)
        self.http, self.https = free_port(), free_port()
        self.user = []
        if os.geteuid() == 0:
            user = pwd.getpwnam("nobody")
            self.user = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        for part in ("fullchain.pem", "privkey.pem", "both.pem"):
            shutil.copy(os.path.join(lab.folder, part), self.folder)
        text = read(os.path.join(ROOT, "deploy", "proxies", self.file))
        changes = {"127.0.0.1:8080": f"127.0.0.1:{nodes[0].port}"}
        if len(nodes) > 1:
            first, second = self.second
            changes[first] = second.replace("8180", str(nodes[1].port))
        changes.update(self.places())
        self.config = os.path.join(self.folder, self.file)
        with open(self.config, "w") as file:
            file.write(replaced(text, changes, self.file))
        words = self.command()
        if self.user:
            for path in [self.folder, *glob.glob(f"{self.folder}/*")]:
                os.chown(path, user.pw_uid, user.pw_gid)
        environment = {"PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin", "HOME": self.folder}
        self.log = os.path.join(self.folder, "log")
        with open(self.log, "w") as log:
            self.process = subprocess.Popen([*self.user, *words], stdout=log, stderr=log, cwd=self.folder, env=environment)
        lab.parts.append(self)

    def at(self, name):
        return os.path.join(self.folder, name)

    def pids(self):
        return [self.process.pid, *children(self.process.pid)]

    def held(self):
        """Returns the bytes that the proxy has in memory, and in files of its folder, also of those without a name."""
        kilobytes, files = 0, sum(os.path.getsize(path) for path in glob.glob(f"{self.folder}/**", recursive=True))
        for process in self.pids():
            kilobytes += sum(int(line.split()[1]) for line in read(f"/proc/{process}/status").splitlines() if line.startswith("VmRSS"))
            for path in glob.glob(f"/proc/{process}/fd/*"):
                try:
                    files += os.stat(path).st_size if "(deleted)" in os.readlink(path) else 0
                except FileNotFoundError:
                    pass
        return kilobytes * 1024 + files

    def running(self):
        demand(self.process.poll() is None, f"{self.name} ended: {read(self.log)[-1500:]}")

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=END)
            except subprocess.TimeoutExpired:
                self.process.kill()


class Caddy(Proxy):
    name, file = "caddy", "Caddyfile"
    second = ("#to 127.0.0.1:8180", "to 127.0.0.1:8180")

    def places(self):
        options = f"{{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port {self.http}\n\thttps_port {self.https}\n\tservers {{"
        return {"{\n\tservers {": options, "#tls /etc/caddy/fullchain.pem /etc/caddy/privkey.pem": f"tls {self.at('fullchain.pem')} {self.at('privkey.pem')}"}

    def command(self):
        return ["caddy", "run", "--config", self.config, "--adapter", "caddyfile"]


class Nginx(Proxy):
    name, file = "nginx", "nginx.conf"
    second = ("#server 127.0.0.1:8180", "server 127.0.0.1:8180")

    def places(self):
        return {
            "    listen [::]:80;\n": "", "    listen [::]:443 ssl http2;\n": "",
            "listen 80;": f"listen 127.0.0.1:{self.http};", "listen 443 ": f"listen 127.0.0.1:{self.https} ",
            "/etc/nginx/plinth/": f"{self.folder}/",
        }

    def command(self):
        """Writes what Debian's nginx.conf has around the file."""
        temporary = "".join(f"    {kind}_temp_path {self.at(kind)};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(self.at("whole.conf"), "w") as file:
            file.write(f"daemon off;\npid {self.at('pid')};\nworker_processes 2;\nevents {{}}\n"
                       f"http {{\n    access_log off;\n{temporary}    include {self.config};\n}}\n")
        return ["nginx", "-e", "stderr", "-p", self.folder, "-c", self.at("whole.conf")]


class Haproxy(Proxy):
    name, file = "haproxy", "haproxy.cfg"
    second = ("#server node2 127.0.0.1:8180", "server node2 127.0.0.1:8180")

    def places(self):
        return {
            "    user haproxy\n    group haproxy\n": "", ":::80 v4v6": f"127.0.0.1:{self.http}", ":::443 v4v6": f"127.0.0.1:{self.https}",
            "/etc/haproxy/plinth.pem": self.at("both.pem"),
        }

    def command(self):
        return ["haproxy", "-db", "-f", self.config]


KINDS = {kind.name: kind for kind in (Caddy, Nginx, Haproxy)}


def start(kind, lab, nodes, label, answers):
    """Starts a proxy, and waits until `answers` says so."""
    proxy = kind(lab, nodes, label)
    demand(await_that(lambda: proxy.running() or answers(proxy), 30), f"{proxy.name} does not answer: {read(proxy.log)[-1500:]}")
    return proxy


def check_page(others):
    """Compares the files with the blocks of the page: each stands there word for word."""
    page = read(os.path.join(ROOT, "docs", "proxies.md"))
    for kind in [*KINDS.values(), *others]:
        text = read(os.path.join(ROOT, "deploy", "proxies", kind.file))
        demand(f"\n{text}```\n" in page, f"docs/proxies.md does not have deploy/proxies/{kind.file} word for word")
