//! Dates that are written out, and the formats that dates are written with.

use super::Operand;
use crate::compile::Compiler;
use crate::error::Span;
use crate::finding::{Finding, Severity};
use crate::parser::SyntaxNode;
use datetime::{DateTime, DateZone};
use values::types::{ValueKind, ValueType};

impl Compiler<'_> {
    /// Says of a date beside one that is written with another format that it is never the same.
    pub(super) fn format_beside(&mut self, date: Operand<'_>, kind: ValueKind, format: &SyntaxNode, span: Span) {
        let meant = match kind {
            ValueKind::Date => "'Y-m-d'",
            ValueKind::Month => "'Y-m'",
            ValueKind::Time => "'H:i:s'",
            _ => "'c'",
        };
        let (own, whole) = (self.source(date.syntax), self.replaced(span, format.span, meant));
        let message = format!("`{own}` is {}, and this text is written in another way: `{whole}`.", words(kind));
        let finding = Finding::new(Severity::Error, "date_beside", format.span, message);
        self.find(finding.also(span, format!("`{own}` is compared here.")).fixed(format.span, meant));
    }

    /// Checks a format that is written out, and gives the type of what it writes.
    pub(super) fn check_format(&mut self, format: Option<&Operand<'_>>, default: &str) -> ValueType {
        let written = match format {
            None => default,
            Some(format) => match format.text() {
                Some(text) => text,
                None => return ValueType::of(ValueKind::Text),
            },
        };
        if let (Some(format), Some(meant)) = (format, foreign_format(written)) {
            let shown = sample(written);
            let message = format!("PHP's letters are `{meant}`; this would show `{shown}`.");
            let finding = Finding::new(Severity::Error, "wrong_format", format.syntax.span, message);
            self.find(finding.fixed(format.syntax.span, format!("'{meant}'")));
        }
        match written {
            // The last and the first day of the month are days, too.
            "Y-m-d" | "Y-m-t" | "Y-m-01" => ValueType::written(ValueKind::Date),
            "Y-m" => ValueType::written(ValueKind::Month),
            "H:i" | "H:i:s" => ValueType::written(ValueKind::Time),
            "Y-m-d H:i:s" | "Y-m-d H:i" | "c" | "Y-m-d\\TH:i:s" | "Y-m-d\\TH:i:sP" => {
                ValueType::written(ValueKind::DateTime)
            }
            _ => ValueType::of(ValueKind::Text),
        }
    }
}

/// Returns a date as it is written out; none for a datetime, which is written in many ways.
pub(super) fn example(kind: ValueKind) -> Option<&'static str> {
    match kind {
        ValueKind::Date => Some("2026-12-31"),
        ValueKind::Month => Some("2026-12"),
        ValueKind::Time => Some("14:30:00"),
        _ => None,
    }
}

/// A kind of date for a sentence.
pub(super) fn words(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::DateTime => "a datetime",
        kind => kind.words(),
    }
}

/// Returns true if a text is a date, month or time as they are kept.
pub(super) fn is_written(text: &str, kind: ValueKind) -> bool {
    let pattern: &[&str] = match kind {
        ValueKind::Date => &["9999-99-99"],
        ValueKind::Month => &["9999-99"],
        ValueKind::Time => &["99:99", "99:99:99"],
        _ => return read(text).is_some() && !has_military_zone(text),
    };
    let fits = |pattern: &&&str| {
        let same = |(letter, wanted): (u8, u8)| if wanted == b'9' { letter.is_ascii_digit() } else { letter == wanted };
        pattern.len() == text.len() && text.bytes().zip(pattern.bytes()).all(same)
    };
    pattern.iter().find(fits).is_some() && read(text).is_some()
}

/// Returns true if a text ends with a single letter behind a digit, which PHP reads as a zone of the military: but for
/// `Z` it is a slip.
fn has_military_zone(text: &str) -> bool {
    let mut last = text.bytes().rev();
    let letter = last.next().is_some_and(|last| last.is_ascii_alphabetic() && !last.eq_ignore_ascii_case(&b'z'));
    letter && last.next().is_some_and(|before| before.is_ascii_digit())
}

/// Returns the day that a text means which is written in another order, as it is kept: `31.12.2026`, `31/12/2026`.
pub(super) fn turned(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split(['.', '/', '-']).map(str::trim).collect();
    let [day, month, year] = parts.as_slice() else { return None };
    let (day, month, year): (u8, u8, u16) = (day.parse().ok()?, month.parse().ok()?, year.parse().ok()?);
    let turned = format!("{year:04}-{month:02}-{day:02}");
    (year > 31 && is_written(&turned, ValueKind::Date) && text.contains('.')).then_some(turned)
}

/// The instant that a text means, on some day.
pub(super) fn read(text: &str) -> Option<DateTime> {
    datetime::strtotime(text.as_bytes(), &day())
}

/// A Friday in December.
fn day() -> DateTime {
    DateTime { seconds: 1_796_385_600, micros: 0, zone: DateZone::Offset(0) }
}

/// Returns a format in PHP's letters that was written in those of other programs.
pub(crate) fn foreign_format(format: &str) -> Option<String> {
    /// `mm` are minutes behind a colon, else months.
    const LETTERS: [(&str, &str); 26] = [
        ("%Y", "Y"),
        ("%y", "y"),
        ("%m", "m"),
        ("%d", "d"),
        ("%H", "H"),
        ("%M", "i"),
        ("%S", "s"),
        ("MMMM", "F"),
        ("mmmm", "F"),
        ("MMM", "M"),
        ("mmm", "M"),
        ("DDDD", "l"),
        ("dddd", "l"),
        ("DDD", "D"),
        ("ddd", "D"),
        ("hh", "H"),
        ("YYYY", "Y"),
        ("yyyy", "Y"),
        ("YY", "y"),
        ("MM", "m"),
        ("DD", "d"),
        ("dd", "d"),
        ("HH", "H"),
        (":mm", ":i"),
        ("mm", "m"),
        ("ss", "s"),
    ];
    let mut meant = String::new();
    let mut rest = format;
    let mut found = false;
    while let Some(letter) = rest.chars().next() {
        let word = LETTERS.iter().find(|(word, _)| rest.starts_with(word));
        match word {
            Some((word, php)) => {
                meant.push_str(php);
                rest = &rest[word.len()..];
                found = true;
            }
            None => {
                meant.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    (found && !format.contains('\\')).then_some(meant)
}

/// The beginning of what a format writes.
fn sample(format: &str) -> String {
    let written = datetime::format(&day(), format.as_bytes());
    let written = String::from_utf8_lossy(&written).into_owned();
    match written.char_indices().nth(14) {
        Some((end, _)) => format!("{}…", &written[..end]),
        None => written,
    }
}
