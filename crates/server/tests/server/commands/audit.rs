//! `plinth audit` over what the command line itself did.

use super::plinth;
use database::{Database, Name, SqliteOptions};
use serde_json::{Value as Json, json};
use std::fs;
use tempfile::TempDir;

#[test]
fn the_audit_log_is_listed_and_verified() {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("acme/roles")).unwrap();
    fs::write(folder.path().join("acme/tenant.yaml"), "tenant: acme\n").unwrap();
    fs::write(folder.path().join("acme/roles/nurse.yaml"), "role: nurse\nsystem: [restApi]\n").unwrap();
    let run = |arguments: &[&str]| plinth(folder.path(), arguments);
    let applied = run(&["apply", "acme"]);
    assert_eq!(applied.code, 0, "{}", applied.err);
    assert_eq!(run(&["user", "create", "ann@acme.test", "--role", "nurse"]).code, 0);
    assert_eq!(run(&["key", "create", "ann@acme.test"]).code, 0);
    assert_eq!(run(&["user", "disable", "ann@acme.test"]).code, 0);
    assert_eq!(run(&["key", "revoke", "1"]).code, 0);
    assert_eq!(run(&["key", "revoke", "1"]).code, 1);

    let listed = run(&["audit", "list", "--subject", "ann@acme.test"]);
    let names: Vec<&str> = listed
        .out
        .lines()
        .skip(1)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .filter_map(|line| line.split_whitespace().nth(2))
        .collect();
    assert_eq!(names, ["user.created", "key.created", "state.changed", "key.revoked"], "{}", listed.out);
    assert!(
        listed.out.starts_with("id  at ") && listed.out.contains("  ann@acme.test         command "),
        "{}",
        listed.out
    );
    let told: Json =
        serde_json::from_str(&run(&["audit", "list", "--json", "--event", "configuration.applied"]).out).unwrap();
    assert_eq!(told["items"][0]["details"]["files"], json!(["roles/nurse.yaml"]));
    assert_eq!(run(&["audit", "list", "--since", "2999-01-01"]).out, "There are no such events.\n");
    assert!(run(&["audit", "list", "--event", "absent"]).err.contains("event"));

    let verified = run(&["audit", "verify"]);
    assert_eq!(
        (verified.code, verified.out.starts_with("5 rows are intact; the last is 5:")),
        (0, true),
        "{}",
        verified.out
    );
    let whole: Json = serde_json::from_str(&run(&["audit", "verify", "--json"]).out).unwrap();
    assert_eq!((&whole["rows"], &whole["broken"]), (&json!(5), &json!(null)));
    let after = run(&["audit", "verify", "--after", whole["last"].as_str().unwrap()]);
    assert!(after.code == 0 && after.out.starts_with("0 rows are intact"), "{}", after.out);
    assert!(run(&["audit", "verify", "--after", "5:x"]).err.contains("64 hex digits"));

    // Somebody takes a row out of the file.
    let options = SqliteOptions { folder: folder.path().join("data/tenants"), readers: 1, descriptors: 192 };
    let store = Database::sqlite(options).unwrap().store("acme").unwrap();
    let removed = store.write_blocking(|tx| {
        let mut sql = tx.sql();
        sql.push("DELETE FROM ").table(&Name::fixed("plinth_audit")).push(" WHERE id = 3");
        tx.execute(&sql)
    });
    assert_eq!(removed.unwrap(), 1);
    drop(store);
    let broken = run(&["audit", "verify"]);
    assert_eq!(
        (broken.code, broken.out.as_str()),
        (1, "row 3 is broken: it is missing; 2 rows are intact before it\n")
    );
    let told: Json = serde_json::from_str(&run(&["audit", "verify", "--json"]).out).unwrap();
    assert_eq!(told["broken"], json!({"row": 3, "fault": "missing"}));
}
