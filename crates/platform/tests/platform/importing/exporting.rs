//! What is exported can be imported.

use super::{Importing, create, upsert};
use serde_json::{Value as Json, json};
use spec::spec;
use transfer::export::{ExportFormat, ExportRequest, export_all};

const ROWS: &str = "code,name,state,marks,country.code,at,meta\n\
                    1,One \"x\",old,red|blue,CZ,2026-07-20 10:00:00,{\"a\":[]}\n\
                    2,Žluťoučký,,,,,\n";

/// A type's export in a form.
fn exported(world: &Importing, collection: &str, format: ExportFormat) -> Vec<u8> {
    let (request, mut out) = (ExportRequest { format, ..ExportRequest::default() }, Vec::new());
    tokio::task::block_in_place(|| export_all(&world.0.tenant, collection, &request, &mut out)).unwrap();
    out
}

fn cells(world: &Importing, collection: &str) -> Vec<Vec<String>> {
    let out = exported(world, collection, ExportFormat::Csv);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(out.as_slice());
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn objects(world: &Importing, collection: &str) -> Vec<Json> {
    serde_json::from_slice(&exported(world, collection, ExportFormat::Json)).unwrap()
}

#[spec("D-24")]
async fn cells_are_those_that_imports_take(world: Importing) {
    world.csv("thing", create(), ROWS).unwrap();
    let rows = cells(&world, "thing");
    let first = ["1", "One \"x\"", "old", "red|blue", "1", "", "", "2026-07-20T10:00:00+02:00", "{\"a\":[]}", "T-001"];
    assert_eq!(rows[0][..3], ["id", "uuid", "code"]);
    assert_eq!(rows[1][2..], first);
    assert_eq!(rows.len(), 3);
    // No password leaves.
    assert!(!cells(&world, "user")[0].contains(&"password".to_owned()));
}

#[spec("D-24")]
async fn objects_change_nothing_when_they_come_back(world: Importing) {
    world.csv("thing", create(), ROWS).unwrap();
    let rows = objects(&world, "thing");
    assert_eq!(rows[1]["name"], json!("Žluťoučký"));
    let report = world.json("thing", upsert(), &rows).unwrap();
    assert_eq!((report.created, report.unchanged, report.problem_count), (0, 2, 0));
    assert_eq!(world.things("version"), [json!({"version": 1}), json!({"version": 1})]);
}

#[spec]
async fn files_are_left_out_and_refused(world: Importing) {
    world.csv("thing", create(), ROWS).unwrap();
    assert!(!cells(&world, "thing")[0].contains(&"scan".to_owned()));
    assert_eq!(objects(&world, "thing")[0].get("scan"), None);
    let refused = world.csv("thing", create(), "name,scan\nA,up_aaaaaaaaaaaaaaaaaaaaaaaaaa\n").unwrap_err();
    assert_eq!(refused.code, "property_files");
    let report = world.json("thing", create(), &[json!({"name": "A", "scan": null})]).unwrap();
    assert_eq!(super::problems(&report), [(1, "scan", "property_files")]);
}

#[spec]
async fn what_applies_to_some_rows_alone_may_follow_files(world: Importing) {
    let rows = [json!({"sent": "2026-07-20", "paid": 3}), json!({})];
    world.json("letter", create(), &rows).unwrap();
    let rows = objects(&world, "letter");
    assert_eq!([&rows[0]["paid"], &rows[1]["paid"]], [&json!(3), &json!(null)]);
    assert_eq!(cells(&world, "letter")[1][2..], ["2026-07-20", "3"]);
}
