//! Numbers in base 62, digits before capitals before small letters.

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A number, without leading zeros.
pub fn number(mut value: u64) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(DIGITS[(value % 62) as usize]);
        value /= 62;
        if value == 0 {
            break;
        }
    }
    digits.reverse();
    digits.into_iter().map(char::from).collect()
}

/// Big-endian bytes as exactly `length` digits, which must be enough.
pub fn bytes(bytes: &[u8], length: usize) -> String {
    let mut rest = bytes.to_vec();
    let mut digits = vec![b'0'; length];
    for digit in digits.iter_mut().rev() {
        let mut remainder = 0u32;
        for byte in &mut rest {
            let value = remainder << 8 | u32::from(*byte);
            *byte = (value / 62) as u8;
            remainder = value % 62;
        }
        *digit = DIGITS[remainder as usize];
    }
    debug_assert!(rest.iter().all(|byte| *byte == 0), "the digits are enough");
    digits.into_iter().map(char::from).collect()
}

/// Reads what [`number`] gave, and nothing else: no leading zeros, no overflow.
pub fn read(text: &str) -> Option<u64> {
    if text.is_empty() || text.len() > 1 && text.starts_with('0') {
        return None;
    }
    text.bytes().try_fold(0u64, |value, byte| value.checked_mul(62)?.checked_add(u64::from(digit(byte)?)))
}

/// Returns true if the text has only digits of base 62.
pub fn is(text: &str) -> bool {
    text.bytes().all(|byte| digit(byte).is_some())
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'A'..=b'Z' => Some(byte - b'A' + 10),
        b'a'..=b'z' => Some(byte - b'a' + 36),
        _ => None,
    }
}
