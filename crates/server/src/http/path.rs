//! The path, decoded once and cut into segments.

use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// More segments than any route has.
const MOST: usize = 14;

/// A decoded path; see [`Path::segments`].
#[derive(Debug)]
pub struct Path<'p>(Cow<'p, str>);

/// The segments of a path.
#[derive(Debug)]
pub struct Segments<'p> {
    places: [&'p str; MOST],
    count: usize,
}

impl<'p> Path<'p> {
    /// Decodes a path. Paths that some reader on the way could take for another path are none:
    /// `//`, a trailing slash, `.` and `..`, `;`, `\`, encoded slashes, control characters.
    pub fn decode(raw: &'p str) -> Option<Self> {
        if !raw.starts_with('/') || raw.contains([';', '\\']) {
            return None;
        }
        if !raw.contains('%') {
            return Some(Path(Cow::Borrowed(raw)));
        }
        for (place, _) in raw.match_indices('%') {
            let code = raw.get(place + 1..place + 3)?;
            let byte = u8::from_str_radix(code, 16).ok().filter(|_| !code.starts_with('+'))?;
            if matches!(byte, b'/' | b'\\' | 0..=31 | 127) {
                return None;
            }
        }
        percent_decode_str(raw).decode_utf8().ok().map(Path)
    }

    /// Its segments, or nothing where the path is none of ours.
    pub fn segments(&self) -> Option<Segments<'_>> {
        let mut segments = Segments { places: [""; MOST], count: 0 };
        for segment in self.0[1..].split('/') {
            if matches!(segment, "" | "." | "..") || segments.count == MOST {
                return None;
            }
            segments.places[segments.count] = segment;
            segments.count += 1;
        }
        Some(segments)
    }
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
    }

    #[test]
    fn knows_no_other_paths() {
        for raw in [
            "/",
            "",
            "*",
            "/a/",
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
