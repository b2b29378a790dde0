//! ETags of bodies, and the precondition `If-Match` (D-26, D-27).

use context::request_context::RequestContext;
use context::spool::ReadBody;
use model::error::{Error, ErrorKind, Result};
use xxhash_rust::xxh3::{Xxh3, xxh3_128_with_seed};

/// The digits of an ETag, and what follows them in that of an answer in gzip.
const DIGITS: usize = 32;
const PACKED: &str = "1f8b";

/// The strong ETag of a body: 128 bits under the tenant's secret seed, in quotes.
pub fn etag(request: &RequestContext, body: &[u8]) -> String {
    format!("\"{:032x}\"", xxh3_128_with_seed(body, request.seed))
}

/// The same of a body that may be in a file.
pub fn etag_of(request: &RequestContext, body: &ReadBody) -> Result<String> {
    if let ReadBody::Whole(bytes) = body {
        return Ok(etag(request, bytes));
    }
    let mut digest = Xxh3::with_seed(request.seed);
    body.pieces(&mut |piece| digest.update(piece))?;
    Ok(format!("\"{:032x}\"", digest.digest128()))
}

/// Demand of an `If-Match` header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IfMatch {
    /// `*`: that the resource exists.
    Any,
    /// That its ETag is one of these. Weak ones never match.
    Listed(Vec<String>),
}

impl IfMatch {
    /// Reads the header's value. The ETag of an answer in gzip stands for the same state as the plain one.
    pub fn parse(text: &str) -> Result<Self> {
        if text.trim() == "*" {
            return Ok(IfMatch::Any);
        }
        let invalid = || Error::invalid("if_match_invalid", "If-Match must be * or a list of ETags in quotes.");
        let mut tags = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (weak, quoted) = rest.strip_prefix("W/").map_or((false, rest), |rest| (true, rest));
            let (tag, after) = quoted.strip_prefix('"').and_then(|tag| tag.split_once('"')).ok_or_else(invalid)?;
            if !weak {
                let digits = tag.strip_suffix(PACKED).filter(|digits| digits.len() == DIGITS).unwrap_or(tag);
                tags.push(format!("\"{digits}\""));
            }
            rest = after.trim_start();
            if !rest.is_empty() {
                rest = rest.strip_prefix(',').ok_or_else(invalid)?.trim_start();
            }
        }
        if text.trim().is_empty() { Err(invalid()) } else { Ok(IfMatch::Listed(tags)) }
    }

    /// Fails unless the resource, whose body for the caller is given, is the one that the caller saw.
    pub fn check(&self, request: &RequestContext, body: impl FnOnce() -> Result<Vec<u8>>) -> Result<()> {
        let IfMatch::Listed(tags) = self else { return Ok(()) };
        let current = etag(request, &body()?);
        if tags.contains(&current) {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Changed, "resource_changed", "The resource has changed since you read it."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&[&str]>) {
        let tags = expected.map(|tags| IfMatch::Listed(tags.iter().map(|tag| (*tag).to_owned()).collect()));
        assert_eq!(IfMatch::parse(text).ok(), tags, "{text}");
    }

    #[test]
    fn lists_are_read_and_weak_tags_left_out() {
        assert_eq!(IfMatch::parse(" * "), Ok(IfMatch::Any));
        check("\"a\"", Some(&["\"a\""]));
        check("\"a\", \"b,c\" , W/\"d\"", Some(&["\"a\"", "\"b,c\""]));
        check("W/\"a\"", Some(&[]));
        for text in ["", "a", "\"a", "\"a\" \"b\"", "\"a\",*"] {
            check(text, None);
        }
    }
}
