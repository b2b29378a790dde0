//! Workbooks as files of rows: what programs write, what they mean, and what is hostile.

use super::many::ended;
use super::{Stock, parts};
use calamine::{Data, Reader, Xlsx};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use serde_json::{Value as Json, json};
use spec::spec;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use testing::{Client, Reply};

const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const TYPES: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// A ZIP archive of these parts, which are not packed.
fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    archive_of(parts, false)
}

/// A ZIP archive of these parts, packed or not.
pub(super) fn archive_of(parts: &[(&str, &str)], packed: bool) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in parts {
        let mut crc = Crc::new();
        crc.update(content.as_bytes());
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(content.as_bytes()).unwrap();
        let content = if packed { encoder.finish().unwrap() } else { content.as_bytes().to_vec() };
        let start = out.len() as u32;
        let mut head = vec![20, 0, 0, 0, 8 * u8::from(packed), 0, 0, 0, 0x21, 0];
        for number in [crc.sum(), content.len() as u32, crc.amount()] {
            head.extend_from_slice(&number.to_le_bytes());
        }
        head.extend_from_slice(&(name.len() as u16).to_le_bytes());
        head.extend_from_slice(&[0, 0]);
        out.extend_from_slice(b"PK\x03\x04");
        out.extend_from_slice(&head);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(&content);
        directory.extend_from_slice(b"PK\x01\x02\x14\0");
        directory.extend_from_slice(&head);
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&start.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
    }
    let (start, length, count) = (out.len() as u32, directory.len() as u32, parts.len() as u16);
    out.extend_from_slice(&directory);
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    out.extend_from_slice(&[count.to_le_bytes(), count.to_le_bytes()].concat());
    out.extend_from_slice(&[length.to_le_bytes(), start.to_le_bytes()].concat());
    out.extend_from_slice(&[0, 0]);
    out
}

/// A workbook with sheets of these rows of XML, and with texts and formats.
pub(super) fn book(sheets: &[(&str, &str)], texts: &str, properties: &str) -> Vec<u8> {
    archive_of(&borrowed(&book_parts(sheets, texts, properties)), false)
}

/// Parts as an archive takes them.
pub(super) fn borrowed(parts: &[(String, String)]) -> Vec<(&str, &str)> {
    parts.iter().map(|(name, content)| (name.as_str(), content.as_str())).collect()
}

