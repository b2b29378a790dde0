//! Formatting an interval, as PHP's `DateInterval::format`.

use super::DateInterval;

/// The interval by a format of `%` letters; unknown ones stay, a `%` at the end goes.
pub fn format_interval(interval: &DateInterval, format: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(format.len());
    let mut bytes = format.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let Some(letter) = bytes.next() else { break };
        match part(interval, letter) {
            Some(text) => out.extend_from_slice(text.as_bytes()),
            None if letter == b'%' => out.push(b'%'),
            None => out.extend_from_slice(&[b'%', letter]),
        }
    }
    out
}

fn part(interval: &DateInterval, letter: u8) -> Option<String> {
    let two = |value: i64| format!("{value:02}");
    Some(match letter {
        b'Y' => two(interval.y),
        b'y' => interval.y.to_string(),
        b'M' => two(interval.m),
        b'm' => interval.m.to_string(),
        b'D' => two(interval.d),
        b'd' => interval.d.to_string(),
        b'H' => two(interval.h),
        b'h' => interval.h.to_string(),
        b'I' => two(interval.i),
        b'i' => interval.i.to_string(),
        b'S' => two(interval.s),
        b's' => interval.s.to_string(),
        b'F' => format!("{:06}", interval.f),
        b'f' => interval.f.to_string(),
        b'a' => interval.days.map_or_else(|| "(unknown)".to_owned(), |days| days.to_string()),
        b'R' => if interval.invert { "-" } else { "+" }.to_owned(),
        b'r' => if interval.invert { "-" } else { "" }.to_owned(),
        _ => return None,
    })
}
