//! Ids are written into files without touching anything else, and files come back byte for byte.

use super::tenant::on_both;
use configuration::{ApplyOptions, Files, apply, check, pull};
use std::fs;
use tempfile::TempDir;

/// The file `types/a.yaml`, before and after its ids are given.
#[track_caller]
fn completed(before: &str, after: &str) {
    let mut files = Files::default();
    files.insert("tenant.yaml", "tenant: acme\n");
    files.insert("types/a.yaml", before);
    let loaded = check(&files).unwrap_or_else(|problems| panic!("{problems:#?}"));
    assert_eq!(loaded.files.get("types/a.yaml").unwrap(), after);
}

#[test]
fn ids_are_written_where_they_belong() {
    completed("name: a\n", "id: 10\nname: a\n");
    completed("name: a", "id: 10\nname: a");
    completed("# A type.\n\n---\n  name: a\n", "# A type.\n\n---\n  id: 10\n  name: a\n");
    completed(
        "{name: a, properties: {b: {kind: pDate}}}",
        "{id: 10, name: a, properties: {b: {id: 100, kind: pDate}}}",
    );
    completed(
        "name: a\r\nproperties:\r\n  b:\r\n    kind: pDate # when\r\n",
        "id: 10\r\nname: a\r\nproperties:\r\n  b:\r\n    id: 100\r\n    kind: pDate # when\r\n",
    );
    completed(
        "name: a\nproperties:\n  b:\n    # the day\n    kind: pDate\n  größe: {kind: pDate}\n"
            .replace("größe", "c")
            .as_str(),
        "id: 10\nname: a\nproperties:\n  b:\n    # the day\n    id: 100\n    kind: pDate\n  c: {id: 101, kind: pDate}\n",
    );
    completed(
        "title: Größe\nname: a\nproperties:\n  b: {title: Höhe, kind: pDate}\n  c: { kind: pDate }\n",
        "id: 10\ntitle: Größe\nname: a\nproperties:\n  b: {id: 100, title: Höhe, kind: pDate}\n  c: {id: 101,  kind: pDate }\n",
    );
    completed("\u{feff}name: a\n", "\u{feff}id: 10\nname: a\n");
    completed("'name': a\n", "id: 10\n'name': a\n");
    completed(
        "id: 40\nname: a\nproperties:\n  b: {kind: pDate}\n  c: {id: 300, kind: pDate}\n",
        "id: 40\nname: a\nproperties:\n  b: {id: 301, kind: pDate}\n  c: {id: 300, kind: pDate}\n",
    );
}

#[test]
fn files_come_back_byte_for_byte() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("types")).unwrap();
    fs::write(folder.path().join("tenant.yaml"), "# Größe\r\ntenant: acme").unwrap();
    fs::write(folder.path().join("types/a.yaml"), "name: a   # no id yet\n\n\n").unwrap();
    fs::write(folder.path().join(".hidden.yaml"), "x: [").unwrap();
    fs::write(folder.path().join("README.md"), "Not configuration.").unwrap();
    on_both(|tenant| {
        fs::write(folder.path().join("types/a.yaml"), "name: a   # no id yet\n\n\n").unwrap();
        let files = Files::read(folder.path()).unwrap();
        let applied = apply(&tenant.store, &tenant.world, &files, ApplyOptions::default()).unwrap();
        assert_eq!(applied.write_back(folder.path(), &files).unwrap(), ["types/a.yaml"]);
        let text = fs::read_to_string(folder.path().join("types/a.yaml")).unwrap();
        assert_eq!(text, "id: 10\nname: a   # no id yet\n\n\n");
        // The folder is what was applied; pulled elsewhere it is the same again.
        assert_eq!(Files::read(folder.path()).unwrap(), pull(&tenant.store).unwrap());
        let elsewhere = TempDir::new().unwrap();
        pull(&tenant.store).unwrap().write(&elsewhere.path().join("new")).unwrap();
        for path in ["tenant.yaml", "types/a.yaml"] {
            let there = fs::read(elsewhere.path().join("new").join(path)).unwrap();
            assert_eq!(there, fs::read(folder.path().join(path)).unwrap());
        }
    });
}

#[test]
fn a_file_that_was_changed_meanwhile_is_left_alone() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("types")).unwrap();
    fs::write(folder.path().join("tenant.yaml"), "tenant: acme").unwrap();
    on_both(|tenant| {
        fs::write(folder.path().join("types/a.yaml"), "name: a\n").unwrap();
        let files = Files::read(folder.path()).unwrap();
        let applied = apply(&tenant.store, &tenant.world, &files, ApplyOptions::default()).unwrap();
        fs::write(folder.path().join("types/a.yaml"), "name: a # mine\n").unwrap();
        assert_eq!(applied.write_back(folder.path(), &files).unwrap_err().code, "file_changed");
        assert_eq!(fs::read_to_string(folder.path().join("types/a.yaml")).unwrap(), "name: a # mine\n");
    });
}

#[test]
fn a_misspelt_folder_is_not_overlooked() {
    let folder = TempDir::new().unwrap();
    for path in ["type", "data", "types/deep/er/est"] {
        fs::create_dir_all(folder.path().join(path)).unwrap();
    }
    fs::write(folder.path().join("tenant.yaml"), "tenant: acme").unwrap();
    fs::write(folder.path().join("type/a.yaml"), "name: a").unwrap();
    fs::write(folder.path().join("types/deep/er/b.yaml"), "name: b").unwrap();
    fs::write(folder.path().join("data/a.csv"), "a,b").unwrap();
    let problems = check(&Files::read(folder.path()).unwrap()).unwrap_err();
    let problems: Vec<(&str, &str)> = problems.iter().map(|found| (found.file.as_str(), found.code)).collect();
    assert_eq!(problems, [("type/a.yaml", "misplaced_file"), ("types/deep/er/b.yaml", "misplaced_file")]);
}

#[test]
fn a_dry_run_changes_nothing() {
    on_both(|tenant| {
        let mut files = Files::default();
        files.insert("tenant.yaml", "tenant: acme\n");
        files.insert("types/a.yaml", "name: a\n");
        let options = ApplyOptions { dry_run: true, ..ApplyOptions::default() };
        let applied = apply(&tenant.store, &tenant.world, &files, options).unwrap();
        assert_eq!(applied.plan.completed, ["types/a.yaml"]);
        assert_eq!(tenant.tables(), []);
        assert!(pull(&tenant.store).unwrap().is_empty());
    });
}
