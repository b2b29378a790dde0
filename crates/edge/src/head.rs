//! Judges the bytes of a request's head before hyper sees them.
//!
//! hyper is lenient where two readers of one request could disagree about where it ends: it takes a
//! `Content-Length` beside `Transfer-Encoding`, the same length twice, lines that end in a bare line
//! feed, and no `Host`. Such a request is refused here, whoever sent it.

/// The limits of a head's size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Bytes of the whole head.
    pub(crate) bytes: usize,
    /// Number of fields.
    pub(crate) fields: usize,
    /// Bytes of the request target.
    pub(crate) target: usize,
}

/// The error of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Malformed {
    /// A line does not end in CR LF, or holds a control character.
    Line = 1,
    /// The first line is not method, target and version.
    RequestLine,
    /// A field has no proper name.
    Field,
    /// A field goes on in the next line.
    Folded,
    /// The length of the body is not said in exactly one way.
    Framing,
    /// There is not exactly one `Host`.
    Host,
    /// The target is too long.
    Target,
    /// The head has too many bytes or fields.
    TooLarge,
}

/// The verdict on the bytes so far.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The head goes on.
    Incomplete,
    /// A whole head: its length, and how its body is framed.
    Complete(usize, Framing),
    /// Not a head that we take.
    Refused(Malformed),
}

/// The way in which the end of a body is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// After so many bytes.
    Length(u64),
    /// At the place that its last chunk says.
    Chunked,
}

/// The findings about a head so far; bytes are looked at once, however slowly they come.
#[derive(Debug, Default)]
pub(crate) struct Head {
    line_start: usize,
    scanned: usize,
    fields: usize,
    has_request_line: bool,
    version_1_0: bool,
    length: Option<u64>,
    chunked: bool,
    hosts: usize,
}

/// Bytes of a method or a field's name (RFC 9110, token).
const TOKEN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let letter = byte as u8;
        table[byte] = letter.is_ascii_alphanumeric()
            || matches!(
                letter,
                b'!' | b'#' | b'$' | b'%' | b'&' | b'\'' | b'*' | b'+' | b'-' | b'.' | b'^' | b'_' | b'`' | b'|' | b'~'
            );
        byte += 1;
    }
    table
};

impl Head {
    /// Looks at the head's bytes from its first one on; `bytes` grows from call to call.
    pub(crate) fn scan(&mut self, bytes: &[u8], bounds: Bounds) -> Verdict {
        while let Some(offset) = bytes[self.scanned..].iter().position(|byte| *byte == b'\n') {
            let end = self.scanned + offset;
            self.scanned = end + 1;
            if self.scanned > bounds.bytes {
                return Verdict::Refused(Malformed::TooLarge);
            }
            let Some(line) = bytes[self.line_start..end].strip_suffix(b"\r") else {
                return Verdict::Refused(Malformed::Line);
            };
            self.line_start = self.scanned;
            let judged = match (self.has_request_line, line.is_empty()) {
                (true, true) => return self.complete(),
                (true, false) => self.field(line, bounds),
                // An empty line before a request is noise that some clients send after a body.
                (false, true) => Ok(()),
                (false, false) => self.request_line(line, bounds),
            };
            if let Err(malformed) = judged {
                return Verdict::Refused(malformed);
            }
        }
        self.scanned = bytes.len();
        if bytes.len() > bounds.bytes { Verdict::Refused(Malformed::TooLarge) } else { Verdict::Incomplete }
    }

    fn complete(&self) -> Verdict {
        match (self.hosts, self.chunked, self.length) {
            (1, true, Some(_)) => Verdict::Refused(Malformed::Framing),
            (1, true, None) if self.version_1_0 => Verdict::Refused(Malformed::Framing),
            (1, true, None) => Verdict::Complete(self.scanned, Framing::Chunked),
            (1, false, length) => Verdict::Complete(self.scanned, Framing::Length(length.unwrap_or(0))),
            _ => Verdict::Refused(Malformed::Host),
        }
    }

