//! Values of files: what is told of those that do not fit, titles of options, and numbers as people write them.

use super::TENANT;
use super::workbooks::book;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server, Subject};

pub(super) const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const ITEM: &str = "\
id: 60
name: item
properties:
  code: {id: 601, kind: pString, unique: true, required: true, maxLength: 4}
  name: {id: 602, kind: pString, required: true}
  count: {id: 603, kind: pInteger, min: 0, max: 100000}
  price: {id: 604, kind: pDecimal, scale: 2}
  rate: {id: 605, kind: pFloat}
  day: {id: 606, kind: pDate}
  at: {id: 607, kind: pDateTime}
  ok: {id: 608, kind: pBoolean}
  state: {id: 609, kind: pEnum, options: {n: {title: New}, o: {title: Old}, x: {title: Gone, archived: true}}}
  marks: {id: 610, kind: pEnums, options: {r: {title: Red}, g: {title: Green}}}
  part: {id: 611, kind: pRelation, type: item, onDelete: setNull}
";

/// A tenant with no items.
pub(super) struct Shelf(pub(super) Client, pub(super) Server);

impl Subject for Shelf {
    async fn on(engine: Engine) -> Self {
        let server = Server::with(engine, &[("tenant.yaml", TENANT), ("types/item.yaml", ITEM)]).await;
        Shelf(server.admin(), server)
    }
}

impl Shelf {
    pub(super) async fn send(&self, parameters: &str, media_type: &str, body: impl Into<Vec<u8>>) -> testing::Reply {
        let path = format!("/api/ext/v1/import/item?{parameters}");
        self.0.request("POST", &path).body(media_type, body.into()).send().await
    }

    pub(super) async fn run(&self, parameters: &str, csv: &str) -> Json {
        self.send(&format!("run=1&{parameters}"), "text/csv", csv).await.is(200).json()
    }

    pub(super) async fn items(&self, fields: &str) -> Json {
        let path = format!("/api/ext/v1/collection/item?orderBy=id&hideFields=id&showFields={fields}");
        self.0.get(&path).await.is(200).at("/data")
    }
}

/// The lines and messages of the problems.
pub(super) fn messages(answer: &Json) -> Vec<(i64, &str)> {
    let problems = answer["problems"].as_array().unwrap().iter();
    problems.map(|one| (one["line"].as_i64().unwrap(), one["message"].as_str().unwrap())).collect()
}

#[spec("E-097", "E-152")]
async fn a_problem_tells_the_value_and_what_is_accepted(shelf: Shelf) {
    for (column, value, message) in [
        ("count", "abc", "Count must be a whole number, not \"abc\"."),
        ("count", "-1", "Count must be at least 0, not \"-1\"."),
        ("price", "1.234", "Price must have at most 2 decimal places, not \"1.234\"."),
        ("price", "x", "Price must be a decimal number such as 12.50, not \"x\"."),
        ("rate", "fast", "Rate must be a number, not \"fast\"."),
        ("day", "12-31-2026", "Day must be a date such as 2026-11-20, not \"12-31-2026\"."),
        ("ok", "yes", "Ok must be true or false, not \"yes\"."),
        ("state", "Nwe", "State must be one of n, o, not \"Nwe\"."),
        ("state", "Gone", "State must not be x: the option is archived."),
        ("marks", "Red|Blue", "Marks must be one of r, g, not \"Blue\"."),
        (
            "part",
            "zoe",
            "Part must be an id or a uuid, not \"zoe\"; item has neither a code nor a title to find it by.",
        ),
        ("part", "77", "Part: there is no item whose id is 77."),
    ] {
        let refused = shelf.run("", &format!("code,name,{column}\na,A,{value}\n")).await;
        assert_eq!(messages(&refused), [(2, message)], "{column}");
    }
    let refused = shelf.run("", "code,name\nlonger,A\n").await;
    assert_eq!(messages(&refused), [(2, "Code must have at most 4 characters, not 6: \"longer\".")]);
    assert_eq!(refused["problems"][0]["value"], "longer");
    let refused = shelf.run("", "code,name\na,A\na,B\n").await;
    assert_eq!(messages(&refused), [(3, "Another Item has the same Code: \"a\".")]);
    let refused = shelf.run("mode=update&key=code", "code,name\nb,B\n").await;
    assert_eq!(messages(&refused), [(2, "Code: there is no item whose code is \"b\".")]);
    let refused =
        shelf.send("run=1", "application/json", "[{\"code\": 5, \"name\": \"A\", \"marks\": [\"Blue\"]}]").await;
    let refused = refused.is(200).json();
    let expected = [(1, "Code must be a text, not \"5\"."), (1, "Marks must be one of r, g (member 1), not \"Blue\".")];
    assert_eq!(messages(&refused), expected);
}

