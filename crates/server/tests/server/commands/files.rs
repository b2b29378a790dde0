//! `plinth import` and `plinth export`.

use crate::commands::program::Plinth;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value as Json, json};
use spec::spec;
use std::io::{Read, Write};

const TYPE: &str = "id: 10\nname: thing\ncodeProperty: code\nproperties:\n  \
                    code: {id: 100, kind: pInteger, unique: true}\n  name: {id: 101, kind: pString, maxLength: 20}\n";

fn with_things(plinth: &Plinth) {
    plinth.file("tenant/tenant.yaml", "tenant: acme\n");
    plinth.file("tenant/types/thing.yaml", TYPE);
    plinth.run(&["apply", plinth.path("tenant").to_str().unwrap()]).done();
}

/// The codes and names of all things, as exported.
fn things(plinth: &Plinth) -> Vec<(i64, Json)> {
    let lines = plinth.run(&["export", "thing", "--format", "jsonl"]).done();
    let things = lines.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    things.map(|thing| (thing["code"].as_i64().unwrap(), thing["name"].clone())).collect()
}

#[spec("D-24")]
async fn files_of_every_form_are_read(plinth: Plinth) {
    with_things(&plinth);
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all("\u{feff}code;name\r\n5;\"a;b\"\r\n6;\r\n".as_bytes()).unwrap();
    for (name, bytes, options) in [
        ("one.csv", b"code,name\n1,\"x\ny\"\n2,\xc5\x99\n".to_vec(), &[][..]),
        ("two.json", br#" [ {"code": 3, "name": "z"} , {"code": 4} ] "#.to_vec(), &[]),
        ("three.csv.gz", packed.finish().unwrap(), &["--delimiter", ";"]),
        ("four.ndjson", b"{\"code\": 7}\n\n{\"code\": 8}".to_vec(), &[]),
        ("five.csv", b"number,name\n9,n\n".to_vec(), &["--column", "number=code"]),
    ] {
        let file = plinth.file(name, bytes);
        plinth.run(&[&["import", "thing", &file][..], options].concat()).done();
    }
    let piped = ["import", "thing", "-", "--format", "json", "--json"];
    let summary = plinth.run_with(&piped, b"[]").json();
    assert_eq!((&summary["rows"], &summary["kept"]), (&json!(0), &json!(true)));
    let names = things(&plinth);
    let codes: Vec<i64> = names.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, (1..=9).collect::<Vec<i64>>());
    let names: Vec<&Json> = names.iter().map(|(_, name)| name).filter(|name| !name.is_null()).collect();
    assert_eq!(names, ["x\ny", "ř", "z", "a;b", "n"]);
}

#[spec("D-24", "E-095")]
async fn a_workbook_comes_back(plinth: Plinth) {
    with_things(&plinth);
    let rows: String = (1..=600).map(|code| format!("{code},name {code}\n")).collect();
    plinth.run(&["import", "thing", &plinth.file("things.csv", format!("code,name\n{rows}"))]).done();
    let book = plinth.path("things.xlsx");
    let book = book.to_str().unwrap();
    plinth.run(&["export", "thing", "--out", book]).done();
    for sheet in [&[][..], &["--sheet", "Export"], &["--sheet", "1"]] {
        let run = [&["import", "thing", book, "--mode", "update", "--key", "uuid", "--json"][..], sheet].concat();
        let summary = plinth.run(&run).json();
        assert_eq!([&summary["unchanged"], &summary["problemCount"]], [&json!(600), &json!(0)], "{summary}");
    }
    let refused = plinth.run(&["import", "thing", book, "--sheet", "Nosuch"]);
    assert!(refused.code == 1 && refused.errors.contains("no sheet \"Nosuch\", but \"Export\""), "{}", refused.errors);
    let refused = plinth.run(&["import", "thing", &plinth.file("old.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")]);
    assert!(refused.code == 1 && refused.errors.contains("Save it as .xlsx"), "{}", refused.errors);
    assert_eq!(plinth.run(&["import", "thing", book, "--delimiter", "\""]).code, 1);
}

