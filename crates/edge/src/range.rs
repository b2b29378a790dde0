//! The part of a file that is asked for (RFC 9110, chapters 13 and 14).

use super::answer::Problem;
use http::StatusCode;
use http::header::{self, HeaderMap, HeaderValue};
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use std::ops::Range;

/// The validators that tell one content from another.
#[derive(Clone, Debug)]
pub struct FileValidators {
    /// The strong ETag, with its quotes.
    pub tag: String,
    /// When the content was last changed, in seconds since 1970.
    pub modified: i64,
}

impl FileValidators {
    /// `Last-Modified`.
    pub fn modified(&self) -> Option<HeaderValue> {
        let instant = Timestamp::from_second(self.modified).ok()?;
        let text = rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&instant).ok()?;
        HeaderValue::try_from(text).ok()
    }

    /// Returns true if the client has this very content already.
    pub fn known(&self, headers: &HeaderMap) -> bool {
        if headers.contains_key(header::IF_NONE_MATCH) {
            return super::etag::is_known(headers, &self.tag);
        }
        date(headers, &header::IF_MODIFIED_SINCE).is_some_and(|since| self.modified <= since)
    }

    /// The part that is asked for; none where it is the whole. At most one: whoever wants more asks again.
    pub fn range(&self, headers: &HeaderMap, size: u64) -> Result<Option<Range<u64>>, Problem> {
        let Some(asked) = headers.get(header::RANGE) else { return Ok(None) };
        if headers.contains_key(header::IF_RANGE) && !self.stands(headers) {
            return Ok(None);
        }
        let Some((unit, asked_bytes)) = asked.to_str().ok().and_then(|asked| asked.split_once('=')) else {
            return Err(unsatisfiable(size));
        };
        if !unit.trim().eq_ignore_ascii_case("bytes") {
            // Whoever speaks of other units is to get the whole.
            return Ok(None);
        }
        let only = headers.get_all(header::RANGE).iter().count() == 1;
        parse(asked_bytes, size).filter(|_| only).map(Some).ok_or_else(|| unsatisfiable(size))
    }

    /// Returns true if `If-Range` names this content, strongly.
    fn stands(&self, headers: &HeaderMap) -> bool {
        let tag = headers.get(header::IF_RANGE).is_some_and(|value| value.as_bytes() == self.tag.as_bytes());
        tag || date(headers, &header::IF_RANGE) == Some(self.modified)
    }
}

/// Reads `0-9`, `9-` or `-9`; none where that is no part of so many bytes.
fn parse(text: &str, size: u64) -> Option<Range<u64>> {
    let (first, last) = text.trim().split_once('-')?;
    let range = match (number(first)?, number(last)?) {
        (None, None) => return None,
        (None, Some(count)) => size.saturating_sub(count)..size,
        (Some(first), None) => first..size,
        (Some(first), Some(last)) if first <= last => first..size.min(last.saturating_add(1)),
        _ => return None,
    };
    (range.start < range.end).then_some(range)
}

/// Digits, or nothing at all. More than there are bytes anywhere is as good as the most that we count to.
#[expect(clippy::option_option, reason = "what is no number is not the same as a number left out")]
fn number(text: &str) -> Option<Option<u64>> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((!text.is_empty()).then(|| text.parse().unwrap_or(u64::MAX)))
}

/// A date in a header, in seconds since 1970.
fn date(headers: &HeaderMap, name: &header::HeaderName) -> Option<i64> {
    let text = headers.get(name)?.to_str().ok()?;
    rfc2822::parse(text).ok().map(|date| date.timestamp().as_second())
}

fn unsatisfiable(size: u64) -> Problem {
    let whole = HeaderValue::try_from(format!("bytes */{size}")).expect("digits fit a header");
    Problem::new(
        StatusCode::RANGE_NOT_SATISFIABLE,
        "range_invalid",
        "The file has no such range; ask for one at a time.",
    )
    .with(header::CONTENT_RANGE, whole)
}

#[cfg(test)]
mod tests {
    use super::{FileValidators, parse};
    use http::header::{HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, RANGE};

    const DATE: &str = "Fri, 20 Nov 2026 12:00:00 GMT";

    fn validators() -> FileValidators {
        FileValidators { tag: "\"a1\"".to_owned(), modified: 1_795_176_000 }
    }

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap())).collect()
    }

    #[test]
    fn reads_ranges() {
        for (text, expected) in [
            ("0-0", Some(0..1)),
            ("0-9", Some(0..10)),
            ("2-100", Some(2..10)),
            ("9-", Some(9..10)),
            ("-1", Some(9..10)),
            ("-100", Some(0..10)),
            ("0-18446744073709551615", Some(0..10)),
            ("0-99999999999999999999999", Some(0..10)),
            ("9-1", None),
            ("10-", None),
            ("10-11", None),
            ("-0", None),
            ("-", None),
            ("", None),
            ("0", None),
            ("0-1,3-4", None),
            ("+1-2", None),
            ("a-b", None),
            ("-1-2", None),
        ] {
            assert_eq!(parse(text, 10), expected, "{text}");
        }
        assert_eq!((parse("0-", 0), parse("-1", 0)), (None, None));
    }

    #[test]
    fn conditions_decide_what_is_sent() {
        let validators = validators();
        assert_eq!(validators.modified().unwrap(), DATE);
        for (pairs, known) in [
            (vec![], false),
            (vec![(IF_NONE_MATCH, "\"a1\"")], true),
            (vec![(IF_NONE_MATCH, "\"b2\"")], false),
            (vec![(IF_NONE_MATCH, "\"b2\""), (IF_MODIFIED_SINCE, DATE)], false),
            (vec![(IF_MODIFIED_SINCE, DATE)], true),
            (vec![(IF_MODIFIED_SINCE, "Fri, 20 Nov 2026 11:59:59 GMT")], false),
            (vec![(IF_MODIFIED_SINCE, "yesterday")], false),
        ] {
            assert_eq!(validators.known(&headers(&pairs)), known, "{pairs:?}");
        }
        for (condition, expected) in [
            ("\"a1\"", Some(2..10)),
            (DATE, Some(2..10)),
            ("W/\"a1\"", None),
            ("\"b2\"", None),
            ("Fri, 20 Nov 2026 12:00:01 GMT", None),
        ] {
            let range = validators.range(&headers(&[(RANGE, "bytes=2-"), (IF_RANGE, condition)]), 10);
            assert_eq!(range.unwrap(), expected, "{condition}");
        }
        assert_eq!(validators.range(&headers(&[(RANGE, "lines=1-2")]), 10).unwrap(), None);
        let refused = validators.range(&headers(&[(RANGE, "bytes=0-1, 4-5")]), 10).unwrap_err();
        assert_eq!((refused.status.as_u16(), refused.headers[0].1.to_str().unwrap()), (416, "bytes */10"));
    }
}
