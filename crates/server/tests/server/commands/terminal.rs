//! What is asked for at a terminal.

use crate::commands::program::Plinth;
use crate::commands::secrets::{opened, value};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};
use spec::spec;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::task::block_in_place;

const VALUE: &str = "s3cr3t-of-the-erp-0123456789";

/// A terminal: what is typed goes into the one end, and what is shown comes out of it.
struct Terminal {
    keyboard: File,
    screen: Arc<Mutex<String>>,
    /// The other end, which programs have.
    other: OwnedFd,
}

impl Terminal {
    fn open() -> Self {
        let (end, other) = ends();
        let keyboard = File::from(end);
        let screen = Arc::new(Mutex::new(String::new()));
        std::thread::spawn({
            let (screen, mut end) = (Arc::clone(&screen), keyboard.try_clone().unwrap());
            move || {
                let mut bytes = [0; 1_024];
                // It fails once nobody has the other end.
                while let Ok(length @ 1..) = end.read(&mut bytes) {
                    screen.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..length]));
                }
            }
        });
        Terminal { keyboard, screen, other }
    }

    fn types(&self, text: &str) {
        (&self.keyboard).write_all(text.as_bytes()).unwrap();
    }

    fn echoes(&self) -> bool {
        tcgetattr(&self.other).unwrap().local_modes.contains(LocalModes::ECHO)
    }

    fn shows(&self, text: &str) -> bool {
        self.screen.lock().unwrap().contains(text)
    }

    fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        for _ in 0..2_400 {
            if holds(self) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("{what} did not come about: {}", self.screen.lock().unwrap());
    }
}

/// Returns the end of a terminal that its user has, and the one that programs have.
fn ends() -> (OwnedFd, OwnedFd) {
    let end = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&end).unwrap();
    unlockpt(&end).unwrap();
    let path = ptsname(&end, Vec::new()).unwrap();
    let other = rustix::fs::open(&path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).unwrap();
    (end, other)
}

#[test]
fn a_server_stops_as_its_terminal_closes_and_not_by_the_signal_alone() {
    let plinth = Plinth { folder: tempfile::TempDir::new().unwrap(), postgres: None };
    let (end, other) = ends();
    let log = plinth.path("log");
    let file = File::create(&log).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
    command.env_clear().args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(plinth.path("data"));
    command.stdin(other).stdout(file.try_clone().unwrap()).stderr(file);
    let mut child = command.spawn().unwrap();
    // It holds the end of programs, too.
    drop(command);
    let until = |what: &str| {
        let begun = Instant::now();
        while !std::fs::read_to_string(&log).unwrap().contains(what) {
            assert!(begun.elapsed() < Duration::from_secs(60), "{}", std::fs::read_to_string(&log).unwrap());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let id = child.id().to_string();
    let hang_up = || assert!(Command::new("kill").args(["-HUP", &id]).status().unwrap().success());
    until("Plinth serves on");
    hang_up();
    until("SIGHUP: there are no certificates");
    assert_eq!(child.try_wait().unwrap(), None);
    // The signal comes by itself where the terminal is that of the session.
    drop(end);
    hang_up();
    assert!(child.wait().unwrap().success(), "{}", std::fs::read_to_string(&log).unwrap());
}

#[spec]
async fn top_writes_each_look_over_the_one_before(plinth: Plinth) {
    let socket = format!("unix:{}", plinth.path("admin.sock").display());
    let (server, _client) = block_in_place(|| plinth.served_with_things(&[("PLINTH_ADMIN_LISTEN", socket.as_str())]));
    let terminal = Terminal::open();
    let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
    command.env_clear().env("TERM", "xterm").args(["top", "--address", &socket]);
    let end = || terminal.other.try_clone().unwrap();
    let mut child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
    let looks = |terminal: &Terminal| terminal.screen.lock().unwrap().matches("started").count();
    terminal.until("a third look", |terminal| looks(terminal) >= 3);
    let shown = terminal.screen.lock().unwrap().clone();
    assert_eq!(shown.matches("\u{1b}[2J").count(), 1, "the screen is cleared once: {shown:?}");
    assert!(shown.matches("\u{1b}[1;1H").count() >= 3, "{shown:?}");
    drop(server);
    terminal.until("a word of the end", |terminal| terminal.shows("It is asked again each second."));
    let before = looks(&terminal);
    let _next = block_in_place(|| plinth.start_with("serve", &[("PLINTH_ADMIN_LISTEN", socket.as_str())]));
    terminal.until("a look at the next server", |terminal| looks(terminal) > before);
    terminal.until("the key is read", |terminal| !terminal.echoes());
    assert!(terminal.shows("q ends it."));
    terminal.types("q");
    assert!(child.wait().unwrap().success());
    assert!(terminal.echoes(), "the terminal is as it was");
}

#[spec]
async fn a_secret_that_is_typed_is_not_shown(plinth: Plinth) {
    plinth.file("tenant/tenant.yaml", "tenant: acme\n");
    plinth.run(&["apply", plinth.path("tenant").to_str().unwrap()]).done();
    let terminal = Terminal::open();
    assert!(terminal.echoes());
    terminal.types("typed too early\n");
    terminal.until("an echo", |terminal| terminal.shows("typed too early"));

    let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
    command.env_clear().args(["secret", "set", "erp"]).arg("--data").arg(plinth.path("data"));
    if let Some(url) = &plinth.postgres {
        command.args(["--postgres", url]);
    }
    let end = || terminal.other.try_clone().unwrap();
    let mut child = command.stdin(end()).stdout(end()).stderr(end()).spawn().unwrap();
    terminal.until("the question", |terminal| terminal.shows("Value of erp (it is not shown): "));
    terminal.until("silence", |terminal| !terminal.echoes());
    terminal.types(VALUE);
    terminal.types("\n");
    assert!(child.wait().unwrap().success(), "{}", terminal.screen.lock().unwrap());
    terminal.until("the answer", |terminal| terminal.shows("the secret erp is created"));
    assert!(terminal.echoes(), "the terminal is as it was");
    let shown = terminal.screen.lock().unwrap().clone();
    assert!(!shown.contains(VALUE) && !shown.contains(&VALUE[..6]), "{shown}");
    assert_eq!(value(&opened(&plinth, &[]), "erp"), VALUE, "what was typed before the question is no part of it");
}
