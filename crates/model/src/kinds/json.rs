//! Writes JSON straight into bytes; every answer is made of these few calls.

/// Writes a string with its quotes. What needs no escape is copied in one piece.
pub fn write_string(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut start = 0;
    let mut at = 0;
    while let Some(special) = next_special(bytes, at) {
        out.extend_from_slice(&bytes[start..special]);
        write_escape(out, bytes[special]);
        at = special + 1;
        start = at;
    }
    out.extend_from_slice(&bytes[start..]);
    out.push(b'"');
}

/// The greatest whole number up to which floats hold each: 2^53.
pub const EXACT_IN_FLOATS: u64 = 1 << 53;

/// Writes a number, as a text where that is wanted.
pub fn write_number(out: &mut Vec<u8>, as_text: bool, write: impl FnOnce(&mut Vec<u8>)) {
    let quote: &[u8] = if as_text { b"\"" } else { b"" };
    out.extend_from_slice(quote);
    write(out);
    out.extend_from_slice(quote);
}

/// Writes an integer.
pub fn write_integer(out: &mut Vec<u8>, value: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Writes a number in its shortest exact form; what JSON has no form for becomes null.
pub(crate) fn write_float(out: &mut Vec<u8>, value: f64) {
    if value.is_finite() {
        out.extend_from_slice(ryu::Buffer::new().format_finite(value).as_bytes());
    } else {
        write_null(out);
    }
}

/// Writes `true` or `false`.
pub(crate) fn write_boolean(out: &mut Vec<u8>, value: bool) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

/// Writes `null`.
pub fn write_null(out: &mut Vec<u8>) {
    out.extend_from_slice(b"null");
}

/// Writes an identifier as a string, in lower case with hyphens.
pub fn write_uuid(out: &mut Vec<u8>, value: &[u8; 16]) {
    let mut buffer = [0; uuid::fmt::Hyphenated::LENGTH];
    let text = uuid::Uuid::from_bytes_ref(value).hyphenated().encode_lower(&mut buffer);
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// Finds the next quote, backslash or control character, eight bytes at a time: in most text there is none.
fn next_special(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(chunk) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(chunk.try_into().expect("the chunk is eight bytes long"));
        if has_special(word) {
            break;
        }
        at += 8;
    }
    bytes[at..].iter().position(|byte| *byte < 0x20 || *byte == b'"' || *byte == b'\\').map(|offset| at + offset)
}

/// Returns true if one of the word's bytes may be special; a false alarm costs only time.
fn has_special(word: u64) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let control = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
    control | zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\'))) != 0
}

fn write_escape(out: &mut Vec<u8>, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let short = match byte {
        b'"' => b'"',
        b'\\' => b'\\',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            out.extend_from_slice(b"\\u00");
            out.extend_from_slice(&[HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}