#[spec("E-097", "E-152")]
async fn all_that_is_wrong_with_a_row_is_told_together(shelf: Shelf) {
    let refused = shelf.run("", "code,name,count,part,state\na,,x,99,none\nb,B,1,,n\n,,2,,\n").await;
    let told: Vec<(i64, &str, &str)> = refused["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["line"].as_i64().unwrap(), one["column"].as_str().unwrap(), one["code"].as_str().unwrap()))
        .collect();
    let expected = [
        (2, "count", "not_integer"),
        (2, "state", "not_option"),
        (2, "name", "required"),
        (2, "part", "reference_missing"),
        (4, "code", "required"),
        (4, "name", "required"),
    ];
    assert_eq!(told, expected, "{refused}");
    assert_eq!([&refused["failed"], &refused["result"]["problemCount"]], [2, 6]);
    // A column that the file lacks, too; and what a row that is there has already is not missing.
    let refused = shelf.run("", "code,count\na,x\n").await;
    let columns: Vec<&str> =
        refused["problems"].as_array().unwrap().iter().map(|one| one["column"].as_str().unwrap()).collect();
    assert_eq!(columns, ["count", "name"]);
    shelf.run("", "code,name\na,A\n").await;
    let refused = shelf.run("mode=upsert&key=code", "code,count\na,x\n").await;
    assert_eq!(messages(&refused), [(2, "Count must be a whole number, not \"x\".")]);
}

#[spec("E-152", "E-095")]
async fn options_are_read_by_their_titles_in_each_form(shelf: Shelf) {
    let csv = "code,name,state,marks\na,A,New,Red|g\nb,B,old,\n";
    assert_eq!(shelf.run("", csv).await["result"]["created"], 2);
    let rows = json!([{"code": "c", "name": "C", "state": "New", "marks": ["green", "r"]}]).to_string();
    shelf.send("run=1", "application/json", rows).await.is(200).says("\"created\":1");
    let text = |column: &str, row: u32, text: &str| {
        format!("<c r=\"{column}{row}\" t=\"inlineStr\"><is><t>{text}</t></is></c>")
    };
    let row = |row: u32, cells: [&str; 4]| {
        let cells: String =
            ["A", "B", "C", "D"].iter().zip(cells).map(|(column, cell)| text(column, row, cell)).collect();
        format!("<row r=\"{row}\">{cells}</row>")
    };
    let rows = row(1, ["code", "name", "state", "marks"]) + &row(2, ["d", "D", "Old", "Green|Red"]);
    let done = shelf.send("run=1", WORKBOOK, book(&[("Items", &rows)], "", "")).await.is(200).json();
    assert_eq!(done["result"]["created"], 1, "{done}");
    let expected = json!([
        {"state": "n", "marks": ["r", "g"]}, {"state": "o", "marks": []},
        {"state": "n", "marks": ["g", "r"]}, {"state": "o", "marks": ["g", "r"]},
    ]);
    assert_eq!(shelf.items("state,marks").await, expected);
    // A workbook that was exported comes back as it went.
    let exported = shelf.0.get("/api/ext/v1/export/item?format=xlsx").await.is(200);
    let back = shelf.send("run=1&mode=update&key=uuid", WORKBOOK, exported.bytes.to_vec()).await.is(200).json();
    assert_eq!([&back["result"]["unchanged"], &back["failed"]], [4, 0], "{back}");
}

#[spec("E-153")]
async fn numbers_with_signs_are_read_by_the_sign_that_is_named(shelf: Shelf) {
    let csv = "code;name;count;price;rate;day\na;A;9,500;1;1;31.12.2026\n";
    let refused = shelf.run("delimiter=%3B", csv).await;
    let message = "Count is 9500 or 9.500 where the file has \"9,500\": set decimal to \".\" or \",\" for the import.";
    assert_eq!(messages(&refused), [(2, message)]);
    assert_eq!(refused["problems"][0]["code"], "number_unclear");
    let done = shelf.run("delimiter=%3B&decimal=.", csv).await;
    assert_eq!(done["result"]["created"], 1, "{done}");
    let csv = "code;name;count;price;rate;day\nb;B;9.500;1.234,50;0,5;\nc;C;9 500;12,5;1000;\n";
    let refused = shelf.run("delimiter=%3B", csv).await;
    let message = "Price is 1234.50 where the file has \"1.234,50\": set decimal to \",\" for the import.";
    assert!(messages(&refused).contains(&(2, message)), "{refused}");
    let done = shelf.run("delimiter=%3B&decimal=,", csv).await;
    assert_eq!(done["result"]["created"], 2, "{done}");
    let expected = json!([
        {"count": 9_500, "price": 1.0, "rate": 1.0, "day": "2026-12-31"},
        {"count": 9_500, "price": 1_234.5, "rate": 0.5, "day": null},
        {"count": 9_500, "price": 12.5, "rate": 1_000.0, "day": null},
    ]);
    let items = shelf.items("count,price,rate,day").await;
    assert_eq!(
        items.to_string().replace(".50,", ".5,").replace(".00,", ".0,").replace("1000,", "1000.0,"),
        expected.to_string()
    );
    let refused = shelf.run("decimal=,", "code,name,rate\nd,D,1.5\n").await;
    assert_eq!(refused["problems"][0]["code"], "number_unclear", "{refused}");
    for (parameters, media_type, code) in
        [("run=1&decimal=x", "text/csv", "word_unknown"), ("run=1&decimal=,", "application/json", "parameter_invalid")]
    {
        assert_eq!(shelf.send(parameters, media_type, "[]").await.is(400).at("/code"), code);
    }
}

#[spec("E-153")]
async fn a_preview_tells_the_signs_of_numbers(shelf: Shelf) {
    let csv = "code;count;price;rate;name\n1;1.000;9,500;12.5;a,b\n2;9.500,5;1,000;x;c\n";
    let shown = shelf.send("delimiter=%3B", "text/csv", csv).await.is(201);
    let numbers = |column: usize| shown.json()["columns"][column]["numbers"].clone();
    assert_eq!(numbers(0), Json::Null);
    assert_eq!(numbers(1), json!({"decimal": ",", "sample": "9.500,5"}));
    assert_eq!(numbers(2), json!({"decimal": null, "sample": "9,500"}));
    assert_eq!([numbers(3), numbers(4)], [Json::Null, Json::Null]);
    let path = format!("/api/ext/v1/import/{}/run", shown.at("/import"));
    let refused = shelf.0.post(&path, json!({"decimal": ";"})).await.is(400);
    assert_eq!(refused.at("/errors/0/property"), "decimal");
}
