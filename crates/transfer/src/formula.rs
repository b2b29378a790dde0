//! The sign before cells of CSV that a spreadsheet would read as a formula, and its removal.

use std::borrow::Cow;

/// The sign.
const SIGN: char = '\'';

/// Puts the sign before a cell that begins as a formula does, or with the sign itself.
pub fn guarded(cell: Cow<'_, str>) -> Cow<'_, str> {
    if is_formula(&cell) || cell.starts_with(SIGN) { Cow::Owned(format!("{SIGN}{cell}")) } else { cell }
}

/// Takes the sign away again.
pub(crate) fn unguarded(cell: &str) -> &str {
    cell.strip_prefix(SIGN).filter(|rest| is_formula(rest) || rest.starts_with(SIGN)).unwrap_or(cell)
}

fn is_formula(cell: &str) -> bool {
    cell.starts_with(|first: char| matches!(first, '=' | '+' | '-' | '@') || first.is_control())
}

#[cfg(test)]
mod tests {
    use super::{guarded, unguarded};

    #[test]
    fn each_cell_comes_back_as_it_was() {
        for (cell, expected) in [
            ("", ""),
            ("a", "a"),
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r", "'\r"),
            ("'", "''"),
            ("'=1", "''=1"),
            ("''", "'''"),
            ("a=1", "a=1"),
        ] {
            assert_eq!((guarded(cell.into()).as_ref(), unguarded(expected)), (expected, cell), "{cell:?}");
        }
        assert_eq!(unguarded("'tis"), "'tis", "a text of another program is left alone");
    }
}
