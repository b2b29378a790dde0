//! The letters of a sheet's columns: A to Z, AA and so on.

/// The letters of the column at an index.
pub(crate) fn letters(index: usize) -> String {
    let (mut left, mut letters) = (index + 1, Vec::new());
    while left > 0 {
        letters.push(char::from(b'A' + ((left - 1) % 26) as u8));
        left = (left - 1) / 26;
    }
    letters.into_iter().rev().collect()
}

/// The index of the column that a cell is in, by the cell's name; none where that is not a name.
pub(crate) fn index(cell: &str) -> Option<usize> {
    let letters = cell.bytes().take_while(u8::is_ascii_uppercase).count();
    if !(1..=3).contains(&letters) {
        return None;
    }
    Some(cell.bytes().take(letters).fold(0, |number, letter| number * 26 + usize::from(letter - b'A') + 1) - 1)
}

#[cfg(test)]
mod tests {
    use super::{index, letters};

    #[test]
    fn columns_have_letters() {
        for (column, name) in [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (16_383, "XFD")] {
            assert_eq!((letters(column).as_str(), index(&format!("{name}7"))), (name, Some(column)));
        }
        assert_eq!(["1", "", "AAAA1"].map(index), [None, None, None]);
    }
}
