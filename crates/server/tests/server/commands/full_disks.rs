//! Full disks: what is told names the place that has no room. The disks are in memory, mounted for the process
//! alone.

use super::program::{Plinth, Run};
use serde_json::json;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testing::{Engine, Process};
use tokio::task::block_in_place;

/// The time for a test.
const LIMIT: Duration = Duration::from_secs(120);
const UNSHARE: &str = "/usr/bin/unshare";
/// Mounts a small disk at the first argument, and runs the others.
const MOUNT: &str = "mount -t tmpfs -o size=200k full \"$1\" && shift && exec \"$@\"";

/// Returns the arguments with which `unshare` runs the program with a small disk at a place.
fn with_disk<'a>(place: &'a Path, arguments: &[&'a str]) -> Vec<&'a str> {
    std::fs::create_dir_all(place).unwrap();
    let begin = ["-rm", "sh", "-c", MOUNT, "sh", place.to_str().unwrap(), env!("CARGO_BIN_EXE_plinth")];
    [&begin, arguments].concat()
}

/// Runs the program with a small disk at a place.
fn run(place: &Path, arguments: &[&str]) -> Run {
    let output = Command::new(UNSHARE).env_clear().args(with_disk(place, arguments)).output().unwrap();
    Run {
        output: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// Returns false where this account may not mount a disk: then nothing is tested.
fn may_mount() -> bool {
    let mounted = Command::new(UNSHARE).args(["-rm", "mount", "-t", "tmpfs", "full", "/mnt"]).output();
    let may = mounted.is_ok_and(|output| output.status.success());
    assert!(may || std::env::var_os("CI").is_none(), "this account may not mount a disk");
    if !may {
        eprintln!("this account may not mount a disk: full disks are not tested");
    }
    may
}

#[test]
fn a_full_disk_is_named() {
    if !may_mount() {
        return;
    }
    testing::run_within(LIMIT, Engine::Sqlite, "a full disk", async |plinth: Plinth| {
        let (full, data) = (plinth.path("full"), plinth.path("data").display().to_string());
        let place = full.to_str().unwrap().to_owned();
        let room = format!("It failed: there is no room on the disk of {place}/");
        block_in_place(|| {
            plinth.run(&["tenant", "create", "acme"]).done();
            let saved = run(&full, &["backup", "create", "--to", &place, "--data", &data]);
            assert_eq!(saved.code, 1, "{}{}", saved.output, saved.errors);
            assert!(saved.errors.contains(&format!("acme is not backed up. {room}")), "{}", saved.errors);
            assert!(saved.errors.contains("Make room on that disk"), "{}", saved.errors);
            // The data folder itself is on the disk that is too small.
            let created = run(&full, &["tenant", "create", "beta", "--data", &format!("{place}/data")]);
            assert_eq!(created.code, 1, "{}{}", created.output, created.errors);
            assert!(created.errors.contains(&format!("{room}data/tenants/beta/tenant.db.")), "{}", created.errors);
        });

        let serve = ["serve", "--json", "--listen", "127.0.0.1:0", "--data", data.as_str()];
        let settings = [("PLINTH_BACKUP_TO", place.as_str()), ("PLINTH_DATA_POLL_INTERVAL", "100ms")];
        let server = block_in_place(|| Process::start_with(UNSHARE, &with_disk(&full, &serve), &settings));
        let begun = Instant::now();
        while !server.logged().contains("a backup failed") {
            assert!(begun.elapsed() < Duration::from_secs(30), "{}", server.logged());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        // The tenants' disk has room.
        let refused = server.client().post("/api/v1/auth", json!({"email": "a@b.test", "password": "wrong"})).await;
        assert_ne!(refused.status, 503, "{}", refused.text);
        let (_, log) = block_in_place(|| server.stop());
        assert!(log.contains(&format!("there is no room on the disk of {place}/")), "{log}");
        assert!(!log.contains("the disk of the tenants' files is full"), "{log}");
    });
}
