//! Sockets that systemd opened before the server started: no client is refused while it restarts.

use super::program::Plinth;
use spec::spec;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};
use tokio::task::block_in_place;

/// Keeps the socket of systemd open, and starts the server again whenever it ends.
const KEEPER: &str = r#"while :; do
    sh -c 'echo $$ >"$0/pid.new" && mv "$0/pid.new" "$0/pid" && LISTEN_PID=$$ exec "$@"' "$@"
done"#;
const REQUEST: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
const PATIENCE: Duration = Duration::from_secs(60);
const CLIENTS: usize = 8;

/// A server that systemd starts at the first connection, and what holds its sockets. They end when dropped.
struct Activated {
    child: Child,
    log: PathBuf,
}

impl Activated {
    /// Starts `systemd-socket-activate` with arguments of its own. It runs `before` and the command behind that.
    fn start(plinth: &Plinth, sockets: &[&str], before: &[&str]) -> Self {
        let data = plinth.path("data").display().to_string();
        let log = plinth.path("log");
        let mut command = Command::new("systemd-socket-activate");
        command.args(sockets).args(before).args([env!("CARGO_BIN_EXE_plinth"), "serve", "--data", &data]);
        if let Some(url) = &plinth.postgres {
            command.args(["--postgres", &testing::served_url(url)]);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&log).unwrap()).process_group(0);
        Activated {
            child: command.spawn().expect("systemd-socket-activate is there, of Debian's package systemd"),
            log,
        }
    }

    fn logged(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }
}

impl Drop for Activated {
    fn drop(&mut self) {
        let group = format!("-{}", self.child.id());
        // One that has ended already is no error.
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.child.wait();
    }
}

/// An address where nothing listens.
fn free() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Waits until something is there.
fn until<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "in vain: {what}");
        sleep(Duration::from_millis(10));
    }
}

/// Asks for a sign of life by a connection of its own.
fn ask(mut stream: impl Read + Write) -> Result<(), String> {
    let mut answer = String::new();
    let asked = stream.write_all(REQUEST).and_then(|()| stream.read_to_string(&mut answer));
    match asked {
        Ok(_) if answer.starts_with("HTTP/1.1 200 ") => Ok(()),
        asked => Err(format!("{asked:?} {answer}")),
    }
}

fn ask_at(address: SocketAddr) -> Result<(), String> {
    let stream = TcpStream::connect(address).map_err(|error| error.to_string())?;
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    ask(stream)
}

fn pid(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join("pid")).ok()
}

#[spec("E-215")]
async fn a_restart_refuses_no_client(plinth: Plinth) {
    let address = free();
    let folder = plinth.folder.path().display().to_string();
    let sockets = [&*format!("--listen={address}"), "--fdname=http"];
    let server = Activated::start(&plinth, &sockets, &["/bin/sh", "-c", KEEPER, "keeper", &folder]);
    block_in_place(|| {
        until("systemd listens", || TcpStream::connect(address).ok());
        ask_at(address).unwrap();
        let (is_over, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
        let failed: Vec<String> = scope(|scope| {
            let client = || {
                let mut failed = Vec::new();
                while !is_over.load(Relaxed) {
                    match ask_at(address) {
                        Ok(()) => _ = answered.fetch_add(1, Relaxed),
                        Err(error) => failed.push(error),
                    }
                }
                failed
            };
            let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(client)).collect();
            for _ in 0..3 {
                let (old, before) = (pid(plinth.folder.path()), answered.load(Relaxed));
                until("the server answers", || (answered.load(Relaxed) > before + 10 * CLIENTS).then_some(()));
                let sent = Command::new("kill").args(["-TERM", old.as_deref().unwrap().trim()]).status();
                assert!(sent.is_ok_and(|status| status.success()), "the server was there");
                until("another server starts", || pid(plinth.folder.path()).filter(|pid| Some(pid) != old.as_ref()));
            }
            let before = answered.load(Relaxed);
            until("the last server answers", || (answered.load(Relaxed) > before + 10 * CLIENTS).then_some(()));
            is_over.store(true, Relaxed);
            clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
        });
        assert_eq!(failed, Vec::<String>::new(), "{}", server.logged());
    });
    let log = server.logged();
    assert_eq!(log.matches("the service manager holds the listener").count(), 4, "{log}");
}

#[spec("E-215")]
async fn sockets_are_taken_by_name_or_refused(plinth: Plinth) {
    block_in_place(|| {
        let (address, path) = (free(), plinth.path("admin.sock"));
        let (public, admin) = (format!("--listen={address}"), format!("--listen={}", path.display()));
        let server = Activated::start(&plinth, &[&admin, &public, "--fdname=admin:http"], &[]);
        let stream = until("systemd listens", || UnixStream::connect(&path).ok());
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        ask(stream).unwrap_or_else(|error| panic!("{error}: {}", server.logged()));
        ask_at(address).unwrap();
        assert!(server.logged().contains("set it to the same address"), "{}", server.logged());
        drop(server);
        // The path is systemd's own.
        assert!(path.exists());
        fs::remove_file(&path).unwrap();

        let other = format!("--listen={}", free());
        let mut server = Activated::start(&plinth, &[&public, &other, &admin], &[]);
        until("systemd listens", || TcpStream::connect(address).ok());
        assert_eq!(server.child.wait().unwrap().code(), Some(1));
        let log = server.logged();
        assert!(log.contains("there are 3 sockets, and places for one named http and one named admin"), "{log}");
    });
}
