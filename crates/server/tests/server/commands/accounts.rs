//! Folders of other accounts: root makes nothing there, and what a server cannot open is told.

use super::program::{Plinth, Run};
use rustix::process::geteuid;
use serde_json::Value as Json;
use spec::spec;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testing::{Engine, Process};
use tokio::task::block_in_place;

/// An account without a name.
const OTHER: u32 = 61_234;
/// The time for the test.
const LIMIT: Duration = Duration::from_secs(120);

/// Gives a folder with all that is in it to an account.
fn give(path: &Path, user: u32) {
    let owner = format!("{user}:{user}");
    assert!(Command::new("chown").args(["-R", &owner]).arg(path).status().unwrap().success());
}

/// Makes a copy of a tenant's folder that this process alone may open, or that it may not, where it is not root's.
fn closed_copy(plinth: &Plinth, name: &str) {
    let tenants = plinth.path("data/tenants");
    let copy = tenants.join(name);
    assert!(Command::new("cp").arg("-r").arg(tenants.join("acme")).arg(&copy).status().unwrap().success());
    fs::set_permissions(&copy, Permissions::from_mode(if geteuid().is_root() { 0o700 } else { 0 })).unwrap();
    if geteuid().is_root() {
        chown(&copy, Some(0), Some(0)).unwrap();
    }
}

/// Runs the program as the account of the data.
fn run_as_owner(plinth: &Plinth, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
    command.env_clear().args(arguments).arg("--data").arg(plinth.path("data")).current_dir("/");
    if geteuid().is_root() {
        command.gid(OTHER).uid(OTHER);
    }
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { output: text(output.stdout), errors: text(output.stderr), code: output.status.code().unwrap() }
}

/// Returns the message and the advice of a finding.
fn finding(run: &Run, check: &str, state: &str) -> Option<String> {
    let told = run.json();
    let is_it = |item: &&Json| item["check"] == check && item["state"] == state;
    told["items"].as_array().unwrap().iter().find(is_it).map(|item| format!("{} {}", item["message"], item["advice"]))
}

#[spec(plain, "E-220")]
fn root_changes_nothing_in_the_folder_of_another_account() {
    testing::run_within(LIMIT, Engine::Sqlite, "root and another account", async |plinth: Plinth| {
        block_in_place(|| root_is_refused(&plinth));
    });
}

fn root_is_refused(plinth: &Plinth) {
    plinth.run(&["tenant", "create", "acme"]).done();
    // Without the rights of root there is no other account to try.
    if !geteuid().is_root() {
        return;
    }
    give(plinth.folder.path(), OTHER);
    let folder = plinth.path("data").display().to_string();
    let files = plinth.file("second/tenant.yaml", "tenant: second\n");
    let files = Path::new(&files).parent().unwrap().to_str().unwrap();
    let changes: [&[&str]; 8] = [
        &["tenant", "create", "second"],
        &["apply", files],
        &["user", "create", "ann"],
        &["key", "create", "ann"],
        &["secret", "set", "token"],
        &["secret", "rotate", "--prepare"],
        &["backup", "create", "--to", "/tmp"],
        &["backup", "restore", "none.tar.gz"],
    ];
    for change in changes {
        let run = plinth.run_with(change, b"x");
        assert_eq!(run.code, 1, "{change:?}: {}{}", run.output, run.errors);
        let says = |part: &str| assert!(run.errors.contains(part), "{change:?}: {}", run.errors);
        says(&format!("runs as root, and the data folder {folder} belongs to the user {OTHER}."));
        says(&format!("setpriv --reuid={OTHER} --regid={OTHER} --clear-groups plinth"));
    }
    assert!(!plinth.path("data/tenants/second").exists());
    // Readers may do so, and leave no file of root.
    assert_eq!(plinth.run(&["tenant", "list"]).done().lines().last().unwrap().split(' ').next(), Some("acme"));
    plinth.run(&["user", "list"]).done();
    let doctor = plinth.run_in(&[("PLINTH_LIMITS_SPOOL_BYTES", "134217728")], &["doctor", "--json"], b"");
    assert!(finding(&doctor, "account", "warning").unwrap().contains("plinth doctor"), "{}", doctor.output);
    let of_root = Command::new("find").arg(plinth.path("data")).args(["-user", "0"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&of_root.stdout), "");
    run_as_owner(plinth, &["tenant", "create", "third"]).done();
}

#[spec(plain, "E-220")]
fn a_folder_that_the_server_cannot_open_is_told_once() {
    testing::run_within(LIMIT, Engine::Sqlite, "a closed folder", async |plinth: Plinth| {
        block_in_place(|| closed_folders_are_told(&plinth));
    });
}

