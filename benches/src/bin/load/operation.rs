//! The operations and their requests.

use benches::articles::{STATUSES, article};
use benches::random::Random;
use clap::ValueEnum;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::io::Write as _;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Operation {
    /// One row by its id.
    Get,
    /// One row that the client has already.
    Unchanged,
    /// A page of 25 of the rows with a status, sorted by views, with the exact total.
    List,
    /// A page of 25 of the headlines with a word that begins so, with the exact total. Plinth alone has headlines.
    Search,
    /// The same, where one request in a hundred is a change.
    Mixed,
    /// A change of one number.
    Patch,
    /// A new row.
    Create,
}

/// Pages that are asked for.
const PAGES: i64 = 20;

impl Operation {
    /// All of them. What adds rows comes last, so that the others find the same table.
    pub(crate) const ALL: [Operation; 7] = [
        Operation::Get,
        Operation::Unchanged,
        Operation::List,
        Operation::Mixed,
        Operation::Search,
        Operation::Patch,
        Operation::Create,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Operation::Get => "get one",
            Operation::Unchanged => "get one, 304",
            Operation::List => "list of 25",
            Operation::Search => "search",
            Operation::Mixed => "list, 1 % patches",
            Operation::Patch => "patch",
            Operation::Create => "create",
        }
    }

    /// The status of an answer that counts.
    pub(crate) fn status(self) -> u16 {
        match self {
            Operation::Create => 201,
            Operation::Unchanged => 304,
            _ => 200,
        }
    }

    /// Whether the limit programs can be asked for it: they have neither headlines nor validators.
    pub(crate) fn limited(self) -> bool {
        !matches!(self, Operation::Search | Operation::Unchanged)
    }

    /// With more connections than this, requests would wait for seconds, which is refused.
    pub(crate) fn most_connections(self) -> u32 {
        if matches!(self, Operation::List | Operation::Mixed | Operation::Search) { 8 } else { u32::MAX }
    }

    /// Writes a request of this kind to `out`, instead of what is there.
    pub(crate) fn write(self, out: &mut Vec<u8>, rows: u32, key: &str, random: &mut Random) {
        out.clear();
        let id = random.between(1, i64::from(rows) + 1);
        match self {
            Operation::Get => get(out, &format!("/{id}"), key),
            Operation::Unchanged => {
                get(out, &format!("/{id}"), key);
                out.truncate(out.len() - 2);
                out.extend_from_slice(b"If-None-Match: *\r\n\r\n");
            }
            Operation::Mixed => {
                let one = if random.between(0, 100) == 0 { Operation::Patch } else { Operation::List };
                one.write(out, rows, key, random);
            }
            Operation::List => {
                let status = STATUSES[random.between(0, 5) as usize];
                get(out, &list_query(status, random.between(1, PAGES + 1)), key);
            }
            // A number without its last digit: for most, eleven headlines begin so.
            Operation::Search => search(out, (id / 10).max(1), key),
            Operation::Patch => {
                let body = format!("{{\"views\":{}}}", random.between(0, 1_000_000));
                with_body(out, "PATCH", &format!("/{id}"), key, body.as_bytes());
            }
            Operation::Create => {
                let mut body = Vec::with_capacity(600);
                article(random.number() >> 32, random).write_json(&mut body);
                with_body(out, "POST", "", key, &body);
            }
        }
    }
}

/// The part of a list's path behind the collection.
pub(crate) fn list_query(status: &str, page: i64) -> String {
    let filters = format!(r#"[{{"property":"status","type":"eq","param":"{status}"}}]"#);
    let filters = utf8_percent_encode(&filters, NON_ALPHANUMERIC);
    format!("?page={page}&perPage=25&orderBy=-views&filters={filters}")
}

fn search(out: &mut Vec<u8>, number: i64, key: &str) {
    let filters = format!(r#"[{{"property":"*","type":"search","param":"article {number}"}}]"#);
    let filters = utf8_percent_encode(&filters, NON_ALPHANUMERIC);
    let path = format!("/api/v1/collection/headline?perPage=25&filters={filters}");
    let _ = write!(out, "GET {path} HTTP/1.1\r\nHost: localhost\r\nkey: {key}\r\n\r\n");
}

/// Appends a GET of a path behind the collection.
pub(crate) fn get(out: &mut Vec<u8>, path: &str, key: &str) {
    let _ = write!(out, "GET /api/v1/collection/article{path} HTTP/1.1\r\nHost: localhost\r\nkey: {key}\r\n\r\n");
}

fn with_body(out: &mut Vec<u8>, method: &str, path: &str, key: &str, body: &[u8]) {
    let _ = write!(
        out,
        "{method} /api/v1/collection/article{path} HTTP/1.1\r\nHost: localhost\r\nkey: {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    out.extend_from_slice(body);
}