    fn request_line(&mut self, line: &[u8], bounds: Bounds) -> Result<(), Malformed> {
        self.has_request_line = true;
        let mut parts = line.split(|byte| *byte == b' ');
        let (Some(method), Some(target), Some(version), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(Malformed::RequestLine);
        };
        self.version_1_0 = version == b"HTTP/1.0";
        let version_known = self.version_1_0 || version == b"HTTP/1.1";
        let target_shaped = match target {
            [b'/', ..] | b"*" => true,
            _ => method == b"CONNECT" || is_absolute(target),
        };
        if target.len() > bounds.target {
            return Err(Malformed::Target);
        }
        let well_formed = version_known
            && target_shaped
            && !method.is_empty()
            && method.iter().all(|byte| TOKEN[usize::from(*byte)])
            // A target has no fragment (RFC 9112, 3.2): a reader that cuts it off would serve another path.
            && target.iter().all(|byte| byte.is_ascii_graphic() && *byte != b'#');
        if well_formed { Ok(()) } else { Err(Malformed::RequestLine) }
    }

    fn field(&mut self, line: &[u8], bounds: Bounds) -> Result<(), Malformed> {
        if matches!(line[0], b' ' | b'\t') {
            return Err(Malformed::Folded);
        }
        self.fields += 1;
        if self.fields > bounds.fields {
            return Err(Malformed::TooLarge);
        }
        let colon = line.iter().position(|byte| !TOKEN[usize::from(*byte)]).ok_or(Malformed::Field)?;
        if colon == 0 || line[colon] != b':' {
            return Err(Malformed::Field);
        }
        let value = &line[colon + 1..];
        if value.iter().any(|byte| matches!(byte, 0..=8 | 10..=31 | 127)) {
            return Err(Malformed::Line);
        }
        match colon {
            4 if line[..colon].eq_ignore_ascii_case(b"host") => {
                if !is_host(value.trim_ascii()) {
                    return Err(Malformed::Host);
                }
                self.hosts += 1;
            }
            14 if line[..colon].eq_ignore_ascii_case(b"content-length") => {
                let length = value.trim_ascii();
                if self.length.is_some() || length.is_empty() || !length.iter().all(u8::is_ascii_digit) {
                    return Err(Malformed::Framing);
                }
                let digits = str::from_utf8(length).map_err(|_| Malformed::Framing)?;
                self.length = Some(digits.parse().map_err(|_| Malformed::Framing)?);
            }
            17 if line[..colon].eq_ignore_ascii_case(b"transfer-encoding") => {
                if self.chunked || !value.trim_ascii().eq_ignore_ascii_case(b"chunked") {
                    return Err(Malformed::Framing);
                }
                self.chunked = true;
            }
            _ => {}
        }
        Ok(())
    }
}

/// Checks a host with its port: no user, no list, no path (RFC 9112, 3.2). It may be empty.
fn is_host(value: &[u8]) -> bool {
    let has_more = value.iter().any(|byte| matches!(byte, b'@' | b',' | b'/' | b'\\' | b'?' | b'#' | b' ' | b'\t'));
    let colon = value.iter().rposition(|byte| matches!(byte, b':' | b']')).filter(|at| value[*at] == b':');
    !has_more && colon.is_none_or(|colon| is_port(&value[colon + 1..]))
}

/// Checks a port, which may be empty (RFC 3986, 3.2.3).
fn is_port(digits: &[u8]) -> bool {
    let number = digits.iter().try_fold(0_u32, |number, digit| {
        digit.is_ascii_digit().then(|| number.saturating_mul(10).saturating_add(u32::from(digit - b'0')))
    });
    number.is_some_and(|number| number <= u32::from(u16::MAX))
}

/// Checks the absolute form of a target: a scheme and a host, without a user (RFC 9110, 4.2.4).
fn is_absolute(target: &[u8]) -> bool {
    let rest = target.strip_prefix(b"http://").or_else(|| target.strip_prefix(b"https://"));
    rest.is_some_and(|rest| {
        let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?')).unwrap_or(rest.len());
        end > 0 && !rest[..end].contains(&b'@')
    })
}

