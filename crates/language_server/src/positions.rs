//! Positions: a line and UTF-16 units in it, as editors count, from and to bytes.

use serde_json::{Value as Json, json};
use std::ops::Range;

/// The starts of the lines of a text.
#[derive(Debug)]
pub(crate) struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let ends = (0..bytes.len()).filter(|place| match bytes[*place] {
            b'\n' => true,
            b'\r' => bytes.get(place + 1) != Some(&b'\n'),
            _ => false,
        });
        LineIndex { text, starts: std::iter::once(0).chain(ends.map(|end| end + 1)).collect() }
    }

    /// A line with its end.
    fn line(&self, line: usize) -> &'t str {
        let from = self.starts.get(line).copied().unwrap_or(self.text.len());
        let to = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        &self.text[from..to]
    }

    /// Returns the byte of a position. What lies behind a line or the text means its end.
    pub(crate) fn byte(&self, position: &Json) -> Option<usize> {
        let number = |name: &str| Some(usize::try_from(position.get(name)?.as_u64()?).unwrap_or(usize::MAX));
        let (line, wanted) = (number("line")?, number("character")?);
        let Some(start) = self.starts.get(line) else { return Some(self.text.len()) };
        let content = self.line(line).trim_end_matches(['\r', '\n']);
        let mut units = 0;
        for (place, letter) in content.char_indices() {
            if units >= wanted {
                return Some(start + place);
            }
            units += letter.len_utf16();
        }
        Some(start + content.len())
    }

    /// Returns the byte of a line and a column in characters, both from 1.
    pub(crate) fn byte_of_column(&self, line: usize, column: usize) -> usize {
        let (line, column) = (line.saturating_sub(1), column.saturating_sub(1));
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let content = self.line(line).trim_end_matches(['\r', '\n']);
        start + content.char_indices().nth(column).map_or(content.len(), |(place, _)| place)
    }

    /// Returns the position of a byte.
    pub(crate) fn position(&self, byte: usize) -> Json {
        let line = self.starts.partition_point(|start| *start <= byte).saturating_sub(1);
        let before = self.text.get(self.starts[line]..byte).unwrap_or_default();
        json!({"line": line, "character": before.encode_utf16().count()})
    }

    pub(crate) fn range(&self, bytes: &Range<usize>) -> Json {
        json!({"start": self.position(bytes.start), "end": self.position(bytes.end)})
    }

    /// Returns the bytes of the line that a byte stands in, without its end.
    pub(crate) fn line_around(&self, byte: usize) -> Range<usize> {
        let line = self.starts.partition_point(|start| *start <= byte).saturating_sub(1);
        let content = self.line(line).trim_end_matches(['\r', '\n']);
        self.starts[line]..self.starts[line] + content.len()
    }
}

#[cfg(test)]
mod tests {
    use super::LineIndex;
    use serde_json::json;

    #[test]
    fn positions_count_utf_16_units() {
        let text = "a😀ž\r\nbc\rd\n";
        let index = LineIndex::new(text);
        let cases = [(0, 0, 0), (1, 0, 1), (5, 0, 3), (7, 0, 4), (9, 1, 0), (11, 1, 2), (12, 2, 0), (14, 3, 0)];
        for (byte, line, character) in cases {
            let position = json!({"line": line, "character": character});
            assert_eq!(index.position(byte), position);
            assert_eq!(index.byte(&position), Some(byte));
        }
        // The middle of a letter means the letter behind it, the end of a line what lies behind it.
        assert_eq!(index.byte(&json!({"line": 0, "character": 2})), Some(5));
        assert_eq!(index.byte(&json!({"line": 0, "character": 99})), Some(7));
        assert_eq!(index.byte(&json!({"line": 99, "character": 0})), Some(14));
        assert_eq!(index.byte(&json!({"line": -1, "character": 0})), None);
        assert_eq!(index.byte_of_column(1, 3), 5);
        assert_eq!(&text[index.line_around(10)], "bc");
    }
}
