//! Validators of reads: `ETag`, `If-None-Match`, and what caches may do.

use super::answer::Answer;
use super::query_string;
use super::request::Request;
use http::StatusCode;
use http::header::{self, HeaderMap, HeaderValue};
use model::parameters::no_cache;
use std::borrow::Cow;

/// The end of an ETag of an answer in gzip, behind the digits: it is another representation (RFC 9110, 8.8.3).
const PACKED: &str = "1f8b\"";
/// The length of an ETag in quotes.
const LENGTH: usize = 34;

/// Returns the ETag of an answer's packed form.
pub fn packed(tag: &str) -> String {
    tag.strip_suffix('"').unwrap_or(tag).to_owned() + PACKED
}

/// Returns the ETag of the plain form, which stands for the same state.
pub fn plain(tag: &str) -> Cow<'_, str> {
    match tag.strip_suffix(PACKED).filter(|_| tag.len() == LENGTH + PACKED.len() - 1) {
        Some(digits) => Cow::Owned(format!("{digits}\"")),
        None => Cow::Borrowed(tag),
    }
}

/// Gives an answer its ETag alone: to be asked for with `If-Match`, and kept by nobody.
pub fn tagged(answer: Answer, tag: &str) -> Answer {
    answer.with(header::ETAG, HeaderValue::from_str(tag).expect("an ETag is hexadecimal digits in quotes"))
}

/// Gives an answer its ETag; where the client has that very body already, the answer becomes 304, with the ETag that the
/// client knows.
pub fn validated(answer: Answer, tag: &str, request: &Request) -> Answer {
    let known = if bypasses(request) { None } else { known(&request.headers, tag) };
    let answer = match &known {
        Some(_) => Answer { status: StatusCode::NOT_MODIFIED, ..Answer::empty() },
        None => answer,
    };
    let tag = known.as_deref().unwrap_or(tag);
    tagged(answer, tag).with(header::CACHE_CONTROL, HeaderValue::from_static("private, must-revalidate"))
}

/// Returns true if the client wants no answer out of a cache.
pub fn bypasses(request: &Request) -> bool {
    let directives = request.headers.get_all(header::CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
    let by_header = directives
        .flat_map(|value| value.split(','))
        .any(|directive| directive.trim().eq_ignore_ascii_case("no-cache"));
    // What is wrong with a query is told where it is read.
    by_header || query_string::pairs(request.uri.query()).is_ok_and(|pairs| no_cache(&pairs).unwrap_or_default())
}

/// Returns true if `If-None-Match` names the tag. It compares weakly: a proxy that recoded the body made a weak tag of
/// it.
pub(super) fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    known(headers, tag).is_some()
}

/// Returns the strong form of the tag by which `If-None-Match` names an answer.
fn known(headers: &HeaderMap, tag: &str) -> Option<String> {
    let values = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut known = values.flat_map(|value| value.split(',')).map(str::trim);
    known.find_map(|known| {
        let strong = known.strip_prefix("W/").unwrap_or(known);
        match known {
            "*" => Some(tag.to_owned()),
            _ => (plain(strong) == plain(tag)).then(|| strong.to_owned()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::is_known;
    use http::header::{HeaderMap, HeaderValue, IF_NONE_MATCH};

    #[test]
    fn compares_weakly() {
        for (value, expected) in [
            ("\"a1\"", true),
            ("W/\"a1\"", true),
            ("\"b2\", \"a1\"", true),
            ("*", true),
            ("\"b2\"", false),
            ("a1", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(IF_NONE_MATCH, HeaderValue::from_static(value));
            assert_eq!(is_known(&headers, "\"a1\""), expected, "{value}");
        }
        assert!(!is_known(&HeaderMap::new(), "\"a1\""));
    }
}