/// The parts of such a workbook: the fourth is its first sheet.
pub(super) fn book_parts(sheets: &[(&str, &str)], texts: &str, properties: &str) -> Vec<(String, String)> {
    let (mut list, mut relations, mut types) = (String::new(), String::new(), String::new());
    let mut contents = Vec::new();
    for (number, (name, rows)) in (1..).zip(sheets) {
        let (name, state) = name.strip_prefix('-').map_or((*name, ""), |name| (name, " state=\"hidden\""));
        write!(list, "<sheet name=\"{name}\" sheetId=\"{number}\"{state} r:id=\"rId{number}\"/>").unwrap();
        write!(
            relations,
            "<Relationship Id=\"rId{number}\" Type=\"{TYPES}/worksheet\" Target=\"worksheets/sheet{number}.xml\"/>"
        )
        .unwrap();
        write!(types, "<Override PartName=\"/xl/worksheets/sheet{number}.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml\"/>").unwrap();
        let sheet =
            format!("<?xml version=\"1.0\"?><worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>");
        contents.push((format!("xl/worksheets/sheet{number}.xml"), sheet));
    }
    let package = "http://schemas.openxmlformats.org/package/2006";
    let root = format!(
        "<Relationships xmlns=\"{package}/relationships\"><Relationship Id=\"rId1\" Type=\"{TYPES}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    );
    let book = format!(
        "<workbook xmlns=\"{MAIN}\" xmlns:r=\"{TYPES}\"><workbookPr {properties}/><sheets>{list}</sheets></workbook>"
    );
    let relations = format!(
        "<Relationships xmlns=\"{package}/relationships\">{relations}<Relationship Id=\"rId98\" Type=\"{TYPES}/styles\" Target=\"/xl/styles.xml\"/><Relationship Id=\"rId99\" Type=\"{TYPES}/sharedStrings\" Target=\"sharedStrings.xml\"/></Relationships>"
    );
    let styles = format!(
        "<styleSheet xmlns=\"{MAIN}\"><numFmts><numFmt numFmtId=\"164\" formatCode=\"d\\.\\ m\\.\\ yyyy\\ h:mm\"/></numFmts><cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"164\"/></cellXfs></styleSheet>"
    );
    let types = format!(
        "<Types xmlns=\"{package}/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/>{types}</Types>"
    );
    let texts = format!("<sst xmlns=\"{MAIN}\">{texts}</sst>");
    let part = |name: &str, content: String| (name.to_owned(), content);
    let mut all = vec![part("[Content_Types].xml", types), part("_rels/.rels", root), part("xl/workbook.xml", book)];
    all.extend(contents);
    all.extend([
        part("xl/_rels/workbook.xml.rels", relations),
        part("xl/styles.xml", styles),
        part("xl/sharedStrings.xml", texts),
    ]);
    all
}

pub(super) async fn send(client: &Client, parameters: &str, body: impl Into<Vec<u8>>) -> Reply {
    super::send(client, parameters, WORKBOOK, body).await
}

pub(super) const HEAD: &str = "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>code</t></is></c><c r=\"B1\" t=\"inlineStr\"><is><t>name</t></is></c><c r=\"C1\" t=\"inlineStr\"><is><t>count</t></is></c><c r=\"D1\" t=\"inlineStr\"><is><t>price</t></is></c></row>";

#[spec("E-095")]
async fn a_workbook_is_shown_and_imported(stock: Stock) {
    let texts = "<si><t>code</t></si><si><t>Part name</t></si><si><t>count</t></si><si><t>price</t></si><si><t>bought</t></si>\
        <si><t xml:space=\"preserve\"> Screw &amp; nut &#233;_x000D_\n</t></si><si><r><t>bo</t></r><r><rPr><b/></rPr><t>ld</t></r><rPh sb=\"0\" eb=\"1\"><t>no</t></rPh></si>";
    let rows = "<row r=\"2\"/><row r=\"3\"><c r=\"B3\" t=\"s\"><v>0</v></c><c r=\"C3\" t=\"s\"><v>1</v></c><c r=\"D3\" t=\"s\"><v>2</v></c><c r=\"E3\" t=\"s\"><v>3</v></c></row>\
        <row r=\"4\"><c r=\"B4\" t=\"str\"><f>\"a\"</f><v>a</v></c><c r=\"C4\" t=\"s\"><v>5</v></c><c r=\"D4\"><v>1E3</v></c><c r=\"E4\"><v>19.989999999999998</v></c></row>\
        <row r=\"9\"><c r=\"B9\"><v>12</v></c><c r=\"C9\" t=\"s\"><v>6</v></c><c r=\"E9\"><v>-0.5</v></c><c r=\"G9\"/></row><row r=\"10\" spans=\"1:3\"><c r=\"C10\" s=\"1\"/></row>";
    let body = book(&[("-Notes", ""), ("Parts", rows), ("Other", HEAD)], texts, "");
    // An independent reader takes it for a workbook.
    let mut read: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(body.clone())).unwrap();
    assert_eq!(read.worksheet_range("Parts").unwrap().get_value((3, 3)), Some(&Data::Float(1000.0)));
    let shown = send(&stock.admin, "", body.clone()).await.is(201);
    assert_eq!([shown.at("/format"), shown.at("/total")], [json!("xlsx"), json!(2)]);
    let columns = shown.at("/columns");
    assert_eq!([&columns[0]["name"], &columns[1]["name"]], ["", "code"]);
    let path = format!("/api/ext/v1/import/{}/run", shown.at("/import"));
    let done = stock.admin.post(&path, json!({"mapping": {"Part name": "name"}})).await.is(200);
    assert_eq!([done.at("/state"), done.at("/result/created")], [json!("done"), json!(2)], "{}", done.text);
    let expected = json!([
        {"code": "12", "name": "bold", "count": null, "price": -0.50},
        {"code": "a", "name": " Screw & nut é\r\n", "count": 1000, "price": 19.99},
    ]);
    assert_eq!(parts(&stock.admin, "code,name,count,price").await, expected);
    let other = send(&stock.admin, "run=1&sheet=Other", body.clone()).await.is(200);
    assert_eq!(other.at("/total"), 0);
    send(&stock.admin, "run=1&sheet=3", body.clone()).await.is(200);
    let missing = send(&stock.admin, "run=1&sheet=Nosuch", body).await.is(400);
    assert_eq!(missing.at("/code"), "sheet_missing");
    missing.says("Parts");
    assert_eq!(
        super::send(&stock.admin, "sheet=1", "text/csv", "code\n").await.is(400).at("/errors/0/property"),
        "sheet"
    );
}

