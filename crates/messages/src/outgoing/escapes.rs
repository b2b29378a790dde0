//! Texts as they read without escapes, of which each byte is known by its place in the text as it stands.

use std::borrow::Cow;
use std::ops::Range;

/// A text, read in some way.
pub(super) struct TextReading<'t> {
    pub(super) bytes: Cow<'t, [u8]>,
    /// The beginning of each byte in the text as it stands, and the end of that; none where it is read as it stands.
    places: Option<Vec<u32>>,
}

/// Reads what stands at the beginning: the bytes that it means, and how many bytes it takes; none where it stands for itself.
pub(super) type EscapeReader = fn(&[u8]) -> Option<(Vec<u8>, usize)>;

/// All that is read.
pub(super) fn all(spaced: bool) -> impl Iterator<Item = EscapeReader> {
    let all: [EscapeReader; 4] = [json, percent, entity, folded];
    let form: EscapeReader = form;
    all.into_iter().chain(spaced.then_some(form))
}

impl<'t> TextReading<'t> {
    /// The text as it stands.
    pub(super) fn of(bytes: &'t [u8]) -> Self {
        TextReading { bytes: Cow::Borrowed(bytes), places: None }
    }

    /// A part of it, in the text as it stands.
    pub(super) fn within(&self, part: Range<usize>) -> Range<usize> {
        match &self.places {
            None => part,
            Some(places) => places[part.start] as usize..places[part.end] as usize,
        }
    }

    /// The same, with escapes read; nothing where it has none.
    pub(super) fn read(&self, escape: EscapeReader) -> Option<TextReading<'static>> {
        let first = (0..self.bytes.len()).find(|at| escape(&self.bytes[*at..]).is_some())?;
        let place = |at: usize| match &self.places {
            None => u32::try_from(at).unwrap_or(u32::MAX),
            Some(places) => places[at],
        };
        let mut bytes = self.bytes[..first].to_vec();
        let mut places: Vec<u32> = (0..first).map(place).collect();
        let mut at = first;
        while let Some(byte) = self.bytes.get(at) {
            match escape(&self.bytes[at..]) {
                None => {
                    places.push(place(at));
                    bytes.push(*byte);
                    at += 1;
                }
                Some((meant, taken)) => {
                    places.extend(meant.iter().map(|_| place(at)));
                    bytes.extend(meant);
                    at += taken;
                }
            }
        }
        places.push(place(at));
        Some(TextReading { bytes: Cow::Owned(bytes), places: Some(places) })
    }
}

/// Those of JSON (RFC 8259, 7).
fn json(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let [b'\\', kind, rest @ ..] = text else { return None };
    let one = |byte: u8| Some((vec![byte], 2));
    match kind {
        b'"' | b'\\' | b'/' | b'\'' => one(*kind),
        b'b' => one(8),
        b'f' => one(12),
        b'n' => one(b'\n'),
        b'r' => one(b'\r'),
        b't' => one(b'\t'),
        b'u' => {
            let first = unit(rest)?;
            let second = match rest.get(4..) {
                Some([b'\\', b'u', rest @ ..]) => unit(rest),
                _ => None,
            };
            let pair = char::decode_utf16([first].into_iter().chain(second)).next()?.ok()?;
            Some((utf8(pair), if pair.len_utf16() == 2 { 12 } else { 6 }))
        }
        _ => None,
    }
}

/// Those of addresses (RFC 3986, 2.1).
fn percent(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    match text {
        [b'%', high, low, ..] => Some((vec![digit(*high)? << 4 | digit(*low)?], 3)),
        _ => None,
    }
}

/// The same in forms, where a space is a plus sign.
fn form(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    if text.first() == Some(&b'+') { Some((vec![b' '], 1)) } else { percent(text) }
}

/// Those of XML, and of HTML by number.
fn entity(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let [b'&', rest @ ..] = text else { return None };
    // The longest is `&#x10FFFF;`, with some zeros.
    let length = rest.iter().take(16).position(|byte| *byte == b';')?;
    let name = std::str::from_utf8(&rest[..length]).ok()?;
    let letter = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        number => {
            let number = number.strip_prefix('#')?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?)?
        }
    };
    Some((utf8(letter), length + 2))
}

/// Line breaks, which base64 has in mails.
fn folded(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    matches!(text.first(), Some(b'\r' | b'\n')).then(|| (Vec::new(), 1))
}

fn unit(text: &[u8]) -> Option<u16> {
    let digits = text.get(..4)?;
    digits.iter().try_fold(0, |number, byte| Some(number << 4 | u16::from(digit(*byte)?)))
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

fn utf8(letter: char) -> Vec<u8> {
    letter.to_string().into_bytes()
}
