//! `plinth secret rotate`, where tenants are made just while another key takes the place of the former one.

use crate::commands::program::Plinth;
use crate::commands::secrets::{VALUE, opened, value, value_of, with_tenant};
use database::{Database, GuardMode, PoolerMode, PostgresOptions, SqliteOptions};
use serde_json::json;
use spec::spec;
use std::process::Command;
use tokio::task::block_in_place;

/// Reads a file of the data folder.
fn read(plinth: &Plinth, name: &str) -> String {
    std::fs::read_to_string(plinth.path(&format!("data/{name}"))).unwrap()
}

/// Makes the tenant `late`, with a secret, by a process with these settings of keys.
fn make_late(plinth: &Plinth, environment: &[(&str, &str)]) {
    plinth.run_in(environment, &["tenant", "create", "late"], b"").done();
    plinth.run_in(environment, &["secret", "set", "erp", "--tenant", "late"], VALUE.as_bytes()).done();
}

#[spec]
async fn a_tenant_of_the_last_moment_is_taken_over_though_the_rotation_was_killed(plinth: Plinth) {
    with_tenant(&plinth);
    plinth.run_with(&["secret", "set", "erp"], VALUE.as_bytes()).done();
    let before = read(&plinth, "plinth.key");
    plinth.run(&["secret", "rotate"]).done();
    let next = read(&plinth, "plinth.key");
    assert_ne!(next, before);
    // As it lies when the rotation ends right after the next key has its place, and a tenant was being made meanwhile.
    let (kept, previous) = (plinth.path("data/plinth.key.former-1"), plinth.path("data/plinth.key.previous"));
    std::fs::rename(&kept, &previous).unwrap();
    let process = [("PLINTH_SECURITY_KEY", before.trim()), ("PLINTH_SECURITY_NEXT_KEY", next.trim())];
    make_late(&plinth, &process);
    {
        let platform = opened(&plinth, &[]);
        assert_eq!([value_of(&platform, "late", "erp"), value(&platform, "erp")], [VALUE, VALUE]);
    }

    let done = plinth.run(&["secret", "rotate", "--json"]);
    let told = json!({"tenants": 2, "rows": 1, "formerKeyFile": kept.to_str().unwrap(), "skipped": []});
    assert_eq!((done.code, done.json()), (0, told), "{}", done.errors);
    assert_eq!([read(&plinth, "plinth.key"), read(&plinth, "plinth.key.former-1")], [next.clone(), before]);
    assert!(!previous.exists() && !plinth.path("data/plinth.key.next").exists(), "it goes on, and begins no other");
    std::fs::remove_file(&kept).unwrap();
    {
        let platform = opened(&plinth, &[]);
        assert_eq!([value_of(&platform, "late", "erp"), value(&platform, "erp")], [VALUE, VALUE]);
    }
    assert!(plinth.run(&["audit", "verify", "--tenant", "late"]).done().contains("intact"));
    plinth.run(&["secret", "rotate"]).done();
    assert_ne!(read(&plinth, "plinth.key"), next, "the one after that is another");
}

