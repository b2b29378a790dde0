//! The limit on the bytes of one member of a JSON array.

use super::PIECE;
use std::cell::Cell;
use std::io;
use std::io::Read;
use std::rc::Rc;

/// A reader that gives no more than one row may have, and what is read ahead.
pub(super) struct RowLimit<R> {
    reader: R,
    left: Rc<Cell<u64>>,
    most: u64,
}

impl<R: Read> RowLimit<R> {
    /// Returns the reader, and the bytes that are left to the row: they are set anew behind each.
    pub(super) fn new(reader: R, most: u64) -> (io::BufReader<Self>, Rc<Cell<u64>>) {
        // What is read ahead counts for the row before.
        let most = most + PIECE as u64;
        let left = Rc::new(Cell::new(most));
        (io::BufReader::with_capacity(PIECE, RowLimit { reader, left: Rc::clone(&left), most }), left)
    }
}

impl<R: Read> Read for RowLimit<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(bytes)?;
        let (left, most) = (self.left.get().checked_sub(count as u64), self.most);
        self.left.set(left.ok_or_else(|| io::Error::other(format!("a row has more than {most} bytes")))?);
        Ok(count)
    }
}
