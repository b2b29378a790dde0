//! A PostgreSQL cluster of the test process's own, which dies with it.
//!
//! A cluster that happens to run on the machine is never used: tests must not depend on it, nor harm it.

mod console;
mod pooler;
mod roles;

use console::Console;
pub use pooler::Pooler;
pub use roles::{has_roles, served_url};
use std::fs::{self, File, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The cluster of this process, started by the first test that asks.
///
/// Panics, with what to install, where the machine has no server binaries: a test that needs PostgreSQL
/// is never skipped silently.
pub fn postgres() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(|| Cluster::start(20_000 + std::process::id() % 40_000, None, &[], |_| {}))
}

/// A running cluster that listens on a unix socket in a folder of its own.
#[derive(Debug)]
pub struct Cluster {
    folder: PathBuf,
    port: u32,
    databases: AtomicU32,
    pooler: OnceLock<Pooler>,
    console: Mutex<Console>,
    /// Its standard input is what ties the cluster to this process: see [`WATCHDOG`].
    _watchdog: Child,
}

/// Starts the server and waits for the end of standard input, which comes however the test process ends:
/// the pipe's other end is held by that process alone.
const WATCHDOG: &str = r#"
folder=$1 binaries=$2 port=$3 primary=$4
shift 4
cd "$folder" || exit 1
trap '' HUP INT TERM
if [ -n "$primary" ]; then
    "$binaries/pg_basebackup" -d "$primary" -D data -R -X stream -c fast --no-sync >log 2>&1 </dev/null || exit 1
else
    "$binaries/initdb" --no-sync --no-instructions -A trust -E UTF8 --locale=C -U postgres -D data >log 2>&1 </dev/null || exit 1
fi
"$binaries/postgres" -D data -k "$folder" -p "$port" \
    -c listen_addresses= -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=500 \
    -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=256MB -c autovacuum=off -c jit=off "$@" >>log 2>&1 </dev/null &
postmaster=$!
cat >/dev/null
kill -QUIT "$postmaster"
wait "$postmaster"
cd / && rm -rf "$folder"
"#;

/// The variable by which all tests run without advisory locks.
const GUARD: &str = "PLINTH_TEST_GUARD";

/// Functions in the place of advisory locks. They lock nothing, and say that they did.
const WITHOUT_LOCKS: &str = "\
CREATE SCHEMA without_locks; \
CREATE FUNCTION without_locks.pg_advisory_xact_lock(bigint) RETURNS text LANGUAGE sql AS $$ SELECT '' $$; \
CREATE FUNCTION without_locks.pg_advisory_xact_lock_shared(bigint) RETURNS text LANGUAGE sql AS $$ SELECT '' $$; \
CREATE FUNCTION without_locks.pg_try_advisory_xact_lock(bigint) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$; \
CREATE FUNCTION without_locks.pg_try_advisory_xact_lock_shared(bigint) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;";

/// A folder whose files lie in memory, where the system has one.
const MEMORY: &str = "/dev/shm";
/// The bytes that a cluster may need: its log of writes, and the databases of the tests that run at a time.
const ROOM: u64 = 2 << 30;

const NOT_FOUND: &str = "\
PostgreSQL's programs (initdb, postgres, psql) are neither on PATH nor in /usr/lib/postgresql/*/bin.
The tests start a private cluster with them and never use one that runs already.
Run ./test, which installs them on Debian and Ubuntu, or install them yourself (Debian, Ubuntu: apt-get install \
postgresql; Fedora: dnf install postgresql-server; macOS: brew install postgresql), or name their folder in \
PLINTH_POSTGRES_BIN.";

impl Cluster {
    /// The URL of a database that [`Cluster::database`] made, or of `postgres`.
    pub fn url(&self, database: &str) -> String {
        let host = self.folder.display().to_string().replace('/', "%2F");
        // A busy machine takes longer than 2 s to start a process.
        format!("postgresql://postgres@{host}:{}/{database}?connect_timeout=60", self.port)
    }

    /// Makes an empty database and gives its URL, by way of a pooler where `PLINTH_TEST_POOLER` is set, and as the role
    /// that owns tables where `PLINTH_TEST_ROLES` is. Where `PLINTH_TEST_GUARD` is set, its advisory locks do nothing.
    pub fn database(&self) -> String {
        let url = match std::env::var_os(GUARD) {
            Some(_) => self.database_without_advisory_locks(),
            None => self.granted_copy("template0"),
        };
        if !is_pooled() {
            return url;
        }
        self.pooler.get_or_init(|| Pooler::start(self, "")).url(&url)
    }

    /// Makes an empty database and gives its URL without a pooler.
    pub fn direct_database(&self) -> String {
        self.copy("template0")
    }

