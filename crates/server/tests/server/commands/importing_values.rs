//! `plinth import` reads what imports over HTTP do: titles of records and options, and numbers with signs.

use crate::commands::program::Plinth;
use serde_json::json;
use spec::spec;

const MAKER: &str = "name: maker\ncodeProperty: code\ntitleProperty: name\nproperties:\n  \
                     code: {kind: pString, unique: true}\n  name: {kind: pString}\n";
const THING: &str = "name: thing\nproperties:\n  name: {kind: pString, required: true}\n  \
                     maker: {kind: pRelation, type: maker}\n  price: {kind: pDecimal, scale: 2}\n  day: {kind: pDate}\n  \
                     state: {kind: pEnum, options: {n: {title: New}, o: {title: Old}}}\n";

#[spec("E-151", "E-152", "E-153", "E-166")]
async fn a_command_reads_titles_and_numbers(plinth: Plinth) {
    plinth.file("acme/tenant.yaml", "tenant: acme\n");
    plinth.file("acme/types/maker.yaml", MAKER);
    let folder = plinth.file("acme/types/thing.yaml", THING);
    plinth.run(&["apply", folder.strip_suffix("/types/thing.yaml").unwrap()]).done();
    let makers = plinth.file("makers.csv", "code,name\nA,Ada\nB,Twin\nC,Twin\n");
    plinth.run(&["import", "maker", &makers]).done();
    let things = plinth.file("things.csv", "name;maker;price;state\nOne;Ada;1.234,5;new\n");
    let refused = plinth.run(&["import", "thing", &things, "--delimiter", ";"]);
    assert_eq!(refused.code, 1);
    assert!(refused.errors.contains("Price is 1234.5 where the file has \"1.234,5\""), "{}", refused.errors);
    plinth.run(&["import", "thing", &things, "--delimiter", ";", "--decimal", ","]).done();
    let exported = plinth.run(&["export", "thing", "--format", "jsonl"]).done();
    let row: serde_json::Value = serde_json::from_str(exported.trim()).unwrap();
    assert_eq!([&row["maker"], &row["price"], &row["state"]], [&json!(1), &json!(1234.5), &json!("n")], "{row}");
    let wrong = plinth.file("wrong.csv", "name,maker,state\n,Twin,none\n");
    let told = plinth.run(&["import", "thing", &wrong, "--json"]).json();
    let codes: Vec<_> = told["problems"].as_array().unwrap().iter().map(|one| one["code"].clone()).collect();
    assert_eq!(codes, ["not_option", "required", "reference_ambiguous"], "{told}");
    assert_eq!([&told["problems"][0]["value"], &told["failed"]], [&json!("none"), &json!(1)]);
    let days = plinth.file("days.csv", "name,day,price\nTwo,1/2/2026,\"2,5\"\n");
    let refused = plinth.run(&["import", "thing", &days, "--decimal", ","]);
    assert!(refused.errors.contains("set dates to \"dmy\" or \"mdy\""), "{}", refused.errors);
    plinth.run(&["import", "thing", &days, "--decimal", ",", "--dates", "mdy"]).done();
    // Numbers and days of a workbook are read as they are.
    let book = plinth.path("things.xlsx");
    let book = book.to_str().unwrap();
    plinth.run(&["export", "thing", "--out", book]).done();
    let update =
        ["import", "thing", book, "--mode", "update", "--key", "uuid", "--decimal", ",", "--dates", "dmy", "--json"];
    let told = plinth.run(&update).json();
    assert_eq!([&told["unchanged"], &told["problemCount"]], [&json!(2), &json!(0)], "{told}");
    let exported = plinth.run(&["export", "thing", "--format", "jsonl"]).done();
    assert!(exported.contains("\"day\":\"2026-01-02\""), "{exported}");
    let json = plinth.file("things.jsonl", "{\"name\": \"Two\"}\n");
    let refused = plinth.run(&["import", "thing", &json, "--dates", "dmy"]);
    assert!(refused.errors.contains("--dates is for CSV and workbooks alone."), "{}", refused.errors);
    let refused = plinth.run(&["import", "thing", &json, "--decimal", ","]);
    assert!(refused.errors.contains("--decimal is for CSV and workbooks alone."), "{}", refused.errors);
}
