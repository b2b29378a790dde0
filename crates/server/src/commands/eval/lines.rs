//! Lines of bounded length: a longer one is passed over, and what follows it is read.

use std::io::{BufRead, Read, Result};

/// The most bytes of a line, without its end.
pub(super) const MAXIMUM: usize = 16 * 1024 * 1024;

/// The outcome of reading a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineLength {
    Whole,
    TooLong,
}

/// Reads the next line into `line`, without its end; none at the end of the input. Of a line that is too long,
/// nothing is kept.
pub(super) fn next(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<Option<LineLength>> {
    line.clear();
    if input.by_ref().take(MAXIMUM as u64 + 1).read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > MAXIMUM {
        *line = Vec::new();
        input.skip_until(b'\n')?;
        return Ok(Some(LineLength::TooLong));
    }
    Ok(Some(LineLength::Whole))
}

#[cfg(test)]
mod tests {
    use super::{LineLength, MAXIMUM, next};
    use std::io::BufReader;

    #[test]
    fn a_line_may_have_so_many_bytes_and_no_more() {
        let (most, more) = ("a".repeat(MAXIMUM), "b".repeat(MAXIMUM + 1));
        let text = format!("{most}\n{more}\n\nc\n{more}");
        let mut input = BufReader::with_capacity(64 * 1024, text.as_bytes());
        let mut line = Vec::new();
        for (length, bytes) in [
            (LineLength::Whole, MAXIMUM),
            (LineLength::TooLong, 0),
            (LineLength::Whole, 0),
            (LineLength::Whole, 1),
            (LineLength::TooLong, 0),
        ] {
            assert_eq!(next(&mut input, &mut line).unwrap(), Some(length));
            assert_eq!(line.len(), bytes);
        }
        assert_eq!(next(&mut input, &mut line).unwrap(), None);
    }
}
