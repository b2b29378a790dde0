//! The promise of the judge of heads, as a function that cargo-fuzz and the ordinary tests call. It panics where the
//! promise is broken: the verdict does not depend on how bytes arrive, and all readers of an accepted head agree about
//! its lines, its one host and the end of its body.

use super::head::{Bounds, Framing, Head, Verdict};

/// Small bounds, so that a head that ignores them shows.
const BOUNDS: Bounds = Bounds { bytes: 400, fields: 8, target: 60 };

/// Judges bytes at once, one by one, and in two pieces at each place.
pub(crate) fn judge(bytes: &[u8]) {
    let verdict = Head::default().scan(bytes, BOUNDS);
    assert_eq!(in_pieces(bytes, 1..=bytes.len()), verdict, "byte by byte: {}", bytes.escape_ascii());
    for cut in (0..=bytes.len()).step_by(7) {
        assert_eq!(in_pieces(bytes, [cut, bytes.len()]), verdict, "cut at {cut}: {}", bytes.escape_ascii());
    }
    match verdict {
        Verdict::Incomplete => assert!(bytes.len() <= BOUNDS.bytes, "{} bytes are waited for", bytes.len()),
        Verdict::Complete(length, framing) => {
            let head = &bytes[..length];
            assert_eq!(Head::default().scan(head, BOUNDS), verdict, "what follows counts: {}", bytes.escape_ascii());
            agree(head, framing);
        }
        Verdict::Refused(_) => {}
    }
}

/// Returns the first verdict on bytes of which so many have arrived each time.
fn in_pieces(bytes: &[u8], ends: impl IntoIterator<Item = usize>) -> Verdict {
    let mut head = Head::default();
    let mut verdicts = ends.into_iter().map(|end| head.scan(&bytes[..end], BOUNDS));
    verdicts.find(|verdict| *verdict != Verdict::Incomplete).unwrap_or(Verdict::Incomplete)
}

/// Reads an accepted head as a lenient reader would, and fails where it could read anything else.
fn agree(head: &[u8], framing: Framing) {
    let shown = head.escape_ascii();
    assert!(head.len() <= BOUNDS.bytes, "{} bytes", head.len());
    assert!(head.ends_with(b"\r\n\r\n"), "{shown} does not end");
    assert!(!head.contains(&0), "{shown} has a zero byte");
    for (at, byte) in head.iter().enumerate() {
        match byte {
            b'\n' => assert_eq!(head[at - 1], b'\r', "a bare line feed at {at}: {shown}"),
            b'\r' => assert_eq!(head[at + 1], b'\n', "a bare carriage return at {at}: {shown}"),
            _ => {}
        }
    }
    let lines: Vec<&[u8]> = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
    let mut lines = lines.into_iter().skip_while(|line| line.is_empty());
    let request: Vec<&[u8]> = lines.next().expect("there is a first line").split(u8::is_ascii_whitespace).collect();
    assert_eq!(request.len(), 3, "{shown}");
    assert!(request[1].len() <= BOUNDS.target, "a target of {} bytes", request[1].len());
    let fields: Vec<(String, &[u8])> = lines.take_while(|line| !line.is_empty()).map(field).collect();
    assert!(fields.len() <= BOUNDS.fields, "{} fields: {shown}", fields.len());
    let values = |wanted: &str| -> Vec<&[u8]> {
        fields.iter().filter(|(name, _)| name == wanted).map(|(_, value)| *value).collect()
    };
    let hosts = values("host");
    assert_eq!(hosts.len(), 1, "{shown}");
    assert!(!hosts[0].iter().any(|byte| b"@,/\\ ".contains(byte)), "another reader takes another host: {shown}");
    let said = match (values("content-length").as_slice(), values("transfer-encoding").as_slice()) {
        ([], []) => Framing::Length(0),
        ([length], []) => {
            Framing::Length(str::from_utf8(length).ok().and_then(|text| text.parse().ok()).expect("bytes"))
        }
        ([], [coding]) if coding.eq_ignore_ascii_case(b"chunked") => Framing::Chunked,
        both => panic!("the end of the body is said as {both:?}: {shown}"),
    };
    assert_eq!(framing, said, "{shown}");
    assert!(framing != Framing::Chunked || request[2] == b"HTTP/1.1", "HTTP/1.0 knows no chunks: {shown}");
}

/// The name and the value of a field, without the blanks that a lenient reader drops.
fn field(line: &[u8]) -> (String, &[u8]) {
    let colon = line.iter().position(|byte| *byte == b':').expect("a field has a colon");
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    assert!(!name.is_empty() && name.iter().all(u8::is_ascii_graphic), "the name {}", name.escape_ascii());
    (String::from_utf8_lossy(name).to_ascii_lowercase(), value.trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::judge;
    use std::path::Path;

    /// The seeds, in the order of their names.
    fn seeds() -> Vec<Vec<u8>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/head");
        let mut paths: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
    }

    #[test]
    fn seeds_cuts_and_doubles_keep_the_promise() {
        let seeds = seeds();
        assert!(seeds.len() >= 20, "{} seeds", seeds.len());
        for seed in seeds {
            judge(&seed);
            judge(&seed[..seed.len() / 2]);
            judge(&[seed.clone(), seed].concat());
        }
    }

    #[test]
    fn changed_seeds_keep_the_promise() {
        const BYTES: &[u8] = b"\r\n\t :,@/#\0aA0-\x7f\xff";
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut choice = |many: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 16) as usize % many
        };
        let seeds = seeds();
        for _ in 0..5_000 {
            let mut bytes = seeds[choice(seeds.len())].clone();
            for _ in 0..=choice(3) {
                let at = choice(bytes.len() + 1);
                let byte = BYTES[choice(BYTES.len())];
                match choice(4) {
                    0 => bytes.insert(at, byte),
                    1 if at < bytes.len() => bytes[at] = byte,
                    2 if at < bytes.len() => _ = bytes.remove(at),
                    // A piece of another head: a field twice, a head within a head.
                    _ => {
                        let other = &seeds[choice(seeds.len())];
                        let from = choice(other.len());
                        bytes.splice(at..at, other[from..(from + 40).min(other.len())].iter().copied());
                    }
                }
            }
            judge(&bytes);
        }
    }
}
