//! Output that cannot be written: the command fails, says so where that works, and never panics. A reader that goes
//! before the end, as `head` does, is no failure.

use super::plinth;
use std::fs::{self, OpenOptions};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A tenant with a user, and a folder with a mistake.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, text) in [
        ("acme/tenant.yaml", "tenant: acme\n"),
        ("acme/types/item.yaml", "name: item\nproperties:\n  month: {kind: pMonth}\n"),
        ("acme/roles/clerk.yaml", "role: clerk\nsystem: [restApi]\ntypes: {item: {show: true, edit: true}}\n"),
        ("wrong/tenant.yaml", "tenant: acme\ntitel: ACME\n"),
        ("rows.csv", "month\n2026-01\n"),
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    assert_eq!(plinth(folder.path(), &["apply", "acme"]).code, 0);
    assert_eq!(plinth(folder.path(), &["user", "create", "ann", "--role", "clerk"]).code, 0);
    folder
}

/// Runs a command with its output and its errors led elsewhere; gives its exit code and the errors that came through.
fn led(folder: &Path, arguments: &[&str], output: Stdio, errors: Stdio) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
    command.args(arguments).arg("--data").arg(folder.join("data")).current_dir(folder).env_clear();
    let ended = command.stdin(Stdio::null()).stdout(output).stderr(errors).output().unwrap();
    (ended.status.code().unwrap(), String::from_utf8(ended.stderr).unwrap())
}

/// A device on which there is no space.
fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

/// A pipe from which nobody reads any more.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let folder = folder();
    let commands: [&[&str]; 16] = [
        &["--help"],
        &["check", "acme"],
        &["plan", "acme"],
        &["apply", "acme"],
        &["test", "--json", "wrong"],
        &["user", "list"],
        &["user", "list", "--json"],
        &["user", "disable", "ann"],
        &["key", "list"],
        &["tenant", "list"],
        &["import", "item", "rows.csv"],
        &["export", "item"],
        &["openapi"],
        &["client", "typescript"],
        &["reference"],
        &["eval", "1 + 1"],
    ];
    for command in commands {
        // Help comes before any option.
        let (code, errors) = led(folder.path(), command, full(), Stdio::piped());
        assert_eq!(code, 1, "{command:?}: {errors}");
        assert!(errors.contains("written: No space left on device"), "{command:?}: {errors}");
        let (code, errors) = led(folder.path(), command, closed(), Stdio::piped());
        let is_wrong = command.contains(&"wrong");
        assert_eq!(code, i32::from(is_wrong), "{command:?}: {errors}");
        assert!(!errors.contains("Broken pipe"), "{command:?}: {errors}");
    }
}

#[test]
fn a_key_or_a_password_that_nobody_saw_is_told_of() {
    let folder = folder();
    for output in [full as fn() -> Stdio, closed] {
        let led = |arguments: &[&str]| led(folder.path(), arguments, output(), Stdio::piped());
        for json in [&[][..], &["--json"]] {
            let (code, errors) = led(&[&["key", "create", "ann"], json].concat());
            assert_eq!(code, 1, "{errors}");
            assert!(errors.contains("Nobody has seen the key ") && errors.contains("plinth key revoke "), "{errors}");
            let (code, errors) = led(&[&["user", "password", "ann"], json].concat());
            assert_eq!(code, 1, "{errors}");
            assert!(errors.contains("Nobody has seen the new password of ann. "), "{errors}");
        }
    }
    let (code, errors) = led(folder.path(), &["user", "create", "bob"], full(), Stdio::piped());
    assert_eq!(code, 1, "{errors}");
    assert!(errors.contains("Nobody has seen the new password of bob. "), "{errors}");
    // A given password is known to its giver.
    let given = ["user", "password", "ann", "--insecure-password", "a very long password"];
    assert_eq!(led(folder.path(), &given, closed(), Stdio::piped()), (0, String::new()));
}

#[test]
fn errors_that_cannot_be_written_change_no_exit_code() {
    let folder = folder();
    for (errors, login) in [(full as fn() -> Stdio, "bob"), (closed, "eve")] {
        for arguments in [&["check", "wrong"][..], &["user", "create", "ann"], &["eval", "1 +"], &["export", "itm"]] {
            assert_eq!(led(folder.path(), arguments, Stdio::null(), errors()).0, 1, "{arguments:?}");
        }
        assert_eq!(led(folder.path(), &["key"], Stdio::null(), errors()).0, 2);
        assert_eq!(led(folder.path(), &["check", "wrong"], closed(), errors()).0, 1);
        // The note that no key of the user works is lost, and nothing else.
        assert_eq!(led(folder.path(), &["user", "create", login], Stdio::null(), errors()).0, 0);
    }
}

#[test]
fn what_is_applied_is_finished_even_if_nobody_can_be_told() {
    let folder = folder();
    let file = folder.path().join("acme/types/note.yaml");
    fs::write(&file, "name: note\nproperties:\n  text: {kind: pString}\n").unwrap();
    let (code, errors) = led(folder.path(), &["apply", "acme"], full(), Stdio::piped());
    assert_eq!(code, 1, "{errors}");
    assert!(fs::read_to_string(&file).unwrap().contains("id: "), "ids are written into the files");
    assert!(plinth(folder.path(), &["plan", "acme"]).out.contains("Nothing to change."));
}