#[spec]
async fn a_backup_from_before_a_rotation_needs_the_former_key_beside_the_key(plinth: Plinth) {
    plinth.file("tenant/types/note.yaml", "name: note\nproperties: {text: {kind: pString}}\n");
    with_tenant(&plinth);
    plinth.run_with(&["secret", "set", "erp"], VALUE.as_bytes()).done();
    let out = plinth.path("out").display().to_string();
    let made = plinth.run(&["backup", "create", "acme", "--to", &out, "--json"]).json();
    let archive = made["file"].as_str().unwrap();
    let before = read(&plinth, "plinth.key");
    plinth.run(&["secret", "rotate"]).done();
    plinth.run(&["secret", "rotate"]).done();
    let after = read(&plinth, "plinth.key");

    let [kept, previous] = ["plinth.key.former-1", "plinth.key.previous"].map(|name| plinth.path("data").join(name));
    let copy = format!("copy it with `cp {} {}`.", kept.display(), previous.display());
    let foreign = |arguments: &[&str]| {
        let run = plinth.run(arguments);
        assert!(run.code == 1 && run.errors.contains("made with another master key"), "{arguments:?}: {}", run.errors);
        run.errors
    };
    let read_only: [&[&str]; 2] = [&["backup", "verify", archive], &["backup", "records", archive, "--type", "note"]];
    for arguments in read_only {
        assert!(foreign(arguments).contains(&copy));
    }
    plinth.run(&["tenant", "delete", "acme", "--now", "--yes"]).done();
    assert!(foreign(&["backup", "restore", archive]).contains(&copy));
    // Without the kept file, its owner has to find it.
    let away = plinth.path("away");
    std::fs::rename(&kept, &away).unwrap();
    let told = foreign(&["backup", "restore", archive]);
    assert!(told.contains(&format!("Copy that key's file to {}, beside", previous.display())), "{told}");
    std::fs::rename(&away, &kept).unwrap();
    // The file there may be the only copy of a key.
    std::fs::copy(plinth.path("data/plinth.key.former-2"), &previous).unwrap();
    let told = foreign(&["backup", "restore", archive]);
    assert!(told.contains("a rotation that did not end. Run plinth secret rotate") && !told.contains("cp "), "{told}");
    std::fs::remove_file(&previous).unwrap();
    let as_setting = [("PLINTH_SECURITY_KEY", after.trim())];
    let told = plinth.run_in(&as_setting, &["backup", "verify", archive], b"");
    assert!(told.errors.contains("Give that key as security.key"), "{}", told.errors);
    let both = [("PLINTH_SECURITY_KEY", before.trim()), ("PLINTH_SECURITY_NEXT_KEY", after.trim())];
    plinth.run_in(&both, &["backup", "verify", archive], b"").done();

    // The advice of the message.
    std::fs::copy(&kept, &previous).unwrap();
    plinth.run(&["backup", "restore", archive]).done();
    plinth.run(&["backup", "records", archive, "--type", "note"]).done();
    plinth.run(&["secret", "rotate"]).done();
    assert!(!previous.exists() && kept.exists() && read(&plinth, "plinth.key") == after, "no other key is made");
    assert_eq!(value(&opened(&plinth, &[]), "erp"), VALUE);
    assert!(plinth.run(&["audit", "verify"]).done().contains("intact"));
}

#[test]
fn a_key_that_cannot_be_written_leaves_no_file() {
    let plinth = Plinth { folder: tempfile::TempDir::new().unwrap(), postgres: None };
    with_tenant(&plinth);
    let names = || {
        let entries = std::fs::read_dir(plinth.path("data")).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    // No byte of a file can be written, as on a full disk.
    let limited = "trap '' XFSZ; ulimit -f 0; exec \"$@\"";
    let rotate = [env!("CARGO_BIN_EXE_plinth"), "secret", "rotate", "--prepare", "--data"];
    let mut command = Command::new("sh");
    command.env_clear().args(["-c", limited, "sh"]).args(rotate).arg(plinth.path("data"));
    for _ in 0..2 {
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains("plinth.key.next cannot be used"), "{errors}");
        assert_eq!(names(), before);
    }
}

#[spec]
async fn a_rotation_that_was_killed_before_the_next_key_has_its_place_goes_on_with_it(plinth: Plinth) {
    with_tenant(&plinth);
    plinth.run_with(&["secret", "set", "erp"], VALUE.as_bytes()).done();
    plinth.run(&["secret", "rotate", "--prepare"]).done();
    let [before, next] = ["plinth.key", "plinth.key.next"].map(|name| read(&plinth, name));
    std::fs::hard_link(plinth.path("data/plinth.key"), plinth.path("data/plinth.key.previous")).unwrap();
    make_late(&plinth, &[]);
    assert_eq!(plinth.run(&["secret", "rotate", "--json"]).json()["tenants"], 2);
    assert_eq!([read(&plinth, "plinth.key"), read(&plinth, "plinth.key.former-1")], [next, before]);
    for gone in ["plinth.key.next", "plinth.key.previous", "plinth.key.former-2"] {
        assert!(!plinth.path(&format!("data/{gone}")).exists(), "{gone}");
    }
    assert_eq!(value_of(&opened(&plinth, &[]), "late", "erp"), VALUE);
}

