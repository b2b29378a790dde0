//! Days and numbers as people write them, in CSV and in texts of workbooks.

use super::many::ended;
use super::values::{Shelf, WORKBOOK, messages};
use super::workbooks::book;
use serde_json::{Value as Json, json};
use spec::spec;
use std::fmt::Write as _;

#[spec("E-166")]
async fn days_with_slashes_are_read_by_the_order_that_is_named(shelf: Shelf) {
    for (value, message) in [
        ("31/12/2026", "is 2026-12-31 where the file has \"31/12/2026\": set dates to \"dmy\" for the import."),
        ("12/31/2026", "is 2026-12-31 where the file has \"12/31/2026\": set dates to \"mdy\" for the import."),
        (
            "1/2/2026",
            "is 2026-02-01 or 2026-01-02 where the file has \"1/2/2026\": set dates to \"dmy\" or \"mdy\" for the import.",
        ),
        ("29/2/2026", "must be a date such as 2026-11-20, not \"29/2/2026\"."),
    ] {
        let refused = shelf.run("", &format!("code,name,day\na,A,{value}\n")).await;
        assert_eq!(messages(&refused), [(2, format!("Day {message}").as_str())]);
    }
    let refused = shelf.run("", "code,name,day\na,A,1/2/2026\n").await;
    assert_eq!([&refused["problems"][0]["code"], &refused["problems"][0]["value"]], ["date_unclear", "1/2/2026"]);
    let csv = "code,name,day\na,A,1/2/2026\nb,B,3. 2. 2026\nc,C,2026-02-05\n";
    assert_eq!(shelf.run("dates=dmy", csv).await["result"]["created"], 3);
    assert_eq!(shelf.run("dates=mdy", "code,name,day\nd,D,1/2/2026\n").await["result"]["created"], 1);
    let days = json!([{"day": "2026-02-01"}, {"day": "2026-02-03"}, {"day": "2026-02-05"}, {"day": "2026-01-02"}]);
    assert_eq!(shelf.items("day").await, days);
    let refused = shelf.run("dates=mdy", "code,name,day\ne,E,31/12/2026\n").await;
    let message = "Day must be a date such as 12/31/2026, as the import has dates \"mdy\", not \"31/12/2026\".";
    assert_eq!(messages(&refused), [(2, message)]);
    for (parameters, media_type, code) in
        [("run=1&dates=ymd", "text/csv", "word_unknown"), ("run=1&dates=dmy", "application/json", "parameter_invalid")]
    {
        let refused = shelf.send(parameters, media_type, "[]").await.is(400);
        assert_eq!([refused.at("/code"), refused.at("/errors/0/property")], [code, "dates"]);
    }
}

#[spec("E-166", "E-097")]
async fn datetimes_with_points_are_read_day_first_in_the_zone_of_those_without_an_offset(shelf: Shelf) {
    let csv = "code,name,at\na,A,15.12.2026 8:00\nb,B,15.12.2026 08:00:00\nc,C,5. 1. 2026 8:00\n\
        d,D,15.12.2026\ne,E,2026-12-15T08:00:00\nf,F,15.12.2026 8:00+05:00\n";
    assert_eq!(shelf.run("dates=mdy", csv).await["result"]["created"], 6);
    let iso =
        ["2026-12-15 08:00:00", "2026-12-15 08:00:00", "2026-01-05 08:00:00", "2026-12-15", "2026-12-15 08:00:00"];
    let rows: String = iso.iter().enumerate().map(|(row, at)| format!("i{row},I,{at}\n")).collect();
    let rows = format!("code,name,at\n{rows}i5,I,2026-12-15 08:00:00+05:00\n");
    assert_eq!(shelf.run("", &rows).await["result"]["created"], 6);
    let items = shelf.items("at").await;
    let (written, requests) = items.as_array().unwrap().split_at(6);
    assert_eq!(written, requests);
    for at in ["15.13.2026 8:00", "15.12.2026 25:00", "15/12/2026 8:00", "15.12.26 8:00"] {
        let refused = shelf.run("dates=dmy", &format!("code,name,at\nx,X,{at}\n")).await;
        assert_eq!(refused["problems"][0]["code"], "not_datetime", "{at}");
    }
}

#[spec("E-097")]
async fn a_file_in_another_encoding_is_refused_as_a_whole(shelf: Shelf) {
    // \u{17e} is the byte 9e in windows-1250.
    for (body, line) in [(&b"code,name\na,A\nb,\x9elu\x9d\nc,\x9e\n"[..], 3), (b"code,n\xe1zev\na,A\n", 1)] {
        for parameters in ["", "run=1", "run=1&keepGoing=1"] {
            let refused = shelf.send(parameters, "text/csv", body).await.is(400);
            assert_eq!(refused.at("/code"), "file_unreadable");
            let message = format!("The file cannot be read: line {line} is not UTF-8. Save the file as UTF-8.");
            assert_eq!(refused.at("/detail"), message);
        }
    }
    assert_eq!(shelf.items("code").await, json!([]));
}

/// The orders of days that the columns of a preview have.
fn orders(shown: &Json) -> Vec<Json> {
    shown["columns"].as_array().unwrap().iter().map(|column| column["days"].clone()).collect()
}

