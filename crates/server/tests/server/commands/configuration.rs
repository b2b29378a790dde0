//! `plinth check`, `plan`, `apply` and `pull` on a folder.

use super::plinth;
use serde_json::Value as Json;
use std::fs;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A folder `acme` with one type.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("acme/types")).unwrap();
    fs::write(folder.path().join("acme/tenant.yaml"), "tenant: acme\n").unwrap();
    fs::write(folder.path().join("acme/types/item.yaml"), "name: item\nproperties:\n  a: {kind: pString}\n").unwrap();
    folder
}

#[test]
fn a_folder_is_checked_planned_applied_and_pulled() {
    let folder = folder();
    let run = |arguments: &[&str]| plinth(folder.path(), arguments);
    let checked = run(&["check", "acme"]);
    assert_eq!((checked.code, checked.err.as_str()), (0, ""));
    assert_eq!(checked.out, "The files of acme are valid: 2 types, 0 roles, 0 groups, 0 users.\n");

    let planned = run(&["plan", "acme"]);
    assert!(planned.out.contains("safe    create type item (a)\n"), "{}", planned.out);
    assert!(!folder.path().join("data/tenants/acme").exists(), "a plan makes no tenant");

    let applied = run(&["apply", "acme"]);
    assert_eq!(applied.code, 0, "{}", applied.err);
    assert!(applied.out.ends_with("ids written into types/item.yaml\n"), "{}", applied.out);
    let text = fs::read_to_string(folder.path().join("acme/types/item.yaml")).unwrap();
    assert_eq!(text, "id: 10\nname: item\nproperties:\n  a: {id: 100, kind: pString}\n");
    assert_eq!(run(&["apply", "acme"]).out, "Nothing to change.\n");

    let pulled = run(&["pull", "copy"]);
    assert_eq!(pulled.out, "2 files of acme written into copy.\n");
    assert_eq!(fs::read_to_string(folder.path().join("copy/types/item.yaml")).unwrap(), text);
    fs::write(folder.path().join("copy/types/item.yaml"), "name: mine\n").unwrap();
    let refused = run(&["pull", "copy"]);
    assert_eq!(refused.code, 1);
    assert_eq!(
        refused.err,
        "plinth: These files differ from the tenant's: types/item.yaml.\nOverwrite them with --force.\n"
    );
    assert_eq!(run(&["pull", "--force", "copy"]).code, 0);
    assert_eq!(fs::read_to_string(folder.path().join("copy/types/item.yaml")).unwrap(), text);
}

#[test]
fn a_new_tenant_is_told_alike_before_and_when_it_is_made() {
    let folder = folder();
    fs::write(folder.path().join("acme/tenant.yaml"), "tenant: acme\ntitle: Acme\n").unwrap();
    let run = |arguments: &[&str]| plinth(folder.path(), arguments);
    let planned = run(&["plan", "acme"]).out;
    assert!(planned.contains("safe    store the new file tenant.yaml\n"), "{planned}");
    let applied = run(&["apply", "acme"]).out;
    assert_eq!(applied, format!("{planned}ids written into types/item.yaml\n"));
    fs::write(folder.path().join("acme/tenant.yaml"), "tenant: acme\ntitle: Others\n").unwrap();
    assert_eq!(run(&["apply", "acme"]).out, "safe    store the changed file tenant.yaml\n");
}

#[test]
fn errors_show_their_lines_and_end_with_one() {
    let folder = folder();
    fs::write(folder.path().join("acme/types/item.yaml"), "name: item\nproperties:\n  a: {kind: pStrng}\n").unwrap();
    let checked = plinth(folder.path(), &["check", "acme"]);
    assert_eq!((checked.code, checked.out.as_str()), (1, ""));
    assert_eq!(
        checked.err,
        "\
error[unknown_kind]: There is no kind \"pStrng\".
  --> acme/types/item.yaml:3:13
  |
3 |   a: {kind: pStrng}
  |             ^
  help: did you mean `pString`?

plinth: 1 problem in the files. Nothing was changed.
"
    );
    let applied = plinth(folder.path(), &["apply", "--json", "acme"]);
    assert_eq!(applied.code, 1);
    let json: Json = serde_json::from_str(&applied.out).unwrap();
    assert_eq!(json["problems"][0]["line"], 3);
    assert_eq!(json["problems"][0]["suggestion"], "pString");
    assert!(!folder.path().join("data/tenants/acme").exists(), "nothing is made of files that are wrong");
    assert!(plinth(folder.path(), &["check", "nowhere"]).err.starts_with("plinth: There is no folder nowhere."));
}

#[test]
fn where_data_cannot_be_the_command_says_what_to_do() {
    let folder = folder();
    fs::write(folder.path().join("data"), "").unwrap();
    let refused = plinth(folder.path(), &["apply", "acme"]);
    assert_eq!(refused.code, 1);
    assert!(refused.err.starts_with("plinth: The data folder "), "{}", refused.err);
    assert!(refused.err.ends_with("\nChoose a folder that you may write to with --data DIR.\n"), "{}", refused.err);
    let address = "postgresql://nobody@127.0.0.1:1/nothing";
    let refused = plinth(folder.path(), &["apply", "acme", "--postgres", address]);
    assert!(refused.err.starts_with("plinth: The database cannot be used: "), "{}", refused.err);
    assert!(refused.err.contains("Is it running"), "{}", refused.err);
}

