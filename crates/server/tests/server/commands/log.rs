//! `plinth log` over what a server has logged.

use super::plinth;
use serde_json::{Value as Json, json};
use std::fs;
use tempfile::TempDir;
use testing::Process;

const FILES: [(&str, &str); 4] = [
    ("tenant.yaml", "tenant: acme\ntimezone: Europe/Prague\n"),
    ("types/patient.yaml", "id: 40\nname: patient\nlogReads: true\nproperties:\n  name: {id: 400, kind: pString}\n"),
    ("roles/nurse.yaml", "role: nurse\nsystem: [restApi]\ntypes: {patient: {show: true, create: true}}\n"),
    ("users/ann.yaml", "user: ann@acme.test\nname: Ann\nroles: [nurse]\n"),
];

#[tokio::test]
async fn the_log_of_reads_is_shown() {
    let folder = TempDir::new().unwrap();
    for (path, text) in FILES {
        let path = folder.path().join("acme").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let run = |arguments: &[&str]| plinth(folder.path(), arguments);
    let applied = run(&["apply", "acme"]);
    assert_eq!(applied.code, 0, "{}", applied.err);
    assert_eq!(run(&["log"]).out, "No reads were logged.\n");
    let key = run(&["key", "create", "ann@acme.test"]).out;
    let data = folder.path().join("data").display().to_string();
    let server =
        Process::start(env!("CARGO_BIN_EXE_plinth"), &["serve", "--json", "--listen", "127.0.0.1:0", "--data", &data]);
    let ann = server.client().with("key", key.trim());
    let made = ann.create("patient", json!({"name": "Bea"})).await;
    ann.get(&format!("collection/patient/{}", made["id"])).await.is(200);
    ann.get("collection/patient").await.is(200);

    let shown = run(&["log", "--type", "patient"]);
    let lines: Vec<&str> = shown.out.lines().collect();
    assert_eq!(lines.len(), 3, "{}{}", shown.out, shown.err);
    assert!(lines[0].starts_with("at ") && lines[0].ends_with("  way   resource   user           key  address"));
    assert!(lines[1].ends_with("  list  patient 1  ann@acme.test  1    127.0.0.1"), "{}", lines[1]);
    assert!(lines[2].ends_with("  get   patient 1  ann@acme.test  1    127.0.0.1"), "{}", lines[2]);
    let told: Json =
        serde_json::from_str(&run(&["log", "--json", "--limit", "1", "--user", "ann@acme.test"]).out).unwrap();
    assert_eq!((&told["items"][0]["way"], &told["hasMore"]), (&json!("list"), &json!(true)));
    for nothing in [&["log", "--since", "2999-01-01"][..], &["log", "--type", "patient", "--item", "2"]] {
        assert_eq!(run(nothing).out, "No reads were logged.\n");
    }
    assert_eq!(run(&["log", "--item", "1"]).code, 2);
    assert_eq!(run(&["log", "--limit", "1001"]).code, 2);
    assert!(run(&["log", "--type", "patiens"]).err.contains("type"));
}
