//! Rules of both kinds of files: which files they take.

use super::options::KindOptions;
use serde_json::Value as Json;

/// Files of a property, where the options do not say otherwise.
const MOST: usize = 100;
/// Files of a property, whatever the options say.
const CAP: i64 = 1_000;

/// The option for the size of a file that both take, and its effect.
pub(super) const MAX_SIZE: (&str, &str) =
    ("maxSize", "the most bytes of a file; the server's `limits.upload_file_bytes` by default");
pub(super) const ACCEPT: (&str, &str) = (
    "accept",
    "a list of allowed media types: image/png, image/*, application/pdf; by default all but HTML, SVG and XML, which must be listed without `*`",
);
pub(super) const MAX_FILES: (&str, &str) = ("maxFiles", "the most files; 100 by default, 1000 at most");

/// The media types that a browser would run or show as a page of the server's own.
const ACTIVE: [&str; 4] = ["text/html", "application/xhtml+xml", "image/svg+xml", "text/xml"];

/// The rules for the files that a property takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRules {
    /// The most bytes of one; none is the server's limit.
    pub max_size: Option<u64>,
    /// The most files that there may be.
    pub max_files: usize,
    /// Media types, in lower case; empty for all that are harmless.
    pub accept: Vec<String>,
}

impl FileRules {
    pub(super) fn take(options: &mut KindOptions, many: bool) -> Self {
        let max_size = options.integer("maxSize", 1, i64::MAX).map(i64::unsigned_abs);
        let max_files = if many { options.integer("maxFiles", 1, CAP) } else { Some(1) };
        let max_files = max_files.and_then(|most| usize::try_from(most).ok()).unwrap_or(MOST);
        FileRules { max_size, max_files, accept: accept(options) }
    }

    /// Returns true if a file of that media type is taken.
    pub fn takes(&self, mime: &str) -> bool {
        let listed = |pattern: &String| match pattern.strip_suffix('*') {
            // Whoever takes all images has no page with a script in mind.
            Some(beginning) => mime.starts_with(beginning) && !is_active(mime),
            None => pattern == mime,
        };
        if self.accept.is_empty() { !is_active(mime) } else { self.accept.iter().any(listed) }
    }
}

/// Returns true if files of that media type can act when a browser opens them.
pub fn is_active(mime: &str) -> bool {
    ACTIVE.contains(&mime) || mime == "application/xml" || mime.ends_with("+xml")
}

fn accept(options: &mut KindOptions) -> Vec<String> {
    let listed = match options.take("accept") {
        None => return Vec::new(),
        Some(Json::Array(listed)) => listed,
        Some(one @ Json::String(_)) => vec![one],
        Some(_) => {
            options.fault("accept", "accept must be a list of media types.");
            return Vec::new();
        }
    };
    let mut accept = Vec::with_capacity(listed.len());
    for pattern in &listed {
        match pattern.as_str().map(str::to_ascii_lowercase).filter(|pattern| is_pattern(pattern)) {
            Some(pattern) => accept.push(pattern),
            None => options.fault("accept", format!("{pattern} is not a media type such as image/png or image/*.")),
        }
    }
    accept
}

fn is_pattern(text: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte))
    };
    text.split_once('/').is_some_and(|(kind, format)| word(kind) && (format == "*" || word(format)))
}
