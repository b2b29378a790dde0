//! Exports: all rows of a list as a file, with the caller's rights.

mod attacks;
mod jobs;

use calamine::{Data, Reader, Xlsx};
use serde_json::{Value as Json, json};
use spec::spec;
use std::io::{Cursor, Read};
use testing::{Client, Engine, Reply, Server, Subject};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const PART: &str = "\
id: 60
name: part
codeProperty: code
properties:
  code: {id: 601, kind: pString, unique: true}
  text: {id: 602, kind: pText}
  count: {id: 603, kind: pInteger}
  price: {id: 604, kind: pDecimal, scale: 2}
  weight: {id: 605, kind: pFloat}
  sold: {id: 606, kind: pBoolean}
  day: {id: 607, kind: pDate}
  moment: {id: 608, kind: pDateTime}
  labels: {id: 609, kind: pEnums, options: [red, blue]}
  above: {id: 610, kind: pRelation, type: part, inverse: below}
  data: {id: 611, kind: pJson}
  secret: {id: 612, kind: pString}
  double: {id: 613, kind: pInteger, stored: false, calculate: \"{=count * 2}\"}
";
/// Sees sold parts, and the price of those that are labelled red.
const SELLER: &str = "\
role: seller
system: [restApi]
types:
  part:
    show:
      - {where: \"{=sold}\", fields: [code, text, sold, above]}
      - {where: \"{=count > 1}\", fields: [price, count]}
";
const TENANT: &str = "tenant: acme\ntitle: ACME\nhosts: [acme.test]\napi: {rate: 0, maxPageLength: 1000}\n";

/// A tenant with parts.
struct Shop {
    server: Server,
    admin: Client,
}

impl Subject for Shop {
    async fn on(engine: Engine) -> Self {
        let files = [("tenant.yaml", TENANT), ("types/part.yaml", PART), ("roles/seller.yaml", SELLER)];
        let user = ("users/seller.yaml", "user: seller@acme.test\nname: Seller\nroles: [seller]\n");
        let server = Server::with(engine, &[&files[..], &[user]].concat()).await;
        let admin = server.admin();
        for part in [
            json!({"code": "a", "text": "=1+1", "count": 1, "price": 12.30, "weight": 0.1, "sold": true, "day": "2026-11-27", "moment": "2026-11-27T10:00:00Z", "labels": ["red", "blue"], "data": {"a": [1, "x|y"]}, "secret": "s"}),
            json!({"code": "b", "text": "'quoted\", and\nmore_x0041_\u{1}", "count": -2, "price": "99999999999999.99", "weight": 1e300, "sold": false, "day": "1850-01-01", "labels": ["red"], "above": 1, "data": "text"}),
            json!({"code": "c", "sold": true, "count": 3, "price": 1, "above": 2}),
        ] {
            admin.create("part", part).await;
        }
        Shop { server, admin }
    }
}

impl Shop {
    /// Adds rows of 11 MB.
    async fn fill(&self) {
        let large = "x".repeat(95_000);
        for part in (0..2_400).collect::<Vec<_>>().chunks(400) {
            let set = |number: &usize| {
                let text = if number.is_multiple_of(20) { large.as_str() } else { "small" };
                json!({"op": "create", "type": "part", "set": {"code": format!("n{number:05}"), "text": text, "count": number, "above": 1 + number % 3}})
            };
            let operations: Vec<Json> = part.iter().map(set).collect();
            self.admin.post("/api/ext/v1/batch", json!({"operations": operations, "return": "minimal"})).await.is(200);
        }
    }
}

fn export(parameters: &str) -> String {
    let encoded = [('[', "%5B"), (']', "%5D"), ('{', "%7B"), ('}', "%7D"), ('"', "%22")];
    let parameters = encoded.iter().fold(parameters.to_owned(), |text, (sign, code)| text.replace(*sign, code));
    format!("/api/ext/v1/export/part?{parameters}")
}

fn text(reply: &Reply) -> String {
    String::from_utf8(reply.bytes.to_vec()).unwrap()
}

fn cells(reply: &Reply) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(reply.bytes.as_ref());
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

fn lines(reply: &Reply) -> Vec<Json> {
    text(reply).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[spec("E-090")]
async fn a_list_is_exported_in_each_form(shop: Shop) {
    let all = shop.admin.get("/api/ext/v1/collection/part?perPage=1000").await.is(200);
    let list = all.at("/data").as_array().unwrap().clone();
    let reply = shop.admin.get(&export("format=jsonl")).await.is(200);
    assert_eq!(reply.header("content-type"), "application/jsonl");
    assert_eq!(reply.header("content-disposition"), "attachment; filename=\"part.jsonl\"");
    assert_eq!(lines(&reply), list);
    let reply = shop.admin.get(&export("format=json")).await.is(200);
    assert_eq!(serde_json::from_slice::<Vec<Json>>(&reply.bytes).unwrap(), list);
    let fields = "showFields=code,text,count,price,weight,sold,day,labels,data,above.code,double&orderBy=-code";
    let reply = shop.admin.get(&export(fields)).await.is(200);
    assert_eq!(reply.header("content-type"), "text/csv; charset=utf-8; header=present");
    let rows = cells(&reply);
    let names = ["id", "code", "text", "count", "price", "weight", "sold", "day", "labels", "above.id", "above.code"];
    assert_eq!(rows[0][..11], names);
    assert_eq!(rows[1], ["3", "c", "", "3", "1.00", "", "true", "", "", "2", "b", "", "6"]);
    assert_eq!(rows[2][2], "'quoted\", and\nmore_x0041_\u{1}");
    assert_eq!(
        rows[3][2..],
        ["=1+1", "1", "12.30", "0.1", "true", "2026-11-27", "red|blue", "", "", "{\"a\":[1,\"x|y\"]}", "2"]
    );
    // Rows behind an inverse are JSON in a cell; that some were left out is told beside.
    let below = "showFields=below.code,below.$count&orderBy=id&_related={\"below\":{\"limit\":1}}";
    let rows = cells(&shop.admin.get(&export(below)).await.is(200));
    assert_eq!(
        rows[..2],
        [["id", "below", "below.$more", "below.$count"], ["1", "[{\"id\":2,\"code\":\"b\"}]", "", "1"]]
    );
    // Nothing to export is a file, too.
    let none = "filters=[{\"property\":\"code\",\"type\":\"eq\",\"param\":\"z\"}]";
    let empty = shop.admin.get(&export(&format!("format=json&{none}"))).await.is(200);
    assert_eq!(text(&empty), "[]\n");
    assert_eq!(text(&shop.admin.get(&export(&format!("showFields=code&{none}"))).await.is(200)), "id,code\n");
}

#[spec("E-091")]
async fn no_cell_is_a_formula_where_that_is_asked_for(shop: Shop) {
    let rows = cells(&shop.admin.get(&export("safe=1&showFields=text,count&orderBy=id")).await.is(200));
    assert_eq!(rows[1][1..], ["'=1+1", "1"]);
    assert_eq!(rows[2][1..], ["''quoted\", and\nmore_x0041_\u{1}", "-2"]);
}

#[spec("E-092")]
async fn a_workbook_has_cells_with_types(shop: Shop) {
    let fields = "format=xlsx&orderBy=id&showFields=text,count,price,weight,sold,day,above,data";
    let reply = shop.admin.get(&export(fields)).await.is(200);
    assert!(reply.header("content-type").contains("spreadsheetml.sheet"));
    let mut book: Xlsx<_> = calamine::open_workbook_from_rs(Cursor::new(reply.bytes.to_vec())).unwrap();
    let range = book.worksheet_range_at(0).unwrap().unwrap();
    let rows: Vec<Vec<Data>> = range.rows().map(<[Data]>::to_vec).collect();
    let string = |text: &str| Data::String(text.to_owned());
    assert_eq!(rows[0][..3], ["id", "text", "count"].map(string));
    assert_eq!(
        rows[1][1..6],
        [string("=1+1"), Data::Float(1.0), Data::Float(12.3), Data::Float(0.1), Data::Bool(true)]
    );
    assert_eq!(rows[1][6].to_string().parse::<f64>().unwrap(), 46_353.0);
    assert_eq!(rows[1][8], string("{\"a\":[1,\"x|y\"]}"));
    // A decimal of many digits is a text, as is a day before those of spreadsheets.
    assert_eq!(
        rows[2][3..8],
        [string("99999999999999.99"), Data::Float(1e300), Data::Bool(false), string("1850-01-01"), Data::Float(1.0)]
    );
    assert!(rows[2][1].to_string().starts_with("'quoted\", and\nmore"), "{:?}", rows[2][1]);
    shop.admin.create("part", json!({"code": "d", "text": "x".repeat(32_768)})).await;
    let refused = shop.admin.get(&export(fields)).await.is(400);
    assert_eq!(refused.at("/code"), "sheet_too_large");
}

#[spec("E-093", "D-3")]
async fn rows_and_fields_are_those_that_the_caller_sees(shop: Shop) {
    let seller = shop.server.client().with("key", &shop.server.key("seller").await);
    let list = seller.get("/api/ext/v1/collection/part?perPage=1000").await.is(200).at("/data");
    let found = lines(&seller.get(&export("format=jsonl")).await.is(200));
    assert_eq!(Json::from(found), list);
    // A field that a row does not show is an empty cell.
    let rows = cells(&seller.get(&export("showFields=code,price")).await.is(200));
    assert_eq!(rows[1..], [["1", "a", ""], ["3", "c", "1.00"]]);
    assert_eq!(seller.get(&export("showFields=secret")).await.is(400).at("/code"), "property_unknown");
    let filters = "filters=[{\"property\":\"secret\",\"type\":\"eq\",\"param\":\"s\"}]";
    assert_eq!(seller.get(&export(filters)).await.is(400).at("/code"), "property_unknown");
    let stranger = shop.server.client();
    stranger.get(&export("")).await.is(403);
    seller.get("/api/ext/v1/export/nothing").await.is(404);
}

#[spec("E-090")]
async fn an_export_takes_what_lists_take_but_pages(shop: Shop) {
    for (parameters, code) in [
        ("page=2", "parameter_unknown"),
        ("perPage=2", "parameter_unknown"),
        ("propsMeta=*", "parameter_unknown"),
        ("format=xls", "parameter_invalid"),
        ("format=json&safe=1", "parameter_unsuited"),
        ("safe=2", "parameter_invalid"),
        ("wrong=1", "parameter_unknown"),
        ("orderBy=nothing", "property_unknown"),
    ] {
        assert_eq!(shop.admin.get(&export(parameters)).await.is(400).at("/code"), code, "{parameters}");
    }
    let plain = shop.admin.get(&export("format=jsonl")).await.is(200);
    let packed = shop.admin.with("accept-encoding", "gzip").get(&export("format=jsonl")).await.is(200);
    assert_eq!(packed.header("content-encoding"), "gzip");
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(packed.bytes.as_ref()).read_to_end(&mut unpacked).unwrap();
    assert!(unpacked == plain.bytes.to_vec());
    let head = shop.admin.request("HEAD", &export("format=jsonl")).send().await.is(200);
    assert_eq!((head.header("content-length"), head.bytes.len()), (&*plain.bytes.len().to_string(), 0));
}

#[spec("E-093", "R-080")]
async fn each_row_of_a_logged_type_is_in_the_log(shop: Shop) {
    let logged = PART.replace("codeProperty", "logReads: true\ncodeProperty");
    shop.server.change(&[("types/part.yaml", &logged)]).await;
    shop.admin.get(&export("showFields=code&orderBy=-code")).await.is(200);
    let log = shop.admin.get("/api/ext/v1/read-log").await.is(200).at("/items");
    let ids: Vec<i64> = log.as_array().unwrap().iter().map(|item| item["objectId"].as_i64().unwrap()).collect();
    assert_eq!(ids, [3, 2, 1]);
}

#[spec("E-094")]
async fn rows_of_any_number_and_size_are_exported(shop: Shop) {
    shop.fill().await;
    for order in ["", "&orderBy=-count,code", "&orderBy=above.code,-id"] {
        let fields = "showFields=code,text,above.code,double";
        let mut expected = Vec::new();
        for page in 1..=4 {
            let path = format!("/api/ext/v1/collection/part?perPage=1000&page={page}&{fields}{order}");
            expected.extend(shop.admin.get(&path).await.is(200).at("/data").as_array().unwrap().clone());
        }
        let reply = shop.admin.get(&export(&format!("format=jsonl&{fields}{order}"))).await.is(200);
        assert!(reply.bytes.len() > 11_000_000);
        assert!(lines(&reply) == expected, "{order}");
    }
    let left = std::fs::read_dir(shop.server.data_folder().join("spool")).unwrap().count();
    assert_eq!(left, 0, "nothing is left of what was spooled");
}

#[spec("E-094")]
async fn clients_that_do_not_read_keep_nobody_waiting(shop: Shop) {
    shop.fill().await;
    let key = shop.server.key("admin").await;
    let mut silent = Vec::new();
    for _ in 0..8 {
        let mut socket = TcpStream::connect(shop.server.client().address()).await.unwrap();
        let path = export("format=json");
        let head = format!("GET {path} HTTP/1.1\r\nHost: acme.test\r\nkey: {key}\r\n\r\n");
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut start = [0; 12];
        socket.read_exact(&mut start).await.unwrap();
        assert_eq!(&start, b"HTTP/1.1 200");
        silent.push(socket);
    }
    let spool = shop.server.data_folder().join("spool");
    assert_eq!(std::fs::read_dir(&spool).unwrap().count(), 0, "files without names");
    // More of them than connections to the database read nothing of their answers; others read and write.
    for number in 0..20 {
        shop.admin.get("/api/ext/v1/collection/part?perPage=5").await.is(200);
        shop.admin.create("part", json!({"code": format!("late{number}")})).await;
    }
    assert_eq!(lines(&shop.admin.get(&export("format=jsonl&showFields=code")).await.is(200)).len(), 2_423);
    drop(silent);
}
