//! The path, decoded once and cut into segments.

use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// More segments than any route has.
const MOST: usize = 14;

/// A decoded path; see [`Path::segments`].
#[derive(Debug)]
pub struct Path<'p> {
    path: Cow<'p, str>,
    /// The value of get-by, which is no part of `path`.
    value: Option<Cow<'p, str>>,
}

/// The segments of a path.
#[derive(Debug)]
pub struct Segments<'p> {
    places: [&'p str; MOST],
    count: usize,
}

impl<'p> Path<'p> {
    /// Decodes a path. Paths that some reader on the way could take for another path are none:
    /// `//`, a trailing slash, `.` and `..`, `;`, `\`, encoded slashes, control characters. The value of get-by
    /// alone may have encoded slashes: it is a value, and one that a link or a time zone needs.
    pub fn decode(raw: &'p str) -> Option<Self> {
        if !raw.starts_with('/') || raw.contains([';', '\\']) {
            return None;
        }
        match cut_value(raw) {
            Some((path, value)) => Some(Path { path: decode(path, false)?, value: Some(decode(value, true)?) }),
            None => Some(Path { path: decode(raw, false)?, value: None }),
        }
    }

    /// Its segments, or nothing where the path is none of ours.
    pub fn segments(&self) -> Option<Segments<'_>> {
        let mut segments = Segments { places: [""; MOST], count: 0 };
        for segment in self.path[1..].split('/').chain(self.value.as_deref()) {
            if matches!(segment, "" | "." | "..") || segments.count == MOST {
                return None;
            }
            segments.places[segments.count] = segment;
            segments.count += 1;
        }
        Some(segments)
    }
}

/// Cuts the value off a path that ends in `/get-by/{property}/{value}`.
fn cut_value(raw: &str) -> Option<(&str, &str)> {
    let (path, value) = raw.rsplit_once('/')?;
    let (before, _) = path.rsplit_once('/')?;
    before.ends_with("/get-by").then_some((path, value))
}

fn decode(raw: &str, slashes: bool) -> Option<Cow<'_, str>> {
    if !raw.contains('%') {
        return Some(Cow::Borrowed(raw));
    }
    for (place, _) in raw.match_indices('%') {
        let code = raw.get(place + 1..place + 3)?;
        let byte = u8::from_str_radix(code, 16).ok().filter(|_| !code.starts_with('+'))?;
        if matches!(byte, 0..=31 | 127) || !slashes && matches!(byte, b'/' | b'\\') {
            return None;
        }
    }
    percent_decode_str(raw).decode_utf8().ok()
}

impl<'p> Segments<'p> {
    /// The segments in order.
    pub fn as_slice(&self) -> &[&'p str] {
        &self.places[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    fn check(raw: &str, expected: Option<&[&str]>) {
        let path = Path::decode(raw);
        let segments = path.as_ref().and_then(Path::segments);
        assert_eq!(segments.as_ref().map(super::Segments::as_slice), expected, "{raw}");
    }

    #[test]
    fn cuts_proper_paths() {
        check("/healthz", Some(&["healthz"]));
        check("/api/v1/auth", Some(&["api", "v1", "auth"]));
        check("/a/%C4%8Cesko%20%25", Some(&["a", "Česko %"]));
        check("/a/b%3Bc/%252f", Some(&["a", "b;c", "%2f"]));
        check("/a/user.current", Some(&["a", "user.current"]));
        check("/a/get-by/zone/Europe%2FPrague", Some(&["a", "get-by", "zone", "Europe/Prague"]));
        check("/a/get-by/link/https:%2f%2Fb%5C", Some(&["a", "get-by", "link", "https://b\\"]));
    }

    #[test]
    fn knows_no_other_paths() {
        for raw in [
            "/",
            "",
            "*",
            "/a/",
            "/a/get-by/b/",
            "/a/get-by/b/%2e%2E",
            "/a/get-by/b%2Fc/d",
            "/a/get-by/b/c/d%2F",
            "/a/get-by/b%2Fc",
            "/a/get-by/b/%0A",
            "//a",
            "/a//b",
            "/a/./b",
            "/a/../b",
            "/a/..",
            "/a/%2e%2e/b",
            "/a%2fb",
            "/a%2Fb",
            "/a%00",
            "/a;b",
            "/a\\b",
            "/a%5cb",
            "/a%",
            "/a%4",
            "/a%zz",
            "/a%+1",
            "/a%ff",
            "/a%0d",
        ] {
            check(raw, None);
        }
    }
}
