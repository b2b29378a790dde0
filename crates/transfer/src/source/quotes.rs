//! The check of the quotes of CSV, beside a lenient parser: a quote that never closes, and text behind
//! a closed one.

use std::collections::VecDeque;
use std::io::{self, Read};

/// A mistake in the quotes of a row.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct QuoteFault {
    /// The place of the mistake, in bytes from the beginning.
    pub byte: u64,
    /// The number of its line.
    pub line: u64,
    /// The description for the person who imports.
    pub message: &'static str,
}

/// A reader that notes the faults of what it hands on, in one pass.
pub(super) struct QuoteCheck<R> {
    reader: R,
    delimiter: u8,
    /// The bytes that a row may have: what an open quote takes in does not fill the memory.
    most: u64,
    place: CellPlace,
    byte: u64,
    line: u64,
    /// The byte at which the row began.
    row: u64,
    /// The byte and the line of the last quote that opened a cell.
    opened: (u64, u64),
    faults: VecDeque<QuoteFault>,
}

/// The place within a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellPlace {
    Start,
    Plain,
    Quoted,
    /// Behind a quote within quotes: it closes the cell, or another follows.
    Quote,
}

impl<R> QuoteCheck<R> {
    /// Checks what this reader gives from now on.
    pub(super) fn new(reader: R, delimiter: u8, most: u64) -> Self {
        let faults = VecDeque::new();
        QuoteCheck {
            reader,
            delimiter,
            most,
            place: CellPlace::Start,
            byte: 0,
            line: 1,
            row: 0,
            opened: (0, 1),
            faults,
        }
    }

    /// Takes the first fault before that byte, and with it all others there: a row is told of once.
    pub(super) fn before(&mut self, byte: u64) -> Option<QuoteFault> {
        let mut first = None;
        while self.faults.front().is_some_and(|fault| fault.byte < byte) {
            let fault = self.faults.pop_front();
            first = first.or(fault);
        }
        first
    }

    fn step(&mut self, byte: u8) -> io::Result<()> {
        let ends = byte == b'\n' || byte == b'\r';
        self.place = match (self.place, byte) {
            (CellPlace::Start, b'"') => {
                self.opened = (self.byte, self.line);
                CellPlace::Quoted
            }
            (CellPlace::Quoted, b'"') => CellPlace::Quote,
            (CellPlace::Quoted, _) | (CellPlace::Quote, b'"') => CellPlace::Quoted,
            (_, other) if ends || other == self.delimiter => CellPlace::Start,
            (CellPlace::Quote, _) => {
                let message = "Text follows the quote that closes a cell. Write a quote within quotes twice.";
                self.faults.push_back(QuoteFault { byte: self.byte, line: self.line, message });
                CellPlace::Plain
            }
            (CellPlace::Start | CellPlace::Plain, _) => CellPlace::Plain,
        };
        self.byte += 1;
        self.line += u64::from(byte == b'\n');
        if ends && self.place == CellPlace::Start {
            self.row = self.byte;
        } else if self.byte - self.row > self.most {
            let line = if self.place == CellPlace::Quoted { self.opened.1 } else { self.line };
            let most = self.most;
            return Err(io::Error::other(format!(
                "line {line}: a row has more than {most} bytes; is a quote left open?"
            )));
        }
        Ok(())
    }

    fn end(&mut self) {
        if self.place == CellPlace::Quoted {
            let (byte, line) = self.opened;
            let message = "The quote that opens a cell here is closed nowhere: all lines behind it are in the cell.";
            self.faults.push_back(QuoteFault { byte, line, message });
            self.place = CellPlace::Plain;
        }
    }
}

impl<R: Read> Read for QuoteCheck<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(bytes)?;
        if count == 0 && !bytes.is_empty() {
            self.end();
        }
        bytes[..count].iter().try_for_each(|byte| self.step(*byte))?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::QuoteCheck;
    use std::io::Read;

    fn faults(text: &str) -> Vec<(u64, u64)> {
        let mut check = QuoteCheck::new(text.as_bytes(), b',', 1 << 20);
        check.read_to_end(&mut Vec::new()).unwrap();
        check.faults.iter().map(|fault| (fault.byte, fault.line)).collect()
    }

    #[test]
    fn what_rfc_4180_allows_is_no_fault() {
        for text in [
            "",
            "a,b\n",
            "\"a\",\"b\"\r\n",
            "\"a \"\"b\"\" c\"\n",
            "\"a\nb\",c",
            "5\" screen,b\n",
            "\"\",\"\"",
            "\"\"\"\"",
        ] {
            assert_eq!(faults(text), [], "{text:?}");
        }
    }

    #[test]
    fn each_fault_is_at_its_line() {
        assert_eq!(faults("a,b\n1,\"2\n3,4\n"), [(6, 2)]);
        assert_eq!(faults("a\n\"5\" screen\n\"x\"y\"\n"), [(5, 2), (16, 3)]);
        assert_eq!(faults("a\n\"1\n2\" 3\n"), [(7, 3)]);
    }

    #[test]
    fn a_row_without_end_is_not_kept_in_memory() {
        let endless = "\"".as_bytes().chain(std::io::repeat(b'a'));
        let mut check = QuoteCheck::new(endless, b',', 1 << 20);
        let error = std::io::copy(&mut check, &mut std::io::sink()).unwrap_err();
        assert!(error.to_string().contains("line 1: a row has more than"), "{error}");
    }
}
