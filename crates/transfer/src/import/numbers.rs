//! Numbers of cells with signs between thousands and before decimals: 9,500 and 9 500 and 9.500,5.

use super::options::DecimalSign;
use model::kinds::ValueFault;
use std::borrow::Cow;

/// Signs between thousands in any file: spaces of any width, and apostrophes.
const GAPS: [char; 6] = [' ', '\u{a0}', '\u{2009}', '\u{202f}', '\'', '\u{2019}'];

/// The most bytes of a cell that may be a number.
const LONGEST: usize = 64;

/// The number of a cell as it is written without signs between thousands and with a point. A text that is none stays.
/// Without a sign that the import names, a comma is refused where it may mean something: it is never guessed.
pub(super) fn plain_number<'c>(cell: &'c str, sign: Option<DecimalSign>) -> Result<Cow<'c, str>, ValueFault> {
    let text = cell.trim();
    if text.len() > LONGEST {
        return Ok(Cow::Borrowed(cell));
    }
    let has_signs = text.contains(',') || text.contains(GAPS);
    match sign {
        Some(DecimalSign::Comma) if has_signs || text.contains('.') => {
            read(text, DecimalSign::Comma).map(Cow::Owned).ok_or_else(|| unfit("1.234,5", ","))
        }
        Some(DecimalSign::Point) if has_signs => {
            read(text, DecimalSign::Point).map(Cow::Owned).ok_or_else(|| unfit("1,234.5", "."))
        }
        None if text.contains(',') => match [DecimalSign::Point, DecimalSign::Comma].map(|sign| read(text, sign)) {
            [None, None] => Ok(Cow::Borrowed(cell)),
            [Some(by_point), Some(by_comma)] => Err(unclear(&format!(
                "is {by_point} or {by_comma} where the file has {text:?}: set decimal to \".\" or \",\" for the import"
            ))),
            [Some(number), None] => Err(unclear(&one_way(&number, text, "."))),
            [None, Some(number)] => Err(unclear(&one_way(&number, text, ","))),
        },
        None if has_signs => Ok(read(text, DecimalSign::Point).map_or(Cow::Borrowed(cell), Cow::Owned)),
        _ => Ok(Cow::Borrowed(cell)),
    }
}

/// The signs that the numbers of a column show.
#[derive(Clone, Debug, Default)]
pub struct NumberSigns {
    point: bool,
    comma: bool,
    sample: Option<String>,
}

impl NumberSigns {
    /// Looks at a cell.
    pub fn note(&mut self, cell: &str) {
        let may_be = cell.len() <= LONGEST && cell.bytes().any(|byte| matches!(byte, b',' | b'.'));
        let Some(sign) = may_be.then(|| sign_of(cell)).flatten() else { return };
        self.point |= sign == Some(DecimalSign::Point);
        self.comma |= sign == Some(DecimalSign::Comma);
        self.sample.get_or_insert_with(|| cell.trim().to_owned());
    }

    /// The sign before decimals; none where the numbers do not show it, or not the same.
    pub fn decimal(&self) -> Option<DecimalSign> {
        match (self.point, self.comma) {
            (true, false) => Some(DecimalSign::Point),
            (false, true) => Some(DecimalSign::Comma),
            _ => None,
        }
    }

    /// The first number whose signs matter.
    pub fn sample(&self) -> Option<&str> {
        self.sample.as_deref()
    }
}

/// The sign that a cell with a number shows to stand before its decimals; none where it is no such number, and an
/// empty result where it may be either.
pub(super) fn sign_of(cell: &str) -> Option<Option<DecimalSign>> {
    let text = cell.trim();
    if !text.contains(',') {
        // Several points, or gaps with a point, are thousands or decimals for sure.
        return match read(text, DecimalSign::Point) {
            Some(_) => None,
            None => read(text, DecimalSign::Comma).map(|_| Some(DecimalSign::Comma)),
        };
    }
    match [DecimalSign::Point, DecimalSign::Comma].map(|sign| read(text, sign).is_some()) {
        [true, true] => Some(None),
        [true, false] => Some(Some(DecimalSign::Point)),
        [false, true] => Some(Some(DecimalSign::Comma)),
        [false, false] => None,
    }
}

