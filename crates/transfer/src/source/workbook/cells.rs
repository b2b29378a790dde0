//! Values of cells as texts, in the form that cells of CSV have.

use super::formats::CellFormat;
use jiff::Span;
use jiff::civil::{Date, DateTime, Time, date};
use model::json;
use std::borrow::Cow;

/// Digits by which spreadsheets write a binary number.
const DIGITS: usize = 17;
/// The last day that spreadsheets have, the last of 9999.
const LAST: f64 = 2_958_466.0;
const DAY: f64 = 86_400_000.0;

/// The text of a number in a format; none where it is no number, or no day.
pub(super) fn number(text: &str, format: CellFormat, from_1904: bool) -> Option<String> {
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
    match format {
        CellFormat::Number => Some(plain_number(text, value)),
        CellFormat::Time if value.abs() < 1.0 => Some(moment(value, true)?.time().to_string()),
        format => {
            let moment = moment(value, from_1904)?;
            let has_time = format != CellFormat::Date || moment.time() != Time::midnight();
            Some(if has_time { moment.to_string() } else { moment.date().to_string() })
        }
    }
}

/// A number without an exponent and without what binary numbers add to it: 19.989999999999998 stands for 19.99.
fn plain_number(text: &str, value: f64) -> String {
    if text.parse::<i64>().is_ok() {
        return text.to_owned();
    }
    let digits = text.bytes().take_while(|byte| !matches!(byte, b'e' | b'E')).filter(u8::is_ascii_digit).count();
    let exact = if digits > DIGITS { json::plain(text) } else { json::plain(&value.to_string()) };
    exact.unwrap_or_else(|| text.to_owned())
}

/// The moment of a number of days.
fn moment(days: f64, from_1904: bool) -> Option<DateTime> {
    if !(0.0..LAST).contains(&days) {
        return None;
    }
    // In 1900 there was no 29 February, though spreadsheets have one.
    let first: Date = match from_1904 {
        true => date(1904, 1, 1),
        false if days < 60.0 => date(1899, 12, 31),
        false if days < 61.0 => return None,
        false => date(1899, 12, 30),
    };
    let milliseconds = (days * DAY).round() as i64;
    let day = first.checked_add(Span::new().days(milliseconds / DAY as i64)).ok()?;
    let rest = i32::try_from(milliseconds % DAY as i64).ok()?;
    let [hour, minute, second] = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map(i8::try_from);
    let time = Time::new(hour.ok()?, minute.ok()?, second.ok()?, rest % 1_000 * 1_000_000).ok()?;
    Some(day.to_datetime(time))
}

/// A text with the characters that XML cannot have: `_x000D_` stands for one (ECMA-376, 22.9.2.19).
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains("_x") {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find("_x") {
        let code = rest.get(at + 2..at + 6).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let code = code.filter(|_| rest.as_bytes().get(at + 6) == Some(&b'_'));
        let character = code.and_then(|code| char::from_u32(u32::from_str_radix(code, 16).ok()?));
        out.push_str(&rest[..at]);
        rest = match character {
            Some(character) => {
                out.push(character);
                &rest[at + 7..]
            }
            None => {
                out.push('_');
                &rest[at + 1..]
            }
        };
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::{CellFormat, number, unescaped};

    #[test]
    fn numbers_are_what_was_written() {
        for (text, expected) in [
            ("1", "1"),
            ("1E15", "1000000000000000"),
            ("1.5e3", "1500"),
            ("19.989999999999998", "19.99"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("9007199254740993", "9007199254740993"),
            ("12345678901234567.89", "12345678901234567.89"),
            ("1e-7", "0.0000001"),
            ("-2.50", "-2.5"),
        ] {
            assert_eq!(number(text, CellFormat::Number, false).as_deref(), Some(expected));
        }
        assert_eq!(
            ["x", "", "NaN", "1e999"].map(|text| number(text, CellFormat::Number, false)),
            [None, None, None, None]
        );
    }

    #[test]
    fn days_are_iso() {
        for (text, format, from_1904, expected) in [
            ("46353", CellFormat::Date, false, Some("2026-11-27")),
            ("44891", CellFormat::Date, true, Some("2026-11-27")),
            ("1", CellFormat::Date, false, Some("1900-01-01")),
            ("59", CellFormat::Date, false, Some("1900-02-28")),
            ("60", CellFormat::Date, false, None),
            ("61", CellFormat::Date, false, Some("1900-03-01")),
            ("2958465", CellFormat::Date, false, Some("9999-12-31")),
            ("2958466", CellFormat::Date, false, None),
            ("-1", CellFormat::Date, false, None),
            ("46353.5", CellFormat::Date, false, Some("2026-11-27T12:00:00")),
            ("46353", CellFormat::DateTime, false, Some("2026-11-27T00:00:00")),
            ("46353.99999999999", CellFormat::DateTime, false, Some("2026-11-28T00:00:00")),
            ("0.4375", CellFormat::Time, false, Some("10:30:00")),
        ] {
            assert_eq!(number(text, format, from_1904).as_deref(), expected, "{text} {format:?}");
        }
    }

    #[test]
    fn texts_come_back_as_they_were() {
        for (text, expected) in [
            ("a", "a"),
            ("a_x000D_b", "a\rb"),
            ("_x005F_x0041_", "_x0041_"),
            ("_x00", "_x00"),
            ("_xZZZZ_", "_xZZZZ_"),
            ("_x_x0041_", "_xA"),
        ] {
            assert_eq!(unescaped(text), expected);
        }
    }
}
