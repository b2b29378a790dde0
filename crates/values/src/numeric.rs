//! Numeric texts and the texts of numbers, as PHP reads and writes them.

use crate::value::{Text, truncate};

/// A number of PHP.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PhpNumber {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
}

/// The number that a text begins with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumericPrefix {
    /// The number. Integers beyond 64 bits are floats.
    pub number: PhpNumber,
    /// True if nothing but blanks follows.
    pub is_whole: bool,
    /// True if it is an integer beyond 64 bits.
    pub is_beyond: bool,
}

impl PhpNumber {
    /// As a float.
    pub fn to_float(self) -> f64 {
        match self {
            PhpNumber::Int(number) => number as f64,
            PhpNumber::Float(number) => number,
        }
    }
}

/// The number that a text is or begins with, blanks before it allowed.
pub fn leading(text: &[u8]) -> Option<NumericPrefix> {
    let blanks = text.iter().take_while(|byte| is_blank(**byte)).count();
    let text = text.get(blanks..)?;
    let (end, is_integer, digits) = scan(text)?;
    let (number, rest) = text.split_at_checked(end)?;
    let number = std::str::from_utf8(number).ok()?;
    let is_whole = rest.iter().all(|byte| is_blank(*byte));
    if is_integer && let Ok(integer) = number.parse() {
        return Some(NumericPrefix { number: PhpNumber::Int(integer), is_whole, is_beyond: false });
    }
    let float = number.parse().ok()?;
    Some(NumericPrefix { number: PhpNumber::Float(float), is_whole, is_beyond: is_integer || digits > 19 })
}

/// The number that a text is as a whole, blanks around it allowed.
pub fn whole(text: &[u8]) -> Option<NumericPrefix> {
    leading(text).filter(|numeric| numeric.is_whole)
}

/// A text cast to an integer: the number it begins with, saturating; 0 without.
pub fn text_to_int(text: &[u8]) -> i64 {
    match leading(text).map(|numeric| numeric.number) {
        Some(PhpNumber::Int(number)) => number,
        Some(PhpNumber::Float(number)) if number.is_infinite() => 0,
        // Rust's own cast saturates.
        Some(PhpNumber::Float(number)) if number.abs() >= i64::MAX as f64 => number as i64,
        Some(PhpNumber::Float(number)) => truncate(number),
        None => 0,
    }
}

/// A text cast to a float: the number it begins with; 0 without.
pub fn text_to_float(text: &[u8]) -> f64 {
    let float = |numeric: NumericPrefix| match numeric.number {
        // The integer 0 has no sign, the float has.
        PhpNumber::Int(0) if text.iter().find(|byte| !is_blank(**byte)) == Some(&b'-') => -0.0,
        number => number.to_float(),
    };
    leading(text).map_or(0.0, float)
}

/// A float cast to text: 14 significant digits.
pub fn float_to_text(number: f64) -> Text {
    Text::from(written(number, format!("{number:.13e}"), 14))
}

/// A float with all the digits that tell it from others, with a point: `1.0`, `1.0E+25`.
pub fn float_exactly(number: f64) -> String {
    let text = written(number, format!("{number:e}"), 17);
    if number.is_finite() && !text.contains('.') { text + ".0" } else { text }
}

/// Writes a number, given as `d.ddde±x`, scientifically where its exponent is below -4 or `limit` and more.
fn written(number: f64, scientific: String, limit: i32) -> String {
    if number.is_nan() {
        return "NAN".to_owned();
    }
    let sign = if number.is_sign_negative() { "-" } else { "" };
    if number.is_infinite() {
        return format!("{sign}INF");
    }
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_end_matches('0');
    if digits.is_empty() {
        return format!("{sign}0");
    }
    let (first, others) = digits.split_at(1);
    if exponent < -4 || exponent >= limit {
        let others = if others.is_empty() { "0" } else { others };
        return format!("{sign}{first}.{others}E{exponent:+}");
    }
    if exponent < 0 {
        return format!("{sign}0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    }
    let whole = exponent as usize + 1;
    match digits.split_at_checked(whole) {
        Some((whole, "")) => format!("{sign}{whole}"),
        Some((whole, part)) => format!("{sign}{whole}.{part}"),
        None => format!("{sign}{digits}{}", "0".repeat(whole - digits.len())),
    }
}

/// Returns the end of a number at the start, whether it is written as an integer, and how many digits its whole part
/// has.
fn scan(text: &[u8]) -> Option<(usize, bool, usize)> {
    let digits = |from: usize| text.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let start = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let whole = digits(start);
    let mut end = start + whole;
    let mut is_integer = true;
    if text.get(end) == Some(&b'.') {
        let part = digits(end + 1);
        if whole + part == 0 {
            return None;
        }
        (end, is_integer) = (end + 1 + part, false);
    } else if whole == 0 {
        return None;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let signed = end + 1 + usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(signed);
        if exponent > 0 {
            (end, is_integer) = (signed + exponent, false);
        }
    }
    let zeros = text.iter().skip(start).take(whole).take_while(|byte| **byte == b'0').count();
    Some((end, is_integer, whole - zeros))
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_written_with_14_digits() {
        let cases = [
            (0.1 + 0.2, "0.3"),
            (1e13, "10000000000000"),
            (1e14, "1.0E+14"),
            (99_999_999_999_999.5, "1.0E+14"),
            (-0.0, "-0"),
            (0.0001, "0.0001"),
            (1e-7, "1.0E-7"),
            (f64::NEG_INFINITY, "-INF"),
        ];
        for (number, text) in cases {
            assert_eq!(float_to_text(number).lossy(), text);
        }
        assert_eq!((float_exactly(1e16), float_exactly(1e17)), ("10000000000000000.0".into(), "1.0E+17".into()));
    }

    #[test]
    fn texts_are_numeric_as_php_reads_them() {
        for text in ["5", " 5", "5 ", ".5", "5.", "1e3", "-0", "+1.5E-3"] {
            assert!(whole(text.as_bytes()).is_some(), "{text}");
        }
        for text in ["", ".", "e3", "0x1A", "5a", "1e", "INF", "+ 1", "\u{a0}5"] {
            assert!(whole(text.as_bytes()).is_none(), "{text}");
        }
        assert_eq!(
            (text_to_int(b"1e1000"), text_to_int(b"1e3x"), text_to_int(b"99999999999999999999")),
            (0, 1000, i64::MAX)
        );
    }
}
