//! Days of cells as they are written with points: 31.12.2026.

use std::borrow::Cow;

/// The day of a cell in the form of requests, `2026-12-31`; anything else stays. With points, the day comes first
/// everywhere; with slashes it does not, and the cell is refused.
pub(super) fn plain_date(cell: &str) -> Cow<'_, str> {
    let mut parts = cell.trim().split('.').map(str::trim);
    let part = |text: Option<&str>, most: usize| {
        let text = text.filter(|text| (1..=most).contains(&text.len()))?;
        text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)?.parse::<u16>().ok()
    };
    let (day, month) = (part(parts.next(), 2), part(parts.next(), 2));
    let year = parts.next().filter(|year| year.len() == 4);
    match (day, month, part(year, 4), parts.next()) {
        (Some(day), Some(month), Some(year), None) => Cow::Owned(format!("{year:04}-{month:02}-{day:02}")),
        _ => Cow::Borrowed(cell),
    }
}

#[cfg(test)]
mod tests {
    use super::plain_date;

    #[test]
    fn days_with_points_are_read() {
        for (text, expected) in [
            ("31.12.2026", "2026-12-31"),
            (" 1. 2. 2026", "2026-02-01"),
            ("31.12.26", "31.12.26"),
            ("12/31/2026", "12/31/2026"),
            ("2026-12-31", "2026-12-31"),
            ("1.2.2026.3", "1.2.2026.3"),
            ("+1.2.2026", "+1.2.2026"),
        ] {
            assert_eq!(plain_date(text), expected);
        }
    }
}
