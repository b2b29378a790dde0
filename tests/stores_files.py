"""The files of a kept store, and the installation that is made of one: unpacked, or restored out of an archive."""

import gzip
import io
import json
import os
import shutil
import subprocess
import tarfile

from faults_server import Postgres, Server, demand

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "kept_stores")
MODEL = os.path.join(HERE, "stores_model")
ENGINES = ["sqlite", "postgres"]
# The most bytes of a file of a kept store.
MOST = 300_000
IDENTITY, ARCHIVE = "identity.txt", "acme.tar.gz"
# Servers send nothing and run nothing, unless a check says so.
QUIET = {"PLINTH_OUTBOX_SEND": "false"}


class QuickPostgres(Postgres):
    """One that does not wait for the disk: nothing here loses its power."""

    def start(self, *options):
        super().start("-F", *options)


class Lab:
    """A folder with servers and a PostgreSQL, which end with it."""

    def __init__(self, program, folder):
        self.program, self.folder, self.parts, self.is_over = program, folder, [], False
        os.chmod(folder, 0o755)
        self._postgres = None

    def database(self, name):
        """Makes an empty database; returns its address."""
        if self._postgres is None:
            self._postgres = QuickPostgres(self)
        self._postgres.sql(f"CREATE DATABASE {name} OWNER app")
        return self._postgres.url.rsplit("/", 1)[0] + f"/{name}"

    def end(self):
        for part in reversed(self.parts):
            part.stop()


class KeptStore:
    """The folder of a release's stores."""

    def __init__(self, version):
        self.version, self.folder = version, os.path.join(KEPT, version)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write_json(self, name, content):
        with open(self.path(name), "w") as file:
            json.dump(content, file, indent=1, ensure_ascii=False)
            file.write("\n")

    def read_json(self, name):
        with open(self.path(name)) as file:
            return json.load(file)

    def pack(self, engine, server):
        """Packs the data of a stopped server."""
        url = server.environment.get("PLINTH_DATA_POSTGRES")
        with open(self.path(f"{engine}.tar.gz"), "wb") as target:
            with gzip.GzipFile(fileobj=target, mode="wb", filename="", mtime=0) as packed:
                with tarfile.open(fileobj=packed, mode="w") as archive:
                    archive.add(server.data, "data", filter=plain)
                    if url:
                        add_text(archive, "dump.sql", dump(url))

    def unpack(self, lab, name, engine):
        """Makes an installation of the packed data; returns its server, which is not started."""
        folder = os.path.join(lab.folder, name)
        os.makedirs(folder)
        with tarfile.open(self.path(f"{engine}.tar.gz")) as archive:
            # Newer versions of Python ask for a filter.
            archive.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
        os.chmod(os.path.join(folder, "data"), 0o700)
        url = None
        if engine == "postgres":
            url = lab.database(name)
            load(url, os.path.join(folder, "dump.sql"))
        return Server(lab, name, url, QUIET, data=os.path.join(folder, "data"))

    def restore(self, lab, name, engine, encrypted):
        """Makes an installation by restoring an archive; returns its server, which is not started."""
        server = Server(lab, name, lab.database(name) if engine == "postgres" else None, QUIET)
        os.makedirs(server.data, mode=0o700)
        # The master key is never part of an archive.
        with tarfile.open(self.path("sqlite.tar.gz")) as archive:
            with open(os.open(f"{server.data}/plinth.key", os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
                shutil.copyfileobj(archive.extractfile("data/plinth.key"), file)
        words = [self.path(ARCHIVE + ".age"), "--identity", self.path(IDENTITY)] if encrypted else [self.path(ARCHIVE)]
        server.command("backup", "restore", *words)
        return server

    def check_size(self):
        for name in sorted(os.listdir(self.folder)):
            size = os.path.getsize(self.path(name))
            print(f"{size:8} {name}")
            demand(size <= MOST, f"{name} has more than {MOST} bytes: keep fewer rows")


def plain(member):
    """Leaves the owner out, and what a running server alone needs."""
    if member.name.endswith((".lock", "-shm")):
        return None
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def add_text(archive, name, text):
    member, content = tarfile.TarInfo(name), text.encode()
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))


def dump(url):
    """Returns the rows and schemas of a database as SQL, for any version of PostgreSQL."""
    words = ["pg_dump", "--no-owner", "--no-privileges", "--no-comments", url]
    text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    # Newer versions have lines that earlier ones of psql refuse, or settings that earlier servers lack.
    dropped = ("\\restrict", "\\unrestrict", "SET transaction_timeout", "-- Dumped ")
    return "".join(line for line in text.splitlines(True) if not line.startswith(dropped))


def load(url, path):
    done = subprocess.run(["psql", "-1XqAt", "-v", "ON_ERROR_STOP=1", "-f", path, url], capture_output=True, text=True)
    demand(done.returncode == 0, f"the dump cannot be loaded: {done.stderr[-800:]}")
