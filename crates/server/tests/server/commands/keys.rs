//! The master key as a setting, and keys that are not the tenant's.

use crate::commands::program::{Plinth, Run};
use crate::commands::secrets::{opened, value};
use model::table_names::META;
use serde_json::json;
use spec::spec;

const VALUE: &str = "s3cr3t-of-the-erp-0123456789";
/// Keys: 32 bytes in base64.
const ONE: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
const TWO: &str = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=";
const FOREIGN: &str = "is not that of the tenant acme";

const KEY: &str = "PLINTH_SECURITY_KEY";
const NEXT_KEY: &str = "PLINTH_SECURITY_NEXT_KEY";
const KEY_FILE: &str = "PLINTH_SECURITY_KEY_FILE";

fn apply(plinth: &Plinth, environment: &[(&str, &str)]) {
    plinth.file("tenant/tenant.yaml", "tenant: acme\n");
    plinth.run_in(environment, &["apply", plinth.path("tenant").to_str().unwrap()], b"").done();
}

#[track_caller]
fn foreign(run: &Run) {
    assert!(run.code == 1 && run.errors.contains(FOREIGN), "{}{}", run.output, run.errors);
}

#[spec]
async fn the_key_may_be_a_setting_and_be_rotated_as_one(plinth: Plinth) {
    apply(&plinth, &[(KEY, ONE)]);
    let set = |environment: &[(&str, &str)], name: &str| {
        plinth.run_in(environment, &["secret", "set", name], VALUE.as_bytes())
    };
    set(&[(KEY, ONE)], "erp").done();
    assert!(!plinth.path("data/plinth.key").exists(), "no file is made beside it");
    // A file of settings serves as well.
    let file = plinth.file("plinth.toml", format!("[security]\nkey = \"{ONE}\"\n"));
    plinth.run_with(&["secret", "set", "other", "--config", &file], VALUE.as_bytes()).done();

    foreign(&set(&[(KEY, TWO)], "erp"));
    let short = set(&[(KEY, "AQEB")], "erp");
    assert!(short.code != 0 && short.errors.contains("32 ") && !short.errors.contains("AQEB"), "{}", short.errors);

    let rotate = |environment: &[(&str, &str)], arguments: &[&str]| {
        plinth.run_in(environment, &[&["secret", "rotate"], arguments].concat(), b"")
    };
    let lacking = rotate(&[(KEY, ONE)], &[]);
    assert!(lacking.code == 1 && lacking.errors.contains("security.next_key is missing"), "{}", lacking.errors);
    let prepared = rotate(&[(KEY, ONE), (NEXT_KEY, TWO)], &["--prepare"]);
    assert!(prepared.code == 1 && prepared.errors.contains("there is no file to prepare"), "{}", prepared.errors);
    let done = rotate(&[(KEY, ONE), (NEXT_KEY, TWO)], &["--json"]);
    assert_eq!((done.code, done.json()), (0, json!({"tenants": 1, "rows": 2, "formerKeyFile": null, "skipped": []})));
    assert!(!plinth.path("data/plinth.key.next").exists());

    // Whoever has both is served meanwhile, whoever has the former one alone no more.
    set(&[(KEY, ONE), (NEXT_KEY, TWO)], "later").done();
    set(&[(KEY, TWO)], "last").done();
    foreign(&set(&[(KEY, ONE)], "erp"));
    let platform = opened(&plinth, &[("security.key", TWO)]);
    for name in ["erp", "other", "later", "last"] {
        assert_eq!(value(&platform, name), VALUE, "{name}");
    }
    assert!(plinth.run_in(&[(KEY, TWO)], &["audit", "verify"], b"").done().contains("intact"));
}

#[spec]
async fn a_command_with_another_key_file_is_refused_and_changes_nothing(plinth: Plinth) {
    apply(&plinth, &[]);
    plinth.run_with(&["secret", "set", "erp"], VALUE.as_bytes()).done();
    let other = plinth.path("other.key").display().to_string();
    plinth.file("other.key", TWO);
    for arguments in [["secret", "set", "erp"].as_slice(), &["secret", "set", "new"], &["secret", "rotate"]] {
        foreign(&plinth.run_in(&[(KEY_FILE, &other)], arguments, b"another value"));
    }
    assert_eq!(value(&opened(&plinth, &[]), "erp"), VALUE);
    assert_eq!(plinth.run(&["secret", "list"]).done().lines().count(), 2, "headings and one secret");
    plinth.run(&["secret", "rotate"]).done();
    assert_eq!(value(&opened(&plinth, &[]), "erp"), VALUE);
}

