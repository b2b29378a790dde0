//! Records of the answers below `/api/ext/v1/`, for `tests/answers`, which holds them against the description of the API.
//!
//! `PLINTH_TEST_ANSWERS` names their folder. Each process has a file there, with a line for each answer. The description
//! that an answer names (`Plinth-Schema`) is fetched with the same key, once for all processes.

use crate::client::{Reply, Request};
use serde_json::{Value as Json, json};
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The bytes of the longest body that is recorded.
const LONGEST: usize = 256 * 1024;

/// The headers that say whose request it is, and to whom it goes.
const CALLER: [&str; 5] = ["host", "key", "x-api-key", "authorization", "x-forwarded-for"];

/// The folder with what this process has written there.
struct Records {
    folder: PathBuf,
    file: Mutex<File>,
    /// The names of descriptions that this process has fetched or fetches.
    fetched: Mutex<HashSet<String>>,
}

/// A request whose answer is recorded.
pub(crate) struct RecordedRequest {
    records: &'static Records,
    line: Json,
    document: Request,
    /// The end of the name of a description of decimals as texts.
    form: &'static str,
}

/// Returns what is recorded of a request; none where nothing is.
pub(crate) fn recorded(request: &Request) -> Option<RecordedRequest> {
    let records = records()?;
    let (tenant, _) = request.path.split_once("/api/ext/v1/")?;
    if !(tenant.is_empty() || tenant.starts_with("/t/")) {
        return None;
    }
    let header = |own: &str| {
        let found = request.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(own));
        found.map_or("", |(_, value)| value)
    };
    let body: Json = serde_json::from_slice(&request.body).unwrap_or_default();
    let members: Vec<&String> = body.as_object().into_iter().flatten().map(|(name, _)| name).collect();
    let line = json!({
        "method": request.method, "path": request.path, "members": members,
        "accept": header("accept"), "prefer": header("prefer"),
    });
    let is_text = body["_decimals"] == "text" || request.path.contains("_decimals=text");
    let (form, query) = if is_text { ("-text", "?decimals=text") } else { ("", "") };
    let document = request.of_caller(&format!("{tenant}/api/ext/v1/openapi.json{query}"), &CALLER);
    Some(RecordedRequest { records, line, document, form })
}

impl RecordedRequest {
    /// Writes the answer down, and fetches the description that it names.
    pub(crate) async fn answered(self, reply: &Reply) {
        let Self { records, mut line, document, form } = self;
        let version = reply.header("plinth-schema");
        let media_type = reply.header("content-type").split(';').next().unwrap_or_default();
        let is_kept = media_type.ends_with("json") && reply.bytes.len() <= LONGEST && !reply.text.is_empty();
        line["status"] = reply.status.into();
        line["type"] = media_type.into();
        line["length"] = reply.bytes.len().into();
        line["body"] = if is_kept { reply.text.as_str().into() } else { Json::Null };
        let name = if version.is_empty() { String::new() } else { format!("{version}{form}") };
        line["schema"] = name.as_str().into();
        let line = format!("{line}\n");
        let written = records.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
        written.expect("the folder of answers takes them");
        if !name.is_empty() && records.begin(&name) && !records.fetch(&name, version, document).await {
            records.fetched.lock().unwrap_or_else(PoisonError::into_inner).remove(&name);
        }
    }
}

impl Records {
    /// Returns true if a description is not there, and nobody in this process fetches it.
    fn begin(&self, name: &str) -> bool {
        self.fetched.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned())
            && !self.folder.join(format!("{name}.json")).exists()
    }

    /// Fetches a description; false where it is not to be had, or the model has changed since.
    async fn fetch(&self, name: &str, version: &str, request: Request) -> bool {
        let Ok(reply) = request.exchange_unrecorded().await else { return false };
        if reply.status != 200 || reply.at("/info/version") != version {
            return false;
        }
        let draft = self.folder.join(format!("{name}.{}", std::process::id()));
        let written = std::fs::write(&draft, &reply.bytes);
        written.and_then(|()| std::fs::rename(&draft, self.folder.join(format!("{name}.json")))).is_ok()
    }
}

fn records() -> Option<&'static Records> {
    static RECORDS: OnceLock<Option<Records>> = OnceLock::new();
    let open = || {
        let folder = PathBuf::from(std::env::var_os("PLINTH_TEST_ANSWERS")?);
        let name = folder.join(format!("{}.jsonl", std::process::id()));
        let file = File::options().create(true).append(true).open(name).expect("the folder of answers is there");
        Some(Records { folder, file: Mutex::new(file), fetched: Mutex::default() })
    };
    RECORDS.get_or_init(open).as_ref()
}
