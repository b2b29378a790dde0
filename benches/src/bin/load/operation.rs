//! The operations and their requests.

use benches::articles::{self, STATUSES};
use benches::random::Random;
use clap::ValueEnum;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::io::Write as _;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Operation {
    /// One row by its id.
    Get,
    /// The same past all caches.
    GetFresh,
    /// One row that the client has already.
    Unchanged,
    /// One of 10,000 headlines with fields of the article that it refers to, which is what is kept of single rows.
    Embedded,
    /// The same past all caches.
    EmbeddedFresh,
    /// A page of 25 of all rows, by id, with the exact total.
    All,
    /// A page of 25 of the rows with a status, by id, with the exact total.
    Filtered,
    /// The same past all caches.
    FilteredFresh,
    /// The same, where one request in a hundred is a change.
    FilteredMixed,
    /// A page of 25 of the rows with a status, sorted by views, with the exact total.
    List,
    /// The same past all caches.
    ListFresh,
    /// The same, where one request in a hundred is a change.
    Mixed,
    /// A page of 25 of the rows with a tag, with the exact total.
    Tagged,
    /// The same past all caches.
    TaggedFresh,
    /// A page of 25 of the headlines with a word that begins so, with the exact total.
    Search,
    /// A file of 16 KB.
    Upload,
    /// A change of one number.
    Patch,
    /// A new row.
    Create,
}

/// The tag that some of the articles have.
pub(crate) const TAG: &str = "spotlight";

/// Pages that are asked for, at most.
const PAGES: i64 = 20;
/// Headlines that are asked for with what they embed.
const EMBEDDED: i64 = 10_000;
const FILE: usize = 16 * 1024;
/// What asks for an answer past all caches.
const FRESH: &str = "Cache-Control: no-cache\r\n";

impl Operation {
    /// All of them. What changes rows comes last, so that the others find the same table.
    pub(crate) const ALL: [Operation; 18] = [
        Operation::Get,
        Operation::GetFresh,
        Operation::Unchanged,
        Operation::Embedded,
        Operation::EmbeddedFresh,
        Operation::All,
        Operation::Filtered,
        Operation::FilteredFresh,
        Operation::List,
        Operation::ListFresh,
        Operation::Tagged,
        Operation::TaggedFresh,
        Operation::Search,
        Operation::Upload,
        Operation::FilteredMixed,
        Operation::Mixed,
        Operation::Patch,
        Operation::Create,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Operation::Get => "get one",
            Operation::GetFresh => "get one, fresh",
            Operation::Unchanged => "get one, 304",
            Operation::Embedded => "get embedded",
            Operation::EmbeddedFresh => "get embedded, fresh",
            Operation::All => "list all",
            Operation::Filtered => "filtered",
            Operation::FilteredFresh => "filtered, fresh",
            Operation::FilteredMixed => "filtered, 1 % patches",
            Operation::List => "sorted",
            Operation::ListFresh => "sorted, fresh",
            Operation::Mixed => "sorted, 1 % patches",
            Operation::Tagged => "by tag",
            Operation::TaggedFresh => "by tag, fresh",
            Operation::Search => "search",
            Operation::Upload => "upload",
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

    /// Whether the limit programs can be asked for it: they have articles alone, without tags and validators.
    pub(crate) fn limited(self) -> bool {
        let tagged = matches!(self, Operation::Tagged | Operation::TaggedFresh);
        !(tagged || self.headlines() || matches!(self, Operation::Unchanged | Operation::Upload))
    }

    /// Whether it reads headlines, which Plinth alone has.
    pub(crate) fn headlines(self) -> bool {
        matches!(self, Operation::Search | Operation::Embedded | Operation::EmbeddedFresh)
    }

    /// Whether it reads rows by a tag.
    pub(crate) fn tagged(self) -> bool {
        matches!(self, Operation::Tagged | Operation::TaggedFresh)
    }

    /// With more connections than this, requests would wait for seconds, which is refused.
    pub(crate) fn most_connections(self) -> u32 {
        match self {
            Operation::Get
            | Operation::GetFresh
            | Operation::Unchanged
            | Operation::Embedded
            | Operation::EmbeddedFresh
            | Operation::Patch
            | Operation::Create => u32::MAX,
            _ => 8,
        }
    }

    /// Writes a request of this kind to `out`, instead of what is there.
    pub(crate) fn write(self, out: &mut Vec<u8>, rows: u32, key: &str, random: &mut Random) {
        out.clear();
        let id = random.between(1, i64::from(rows) + 1);
        let page = random.between(1, pages(rows) + 1);
        let mut article = |headers: &str, path: &str| request(out, "GET", &collection(path), key, headers, b"");
        match self {
            Operation::Get => article("", &format!("/{id}")),
            Operation::GetFresh => article(FRESH, &format!("/{id}")),
            Operation::Unchanged => article("If-None-Match: *\r\n", &format!("/{id}")),
            Operation::Embedded | Operation::EmbeddedFresh => {
                let headers = if self == Operation::Embedded { "" } else { FRESH };
                let id = random.between(1, EMBEDDED.min(i64::from(rows)) + 1);
                let path = format!("/api/v1/collection/headline/{id}?showFields=title,article.title,article.status");
                request(out, "GET", &path, key, headers, b"");
            }
            Operation::All => article("", &format!("?page={page}&perPage=25")),
            Operation::Filtered => article("", &list_query(status(random), page, None)),
            Operation::FilteredFresh => article(FRESH, &list_query(status(random), page, None)),
            Operation::List => article("", &list_query(status(random), page, Some("-views"))),
            Operation::ListFresh => article(FRESH, &list_query(status(random), page, Some("-views"))),
            Operation::FilteredMixed | Operation::Mixed => {
                let list = if self == Operation::Mixed { Operation::List } else { Operation::Filtered };
                let one = if random.between(0, 100) == 0 { Operation::Patch } else { list };
                one.write(out, rows, key, random);
            }
            Operation::Tagged => article("", &format!("?page={page}&perPage=25&tags={TAG}")),
            Operation::TaggedFresh => article(FRESH, &format!("?page={page}&perPage=25&tags={TAG}")),
            // A number without its last digit: for most, eleven headlines begin so.
            Operation::Search => request(out, "GET", &search((id / 10).max(1)), key, "", b""),
            Operation::Upload => upload(out, key),
            Operation::Patch => {
                let body = format!("{{\"views\":{}}}", random.between(0, 1_000_000));
                request(out, "PATCH", &collection(&format!("/{id}")), key, JSON, body.as_bytes());
            }
            Operation::Create => {
                let mut body = Vec::with_capacity(600);
                articles::article(random.number() >> 32, random).write_json(&mut body);
                request(out, "POST", &collection(""), key, JSON, &body);
            }
        }
    }
}

const JSON: &str = "Content-Type: application/json\r\n";

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

fn status(random: &mut Random) -> &'static str {
    STATUSES[random.between(0, 5) as usize]
}

fn search(number: i64) -> String {
    let filters = format!(r#"[{{"property":"*","type":"search","param":"article {number}"}}]"#);
    let filters = utf8_percent_encode(&filters, NON_ALPHANUMERIC);
    format!("/api/v1/collection/headline?perPage=25&filters={filters}")
}

fn upload(out: &mut Vec<u8>, key: &str) {
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