fn closed_folders_are_told(plinth: &Plinth) {
    plinth.run(&["tenant", "create", "acme"]).done();
    if geteuid().is_root() {
        give(plinth.folder.path(), OTHER);
    }
    for name in ["second", ".until-4000000000-gone"] {
        closed_copy(plinth, name);
    }
    let doctor = run_as_owner(plinth, &["doctor", "--json"]);
    assert_eq!(doctor.code, 2, "{}", doctor.output);
    let told = finding(&doctor, "tenants", "error").unwrap();
    if geteuid().is_root() {
        assert!(told.contains("belongs to") && told.contains("Run as root: chown -R "), "{told}");
    }
    assert!(doctor.output.contains("data/tenants/second") && doctor.output.contains("-gone"), "{}", doctor.output);
    assert!(finding(&doctor, "tenants", "ok").unwrap().contains("The file of 1 tenant is sound."));
    if geteuid().is_root() {
        // Root can read them, and sees that the owner cannot.
        assert!(finding(&plinth.run(&["doctor", "--json"]), "tenants", "error").unwrap().contains("belongs to root"));
    }
    own_mode_is_told(plinth);
    let server = started_as_owner(plinth);
    let began = Instant::now();
    let count = |part: &str| server.logged().lines().filter(|line| line.contains(part)).count();
    // Those of a later tenant come after several looks at the folder.
    closed_copy(plinth, "later");
    while count("\"tenant\":\"later\"") == 0 {
        assert!(began.elapsed() < LIMIT / 2, "{}", server.logged());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(count("the folder of a tenant cannot be opened"), 2, "{}", server.logged());
    assert_eq!(count("the deleted tenant cannot be read"), 1, "{}", server.logged());
    drop(server);
    for name in ["second", "later", ".until-4000000000-gone"] {
        fs::set_permissions(plinth.path("data/tenants").join(name), Permissions::from_mode(0o700)).unwrap();
    }
}

/// A folder whose owner closed it needs another mode, and no other owner.
fn own_mode_is_told(plinth: &Plinth) {
    let (third, tenants) = (plinth.path("data/tenants/third"), plinth.path("data/tenants"));
    fs::create_dir(&third).unwrap();
    if geteuid().is_root() {
        give(&third, OTHER);
    }
    fs::set_permissions(&third, Permissions::from_mode(0o0)).unwrap();
    for run in [run_as_owner(plinth, &["doctor", "--json"]), plinth.run(&["doctor", "--json"])] {
        let told = run.json().to_string();
        let expected = format!("The folder {}/third has the mode 000: ", tenants.display());
        assert!(told.contains(&expected), "{told}");
        assert!(told.contains(&format!("Run: chmod u+rwx {}/third", tenants.display())), "{told}");
    }
    fs::remove_dir(&third).unwrap();
}

#[test]
fn a_data_folder_that_may_not_be_read_is_not_said_to_be_absent() {
    let plinth = Plinth { folder: tempfile::TempDir::new().unwrap(), postgres: None };
    plinth.run(&["tenant", "create", "acme"]).done();
    let files = plinth.file("acme/tenant.yaml", "tenant: acme\n");
    let files = Path::new(&files).parent().unwrap();
    let data = plinth.path("data");
    let close = |mode| fs::set_permissions(&data, Permissions::from_mode(mode)).unwrap();
    let open_above = || fs::set_permissions(plinth.folder.path(), Permissions::from_mode(0o755)).unwrap();
    open_above();
    close(if geteuid().is_root() { 0o700 } else { 0 });
    let list = run_as_owner(&plinth, &["tenant", "list"]);
    let plan = run_as_owner(&plinth, &["plan", files.to_str().unwrap()]);
    close(0o700);
    let expected = format!("plinth: The data folder {} cannot be read: Permission denied", data.display());
    for run in [list, plan] {
        assert!(run.code == 1 && run.errors.starts_with(&expected), "{}", run.errors);
        let advice = if geteuid().is_root() { "runuser -u root -- plinth" } else { "chmod u+rwx" };
        assert!(run.errors.contains(advice), "{}", run.errors);
    }
    if geteuid().is_root() {
        give(plinth.folder.path(), OTHER);
        close(0);
        let list = run_as_owner(&plinth, &["tenant", "list"]);
        close(0o700);
        assert!(list.errors.starts_with(&expected) && list.errors.contains("chmod u+rwx"), "{}", list.errors);
    }
}

#[test]
fn a_folder_of_files_that_may_not_be_read_is_not_said_to_be_absent() {
    let plinth = Plinth { folder: tempfile::TempDir::new().unwrap(), postgres: None };
    let files = plinth.file("closed/files/tenant.yaml", "tenant: acme\n");
    let files = Path::new(&files).parent().unwrap();
    let close = |mode| fs::set_permissions(plinth.path("closed"), Permissions::from_mode(mode)).unwrap();
    close(0);
    let run = run_as_owner(&plinth, &["check", files.to_str().unwrap()]);
    close(0o700);
    let expected = format!("plinth: The folder {} may not be read by the account that runs this", files.display());
    assert!(run.code == 1 && run.errors.starts_with(&expected), "{}", run.errors);
}

/// Starts a server as the account of the data.
fn started_as_owner(plinth: &Plinth) -> Process {
    let data = plinth.path("data").display().to_string();
    let serve = [env!("CARGO_BIN_EXE_plinth"), "serve", "--json", "--listen", "127.0.0.1:0", "--data", &data];
    if !geteuid().is_root() {
        return Process::start(serve[0], &serve[1..]);
    }
    let (user, group) = (format!("--reuid={OTHER}"), format!("--regid={OTHER}"));
    let arguments = [&[user.as_str(), group.as_str(), "--clear-groups"], &serve[..]].concat();
    Process::start("/usr/bin/setpriv", &arguments)
}