impl Malformed {
    /// The finding that a number stands for; see [`crate::timeouts::ConnectionTimer`].
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        const ALL: [Malformed; 8] = [
            Malformed::Line,
            Malformed::RequestLine,
            Malformed::Field,
            Malformed::Folded,
            Malformed::Framing,
            Malformed::Host,
            Malformed::Target,
            Malformed::TooLarge,
        ];
        ALL.into_iter().find(|malformed| *malformed as u8 == number)
    }

    /// Returns the message to the client.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Malformed::Line => "The request's head holds a line that does not end in CR LF, or a control character.",
            Malformed::RequestLine => "The request's first line is malformed.",
            Malformed::Field => "The request's head holds a field without a proper name.",
            Malformed::Folded => "A header field must not continue in the next line.",
            Malformed::Framing => "The length of the request's body must be given in exactly one way.",
            Malformed::Host => "The request must have exactly one Host: a name or an address, with a port or without.",
            Malformed::Target => "The request's URL is too long.",
            Malformed::TooLarge => "The request's head is too large.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Framing, Head, Malformed, Verdict};

    fn check(head: &str, expected: &Verdict) {
        let bounds = Bounds { bytes: 200, fields: 4, target: 40 };
        assert_eq!(Head::default().scan(head.as_bytes(), bounds), *expected, "{head:?} at once");
        let mut dripped = Head::default();
        let bytes = head.as_bytes();
        let verdict = (1..=bytes.len()).map(|end| dripped.scan(&bytes[..end], bounds));
        let last = verdict.into_iter().find(|verdict| *verdict != Verdict::Incomplete);
        assert_eq!(last.unwrap_or(Verdict::Incomplete), *expected, "{head:?} byte by byte");
    }

    #[test]
    fn takes_proper_heads() {
        check("GET / HTTP/1.1\r\nHost: a\r\n\r\n", &Verdict::Complete(27, Framing::Length(0)));
        check("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", &Verdict::Complete(29, Framing::Length(0)));
        check("GET / HTTP/1.1\r\nHost:\r\nContent-Length:  7 \r\n\r\n", &Verdict::Complete(46, Framing::Length(7)));
        check(
            "GET / HTTP/1.1\r\nhost:\r\ntransfer-encoding: Chunked\r\n\r\n",
            &Verdict::Complete(53, Framing::Chunked),
        );
        check("GET / HTTP/1.1\r\nHost: a\r\n", &Verdict::Incomplete);
    }

    #[test]
    fn refuses_what_two_readers_could_take_differently() {
        for (head, malformed) in [
            ("GET / HTTP/1.1\nHost: a\r\n\r\n", Malformed::Line),
            ("GET / HTTP/1.1\r\nHost: a\n\r\n", Malformed::Line),
            ("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", Malformed::Line),
            ("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", Malformed::Line),
            ("GET /  HTTP/1.1\r\nHost: a\r\n\r\n", Malformed::RequestLine),
            ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", Malformed::RequestLine),
            ("GET /healthz#x HTTP/1.1\r\nHost: a\r\n\r\n", Malformed::RequestLine),
            ("GET http:// HTTP/1.1\r\nHost: a\r\n\r\n", Malformed::RequestLine),
            ("GET http://a@b/ HTTP/1.1\r\nHost: a\r\n\r\n", Malformed::RequestLine),
            ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", Malformed::RequestLine),
            ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", Malformed::RequestLine),
            ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", Malformed::Field),
            ("GET / HTTP/1.1\r\nHost\r\n\r\n", Malformed::Field),
            ("GET / HTTP/1.1\r\n: a\r\n\r\n", Malformed::Field),
            ("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", Malformed::Folded),
            ("GET / HTTP/1.1\r\n\r\n", Malformed::Host),
            ("GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", Malformed::Host),
            ("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", Malformed::Host),
            ("GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n", Malformed::Host),
            ("GET / HTTP/1.1\r\nHost: [::1]:+1\r\n\r\n", Malformed::Host),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", Malformed::Host),
            ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", Malformed::Framing),
            ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n", Malformed::Framing),
            ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", Malformed::Framing),
            (
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                Malformed::Framing,
            ),
            ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", Malformed::Framing),
            ("GET / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", Malformed::Framing),
            ("GET / HTTP/1.1\r\na:\r\na:\r\na:\r\na:\r\na:\r\n\r\n", Malformed::TooLarge),
        ] {
            check(head, &Verdict::Refused(malformed));
        }
        check(&format!("GET /{} HTTP/1.1\r\n", "a".repeat(40)), &Verdict::Refused(Malformed::Target));
        check(&"a".repeat(201), &Verdict::Refused(Malformed::TooLarge));
    }
}
