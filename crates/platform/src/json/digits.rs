//! Numbers of JSON with more digits than 64 bits keep: found in the text, since a parsed document has lost them.

/// The members of an object, in valid JSON, that hold such a number, at whatever depth.
pub fn imprecise_members(text: &[u8]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    find(text, &mut |key| {
        let name: Option<String> = serde_json::from_slice(key).ok();
        names.extend(name.filter(|name| !names.contains(name)));
    });
    names
}

/// Whether valid JSON holds such a number.
pub fn imprecise(text: &[u8]) -> bool {
    let mut any = false;
    find(text, &mut |_| any = true);
    any
}

/// Gives for each such number the key of the outermost object that it is under, with its quotes.
fn find(text: &[u8], found: &mut dyn FnMut(&[u8])) {
    let (mut at, mut depth, mut key) = (0, 0_usize, &text[..0]);
    while let Some(byte) = text.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'"' => {
                while text.get(at).is_some_and(|byte| *byte != b'"') {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(text.len());
                if depth == 1 && text[at..].trim_ascii_start().starts_with(b":") {
                    key = &text[start..at];
                }
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'-' | b'0'..=b'9' => {
                let number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
                at += text[at..].iter().take_while(|byte| number(byte)).count();
                if std::str::from_utf8(&text[start..at]).is_ok_and(|number| !kept(number)) {
                    found(key);
                }
            }
            _ => {}
        }
    }
}

/// Whether a number is itself after it was a 64-bit integer or a binary floating point number.
fn kept(number: &str) -> bool {
    /// Any binary form of 64 bits is written with so many digits.
    const WRITTEN: usize = 17;
    if number.len() <= 15 || number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok() {
        return true;
    }
    let (digits, place) = significant(number);
    let whole = !number.contains(['.', 'e', 'E']);
    let binary = number.parse::<f64>().map_or_else(|_| String::new(), |value| format!("{value:e}"));
    (digits, place) == significant(&binary) || (!whole && significant(number).0.len() <= WRITTEN)
}

/// The digits of a number without zeros at either end, and where its point is from the first of them on.
fn significant(number: &str) -> (String, i64) {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{}{fraction}", whole.trim_start_matches('-'));
    let point = digits.len() as i64 - fraction.len() as i64 + exponent.parse::<i64>().unwrap_or(0);
    let trimmed = digits.trim_start_matches('0');
    (trimmed.trim_end_matches('0').to_owned(), point - (digits.len() - trimmed.len()) as i64)
}

#[cfg(test)]
mod tests {
    use super::{imprecise, imprecise_members};

    #[test]
    fn finds_numbers_that_lose_digits() {
        for kept in ["1", "-9223372036854775808", "18446744073709551615", "0.1", "1e300", "100000000000000000000000"] {
            assert!(!imprecise(kept.as_bytes()), "{kept}");
        }
        for kept in ["0.10000000000000001", "\"18446744073709551616\"", "3.141592653589793", "0.5000000000000000000000"]
        {
            assert!(!imprecise(kept.as_bytes()), "{kept}");
        }
        for lost in [
            "18446744073709551617",
            "-9223372036854775809",
            "[0.12345678901234567890]",
            "{\"a\":1.0000000000000000001}",
        ] {
            assert!(imprecise(lost.as_bytes()), "{lost}");
        }
    }

    #[test]
    fn names_the_outermost_members() {
        let text = br#" {"a\"" : {"b": [1, 123456789012345678901]}, "c": "123456789012345678901", "d+=": [123456789012345678901], "e": 1}"#;
        assert_eq!(imprecise_members(text), ["a\"", "d+="]);
    }
}