#[spec("E-166")]
async fn a_preview_tells_the_order_of_days(shelf: Shelf) {
    let csv = "code;name;day;at;count\n1;1/2/2026;1/2/2026;a/b;1\n2;13/2/2026;2/1/2026;x;2\n3;3/2/2026;;;2/13/2026\n";
    let shown = shelf.send("delimiter=%3B", "text/csv", csv).await.is(201).json();
    let expected = [
        Json::Null,
        json!({"dates": "dmy", "sample": "1/2/2026"}),
        json!({"dates": null, "sample": "1/2/2026"}),
        Json::Null,
        json!({"dates": "mdy", "sample": "2/13/2026"}),
    ];
    assert_eq!(orders(&shown), expected);
    let path = format!("/api/ext/v1/import/{}/run", shown["import"]);
    let refused = shelf.0.post(&path, json!({"dates": "d/m/y"})).await.is(400);
    assert_eq!(refused.at("/errors/0/property"), "dates");
}

#[spec("E-166", "E-098")]
async fn a_job_keeps_the_order_of_days(shelf: Shelf) {
    let _working = shelf.1.work_jobs();
    let mut csv = "code,name,day,price\n".to_owned();
    (0..1_001).for_each(|row| writeln!(csv, "{row},A,2/1/2026,\"1,5\"").unwrap());
    let kept = shelf.send("", "text/csv", csv).await.is(201);
    let path = format!("/api/ext/v1/import/{}/run", kept.at("/import"));
    shelf.0.post(&path, json!({"dates": "dmy", "decimal": ","})).await.is(202);
    let done = ended(&shelf.0, &kept.at("/import")).await;
    assert_eq!([&done["state"], &done["result"]["created"]], [&json!("done"), &json!(1_001)], "{done}");
    let last = shelf.0.get("/api/ext/v1/collection/item?orderBy=-id&perPage=1&showFields=day,price").await.is(200);
    assert_eq!((last.at("/data/0/day"), last.at("/data/0/price").as_f64()), (json!("2026-01-02"), Some(1.5)));
}

/// A row of a sheet with texts and numbers; a number may have a style in front, `1:46353`.
fn row(number: u32, cells: [&str; 5]) -> String {
    let cell = |(column, cell): (char, &str)| match (cell.strip_prefix('#'), cell) {
        (Some(value), _) => {
            let (style, value) = value.split_once(':').unwrap_or(("0", value));
            format!("<c r=\"{column}{number}\" s=\"{style}\"><v>{value}</v></c>")
        }
        (None, "") => String::new(),
        (None, text) => format!("<c r=\"{column}{number}\" t=\"inlineStr\"><is><t>{text}</t></is></c>"),
    };
    let cells: String = ('A'..).zip(cells).map(cell).collect();
    format!("<row r=\"{number}\">{cells}</row>")
}

#[spec("E-153", "E-166")]
async fn texts_of_workbooks_are_read_as_cells_of_csv(shelf: Shelf) {
    let rows = row(1, ["code", "name", "count", "price", "day"])
        + &row(2, ["a", "A", "9.500", "1.234,5", "31/12/2026"])
        + &row(3, ["b", "B", "#7", "#1234.5", "#1:46353"])
        + &row(4, ["c", "#12", "#9500", "#0.5", ""]);
    let body = || book(&[("Items", &rows)], "", "");
    let refused = shelf.send("run=1", WORKBOOK, body()).await.is(200).json();
    let problems = refused["problems"].as_array().unwrap().iter();
    let told: Vec<Json> = problems.map(|one| json!([one["line"], one["column"], one["code"]])).collect();
    let expected =
        [json!([2, "count", "not_integer"]), json!([2, "price", "number_unclear"]), json!([2, "day", "date_unclear"])];
    assert_eq!(told, expected, "{refused}");
    // A preview looks at texts alone, and numbers of the sheet are read as they are.
    let shown = shelf.send("", WORKBOOK, body()).await.is(201).json();
    assert_eq!(shown["columns"][3]["numbers"], json!({"decimal": ",", "sample": "1.234,5"}), "{shown}");
    assert_eq!(orders(&shown)[4], json!({"dates": "dmy", "sample": "31/12/2026"}));
    let path = format!("/api/ext/v1/import/{}/run", shown["import"]);
    let done = shelf.0.post(&path, json!({"decimal": ",", "dates": "dmy"})).await.is(200);
    assert_eq!(done.at("/result/created"), 3, "{}", done.text);
    let expected = json!([
        {"name": "A", "count": 9_500, "price": 1_234.5, "day": "2026-12-31"},
        {"name": "B", "count": 7, "price": 1_234.5, "day": "2026-11-27"},
        {"name": "12", "count": 9_500, "price": 0.5, "day": null},
    ]);
    let items = shelf.items("name,count,price,day").await.to_string().replace(".50", ".5");
    assert_eq!(items, expected.to_string());
}

#[spec("E-098")]
async fn rows_are_found_by_their_given_number(engine: testing::Engine) {
    let bill = "name: bill\nproperties:\n  number: {kind: pAutonumber, pattern: \"B-{###}\", unique: true}\n  name: {kind: pString}\n";
    let server = testing::Server::with(engine, &[("types/bill.yaml", bill)]).await;
    let admin = server.admin();
    for name in ["a", "b"] {
        admin.create("bill", json!({"name": name})).await;
    }
    let run = async |mode: &str, csv: &str| {
        let path = format!("/api/ext/v1/import/bill?run=1&mode={mode}&key=number");
        admin.request("POST", &path).body("text/csv", csv.to_owned()).send().await
    };
    let changed = run("update", "number,name\nB-002,new\n").await.is(200).json();
    assert_eq!(changed["result"]["updated"], 1, "{changed}");
    assert_eq!(admin.get("collection/bill/2").await.at("/name"), "new");
    // Nobody chooses a number for a new row.
    run("upsert", "number,name\nB-009,new\n").await.is(400).says("Number is read-only.");
}