#[spec("D-24")]
async fn a_header_with_another_delimiter_names_the_option(plinth: Plinth) {
    with_things(&plinth);
    let refused = |bytes: &str, delimiter: &str| {
        let file = plinth.file("things.csv", bytes);
        let run = plinth.run(&["import", "thing", &file, "--delimiter", delimiter]);
        assert_eq!(run.code, 1);
        run.errors
    };
    for (bytes, delimiter, says) in [
        ("code;name\n1;a\n", ",", "has ';' between the names, and not ',': try --delimiter ';'."),
        ("code\tname\n1\ta\n", ",", "try --delimiter $'\\t'."),
        ("code,name\n1,a\n", ";", "has ',' between the names, and not ';': try --delimiter ','."),
        ("cod\n1\n", ",", "There is no property \"cod\". Did you mean \"code\"?"),
    ] {
        let said = refused(bytes, delimiter);
        assert!(said.contains(says), "{said}");
    }
}

#[spec("D-24")]
async fn problems_have_the_line_of_their_row(plinth: Plinth) {
    with_things(&plinth);
    for (name, bytes, lines) in [
        ("a.csv", b"code,name\n1,\"a\nb\"\nx,c\n".to_vec(), [4].as_slice()),
        ("b.csv", b"code,name\r\n1,a\r\nx,b\r\n3\r\n".to_vec(), &[3, 4]),
        ("c.csv", b"code,name\n1,\"a\"b\nx,c\n".to_vec(), &[2, 3]),
        ("d.jsonl", b"{\"code\": 1}\n\nnonsense\n{\"code\": \"2\"}\n[]\n".to_vec(), &[3, 4, 5]),
        ("e.json", b"[{\"code\": 1},\n {\"code\": 1.5}]".to_vec(), &[2]),
    ] {
        let run = plinth.run(&["import", "thing", &plinth.file(name, bytes), "--json"]);
        let problems = run.json()["problems"].as_array().unwrap().clone();
        let found: Vec<&Json> = problems.iter().map(|problem| &problem["line"]).collect();
        assert_eq!((json!(found), run.code), (json!(lines), 1), "{name}: {problems:?}");
    }
    let many: String = (0..30).map(|code| format!("{code},a name that is much too long\n")).collect();
    let run = plinth.run(&["import", "thing", &plinth.file("many.csv", format!("code,name\n{many}"))]);
    assert!(run.errors.contains("line 21:") && !run.errors.contains("line 22:"), "{}", run.errors);
    assert!(run.errors.contains("and 10 more") && run.errors.contains("30 of 30 rows have problems."));
    assert!(things(&plinth).is_empty());
}

#[spec("D-24")]
async fn broken_files_import_nothing(plinth: Plinth) {
    with_things(&plinth);
    for (name, bytes) in [
        ("a.json", &b"[{\"code\": 1}, {\"code\": 2}"[..]),
        ("b.json", b"{\"code\": 1}"),
        ("c.csv.gz", b"code\n1\n"),
        ("d.csv", b"code,nmae\n1,a\n"),
        ("e.txt", b"code\n1\n"),
        ("f.csv", b""),
    ] {
        let run = plinth.run(&["import", "thing", &plinth.file(name, bytes)]);
        let nothing = name == "f.csv" && run.code == 0;
        assert!(nothing || (run.code == 1 && run.errors.starts_with("plinth: ")), "{name}: {}", run.errors);
    }
    assert!(things(&plinth).is_empty());
}

#[spec("D-24")]
async fn exports_come_back(plinth: Plinth) {
    with_things(&plinth);
    let rows: String = (1..=2_100).map(|code| format!("{code},\"Thing, {code}\"\n")).collect();
    plinth.run(&["import", "thing", &plinth.file("things.csv", format!("code,name\n{rows}"))]).done();
    for ending in ["csv", "json", "jsonl", "csv.gz", "jsonl.gz"] {
        let path = plinth.path(&format!("out.{ending}"));
        let path = path.to_str().unwrap();
        plinth.run(&["export", "thing", "--out", path]).done();
        let summary = plinth.run(&["import", "thing", path, "--mode", "update", "--key", "uuid", "--json"]).json();
        assert_eq!((&summary["unchanged"], &summary["problemCount"]), (&json!(2_100), &json!(0)), "{ending}");
    }
    let mut csv = String::new();
    let packed = std::fs::File::open(plinth.path("out.csv.gz")).unwrap();
    GzDecoder::new(packed).read_to_string(&mut csv).unwrap();
    assert_eq!(csv.lines().count(), 2_101);
    assert!(csv.starts_with("id,uuid,code,name\n1,"));
}
