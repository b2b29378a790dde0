//! Source maps: the place in a file of each byte of a YAML scalar, through quotes, escapes, folded lines and blocks.

use serde_saphyr::granit_parser::ScalarStyle;
use std::ops::Range;

/// The places of a scalar's text in its file.
#[derive(Debug, Clone)]
pub struct SourceMap {
    /// For each byte of the text, the bytes of the file that its character takes.
    places: Vec<Range<usize>>,
    /// The byte of the file where the text begins.
    start: usize,
    style: ScalarStyle,
}

impl SourceMap {
    /// Maps a scalar. None where the file does not hold the text: nobody then says where something stands.
    pub fn new(source: &str, span: &Range<usize>, style: ScalarStyle, text: &str) -> Option<Self> {
        // The content of a block begins behind its indentation, which is on the same line.
        let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        let line = source.get(..span.start)?.rfind('\n').map_or(0, |end| end + 1);
        let begin = if is_block { line } else { span.start };
        let raw = source.get(begin..span.end)?;
        let mut reader = RawReader { raw, position: 0, indent: 0, text, style, places: Vec::with_capacity(text.len()) };
        reader.begin()?;
        let start = begin + reader.position;
        while reader.places.len() < text.len() {
            reader.step()?;
        }
        let places = reader.places.into_iter().map(|place| begin + place.start..begin + place.end).collect();
        Some(SourceMap { places, start, style })
    }

    /// Maps a text that stands in the file as it is.
    pub fn plain(start: usize, text: &str) -> Self {
        let letters = text.char_indices().flat_map(|(place, letter)| {
            let length = letter.len_utf8();
            std::iter::repeat_n(start + place..start + place + length, length)
        });
        SourceMap { places: letters.collect(), start, style: ScalarStyle::DoubleQuoted }
    }

    /// Returns the bytes of the file that hold some of the text's.
    pub fn range(&self, from: usize, to: usize) -> Range<usize> {
        let start = match self.places.get(from) {
            Some(place) => place.start,
            None => self.places.last().map_or(self.start, |last| last.end),
        };
        let last = to.checked_sub(1).filter(|last| *last >= from).and_then(|last| self.places.get(last));
        start..last.map_or(start, |last| last.end)
    }

    /// Returns the byte of the text at a byte of the file, or the nearest behind it.
    pub fn text_byte(&self, place: usize) -> usize {
        self.places.partition_point(|mapped| mapped.start < place)
    }

    /// Writes a text as a part of the scalar; none where its style cannot hold the text.
    pub fn encode(&self, text: &str) -> Option<String> {
        match self.style {
            ScalarStyle::SingleQuoted if !text.contains('\n') => Some(text.replace('\'', "''")),
            ScalarStyle::DoubleQuoted if !text.contains('\n') => Some(text.replace('\\', "\\\\").replace('"', "\\\"")),
            ScalarStyle::Literal | ScalarStyle::Folded if !text.contains('\n') => Some(text.to_owned()),
            ScalarStyle::Plain if !text.contains(['\n', ',', '[', ']', '{', '}', '#', ':', '"', '\'']) => {
                Some(text.to_owned())
            }
            _ => None,
        }
    }
}

/// A walk through the scalar as it is written, beside its text.
struct RawReader<'r> {
    raw: &'r str,
    position: usize,
    /// The indentation of a block.
    indent: usize,
    text: &'r str,
    style: ScalarStyle,
    places: Vec<Range<usize>>,
}

