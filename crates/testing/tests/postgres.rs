//! The cluster of the tests: it starts, is private, and goes away with the process that started it.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Not a test by itself: the process that `a_killed_test_leaves_nothing` starts and kills.
const CHILD: &str = "PLINTH_TEST_CHILD";

#[test]
fn databases_are_made_and_are_apart() {
    let cluster = testing::postgres();
    let (first, second) = (cluster.database(), cluster.database());
    assert_ne!(first, second);
    assert!(first.starts_with("postgresql://postgres@%2F"), "{first}");
    assert!(cluster.folder().join(format!(".s.PGSQL.{}", cluster.port())).exists());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "how this test's two processes tell each other apart")]
fn a_killed_test_leaves_nothing() {
    if let Ok(file) = std::env::var(CHILD) {
        let folder = testing::postgres().folder().display().to_string();
        std::fs::write(format!("{file}.part"), folder).unwrap();
        std::fs::rename(format!("{file}.part"), &file).unwrap();
        std::thread::sleep(Duration::from_secs(120));
        panic!("the parent kills this process");
    }
    let told = tempfile::tempdir().unwrap();
    let file = told.path().join("folder");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_killed_test_leaves_nothing"])
        .env(CHILD, &file)
        .spawn()
        .unwrap();
    until("the child has a cluster", || file.exists());
    let folder = std::fs::read_to_string(&file).unwrap();
    assert!(Path::new(&folder).join("data/postmaster.pid").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    until("the watchdog has removed the folder", || !Path::new(&folder).exists());
}

fn until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
