//! Requests as they are sent.

use crate::operation::{BATCHED, TAG};
use benches::articles::STATUSES;
use benches::random::Random;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::io::Write as _;

const FILE: usize = 16 * 1024;

pub(super) fn invoices(out: &mut Vec<u8>, page: i64, key: &str, headers: &str) {
    request(out, "GET", &format!("/api/v1/collection/invoice?page={page}&perPage=25"), key, headers, b"");
}

/// The same by a filter, as whoever sees all asks for them.
pub(super) fn invoices_of(out: &mut Vec<u8>, page: i64, (path, operator, user): (&str, &str, i64), key: &str) {
    let filters = format!(r#"[{{"property":"{path}","type":"{operator}","param":[{user}]}}]"#);
    let filters = utf8_percent_encode(&filters, NON_ALPHANUMERIC);
    let path = format!("/api/v1/collection/invoice?page={page}&perPage=25&filters={filters}");
    request(out, "GET", &path, key, FRESH, b"");
}

/// A page of 50 companies with their names and managers, and with fields behind their invoices.
pub(super) fn companies(out: &mut Vec<u8>, page: i64, fields: &str, key: &str) {
    let more = if fields.is_empty() { String::new() } else { format!(",{fields}") };
    let related = utf8_percent_encode(r#"{"invoices":{"limit":5}}"#, NON_ALPHANUMERIC);
    let related = if fields.is_empty() { String::new() } else { format!("&_related={related}") };
    let page = (page - 1) % 20 + 1;
    let path = format!(
        "/api/v1/collection/company?page={page}&perPage=50&showFields=name,manager,leader,users{more}{related}"
    );
    request(out, "GET", &path, key, FRESH, b"");
}

/// The body of a new item.
pub(crate) fn item(random: &mut Random) -> String {
    let (amount, cents) = (random.between(0, 1_000), random.between(0, 100_000));
    format!("{{\"name\":\"item {amount}\",\"amount\":{amount},\"price\":{}.{:02}}}", cents / 100, cents % 100)
}

/// The body of a batch of new items.
pub(crate) fn batch(random: &mut Random) -> String {
    let create = |_| format!("{{\"op\":\"create\",\"type\":\"plainItem\",\"set\":{}}}", item(random));
    let operations: Vec<String> = (0..BATCHED).map(create).collect();
    format!("{{\"operations\":[{}]}}", operations.join(","))
}

/// What asks for an answer past all caches.
pub(super) const FRESH: &str = "Cache-Control: no-cache\r\n";
pub(super) const JSON: &str = "Content-Type: application/json\r\n";

/// Pages that are asked for, at most.
const PAGES: i64 = 20;

/// How many pages of 25 the rows with a status have at least: a fifth of all has it, give or take chance.
pub(crate) fn pages(rows: u32) -> i64 {
    (i64::from(rows) * 15 / 100 / 25).clamp(1, PAGES)
}

/// A path behind the collection of articles.
pub(crate) fn collection(path: &str) -> String {
    format!("/api/v1/collection/article{path}")
}

/// The part of a list's path behind the collection.
pub(crate) fn list_query(status: &str, page: i64, order: Option<&str>) -> String {
    let filters = format!(r#"[{{"property":"status","type":"eq","param":"{status}"}}]"#);
    let filters = utf8_percent_encode(&filters, NON_ALPHANUMERIC);
    let order = order.map(|order| format!("&orderBy={order}")).unwrap_or_default();
    format!("?page={page}&perPage=25{order}&filters={filters}")
}

/// The path of the numbers of articles by status and month.
pub(super) fn groups() -> String {
    let keys = r#"["status",{"property":"published_at","by":"month","as":"month"}]"#;
    format!("/api/ext/v1/aggregate/article?groupBy={}", utf8_percent_encode(keys, NON_ALPHANUMERIC))
}

pub(super) fn status(random: &mut Random) -> &'static str {
    STATUSES[random.between(0, 5) as usize]
}

pub(super) fn search(number: i64) -> String {
    let filters = format!(r#"[{{"property":"*","type":"search","param":"article {number}"}}]"#);
    let filters = utf8_percent_encode(&filters, NON_ALPHANUMERIC);
    format!("/api/v1/collection/headline?perPage=25&filters={filters}")
}

pub(super) fn upload(out: &mut Vec<u8>, key: &str) {
    let mut body = Vec::with_capacity(FILE + 256);
    body.extend_from_slice(
        b"--frontier\r\nContent-Disposition: form-data; name=\"file\"; filename=\"note.txt\"\r\n\r\n",
    );
    body.resize(body.len() + FILE, b'a');
    body.extend_from_slice(b"\r\n--frontier--\r\n");
    let form = "Content-Type: multipart/form-data; boundary=frontier\r\n";
    request(out, "POST", "/api/v1/upload/document/content", key, form, &body);
}

/// Appends what gives the tag to an article.
pub(crate) fn assign(out: &mut Vec<u8>, id: u32, key: &str) {
    let body = format!(r#"{{"type":"article","item":{id},"operation":"add","tags":["{TAG}"]}}"#);
    request(out, "POST", "/api/v1/app/tags.assign", key, JSON, body.as_bytes());
}

/// Appends a request.
pub(crate) fn request(out: &mut Vec<u8>, method: &str, path: &str, key: &str, headers: &str, body: &[u8]) {
    let _ = write!(out, "{method} {path} HTTP/1.1\r\nHost: localhost\r\nkey: {key}\r\n{headers}");
    if method == "GET" {
        out.extend_from_slice(b"\r\n");
    } else {
        let _ = write!(out, "Content-Length: {}\r\n\r\n", body.len());
        out.extend_from_slice(body);
    }
}