#[spec("E-095", "E-097")]
async fn what_a_cell_does_not_say_is_a_problem(stock: Stock) {
    let rows = format!(
        "{HEAD}<row r=\"2\"><c r=\"A2\" t=\"e\"><v>#N/A</v></c></row>\
         <row r=\"3\"><c r=\"A3\"><f>B1&amp;C1</f></c></row>\
         <row r=\"4\"><c r=\"A4\" t=\"s\"><v>7</v></c></row>\
         <row r=\"5\"><c r=\"A5\"><v>1e999</v></c></row>\
         <row r=\"6\"><c r=\"A6\"><v>1</v></c><c r=\"F6\"><v>1</v></c></row>\
         <row r=\"7\"><c r=\"A7\" s=\"1\"><v>60</v></c></row>\
         <row r=\"8\"><c r=\"A8\" t=\"str\"><v>ok</v></c><c r=\"B8\" s=\"1\"><v>46353</v></c></row>"
    );
    let told = send(&stock.admin, "run=1&keepGoing=1", book(&[("A", &rows)], "", "")).await.is(200);
    let problems = told.at("/problems");
    let told: Vec<(i64, &str)> = problems
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| (problem["line"].as_i64().unwrap(), problem["message"].as_str().unwrap()))
        .collect();
    assert_eq!(told[0], (2, "The cell A2 has the error #N/A."));
    assert!(told[1].1.contains("A3 has a formula"), "{told:?}");
    assert_eq!(told.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7], "{told:?}");
    assert_eq!(parts(&stock.admin, "code,name").await, json!([{"code": "ok", "name": "2026-11-27"}]));
    let rows = format!(
        "{HEAD}<row r=\"8\"><c r=\"A8\" t=\"str\"><v>mac</v></c><c r=\"B8\" s=\"2\"><v>44891.4375</v></c></row>"
    );
    send(&stock.admin, "run=1", book(&[("A", &rows)], "", "date1904=\"1\"")).await.is(200).says("\"created\":1");
    assert_eq!(parts(&stock.admin, "name").await[0]["name"], "2026-11-27T10:30:00");
}

#[spec("E-095")]
async fn workbooks_of_other_programs_are_taken(stock: Stock) {
    let mapping = "run=1&mapping=%7B%22when%22:%22owner%22%7D";
    let openpyxl =
        send(&stock.admin, &format!("{mapping}&keepGoing=1"), &include_bytes!("books/openpyxl.xlsx")[..]).await.is(200);
    assert_eq!([openpyxl.at("/result/created"), openpyxl.at("/failed")], [json!(2), json!(1)], "{}", openpyxl.text);
    openpyxl.says("B4").says("a formula without its value");
    let xlsxwriter =
        send(&stock.admin, &format!("{mapping}&mode=upsert&keepGoing=1"), &include_bytes!("books/xlsxwriter.xlsx")[..])
            .await
            .is(200);
    assert_eq!(xlsxwriter.at("/problems/0/line"), 2, "{}", xlsxwriter.text);
    let expected = json!([
        {"code": "a", "name": "Příliš žluťoučký", "count": 1, "price": 19.99, "owner": "2026-11-27"},
        {"code": "b", "name": null, "count": 1_000_000_000_000_000_i64, "price": 0.30, "owner": "2026-11-27T10:30:00"},
    ]);
    assert_eq!(parts(&stock.admin, "code,name,count,price,owner").await, expected);
}

#[spec("E-095", "E-092")]
async fn an_export_comes_back(stock: Stock) {
    for number in 0..3 {
        let part = json!({"code": format!("p{number}"), "name": "_x0041_ =1\u{1}", "count": 7, "price": "1234567890123456.78", "maker": 1, "labels": ["red", "blue"]});
        stock.admin.create("part", part).await;
    }
    let exported = stock.admin.get("/api/ext/v1/export/part?format=xlsx").await.is(200);
    let back = send(&stock.admin, "run=1&mode=update&key=uuid", exported.bytes.to_vec()).await.is(200);
    assert_eq!([back.at("/result/unchanged"), back.at("/failed")], [json!(3), json!(0)], "{}", back.text);
}