#[spec]
async fn each_node_rotates_to_the_same_key_and_finds_what_it_made_with_the_former_one(plinth: Plinth) {
    with_tenant(&plinth);
    plinth.run_with(&["secret", "set", "erp"], VALUE.as_bytes()).done();
    plinth.run(&["secret", "rotate", "--prepare"]).done();
    let [before, next] = ["plinth.key", "plinth.key.next"].map(|name| read(&plinth, name));
    let other = plinth.file("other/plinth.key", &before);
    plinth.file("other/plinth.key.next", &next);
    plinth.run(&["secret", "rotate"]).done();
    make_late(&plinth, &[("PLINTH_SECURITY_KEY_FILE", &other)]);

    let done = plinth.run_in(&[("PLINTH_SECURITY_KEY_FILE", &other)], &["secret", "rotate", "--json"], b"");
    assert_eq!((done.code, &done.json()["tenants"]), (0, &json!(2)), "{}", done.errors);
    let others = ["other/plinth.key", "other/plinth.key.former-1"];
    let others = others.map(|name| std::fs::read_to_string(plinth.path(name)).unwrap());
    assert_eq!((others, read(&plinth, "plinth.key")), ([next.clone(), before], next));
    for settings in [&[][..], &[("security.key_file", other.as_str())]] {
        let platform = opened(&plinth, settings);
        assert_eq!([value_of(&platform, "late", "erp"), value(&platform, "erp")], [VALUE, VALUE]);
    }
}

/// Makes a store without tables, as a restoration leaves it that was killed.
fn make_empty(plinth: &Plinth, name: &str) {
    let database = match &plinth.postgres {
        Some(url) => Database::postgres(PostgresOptions {
            url: url.clone(),
            connections: 2,
            pooler: PoolerMode::Auto,
            direct_url: String::new(),
            guard: GuardMode::Auto,
        }),
        None => Database::sqlite(SqliteOptions { folder: plinth.path("data/tenants"), readers: 1, descriptors: 64 }),
    };
    database.unwrap().create(name).unwrap();
}

#[spec]
async fn a_tenant_without_tables_is_left_out_and_told(plinth: Plinth) {
    block_in_place(|| {
        with_tenant(&plinth);
        make_empty(&plinth, "kr");
        let shown = plinth.run(&["user", "list", "--tenant", "kr"]);
        assert_eq!(shown.code, 1);
        for part in ["plinth: The tenant kr has no tables: ", "run plinth tenant delete kr --now --yes."] {
            assert!(shown.errors.contains(part), "{}", shown.errors);
        }
        let told = plinth.run(&["doctor"]);
        assert_ne!(told.code, 0);
        assert!(told.output.contains("warning  tenants      These tenants have no tables: kr."), "{}", told.output);
        let rotated = plinth.run(&["secret", "rotate"]).done();
        assert!(rotated.starts_with("1 tenants have the new key"), "{rotated}");
        assert!(rotated.contains("\nkr was left out: it has no tables"), "{rotated}");
        // A restoration that is under way ends with a tenant of the former key: servers look for it meanwhile.
        let [previous, kept] =
            ["plinth.key.previous", "plinth.key.former-1"].map(|name| plinth.path("data").join(name));
        let after = read(&plinth, "plinth.key");
        assert!(previous.exists() && !kept.exists());
        assert!(plinth.run(&["secret", "rotate"]).done().contains("run plinth secret rotate again"));
        assert!(previous.exists() && read(&plinth, "plinth.key") == after, "no other key is made");

        plinth.run(&["tenant", "delete", "kr", "--now", "--yes"]).done();
        assert!(!plinth.run(&["doctor"]).output.contains("no tables"));
        assert_eq!(plinth.run(&["secret", "rotate", "--json"]).json()["skipped"], json!([]));
        assert!(!previous.exists() && kept.exists() && read(&plinth, "plinth.key") == after);
    });
}
