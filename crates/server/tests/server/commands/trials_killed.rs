//! Runs of `plinth test` that are killed.

use super::plinth;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// What a killed run leaves in memory goes with the next one; what another that is under way has there stays.
#[test]
fn what_a_killed_run_leaves_behind_goes_with_the_next() {
    let folder = TempDir::new().unwrap();
    let cases: String = (0..500).map(|number| format!("  - {{case: c{number}, wait: 2 years}}\n")).collect();
    let automation = "automation: minutes\non: {schedule: \"* * * * *\"}\ndo: [{stop: true}]\n";
    for (path, text) in [
        ("long/tenant.yaml", "tenant: acme\n"),
        ("long/automations/minutes.yaml", automation),
        ("long/tests/a.yaml", &format!("cases:\n{cases}")),
        ("short/tenant.yaml", "tenant: acme\n"),
        ("short/tests/a.yaml", "cases:\n  - {case: c, wait: 1 hour}\n"),
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let begin = || {
        let mut process = Command::new(env!("CARGO_BIN_EXE_plinth"));
        let process = process.args(["test", "long"]).current_dir(folder.path()).env_clear();
        let mut process = process.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        loop {
            // A template lies in the first folder of a run.
            match left_by(process.id()).filter(|path| path.join("0").exists()) {
                Some(path) => return (process, path),
                None => assert_eq!(process.try_wait().unwrap(), None, "it ended without its folder being seen"),
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    };
    let ((mut first, of_first), (mut second, of_second)) = (begin(), begin());
    second.kill().unwrap();
    second.wait().unwrap();
    assert_eq!(plinth(folder.path(), &["test", "short"]).code, 0);
    assert!(!of_second.exists(), "{of_second:?} was left behind");
    assert_eq!(first.try_wait().unwrap(), None);
    assert!(of_first.exists(), "{of_first:?} is in use");
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(plinth(folder.path(), &["test", "short"]).code, 0);
    assert!(!of_first.exists(), "{of_first:?} was left behind");
}

/// The folder of a run, by its process.
fn left_by(process: u32) -> Option<PathBuf> {
    let prefix = format!("plinth-test-{process}-");
    let entries = ["/dev/shm", "/tmp"].into_iter().filter_map(|place| fs::read_dir(place).ok()).flatten().flatten();
    let named = |entry: &fs::DirEntry| entry.file_name().to_str().is_some_and(|name| name.starts_with(&prefix));
    entries.into_iter().find(named).map(|entry| entry.path())
}
