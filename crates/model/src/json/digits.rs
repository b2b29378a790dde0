//! Numbers of JSON with more digits than 64 bits may keep: found in the text, since a parsed document has lost them.

use std::ops::Range;

/// A number of many digits in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongNumber {
    /// The member of the body that holds it, at whatever depth.
    pub member: String,
    /// The number as it is written.
    pub literal: String,
    /// True if a parsed document has another one.
    pub lost: bool,
}

/// The digits that a binary floating point number keeps, whatever they are.
const SAFE: usize = 15;

/// The numbers of many digits in an object, in valid JSON.
pub fn long_numbers(text: &[u8]) -> Vec<LongNumber> {
    let mut numbers = Vec::new();
    find(text, &mut |key, range| {
        let number = written(text, range);
        let whole = number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok();
        let lost = !kept(number);
        let told = lost || number.len() > SAFE && !whole;
        if let Some(member) = serde_json::from_slice(key).ok().filter(|_| told) {
            numbers.push(LongNumber { member, literal: number.to_owned(), lost });
        }
    });
    numbers
}

/// Returns true if valid JSON holds a number that loses digits.
pub(crate) fn imprecise(text: &[u8]) -> bool {
    let mut any = false;
    find(text, &mut |_, range| any |= !kept(written(text, range)));
    any
}

/// A number without an exponent; none where it would be longer than any decimal.
pub fn plain(number: &str) -> Option<String> {
    const LONGEST: i64 = 40;
    if !number.contains(['e', 'E']) {
        return Some(number.to_owned());
    }
    let (digits, point) = significant(number)?;
    let sign = if number.starts_with('-') { "-" } else { "" };
    let length = i64::try_from(digits.len()).ok()?;
    let zeros = |count: i64| usize::try_from(count).ok().filter(|_| count <= LONGEST).map(|count| "0".repeat(count));
    match point {
        _ if digits.is_empty() => Some("0".to_owned()),
        _ if point <= 0 => Some(format!("{sign}0.{}{digits}", zeros(-point)?)),
        _ if point >= length => Some(format!("{sign}{digits}{}", zeros(point - length)?)),
        _ => {
            let (whole, fraction) = digits.split_at(usize::try_from(point).ok()?);
            Some(format!("{sign}{whole}.{fraction}"))
        }
    }
}

/// Gives where each number of valid JSON lies.
pub fn numbers(text: &[u8], found: &mut dyn FnMut(Range<usize>)) {
    find(text, &mut |_, range| found(range));
}

/// Gives for each number the key of the outermost object that it is under, with its quotes, and where the number lies.
fn find(text: &[u8], found: &mut dyn FnMut(&[u8], Range<usize>)) {
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
                found(key, start..at);
            }
            _ => {}
        }
    }
}

/// A number of the text.
fn written(text: &[u8], range: Range<usize>) -> &str {
    std::str::from_utf8(&text[range]).unwrap_or_default()
}

/// Returns true if a number is itself after it was a 64-bit integer or a binary floating point number.
fn kept(number: &str) -> bool {
    /// Any binary form of 64 bits is written with so many digits.
    const WRITTEN: usize = 17;
    let short = number.len() <= SAFE && !number.contains(['e', 'E']);
    if short || number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok() {
        return true;
    }
    let Some((digits, place)) = significant(number) else { return false };
    let whole = !number.contains(['.', 'e', 'E']);
    let value = number.parse::<f64>().unwrap_or(f64::NAN);
    let binary = format!("{value:e}");
    // One next to zero has fewer digits, or none.
    let few = !whole && digits.len() <= WRITTEN && (value.is_normal() || digits.is_empty());
    few || significant(&binary) == Some((digits, place))
}

/// The digits of a number without zeros at either end, and where its point is from the first of them on; none where the
/// exponent is beyond all that any number here may have.
fn significant(number: &str) -> Option<(String, i64)> {
    const FARTHEST: i64 = 1_000_000;
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let exponent = exponent.parse::<i64>().ok().filter(|exponent| (-FARTHEST..=FARTHEST).contains(exponent))?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{}{fraction}", whole.trim_start_matches('-'));
    let point = digits.len() as i64 - fraction.len() as i64 + exponent;
    let trimmed = digits.trim_start_matches('0');
    Some((trimmed.trim_end_matches('0').to_owned(), point - (digits.len() - trimmed.len()) as i64))
}

#[cfg(test)]
mod tests {
    use super::{LongNumber, imprecise, long_numbers, plain};

    #[test]
    fn finds_numbers_that_lose_digits() {
        for kept in ["1", "-9223372036854775808", "18446744073709551615", "0.1", "1e300", "100000000000000000000000"] {
            assert!(!imprecise(kept.as_bytes()), "{kept}");
        }
        for kept in [
            "0.10000000000000001",
            "\"18446744073709551616\"",
            "3.141592653589793",
            "0.5000000000000000000000",
            "0e-400",
            "5e-324",
            "1E-300",
        ] {
            assert!(!imprecise(kept.as_bytes()), "{kept}");
        }
        for lost in [
            "18446744073709551617",
            "-9223372036854775809",
            "[0.12345678901234567890]",
            "{\"a\":1.0000000000000000001}",
            "1e-400",
            "-2.5e-324",
            "1.23456e-320",
        ] {
            assert!(imprecise(lost.as_bytes()), "{lost}");
        }
    }

    #[test]
    fn names_the_outermost_members() {
        let text = br#" {"a\"" : {"b": [1, 123456789012345678901]}, "c": "123456789012345678901", "d+=": [123456789012345678901], "e": 1}"#;
        let lost: Vec<String> = long_numbers(text).into_iter().map(|number| number.member).collect();
        assert_eq!(lost, ["a\"", "d+="]);
        let long =
            |member: &str, literal: &str, lost| LongNumber { member: member.into(), literal: literal.into(), lost };
        assert_eq!(
            long_numbers(br#"{"a": 1234567890123456.78, "b": {"value": 0.1234567890123456}, "c": 123456789012345678}"#),
            [long("a", "1234567890123456.78", true), long("b", "0.1234567890123456", false)]
        );
    }

    #[test]
    fn names_short_numbers_that_are_lost() {
        let numbers = long_numbers(br#"{"a": 1e-400, "b": [2.5e-324], "c": 1e300, "d": 0.1, "e": 0e9}"#);
        let told: Vec<_> = numbers.iter().map(|number| (number.member.as_str(), number.lost)).collect();
        assert_eq!(told, [("a", true), ("b", true)]);
    }

    #[test]
    fn writes_numbers_without_exponents() {
        for (number, expected) in [
            ("1234567890123456.7", "1234567890123456.7"),
            ("1.23456789012345678e5", "123456.789012345678"),
            ("-1.25E-3", "-0.00125"),
            ("12e2", "1200"),
            ("0e5", "0"),
        ] {
            assert_eq!(plain(number).as_deref(), Some(expected), "{number}");
        }
        assert_eq!([plain("1e400"), plain("1e-400")], [None, None]);
        let far = [
            "1.5e-99999999999999999999",
            "1.5E+99999999999999999999",
            "0.0001e-9223372036854775808",
            "1.00000000001e1000001",
        ];
        for far in far {
            assert_eq!((plain(far), imprecise(format!("{far}000000").as_bytes())), (None, true), "{far}");
        }
    }
}
