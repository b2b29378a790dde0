//! Lists that are too large for memory: the same bytes, ETags and errors as small ones, and nothing left behind.

use serde_json::{Value, json};
use spec::spec;
use std::fmt::Write;
use std::os::unix::fs::PermissionsExt;
use testing::{Client, Engine, Reply, Server};

const ROWS: usize = 120;
const TYPE: &str = r#"
id: 20
name: page
title: Page
properties:
  number: {id: 200, kind: pInteger, title: Number}
  data: {id: 201, kind: pJson, title: Data}
  above: {id: 202, kind: pRelation, title: Above, type: page, onDelete: setNull}
  twice: {id: 203, kind: pInteger, title: Twice, stored: false, calculate: "{=number * 2}"}
  length: {id: 204, kind: pInteger, title: Length, stored: false, calculate: "{=length(jsonEncode(data))}"}
"#;
const TENANT: &str = "tenant: acme\ntitle: ACME\nhosts: [acme.test]\napi: {rate: 0, maxPageLength: 500, perPage: 20}\n";

/// A server with pages of 20 KB, each below the first.
async fn filled(engine: Engine) -> Server {
    let server = Server::with(engine, &[("tenant.yaml", TENANT), ("types/page.yaml", TYPE)]).await;
    let admin = server.admin();
    let mut first = Value::Null;
    for number in 0..ROWS {
        let row = admin.create("page", json!({"number": number, "data": data(number), "above": first})).await;
        if number == 0 {
            first = row["id"].clone();
        }
    }
    server
}

fn data(number: usize) -> Value {
    json!(format!("{number:05} č \"{}", "x".repeat(20_000)))
}

/// The rows of a list as they are written.
fn rows(reply: &Reply) -> &str {
    let (_, rows) = reply.text.split_once("\"data\":[").unwrap();
    rows.strip_suffix("]}").unwrap()
}

/// The same rows, a page of ten after the other.
async fn by_pages(admin: &Client, path: &str) -> String {
    let mut all = String::new();
    for page in 1..=ROWS / 10 {
        let reply = admin.get(&format!("{path}&perPage=10&page={page}")).await.is(200);
        write!(all, "{}{}", if all.is_empty() { "" } else { "," }, rows(&reply)).unwrap();
    }
    all
}

/// Files that lie in the folder of large answers; none where nothing was ever there.
fn spooled(server: &Server) -> Option<usize> {
    let folder = server.data_folder().join("spool");
    let mode = std::fs::metadata(&folder).ok()?.permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    Some(std::fs::read_dir(folder).unwrap().count())
}

#[spec("R-075", "D-27")]
async fn a_large_list_has_the_bytes_of_its_pages_and_their_etag(engine: Engine) {
    let server = filled(engine).await;
    let admin = server.admin();
    assert_eq!(spooled(&server), None, "small answers need no file");
    for fields in ["number,data", "number,data,above.data", "data,twice,length", "data,above.twice,length"] {
        let path = format!("collection/page?orderBy=number&showFields={fields}");
        let expected = by_pages(&admin, &path).await;
        assert!(expected.len() > 2 << 20);
        let path = format!("{path}&perPage={ROWS}");
        let mut tags = Vec::new();
        // The later ones come out of a window that is remembered.
        for _ in 0..4 {
            let reply = admin.get(&path).await.is(200);
            assert!(rows(&reply) == expected, "{fields}");
            assert_eq!(reply.at("/stats"), json!({"page": 1, "itemsPerPage": ROWS, "fetched": ROWS, "total": ROWS}));
            assert_eq!(reply.header("content-length"), reply.text.len().to_string());
            tags.push((reply.header("etag").to_owned(), reply.text));
        }
        let (tag, text) = tags.swap_remove(0);
        assert!(tags.iter().all(|(own, _)| *own == tag), "{fields}: {tag}");
        let whole = text.clone();
        let digest = server.look(move |_, context| Ok(resources::etag(context, whole.as_bytes()))).await;
        assert_eq!(tag, digest, "{fields}");
        // HEAD, 304, and SEARCH.
        let head = admin.request("HEAD", &path).send().await.is(200);
        assert_eq!((head.header("etag"), head.header("content-length")), (tag.as_str(), &*text.len().to_string()));
        assert!(head.text.is_empty());
        let known = admin.request("GET", &path).header("if-none-match", &tag).send().await.is(304);
        assert_eq!((known.header("etag"), known.text.as_str()), (tag.as_str(), ""));
        let fields: Vec<&str> = fields.split(',').collect();
        let asked = json!({"orderBy": "number", "showFields": fields.join(","), "perPage": ROWS});
        let found = admin.search("collection/page", asked).await.is(200);
        assert!(found.text == text && found.header("etag") == tag);
    }
    assert_eq!(spooled(&server), Some(0), "nothing is left");
}

#[spec("R-075")]
async fn a_large_list_has_its_metadata_behind_its_rows(engine: Engine) {
    let server = filled(engine).await;
    let admin = server.admin();
    let path = "collection/page?orderBy=number&showFields=data&propsMeta=data";
    let (small, large) =
        (admin.get(&format!("{path}&perPage=1")).await, admin.get(&format!("{path}&perPage=500")).await);
    assert_eq!(small.is(200).at("/propsMeta"), large.is(200).at("/propsMeta"));
}

#[spec("R-075", "R-129", "R-130")]
async fn a_large_resource_has_its_etag(engine: Engine) {
    let server = filled(engine).await;
    let admin = server.admin();
    let large = json!("x".repeat(700_000));
    let above = admin.create("page", json!({"number": 1_000, "data": large})).await["id"].clone();
    let id = admin.create("page", json!({"number": 1_001, "data": large, "above": above})).await["id"].clone();
    for path in [format!("collection/page/{id}"), "collection/page/get-by/number/1001".to_owned()] {
        let path = format!("{path}?showFields=data,above.data");
        let reply = admin.get(&path).await.is(200);
        assert_eq!((reply.at("/data"), reply.at("/above/data")), (large.clone(), large.clone()));
        let text = reply.text.clone();
        let digest = server.look(move |_, context| Ok(resources::etag(context, text.as_bytes()))).await;
        assert_eq!(reply.header("etag"), digest);
        admin.request("GET", &path).header("if-none-match", &digest).send().await.is(304);
        // The cache may keep it, and has it in memory then; what is made anew lies in a file.
        let anew = admin.request("GET", &path).header("cache-control", "no-cache").send().await.is(200);
        assert!(anew.text == reply.text && anew.header("etag") == digest);
    }
    assert_eq!(spooled(&server), Some(0), "nothing is left");
}

#[spec("R-075")]
async fn an_error_in_the_last_rows_of_a_list_is_a_400(engine: Engine) {
    let server = filled(engine).await;
    let admin = server.admin();
    let large = json!("x".repeat(1_000_000));
    for number in ROWS..ROWS + 66 {
        admin.create("page", json!({"number": number, "data": large})).await;
    }
    // 64 rows of a megabyte and 2.4 MB of small ones fit; two more do not.
    for fields in ["number,data", "data,above.number,twice"] {
        let path = format!("collection/page?orderBy=number&showFields={fields}");
        admin.get(&format!("{path}&perPage=500")).await.is(400).says("larger than 64 MB");
        assert!(admin.get(&format!("{path}&perPage=180")).await.is(200).text.len() > 60_000_000);
    }
    assert_eq!(spooled(&server), Some(0), "nothing is left");
}
