//! Workbooks that are cut, damaged or written wrongly: nothing of them is taken in silence.

use super::workbooks::{HEAD, archive_of, book, book_parts, borrowed, send};
use super::{Stock, parts};
use serde_json::{Value as Json, json};
use spec::spec;

/// A row with a code.
fn row(number: usize) -> String {
    format!("<row r=\"{number}\"><c r=\"A{number}\" t=\"str\"><v>p{number}</v></c></row>")
}

#[spec("E-095")]
async fn a_workbook_that_is_cut_or_damaged_is_refused_whole(stock: Stock) {
    let rows: String = (2..40).map(row).collect();
    let whole = book_parts(&[("A", &format!("{HEAD}{rows}"))], "<si><t>a</t></si>", "");
    let cut = |part: usize, at: &str| {
        let mut parts = whole.clone();
        let end = parts[part].1.find(at).unwrap();
        parts[part].1.truncate(end);
        archive_of(&borrowed(&parts), true)
    };
    let good = archive_of(&borrowed(&whole), false);
    let place = good.windows(6).position(|bytes| bytes == b"<v>p39").unwrap();
    let mut damaged = good.clone();
    damaged[place + 3] = b'q';
    // Behind the rows nothing is looked at, and yet the part is not what was written.
    let mut damaged_behind = good.clone();
    let behind = good.windows(12).position(|bytes| bytes == b"</worksheet>").unwrap();
    damaged_behind[behind + 2] = b'x';
    let places: String = (0..1_001).map(|number| format!("<sheet name=\"S{number}\" r:id=\"rId1\"/>")).collect();
    let mut many = whole.clone();
    many[2].1 = many[2].1.replace("</sheets>", &format!("{places}</sheets>"));
    for (body, says) in [
        (cut(3, "<row r=\"30\""), "xl/worksheets/sheet1.xml, at the row 29: it ends in the middle"),
        (cut(3, "</sheetData>"), "it ends in the middle"),
        (cut(6, "</sst>"), "xl/sharedStrings.xml: it ends in the middle"),
        (cut(5, "</cellXfs>"), "xl/styles.xml: it ends in the middle"),
        (cut(2, "</sheets>"), "xl/workbook.xml: it ends in the middle"),
        (damaged, "its checksum is another one"),
        (damaged_behind, "its checksum is another one"),
        (archive_of(&borrowed(&many), true), "more than 1000 sheets and other parts"),
    ] {
        send(&stock.admin, "run=1&keepGoing=1", body).await.is(400).says(says);
    }
    assert_eq!(parts(&stock.admin, "code").await, json!([]));
    let done = send(&stock.admin, "run=1", archive_of(&borrowed(&whole), true)).await.is(200);
    assert_eq!(done.at("/result/created"), 38);
}

#[spec("E-095")]
async fn rows_and_cells_out_of_their_places_are_refused(stock: Stock) {
    for (rows, says) in [
        ("<row r=\"2\"><row r=\"3\"><c r=\"A3\"><v>1</v></c></row></row>", "the row 3 stands in the row 2"),
        ("<row r=\"2\"/><row r=\"2\"/>", "the row 2 follows the row 2"),
        ("<row r=\"1048577\"/>", "at most 1048576 rows"),
        ("<row r=\"2\"><c r=\"A3\"><v>1</v></c></row>", "a cell of the row 2 has the name \\\"A3\\\""),
        ("<row r=\"2\"><c r=\"a2\"><v>1</v></c></row>", "has the name \\\"a2\\\""),
        ("<row r=\"2\"><c r=\"XFE2\"><v>1</v></c></row>", "at most 16384 columns"),
        ("<row r=\"2\"/><c r=\"A2\"><v>1</v></c>", "stands in no row"),
        ("<row r=\"2\"><c r=\"A2\" t=\"str\"><v>&nosuch;</v></c></row>", "at the row 2: there is no entity"),
    ] {
        let body = book(&[("A", &format!("{HEAD}{rows}"))], "", "");
        send(&stock.admin, "run=1&keepGoing=1", body).await.is(400).says(says);
    }
}

#[spec("E-095", "E-097")]
async fn truth_values_are_themselves_and_cells_stand_once(stock: Stock) {
    let cell = |number: usize, value: &str| {
        format!(
            "<row r=\"{number}\"><c r=\"B{number}\" t=\"b\"><v>{value}</v></c><c r=\"A{number}\"><v>{number}</v></c></row>"
        )
    };
    let rows: String =
        (2..).zip(["1", "true", "0", "false", "2", "TRUE"]).map(|(number, value)| cell(number, value)).collect();
    let twice = "<row r=\"8\"><c r=\"A8\"><v>8</v></c><c r=\"A8\"><v>9</v></c></row>";
    // What a row leaves out is not that of the row before.
    let short = "<row r=\"9\"><c r=\"A9\"><v>9</v></c></row>";
    let body = book(&[("A", &format!("{HEAD}{rows}{twice}{short}"))], "", "");
    let told = send(&stock.admin, "run=1&keepGoing=1", body).await.is(200);
    let problems = told.at("/problems");
    let problems: Vec<&Json> = problems.as_array().unwrap().iter().map(|problem| &problem["message"]).collect();
    let expected = [
        "The cell B6 has the truth value \"2\", which is neither 1 nor 0.",
        "The cell B7 has the truth value \"TRUE\", which is neither 1 nor 0.",
        "The cell A8 stands twice in its row.",
    ];
    assert_eq!(problems, expected);
    let expected = json!([
        {"code": "2", "name": "true"}, {"code": "3", "name": "true"}, {"code": "4", "name": "false"},
        {"code": "5", "name": "false"}, {"code": "9", "name": null},
    ]);
    assert_eq!(parts(&stock.admin, "code,name").await, expected);
}

#[spec("E-095")]
async fn a_small_workbook_takes_little_memory(stock: Stock) {
    let texts = format!("<si><t>{}</t></si>", "a".repeat(10_000)).repeat(1_000);
    let body = archive_of(&borrowed(&book_parts(&[("A", HEAD)], &texts, "")), true);
    assert!(body.len() < 50_000, "{}", body.len());
    let refused = send(&stock.admin, "run=1", body).await.is(400);
    assert_eq!(refused.at("/code"), "workbook_too_large");
    refused.says("The texts of the workbook take more than 1 MB.");
    // Rows that take more than was held for them are not kept: a job writes them.
    let rows: String = (2..900)
        .map(|number| {
            let name = "b".repeat(9_000);
            format!("<row r=\"{number}\"><c r=\"A{number}\"><v>{number}</v></c><c r=\"B{number}\" t=\"str\"><v>{name}</v></c></row>")
        })
        .collect();
    let body = archive_of(&borrowed(&book_parts(&[("A", &format!("{HEAD}{rows}"))], "", "")), true);
    assert!(body.len() < 50_000, "{}", body.len());
    send(&stock.admin, "run=1", body).await.is(202);
}
