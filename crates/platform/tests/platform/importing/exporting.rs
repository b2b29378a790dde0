//! What is exported can be imported.

use super::{Importing, create, upsert};
use serde_json::{Value as Json, json};
use spec::spec;
use transfer::export;
use transfer::export::{ExportForm, Exported};

const ROWS: &str = "code,name,state,marks,country.code,at,meta\n\
                    1,One \"x\",old,red|blue,CZ,2026-07-20 10:00:00,{\"a\":[]}\n\
                    2,Žluťoučký,,,,,\n";

fn cells(world: &Importing, collection: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut each = |row: Exported<'_>| {
        match row {
            Exported::Header(cells) | Exported::Cells(cells) => rows.push(cells.to_vec()),
            Exported::Object(_) => panic!("cells were asked for"),
        }
        Ok(())
    };
    tokio::task::block_in_place(|| export::export(&world.0.tenant, collection, ExportForm::Cells, &mut each)).unwrap();
    rows
}

fn objects(world: &Importing, collection: &str) -> Vec<Json> {
    let mut rows = Vec::new();
    let mut each = |row: Exported<'_>| {
        let Exported::Object(object) = row else { panic!("objects were asked for") };
        rows.push(serde_json::from_slice(object).unwrap());
        Ok(())
    };
    tokio::task::block_in_place(|| export::export(&world.0.tenant, collection, ExportForm::Objects, &mut each))
        .unwrap();
    rows
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