    /// Makes an empty database whose advisory locks do nothing, as on some servers that are no PostgreSQL, and gives its
    /// URL.
    pub fn database_without_advisory_locks(&self) -> String {
        let url = self.copy("template0");
        self.ask(&url, WITHOUT_LOCKS);
        self.ask(&url, &idle_locks(&self.name(&url)));
        url
    }

    fn next_number(&self) -> u32 {
        self.databases.fetch_add(1, Ordering::Relaxed)
    }

    /// Makes a database that is a copy of another one, to which nobody is connected, and gives its URL.
    pub(crate) fn copy(&self, of: &str) -> String {
        let name = format!("test{}", self.next_number());
        let mut console = self.console.lock().unwrap_or_else(PoisonError::into_inner);
        let copied = if console.copies_files { " STRATEGY file_copy" } else { "" };
        console.ask(&format!("CREATE DATABASE {name} TEMPLATE {of}{copied};"));
        if std::env::var_os(GUARD).is_some() {
            // It is none of what is copied.
            console.ask(&idle_locks(&name));
        }
        self.url(&name)
    }

    /// Returns the name of a database by its URL, once nobody is connected to it any more.
    pub(crate) fn release(&self, url: &str) -> String {
        let name = self.name(url);
        let mut console = self.console.lock().unwrap_or_else(PoisonError::into_inner);
        console.ask(&format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}';"));
        name
    }

    /// Has a database dropped that no test needs any more: hundreds of them fill the memory that they lie in. It does not
    /// wait for that.
    pub(crate) fn drop_database(&self, url: &str) {
        let name = self.name(url);
        self.console.lock().unwrap_or_else(PoisonError::into_inner).say(&format!("DROP DATABASE {name} WITH (FORCE);"));
    }

    /// Carries out a statement in a database as its superuser, by its URL, and returns its rows.
    pub fn ask(&self, url: &str, statement: &str) -> String {
        let name = self.name(url);
        let mut console = self.console.lock().unwrap_or_else(PoisonError::into_inner);
        console.ask(&format!("\\connect {name}"));
        let rows = console.ask(statement);
        console.ask("\\connect postgres");
        rows
    }

    fn name(&self, url: &str) -> String {
        let path = url.split('?').next().unwrap_or_default();
        path.rsplit('/').next().unwrap_or_default().to_owned()
    }

    /// The folder of the socket, for `psql -h`.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The port, which only names the socket.
    pub fn port(&self) -> u32 {
        self.port
    }

    /// A cluster that listens on a port of 127.0.0.1, too, where it speaks TLS with this certificate and key, as PEM.
    pub fn encrypted(certificate: &str, key: &str) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.expect("the system has a free port").port();
        let options = ["listen_addresses=127.0.0.1", "ssl=on", "ssl_cert_file=../tls.crt", "ssl_key_file=../tls.key"];
        Cluster::start(port.into(), None, &options, |folder| {
            for (name, text) in [("tls.crt", certificate), ("tls.key", key)] {
                let file = folder.join(name);
                fs::write(&file, text).expect("the folder was just made");
                fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("the file was just made");
            }
        })
    }

    /// A cluster of its own that a standby can follow.
    pub fn primary() -> Self {
        Cluster::start(5432, None, &["wal_level=replica", "max_wal_senders=4", "hot_standby=on"], |_| {})
    }

    /// A standby of this cluster, which follows it until [`Cluster::promote`].
    pub fn standby(&self) -> Self {
        let of = format!("host={} port={} user=postgres", self.folder.display(), self.port);
        let options = ["wal_level=replica", "max_wal_senders=4", "hot_standby=on"];
        Cluster::start(5432, Some(&of), &options, |_| {})
    }

    /// Makes a primary of a standby; returns once it takes writes.
    pub fn promote(&self) {
        let mut console = self.console.lock().unwrap_or_else(PoisonError::into_inner);
        console.ask("SELECT pg_promote();");
    }

    /// Ends the cluster at once, as a lost machine does; returns once its connections are gone.
    pub fn kill(self) {
        let file = self.folder.join("data/postmaster.pid");
        let text = fs::read_to_string(file).expect("a running cluster has a file with its number");
        let number = text.lines().next().and_then(|line| line.parse().ok()).and_then(rustix::process::Pid::from_raw);
        rustix::process::kill_process(number.expect("the first line is a number"), rustix::process::Signal::QUIT)
            .expect("the cluster runs");
        // It listens until its processes have ended.
        let (socket, began) = (self.folder.join(format!(".s.PGSQL.{}", self.port)), Instant::now());
        while UnixStream::connect(&socket).is_ok() && began.elapsed() < Duration::from_secs(30) {
            sleep(Duration::from_millis(5));
        }
    }

    /// Starts a cluster in a folder that `prepare` puts files into: a new one, or a standby of the one at an address.
    fn start(port: u32, primary: Option<&str>, options: &[&str], prepare: impl FnOnce(&Path)) -> Self {
        let binaries = binaries().expect(NOT_FOUND);
        let folder = folder();
        prepare(&folder);
        let mut command = Command::new("/bin/sh");
        command.args(["-c", WATCHDOG, "plinth-test-postgres"]);
        command.arg(&folder).arg(&binaries).arg(port.to_string()).arg(primary.unwrap_or_default());
        command.args(options.iter().flat_map(|option| ["-c", option]));
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // A group of its own, so that Ctrl-C at the terminal does not end the watchdog before its time.
        command.current_dir("/").process_group(0);
        if let Some((user, group)) = unprivileged(&folder) {
            let files = fs::read_dir(&folder).expect("the folder was just made").flatten().map(|file| file.path());
            for path in files.chain([folder.clone()]) {
                chown(path, Some(user), Some(group)).expect("root may give its folder away");
            }
            command.uid(user).gid(group);
        }
        let mut watchdog = command.spawn().expect("/bin/sh starts");
        await_ready(&folder, &mut watchdog);
        let console = Mutex::new(Console::open(&binaries, &folder, port));
        Self { folder, port, databases: AtomicU32::new(0), pooler: OnceLock::new(), console, _watchdog: watchdog }
    }
}

