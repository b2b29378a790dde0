//! Answers in gzip, for clients that take it (RFC 9110, 12.5.3). An answer that is remembered keeps its packed form, so
//! packing costs once.

use super::Answer;
use super::etag;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::header::{self, HeaderMap, HeaderValue};
use std::io::Write as _;
use tenant::cache;
use tenant::cache::AnswerBody;

/// Smaller bodies fit a few packets, packed or not.
const LEAST: usize = 2 << 10;
/// Larger bodies are packed on a thread of their own: others wait for those of requests.
const LONG: usize = 128 << 10;

/// Returns true if the client takes gzip.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut by_star = false;
    for coding in values.flat_map(|value| value.split(',')) {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(Some(1.0), |weight| weight.trim().parse::<f32>().ok());
        let taken = weight.is_some_and(|weight| weight > 0.0);
        match name.trim().to_ascii_lowercase().as_str() {
            "gzip" | "x-gzip" => return taken,
            "*" => by_star = taken,
            _ => {}
        }
    }
    by_star
}

/// Returns the packed form of an answer and its ETag, where the client takes it and it is at most half as long.
pub async fn packed(answer: &cache::Answer, headers: &HeaderMap) -> Option<(Bytes, String)> {
    let AnswerBody::Whole(whole) = &answer.body else { return None };
    if whole.len() < LEAST || !takes_gzip(headers) {
        return None;
    }
    let known = answer.packed.get().cloned();
    let packed = match known {
        Some(packed) => packed,
        None if whole.len() < LONG => answer.packed.get_or_init(|| pack(whole)).clone(),
        None => {
            let answer = answer.clone();
            let job = move || answer.packed.get_or_init(|| pack(answer.body.whole().unwrap_or(&Bytes::new()))).clone();
            tokio::task::spawn_blocking(job).await.ok()?
        }
    };
    (!packed.is_empty()).then(|| (packed, etag::packed(&answer.etag)))
}

/// Packs a body; what does not become half as long stays as it is, and is remembered as nothing.
fn pack(whole: &Bytes) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::with_capacity(whole.len() / 4), Compression::fast());
    let packed = encoder.write_all(whole).and_then(|()| encoder.finish());
    packed.ok().filter(|packed| packed.len() <= whole.len() / 2).map(Bytes::from).unwrap_or_default()
}

/// Names what the answer depends on, and its coding.
pub fn coded(answer: Answer, is_packed: bool) -> Answer {
    const VARY: &str = "key, x-api-key, Authorization, X-Plinth-Proof, Origin, Accept, Accept-Encoding";
    let answer = answer.with(header::VARY, HeaderValue::from_static(VARY));
    if is_packed { answer.with(header::CONTENT_ENCODING, HeaderValue::from_static("gzip")) } else { answer }
}

#[cfg(test)]
mod tests {
    use super::takes_gzip;
    use http::header::{ACCEPT_ENCODING, HeaderMap, HeaderValue};

    #[test]
    fn gzip_is_taken_where_it_is_named() {
        for (value, expected) in [
            ("gzip", true),
            ("GZIP, deflate, br", true),
            ("deflate, gzip;q=0.1", true),
            ("gzip;q=0, *", false),
            ("*;q=0.5", true),
            ("identity", false),
            ("gzip; q=0", false),
            ("gzip;q=x", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(value));
            assert_eq!(takes_gzip(&headers), expected, "{value}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