#[spec]
async fn a_lost_master_key_is_not_replaced(plinth: Plinth) {
    apply(&plinth, &[]);
    plinth.run(&["user", "create", "ann"]).done();
    plinth.run_with(&["secret", "set", "erp"], VALUE.as_bytes()).done();
    let (key, kept) = (plinth.path("data/plinth.key"), plinth.path("kept.key"));
    std::fs::rename(&key, &kept).unwrap();
    let folder = plinth.path("tenant").display().to_string();
    let commands: [&[&str]; 7] = [
        &["key", "create", "ann"],
        &["secret", "set", "erp"],
        &["tenant", "list"],
        &["tenant", "create", "second"],
        &["plan", &folder],
        &["apply", &folder],
        &["serve", "--listen", "127.0.0.1:0"],
    ];
    for arguments in commands {
        let refused = plinth.run_with(arguments, b"another");
        let says = [
            "The master key is missing",
            "plinth.key",
            "tenant acme",
            "Put the file of the key back",
            "security.key_file",
        ];
        assert!(
            refused.code == 1 && says.iter().all(|says| refused.errors.contains(says)),
            "{arguments:?} {}",
            refused.errors
        );
        assert!(!key.exists(), "{arguments:?} makes none");
    }
    std::fs::write(&key, TWO).unwrap();
    for arguments in commands {
        let refused = plinth.run_with(arguments, b"another");
        foreign(&refused);
        assert!(refused.errors.contains("plinth.key"), "{}", refused.errors);
    }
    std::fs::rename(&kept, &key).unwrap();
    plinth.run(&["key", "create", "ann"]).done();
    assert_eq!(value(&opened(&plinth, &[]), "erp"), VALUE);
    assert!(plinth.run(&["audit", "verify"]).done().contains("intact"));
    assert_eq!(plinth.run(&["tenant", "list"]).done().lines().count(), 1);

    // Lost for good: without its identity, the tenant takes the key that is there.
    opened(&plinth, &[])
        .open("acme")
        .unwrap()
        .store()
        .write_blocking(|tx| {
            let mut sql = tx.sql();
            sql.push("DELETE FROM ").table(&META).push(" WHERE name IN ('vault', 'vault_past')");
            tx.execute(&sql).map(drop)
        })
        .unwrap();
    std::fs::remove_file(&key).unwrap();
    plinth.run(&["key", "create", "ann"]).done();
    plinth.run_with(&["secret", "set", "erp"], b"another").done();
    assert!(key.exists());
}

#[spec]
async fn a_plan_on_an_empty_database_makes_nothing(plinth: Plinth) {
    plinth.file("tenant/tenant.yaml", "tenant: acme\n");
    plinth.file("tenant/types/city.yaml", "name: city\nproperties:\n  name: {kind: pString}\n");
    let plan = plinth.run(&["plan", plinth.path("tenant").to_str().unwrap()]).done();
    assert!(plan.contains("create type city"), "{plan}");
    assert!(!plinth.path("data").exists());
}

#[spec]
async fn a_wrong_setting_is_not_the_fault_of_folder_or_database(plinth: Plinth) {
    let refused = plinth.run_in(&[("PLINTH_MAIL_TRANSPORT", "smtp")], &["serve", "--listen", "127.0.0.1:0"], b"");
    let says = "The settings cannot be used: mail.host is missing: mail.transport is smtp.\nconfig.default.toml";
    assert!(refused.code == 1 && refused.errors.contains(says), "{}", refused.errors);
    assert!(!plinth.path("data").exists());
}

#[spec]
async fn the_log_has_what_the_server_found_before_it_served(plinth: Plinth) {
    // Nothing can be made in what is no folder.
    plinth.file("data/spool", "");
    let (_, log) = plinth.start("serve").stop();
    assert!(log.contains("Answers of more than 1 MiB stay in memory"), "{log}");
}
