//! Lists of the command line, and commands that find no data.

use super::plinth;
use serde_json::{Value as Json, json};
use std::fs;
use tempfile::TempDir;

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, text) in [
        ("tenant.yaml", "tenant: acme\n"),
        ("types/item.yaml", "name: item\nproperties:\n  month: {kind: pMonth}\n"),
        ("roles/clerk.yaml", "role: clerk\nsystem: [restApi]\ntypes: {item: {show: true, edit: true}}\n"),
        ("roles/guest.yaml", "role: guest\n"),
    ] {
        let path = folder.path().join("acme").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

#[test]
fn commands_that_make_nothing_leave_a_wrong_folder_alone() {
    let folder = folder();
    fs::write(folder.path().join("rows.csv"), "month\n2026-01\n").unwrap();
    let commands: [&[&str]; 13] = [
        &["user", "list"],
        &["user", "create", "ann"],
        &["key", "list"],
        &["tenant", "list"],
        &["tenant", "delete", "acme", "--now", "--yes"],
        &["secret", "list"],
        &["outbox", "list"],
        &["automation", "list"],
        &["audit", "verify"],
        &["export", "item"],
        &["import", "item", "rows.csv"],
        &["pull", "copy"],
        &["apply", "--dry-run", "acme"],
    ];
    for command in commands {
        let refused = plinth(folder.path(), command);
        assert_eq!(refused.code, 1, "{command:?}");
        assert!(refused.err.starts_with("plinth: There is no data of Plinth in the folder "), "{}", refused.err);
        assert!(refused.err.contains("\nNo file of settings was read"), "{}", refused.err);
        assert!(!folder.path().join("data").exists(), "{command:?}");
    }
    let served = plinth(folder.path(), &["serve", "--tenant", "acme"]);
    assert!(served.err.starts_with("plinth: plinth serve serves all tenants, not acme alone."), "{}", served.err);
    // What would be new can be planned all the same.
    let planned = plinth(folder.path(), &["plan", "acme"]);
    assert!(planned.out.contains("safe    create type item (month)\n"), "{}", planned.out);
    assert!(!folder.path().join("data").exists());
}

#[test]
fn lists_have_one_shape_and_say_whose() {
    let folder = folder();
    let run = |arguments: &[&str]| plinth(folder.path(), arguments);
    assert_eq!(run(&["apply", "acme"]).code, 0);
    let made = run(&["user", "create", "ann", "--name", "Ann", "--role", "guest", "--role", "clerk"]);
    assert_eq!(made.err, "");
    let warned = run(&["user", "create", "bob"]);
    assert_eq!((warned.code, warned.err.starts_with("plinth: bob has no role")), (0, true), "{}", warned.err);
    assert_eq!((run(&["key", "create", "ann"]).code, run(&["key", "create", "ann"]).err), (0, String::new()));
    let keyed = run(&["key", "create", "bob"]);
    let warning = "plinth: bob has no role with restApi: the key works once the user has one.\n";
    assert_eq!((keyed.code, keyed.out.lines().count(), keyed.err.as_str()), (0, 1, warning));
    for list in ["user", "key", "tenant", "secret", "outbox", "automation", "audit"] {
        let listed: Json = serde_json::from_str(&run(&[list, "list", "--json"]).out).unwrap();
        assert!(listed["items"].is_array(), "{list}: {listed}");
        assert_eq!(listed["hasMore"], false, "{list}");
    }
    let keys: Json = serde_json::from_str(&run(&["key", "list", "--json"]).out).unwrap();
    assert_eq!([&keys["items"][0]["user"], &keys["items"][1]["user"]], ["ann", "ann"]);
    let text = run(&["key", "list"]).out;
    assert!(
        text.starts_with("id  user  valid until  scopes  description\n 1  ann   no end       *       Key made"),
        "{text}"
    );
    assert_eq!(run(&["key", "list", "--user", "bob"]).out.lines().count(), 2);
    let users: Json = serde_json::from_str(&run(&["user", "list", "--json"]).out).unwrap();
    assert_eq!([&users["items"][0]["roles"], &users["items"][1]["roles"]], [&json!(["guest", "clerk"]), &json!([])]);
    let text = run(&["user", "list"]).out;
    assert!(text.starts_with("id  login  name  roles         state\n 1  ann    Ann   guest, clerk\n"), "{text}");
    assert!(text.contains(" 2  bob    bob   no role\n"), "{text}");
}

#[test]
fn the_file_of_a_tenant_shrinks() {
    let folder = folder();
    let run = |arguments: &[&str]| plinth(folder.path(), arguments);
    assert_eq!(run(&["apply", "acme"]).code, 0);
    let rows: String = (0..20_000).map(|_| "2026-01\n").collect();
    fs::write(folder.path().join("rows.csv"), format!("month\n{rows}")).unwrap();
    assert_eq!(run(&["import", "item", "rows.csv", "--exclusive"]).code, 0);
    fs::write(folder.path().join("acme/types/item.yaml"), "name: other\n").unwrap();
    assert_eq!(run(&["apply", "acme", "--allow-loss"]).code, 1, "the role names the type");
    fs::write(folder.path().join("acme/roles/clerk.yaml"), "role: clerk\n").unwrap();
    assert_eq!(run(&["apply", "acme", "--allow-loss"]).code, 0);
    let told: Json = serde_json::from_str(&run(&["tenant", "compact", "acme", "--json"]).out).unwrap();
    let bytes = |name: &str| told[name].as_u64().unwrap();
    assert!(bytes("bytesAfter") * 2 < bytes("bytesBefore"), "{told}");
    assert_eq!(bytes("bytesAfter"), fs::metadata(folder.path().join("data/tenants/acme/tenant.db")).unwrap().len());
}