#[spec("E-095", "E-098")]
async fn a_large_workbook_is_a_job(stock: Stock) {
    let _working = stock.server.work_jobs();
    let mut rows = HEAD.to_owned();
    for row in 2..3_002 {
        write!(rows, "<row r=\"{row}\"><c r=\"A{row}\" t=\"inlineStr\"><is><t>p{row}</t></is></c><c r=\"B{row}\" t=\"s\"><v>0</v></c><c r=\"C{row}\"><v>{row}</v></c></row>").unwrap();
    }
    let body = book(&[("A", &rows)], "<si><t>Part</t></si>", "");
    let begun = send(&stock.admin, "run=1", body).await.is(202);
    let done: Json = ended(&stock.admin, &begun.at("/id")).await;
    assert_eq!([&done["state"], &done["result"]["created"]], [&json!("done"), &json!(3_000)], "{done}");
    let last = stock.admin.get("/api/ext/v1/collection/part?orderBy=-count&perPage=1&showFields=name,count").await;
    assert_eq!([last.at("/data/0/name"), last.at("/data/0/count")], [json!("Part"), json!(3_001)]);
}

#[spec("E-095")]
async fn hostile_workbooks_are_refused(stock: Stock) {
    let good = book(&[("A", HEAD)], "", "");
    let compound = [&b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"[..], &[0; 600]].concat();
    let many = "<c><v>1</v></c>".repeat(20_000);
    let entity = book(&[("A", &format!("{HEAD}<row><c t=\"str\"><v>&lol;</v></c></row>"))], "", "");
    let mut cases = vec![
        (Vec::new(), "file_unreadable"),
        (b"PK".to_vec(), "file_unreadable"),
        (b"code,name\na,b\n".to_vec(), "file_unreadable"),
        (good[..good.len() / 2].to_vec(), "file_unreadable"),
        (compound, "file_unreadable"),
        (archive(&[("a", "b")]), "file_unreadable"),
        (archive(&[]), "file_unreadable"),
        (book(&[], "", ""), "sheet_missing"),
        (book(&[("A", "")], "", ""), "header_missing"),
        (book(&[("A", &format!("<row>{many}</row>"))], "", ""), "file_unreadable"),
        (book(&[("A", &format!("<row>{}</row>", &many[..15 * 1_200]))], "", ""), "columns_too_many"),
        (book(&[("A", "<row r=\"2\"><c><v>1</v></c></row><row r=\"2\"/>")], "", ""), "file_unreadable"),
        (book(&[("A", "<row r=\"9999999999\"/>")], "", ""), "file_unreadable"),
        (book(&[("A", "<row r=\"1\"><c r=\"9\"/></row>")], "", ""), "file_unreadable"),
        (book(&[("A", "<row><c></row>")], "", ""), "file_unreadable"),
        (book(&[("A", &"<row><x>".repeat(500_000))], "", ""), "file_unreadable"),
        (
            book(&[("A", &format!("{HEAD}<row><c t=\"str\"><v>{}</v></c></row>", "a".repeat(3 << 20)))], "", ""),
            "file_unreadable",
        ),
        (
            book(&[("A", HEAD)], &"<si><t>abcdefghijklmnopqrstuvwxyz</t></si>".repeat(1_300_000), ""),
            "workbook_too_large",
        ),
        (entity, "file_unreadable"),
    ];
    // A directory that leads elsewhere.
    for at in [good.len() - 6, good.len() - 10, good.len() - 20] {
        let mut lies = good.clone();
        lies[at] ^= 0x55;
        cases.push((lies, "file_unreadable"));
    }
    for (number, (body, code)) in cases.into_iter().enumerate() {
        let refused = send(&stock.admin, "run=1", body).await;
        assert_eq!((refused.status, refused.at("/code")), (400, json!(code)), "{number}: {}", refused.text);
    }
    let packed = stock.admin.with("content-encoding", "gzip");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut gzip, &good).unwrap();
    let refused = packed.request("POST", "/api/ext/v1/import/part").body(WORKBOOK, gzip.finish().unwrap()).send().await;
    refused.is(400).says("packed in itself");
    assert_eq!(parts(&stock.admin, "code").await, json!([]));
}