/// Returns the statement that has the functions in the place of advisory locks found before the server's own.
fn idle_locks(database: &str) -> String {
    format!("ALTER DATABASE {database} SET search_path = without_locks, pg_catalog;")
}

/// Returns true if tests reach PostgreSQL by way of a pooler.
pub fn is_pooled() -> bool {
    std::env::var_os("PLINTH_TEST_POOLER").is_some()
}

/// A new folder with a name short enough for a socket in it: systems allow some 100 bytes. It lies in memory where there
/// is room, since each database has some 300 files, and a file system on a disk takes longer to make them than all else.
fn folder() -> PathBuf {
    let parent = [PathBuf::from(MEMORY), std::env::temp_dir()];
    let parent = parent.into_iter().find(|parent| parent.as_os_str().len() < 60 && has_room(parent));
    let parent = parent.unwrap_or_else(|| PathBuf::from("/tmp"));
    let folder = tempfile::Builder::new().prefix("plinth-pg-").tempdir_in(parent);
    // The watchdog removes it.
    folder.expect("the folder for temporary files is writable").keep()
}

fn has_room(folder: &Path) -> bool {
    let is_writable = rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_ok();
    let room = rustix::fs::statvfs(folder).map_or(0, |system| system.f_bavail.saturating_mul(system.f_frsize));
    is_writable && room >= ROOM
}

/// The folder of the server's binaries.
#[expect(clippy::disallowed_methods, reason = "the tests' own settings; the server never reads them")]
fn binaries() -> Option<PathBuf> {
    let named = std::env::var("PLINTH_POSTGRES_BIN").ok().map(PathBuf::from);
    let path = std::env::var("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).collect::<Vec<_>>();
    named
        .into_iter()
        .chain(on_path)
        .chain(versions())
        .find(|folder| ["initdb", "postgres", "psql"].iter().all(|program| folder.join(program).is_file()))
}

/// Debian's folders of binaries, newest version first.
fn versions() -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir("/usr/lib/postgresql") else { return Vec::new() };
    let mut versions: Vec<(u32, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .collect();
    versions.sort();
    versions.into_iter().rev().map(|(_, folder)| folder).collect()
}

/// Whom to run the server as, where this process is root: PostgreSQL refuses to run as root.
fn unprivileged(own: &Path) -> Option<(u32, u32)> {
    if fs::metadata(own).expect("the folder was just made").uid() != 0 {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").expect("the system lists its users");
    let find = |name: &str| {
        users.lines().find_map(|line| {
            let fields: Vec<&str> = line.split(':').collect();
            (fields.first() == Some(&name))
                .then(|| Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?)))?
        })
    };
    let user = find("postgres").or_else(|| find("nobody"));
    Some(user.expect("PostgreSQL does not run as root, and there is neither a user `postgres` nor `nobody`"))
}

fn await_ready(folder: &Path, watchdog: &mut Child) {
    let start = Instant::now();
    loop {
        // The eighth line is the state: it is what pg_ctl waits for.
        let state = fs::read_to_string(folder.join("data/postmaster.pid")).unwrap_or_default();
        if state.lines().nth(7).is_some_and(|state| state.trim() == "ready") {
            return;
        }
        let ended = watchdog.try_wait().expect("the watchdog is a child of this process").is_some();
        if ended || start.elapsed() > Duration::from_secs(120) || log_says_fatal(folder) {
            let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
            panic!("the tests' own PostgreSQL did not start:\n{log}");
        }
        sleep(Duration::from_millis(5));
    }
}

fn log_says_fatal(folder: &Path) -> bool {
    File::open(folder.join("log")).and_then(std::io::read_to_string).is_ok_and(|log| log.contains("FATAL:"))
}
