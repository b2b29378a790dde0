//! Query strings: percent-decoded once, strictly.

use super::answer::Problem;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// The parameters of a query string, in its order. Which of them there are, the route knows.
pub fn pairs(raw: Option<&str>) -> Result<Vec<(String, String)>, Problem> {
    let parts = raw.unwrap_or("").split('&').filter(|part| !part.is_empty());
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let name = decode(name).ok_or_else(|| undecodable("A parameter's name"))?;
        let value = decode(value).ok_or_else(|| undecodable(&name))?;
        Ok((name.into_owned(), value.into_owned()))
    };
    parts.map(pair).collect()
}

/// Refuses parameters where a route has none.
pub fn none(raw: Option<&str>) -> Result<(), Problem> {
    match pairs(raw)?.first() {
        None => Ok(()),
        Some((name, _)) => {
            Err(Problem::invalid_at(name, "parameter_unknown", format!("There is no parameter {name:?}.")))
        }
    }
}

/// Decodes `%41` and `+`, strictly: what is not UTF-8 or a broken escape is nothing.
pub(crate) fn decode(raw: &str) -> Option<Cow<'_, str>> {
    if !raw.contains(['%', '+']) {
        return Some(Cow::Borrowed(raw));
    }
    for (place, _) in raw.match_indices('%') {
        let code = raw.as_bytes().get(place + 1..place + 3)?;
        if !code.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
    }
    let spaced = raw.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8().ok().map(|text| Cow::Owned(text.into_owned()))
}

fn undecodable(what: &str) -> Problem {
    Problem::invalid("parameter_encoding", format!("{what} is not percent-encoded UTF-8."))
}

#[cfg(test)]
mod tests {
    use super::{none, pairs};

    #[test]
    fn decodes_once() {
        for (raw, expected) in [
            ("", vec![]),
            ("page=2&&tags=a,b", vec![("page", "2"), ("tags", "a,b")]),
            ("tags%5B%5D=c&tags[]=d", vec![("tags[]", "c"), ("tags[]", "d")]),
            ("name=%C4%8Cesk%C3%A9+Bud%2Bjovice", vec![("name", "České Bud+jovice")]),
            ("a=%2541&b&=c=d", vec![("a", "%41"), ("b", ""), ("", "c=d")]),
        ] {
            let found = pairs(Some(raw)).unwrap();
            let found: Vec<_> = found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            assert_eq!(found, expected, "{raw}");
        }
        for raw in ["a=%ff", "a=%4", "a=%", "a=%+1", "%zz=1", "a=%c4%00%8c"] {
            assert_eq!(pairs(Some(raw)).unwrap_err().code, "parameter_encoding", "{raw}");
        }
    }

    #[test]
    fn parameters_can_be_none() {
        assert!(none(None).is_ok() && none(Some("")).is_ok());
        assert_eq!(none(Some("user=a&password=b")).unwrap_err().message, "There is no parameter \"user\".");
    }
}