impl RawReader<'_> {
    fn rest(&self) -> &str {
        &self.raw[self.position..]
    }

    fn is_block(&self) -> bool {
        matches!(self.style, ScalarStyle::Literal | ScalarStyle::Folded)
    }

    /// Goes to the first byte of the content.
    fn begin(&mut self) -> Option<()> {
        match self.style {
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                self.position = self.raw.starts_with(['\'', '"']).then_some(1)?;
            }
            ScalarStyle::Plain => {}
            _ => {
                let content = self.rest().lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
                let blanks = content.len() - content.trim_start_matches(' ').len();
                // The content may begin with blanks of its own, where the header gives the indentation.
                let text = self.text.trim_start_matches('\n');
                self.indent = blanks.saturating_sub(text.len() - text.trim_start_matches(' ').len());
                self.position = self.indentation();
            }
        }
        Some(())
    }

    /// The blanks that indent the line at the position.
    fn indentation(&self) -> usize {
        let rest = self.rest();
        if self.is_block() {
            return (rest.len() - rest.trim_start_matches(' ').len()).min(self.indent);
        }
        rest.len() - rest.trim_start_matches([' ', '\t']).len()
    }

    /// Takes a character of the text, or breaks between lines.
    fn step(&mut self) -> Option<()> {
        let wanted = self.text[self.places.len()..].chars().next()?;
        let first = self.rest().chars().next()?;
        if self.line_is_over() {
            return self.breaks();
        }
        match (self.style, first) {
            (ScalarStyle::DoubleQuoted, '\\') => return self.escape(wanted),
            (ScalarStyle::SingleQuoted, '\'') if self.rest().starts_with("''") => self.take(wanted, 2),
            _ if first == wanted => self.take(wanted, first.len_utf8()),
            _ => return None,
        }
        Some(())
    }

    /// Notes a character of the text that takes some bytes of the file.
    fn take(&mut self, letter: char, length: usize) {
        let place = self.position..self.position + length;
        self.places.extend(std::iter::repeat_n(place, letter.len_utf8()));
        self.position += length;
    }

    /// Returns true if no text is left on the line. Blanks of a block are text.
    fn line_is_over(&self) -> bool {
        let rest = if self.is_block() { self.rest() } else { self.rest().trim_start_matches([' ', '\t']) };
        rest.starts_with(['\n', '\r'])
    }

    /// Takes the ends of lines: they become a blank, or breaks.
    fn breaks(&mut self) -> Option<()> {
        if self.style == ScalarStyle::Literal {
            let place = self.end_of_line()?;
            self.places.push(place);
            return Some(());
        }
        let mut ends = Vec::new();
        while self.line_is_over() {
            ends.push(self.end_of_line()?);
        }
        let text = &self.text[self.places.len()..];
        let breaks = text.len() - text.trim_start_matches('\n').len();
        // A lone end is a blank. Of several, the first one is no part of the text, as a rule.
        let taken = if breaks == 0 && ends.len() == 1 && text.starts_with(' ') { 1 } else { breaks };
        if taken == 0 || taken > ends.len() {
            return None;
        }
        self.places.extend(ends.drain(ends.len() - taken..));
        Some(())
    }

    /// Goes behind the end of the line, and behind the indentation of the next one. Returns the place of the end.
    fn end_of_line(&mut self) -> Option<Range<usize>> {
        let rest = self.rest();
        let end = rest.find(['\n', '\r'])?;
        let length = if rest[end..].starts_with("\r\n") { 2 } else { 1 };
        let place = self.position + end..self.position + end + length;
        self.position = place.end;
        self.position += self.indentation();
        Some(place)
    }

    fn escape(&mut self, wanted: char) -> Option<()> {
        let rest = self.rest();
        let length = match rest[1..].chars().next()? {
            'x' => 4,
            'u' => 6,
            'U' => 10,
            // The line goes on as if it had not ended.
            '\n' | '\r' => return self.end_of_line().map(drop),
            letter => 1 + letter.len_utf8(),
        };
        rest.get(..length)?;
        self.take(wanted, length);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use crate::scalars::scalars;

    /// Asserts that each letter of the only value stands in the file where its map says.
    #[track_caller]
    fn mapped(source: &str, expected: &str, exact: bool) {
        let list = scalars(source);
        let scalar = list.scalars.iter().find(|scalar| !scalar.is_key).unwrap();
        assert_eq!(scalar.text, expected);
        let map = scalar
            .map(source)
            .unwrap_or_else(|| panic!("no map of {source:?} from {:?}", &source[scalar.span.clone()]));
        for (place, letter) in expected.char_indices() {
            let range = map.range(place, place + letter.len_utf8());
            let written = &source[range.clone()];
            let is_same = written == letter.to_string() || written.contains('\n') && letter.is_whitespace();
            assert!(is_same || !exact, "{letter:?} of {source:?} is at {written:?}");
            assert_eq!(map.text_byte(range.start), place, "{letter:?} of {source:?}");
        }
        assert!(map.range(expected.len(), expected.len()).start <= source.len());
    }

    #[test]
    fn plain_and_quoted_scalars_are_mapped() {
        mapped("a: Hello {=name} 😀ž\n", "Hello {=name} 😀ž", true);
        mapped("a: one\n  two\n\n  three\n", "one two\nthree", true);
        mapped("a: 'it''s 😀'\n", "it's 😀", false);
        mapped("a: 'one\n  two'\n", "one two", true);
        mapped("a: \"{=upper(\\\"ž\\\") ~ '\\u017e\\U0001F600\\x41'}\"\n", "{=upper(\"ž\") ~ 'ž😀A'}", false);
        mapped("a: \"one \\\n   two\n\n  three\"\n", "one two\nthree", true);
        mapped("{a: \"{=x}\", b: 1}\n", "{=x}", true);
    }

    #[test]
    fn blocks_are_mapped() {
        mapped("a: |\n  {=one\n    and two}\n\n  ž😀\n", "{=one\n  and two}\n\nž😀\n", true);
        mapped("a: |-\r\n  {=one\r\n  and two}\r\n", "{=one\nand two}", true);
        mapped("a: >\n  {=one\n  and two}\n\n  three\n", "{=one and two}\nthree\n", true);
        mapped("a: >-\n  one\n    more\n  two\n", "one\n  more\ntwo", true);
        mapped("a: |2\n    {=one}\n", "  {=one}\n", true);
        mapped("a:\n  - |\n    {=one}\n", "{=one}\n", true);
        mapped("a:\n  b: |\n    {='😀' ~\n      one.}\n", "{='😀' ~\n  one.}\n", true);
    }
}