#[test]
fn output_that_nobody_reads_is_no_failure() {
    let folder = folder();
    let mut command = Command::new(env!("CARGO_BIN_EXE_plinth"));
    command.args(["apply", "acme", "--data", "data"]).current_dir(folder.path()).env_clear();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn files_without_their_ids_are_no_safe_change() {
    let folder = folder();
    let run = |arguments: &[&str]| plinth(folder.path(), arguments);
    let item = folder.path().join("acme/types/item.yaml");
    let before = fs::read_to_string(&item).unwrap();
    assert_eq!(run(&["apply", "acme"]).code, 0);
    let applied = fs::read_to_string(&item).unwrap();
    // A copy from before the first apply, and nothing in the table.
    fs::write(&item, before).unwrap();
    let refused = run(&["apply", "acme"]);
    assert_eq!(refused.code, 1);
    let line = "LOSS    drop type item with its resources: the files have a type item without its id 10\n";
    assert!(refused.out.contains(line), "{}", refused.out);
    assert_eq!(
        refused.err,
        "plinth: Values would be lost. Nothing was changed.\nA type or property without an id is a new one, whatever its \
         name: types/item.yaml has such. One that you renamed keeps its values by its old id, which the files of plinth \
         pull have.\nIf the loss is meant, allow it with --allow-loss.\n"
    );
    fs::write(&item, applied.replace("{id: 100, ", "{")).unwrap();
    let line = "safe    drop property item.a with its values: the files have a without its id 100\n";
    let planned = run(&["plan", "acme"]).out;
    assert!(planned.contains(line), "{planned}");
    assert_eq!(run(&["pull", "--force", "acme"]).code, 0);
    assert_eq!(run(&["plan", "acme"]).out, "Nothing to change.\n");
}

#[test]
fn a_plan_that_rows_prevent_ends_with_one() {
    let folder = folder();
    let run = |arguments: &[&str]| plinth(folder.path(), arguments);
    assert_eq!(run(&["apply", "acme"]).code, 0);
    fs::write(folder.path().join("rows.csv"), "a\nx\n").unwrap();
    assert_eq!(run(&["import", "item", "rows.csv"]).code, 0);
    let changed = "id: 10\nname: item\nproperties:\n  a: {id: 100, kind: pInteger}\n";
    fs::write(folder.path().join("acme/types/item.yaml"), changed).unwrap();
    let failure =
        "plinth: Existing rows do not fit the new configuration.\nChange the rows or the files. Nothing was changed.\n";
    for command in ["plan", "apply"] {
        let refused = run(&[command, "acme"]);
        assert_eq!((refused.code, refused.err.as_str()), (1, failure), "{command}");
        assert!(
            refused.out.starts_with("REFUSED convert property item.a, pString to pInteger (1 row)\n"),
            "{}",
            refused.out
        );
    }
}

#[test]
fn files_that_cannot_take_their_ids_are_not_applied() {
    let folder = folder();
    // What stands in the way of the file that is written beside the one before.
    fs::create_dir(folder.path().join("acme/types/item.yaml.new")).unwrap();
    let refused = plinth(folder.path(), &["apply", "acme"]);
    assert_eq!(refused.code, 1);
    assert!(refused.err.starts_with("plinth: acme/types/item.yaml cannot be written: "), "{}", refused.err);
    assert!(refused.err.contains("\nNothing was changed. Apply from a folder"), "{}", refused.err);
    assert!(!folder.path().join("data/tenants/acme").exists(), "no tenant was made");
    fs::remove_dir(folder.path().join("acme/types/item.yaml.new")).unwrap();
    assert_eq!(plinth(folder.path(), &["apply", "acme"]).code, 0);
}

#[test]
fn loss_needs_to_be_allowed() {
    let folder = folder();
    let run = |arguments: &[&str]| plinth(folder.path(), arguments);
    assert_eq!(run(&["apply", "acme"]).code, 0);
    fs::write(folder.path().join("rows.csv"), "a\nx\ny\n").unwrap();
    let imported = run(&["import", "item", "rows.csv"]);
    assert_eq!(imported.code, 0, "{}", imported.err);
    fs::write(folder.path().join("acme/types/item.yaml"), "id: 10\nname: item\n").unwrap();
    let refused = run(&["apply", "acme"]);
    assert_eq!(refused.code, 1);
    assert!(refused.out.starts_with("LOSS    drop property item.a with its values (2 rows)\n"), "{}", refused.out);
    assert_eq!(refused.err, "plinth: Values would be lost. Nothing was changed.\nAllow it with --allow-loss.\n");
    let tried = run(&["apply", "--json", "--dry-run", "--allow-loss", "acme"]);
    let json: Json = serde_json::from_str(&tried.out).unwrap();
    assert_eq!((json["applied"].as_bool(), json["loses"].as_bool()), (Some(false), Some(true)));
    assert_eq!(json["changes"][0]["rows"], 2);
    assert_eq!(run(&["apply", "--allow-loss", "acme"]).code, 0);
    assert_eq!(run(&["plan", "acme"]).out, "Nothing to change.\n");
    let other = run(&["plan", "--tenant", "other", "acme"]);
    assert_eq!(
        other.err,
        "plinth: tenant.yaml is for the tenant acme, not other.\nLeave --tenant out, or change the file.\n"
    );
}
