//! The server as a service of systemd: its unit, and what it tells the service manager.

use super::program::Plinth;
use spec::spec;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testing::Process;
use tokio::task::block_in_place;

/// Receives the next message.
fn next(socket: &UnixDatagram) -> String {
    let mut bytes = [0; 100];
    let count = socket.recv(&mut bytes).unwrap();
    String::from_utf8(bytes[..count].to_vec()).unwrap()
}

fn exchange(plinth: &Plinth, name: &str, socket: &UnixDatagram) {
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let settings = [("NOTIFY_SOCKET", name), ("WATCHDOG_USEC", "300000")];
    let server = plinth.start_with("serve", &settings);
    assert_eq!(next(socket), "READY=1");
    assert_eq!([next(socket), next(socket)], ["WATCHDOG=1", "WATCHDOG=1"]);
    // The signal of `systemctl reload` does not end it.
    assert!(Command::new("kill").args(["-HUP", &server.id().to_string()]).status().unwrap().success());
    assert_eq!([next(socket), next(socket)], ["WATCHDOG=1", "WATCHDOG=1"]);
    let (status, log) = server.stop();
    assert!(status.success(), "{log}");
    let last = std::iter::from_fn(|| Some(next(socket))).find(|message| message != "WATCHDOG=1");
    assert_eq!(last.as_deref(), Some("STOPPING=1"));
}

#[spec("E-170")]
async fn the_service_manager_is_told(plinth: Plinth) {
    block_in_place(|| {
        let path = plinth.path("notify");
        exchange(&plinth, path.to_str().unwrap(), &UnixDatagram::bind(&path).unwrap());
        let name = format!("plinth-{}-{}", std::process::id(), plinth.postgres.is_some());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        exchange(&plinth, &format!("@{name}"), &UnixDatagram::bind_addr(&address).unwrap());
        // Nobody listens: it serves all the same.
        let server = plinth.start_with("serve", &[("NOTIFY_SOCKET", "/no/such/socket")]);
        let (status, log) = server.stop();
        assert!(status.success() && log.contains("the service manager could not be told"), "{log}");
    });
}

#[spec("E-170")]
async fn the_signal_of_a_reload_ends_no_server(plinth: Plinth) {
    block_in_place(|| {
        let server = plinth.start("serve");
        let hang_up = || Command::new("kill").args(["-HUP", &server.id().to_string()]).status().unwrap();
        let begun = Instant::now();
        assert!(hang_up().success());
        while !server.logged().contains("SIGHUP: there are no certificates") {
            assert!(begun.elapsed() < Duration::from_secs(60), "{}", server.logged());
            std::thread::sleep(Duration::from_millis(20));
        }
        let (status, log) = server.stop();
        assert!(status.success(), "{log}");
    });
}

#[spec("E-169")]
async fn secrets_come_from_files(plinth: Plinth) {
    // On PostgreSQL, the address itself is the secret: without it, a server would use files of SQLite.
    let data = plinth.path("data").display().to_string();
    let serve = |settings: &[(&str, &str)]| {
        let arguments = ["serve", "--json", "--listen", "127.0.0.1:0", "--data", &data];
        Process::start_with(env!("CARGO_BIN_EXE_plinth"), &arguments, settings).stop()
    };
    block_in_place(|| {
        let url = plinth.postgres.clone();
        plinth.file("credentials/mail.password", "of systemd\n");
        let secret = plinth.file("secret", format!("{}\n", url.as_deref().unwrap_or("of a file")));
        let twin = if url.is_some() { "PLINTH_DATA_POSTGRES_FILE" } else { "PLINTH_MAIL_PASSWORD_FILE" };
        let folder = plinth.path("credentials").display().to_string();
        let by_credential = [("CREDENTIALS_DIRECTORY", &*folder)];
        let (status, log) = serve(&[("CREDENTIALS_DIRECTORY", &folder), (twin, &secret)]);
        assert!(status.success(), "{log}");
        assert_eq!(plinth.path("data/tenants").exists(), url.is_none());
        if let Some(url) = &url {
            plinth.file("credentials/data.postgres", format!("{url}\n"));
            let (status, log) = serve(&by_credential);
            assert!(status.success() && !plinth.path("data/tenants").exists(), "{log}");
        }
        let both = plinth.run_in(
            &[("PLINTH_MAIL_PASSWORD", "a"), ("PLINTH_MAIL_PASSWORD_FILE", &secret)],
            &["tenant", "list"],
            b"",
        );
        assert!(
            both.code != 0 && both.errors.contains("mail.password and mail.password_file are both set"),
            "{}",
            both.errors
        );
        let lost = plinth.run_in(&[("PLINTH_MAIL_PASSWORD_FILE", "/no/such")], &["tenant", "list"], b"");
        assert!(lost.code != 0 && lost.errors.contains("mail.password: /no/such"), "{}", lost.errors);
    });
}

#[test]
fn the_unit_is_hardened() {
    let unit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/plinth.service");
    let analysed = Command::new("systemd-analyze")
        .args(["security", "--offline=true", "--threshold=15"])
        .arg(&unit)
        .output()
        .expect("systemd-analyze is there, of Debian's package systemd");
    let told = String::from_utf8_lossy(&analysed.stdout);
    assert!(analysed.status.success(), "The exposure is at most 1.5: {told}");
    assert!(told.contains("Overall exposure level"), "{told}");
    // A line that systemd does not know changes nothing, and would be no protection.
    let verified = Command::new("systemd-analyze").arg("verify").arg(&unit).output().unwrap();
    let told = String::from_utf8_lossy(&verified.stderr);
    let ignored = told.lines().find(|line| line.contains("ignoring") || line.contains("Unknown"));
    assert_eq!(ignored, None, "{told}");
}