/// Reads a number with this sign before its decimals; none where thousands do not have three digits each.
fn read(text: &str, sign: DecimalSign) -> Option<String> {
    let (decimal, other) = match sign {
        DecimalSign::Point => ('.', ','),
        DecimalSign::Comma => (',', '.'),
    };
    let (minus, text) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, decimals) = text.split_once(decimal).map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut between = whole.chars().filter(|character| !character.is_ascii_digit());
    let first = between.next();
    if first.is_some_and(|gap| gap != other && !GAPS.contains(&gap)) || between.any(|gap| Some(gap) != first) {
        return None;
    }
    let groups: Vec<&str> = first.map_or_else(|| vec![whole], |gap| whole.split(gap).collect());
    let fit = groups.iter().enumerate().all(|(place, group)| {
        is_digits(group) && (groups.len() == 1 || group.len() == 3 || place == 0 && group.len() < 3)
    });
    if !fit || decimals.is_some_and(|decimals| !is_digits(decimals)) {
        return None;
    }
    let decimals = decimals.map(|decimals| format!(".{decimals}")).unwrap_or_default();
    Some(format!("{minus}{}{decimals}", groups.concat()))
}

fn unfit(example: &str, sign: &str) -> ValueFault {
    ValueFault::new(
        "number_unclear",
        format!("must be a number such as {example}, as the import has decimal \"{sign}\""),
    )
}

fn unclear(message: &str) -> ValueFault {
    ValueFault::new("number_unclear", message)
}

fn one_way(number: &str, text: &str, sign: &str) -> String {
    format!("is {number} where the file has {text:?}: set decimal to \"{sign}\" for the import")
}

#[cfg(test)]
mod tests {
    use super::{plain_number, sign_of};
    use crate::import::DecimalSign::{self, Comma, Point};

    fn read(text: &str, sign: Option<DecimalSign>) -> Option<String> {
        plain_number(text, sign).ok().map(|text| text.trim().to_owned())
    }

    #[test]
    fn numbers_are_read_by_their_signs() {
        for (text, without, by_point, by_comma) in [
            ("9500", Some("9500"), Some("9500"), Some("9500")),
            ("9,500", None, Some("9500"), Some("9.500")),
            ("9.500", Some("9.500"), Some("9.500"), Some("9500")),
            ("9 500", Some("9500"), Some("9500"), Some("9500")),
            ("9\u{a0}500,5", None, None, Some("9500.5")),
            ("-1 234 567.25", Some("-1234567.25"), Some("-1234567.25"), None),
            ("9.500,5", None, None, Some("9500.5")),
            ("1,234,567.5", None, Some("1234567.5"), None),
            ("12,5", None, None, Some("12.5")),
            ("9.5", Some("9.5"), Some("9.5"), None),
            ("12,34,567", Some("12,34,567"), None, None),
            ("1.234 567", Some("1.234 567"), None, None),
            ("abc", Some("abc"), Some("abc"), Some("abc")),
            ("a,b", Some("a,b"), None, None),
            ("1e5", Some("1e5"), Some("1e5"), Some("1e5")),
            ("1'000", Some("1000"), Some("1000"), Some("1000")),
        ] {
            let expected = [without, by_point, by_comma].map(|text| text.map(str::to_owned));
            assert_eq!([None, Some(Point), Some(Comma)].map(|sign| read(text, sign)), expected, "{text}");
        }
    }

    #[test]
    fn a_long_cell_is_no_number() {
        let long = format!("1{}", ",111".repeat(40));
        for sign in [None, Some(Point), Some(Comma)] {
            assert_eq!(read(&long, sign).as_ref(), Some(&long));
        }
    }

    #[test]
    fn a_sign_is_seen_where_a_number_shows_it() {
        for (text, expected) in [
            ("9500", None),
            ("9.5", None),
            ("abc", None),
            ("a,b", None),
            ("9,500", Some(None)),
            ("12,5", Some(Some(Comma))),
            ("1.234.567", Some(Some(Comma))),
            ("1,234,567", Some(Some(Point))),
            ("1,234.5", Some(Some(Point))),
            ("1.234,5", Some(Some(Comma))),
        ] {
            assert_eq!(sign_of(text), expected, "{text}");
        }
    }
}
