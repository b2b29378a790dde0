//! Bodies that are too large for memory: they lie in files without a name until they are taken.

mod file;

pub use file::{MOST_FILES, SpoolFolder};

use file::{HEAD, SpoolFile};
use model::error::{Error, Result};
use std::ops::Range;
use std::sync::Arc;

/// The bytes of a body that stay in memory. One that is larger lies in a file.
pub const IN_MEMORY: usize = 1 << 20;
/// Bytes that are read at once.
const BLOCK: usize = 128 << 10;

/// A body while it is written: in memory, and once it is too large in a file.
#[derive(Debug, Default)]
pub struct SpoolWriter {
    /// None where all of it stays in memory.
    spools: Option<Arc<SpoolFolder>>,
    memory: Vec<u8>,
    file: Option<SpoolFile>,
}

/// The body of an answer.
#[derive(Debug)]
pub enum ReadBody {
    /// In memory.
    Whole(Vec<u8>),
    /// In a file.
    Spooled(SpooledBody),
}

/// A body in a file. The file is gone once this is.
#[derive(Debug)]
pub struct SpooledBody {
    space: SpoolFile,
    start: u64,
    length: u64,
}

impl SpoolWriter {
    /// An empty one; without a place for files all of it stays in memory.
    pub fn new(spools: Option<&Arc<SpoolFolder>>) -> Self {
        SpoolWriter { spools: spools.cloned(), ..SpoolWriter::default() }
    }

    /// An empty one with the same place.
    #[must_use]
    pub fn like(other: &SpoolWriter) -> Self {
        SpoolWriter { spools: other.spools.clone(), ..SpoolWriter::default() }
    }

    /// Returns true if what is written goes to a file where it is large.
    pub fn spills(&self) -> bool {
        self.spools.is_some()
    }

    /// Returns true if some of it is in a file.
    pub fn spilt(&self) -> bool {
        self.file.is_some()
    }

    /// Bytes that were written.
    pub fn len(&self) -> usize {
        let filed = self.file.as_ref().map_or(0, SpoolFile::written);
        usize::try_from(filed).unwrap_or(usize::MAX).saturating_add(self.memory.len())
    }

    /// Returns true if nothing was written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.memory.extend_from_slice(bytes);
        self.spill_where_large()
    }

    /// Appends bytes, and keeps them as they are where they are the first.
    pub fn put(&mut self, bytes: Vec<u8>) -> Result<()> {
        if self.is_empty() {
            self.memory = bytes;
            return self.spill_where_large();
        }
        self.write(&bytes)
    }

    /// Moves the bytes of another buffer to the file.
    pub fn take(&mut self, bytes: &mut Vec<u8>) -> Result<()> {
        self.spill()?.write(bytes)?;
        bytes.clear();
        bytes.shrink_to(2 * IN_MEMORY);
        Ok(())
    }

    /// Reads a range of what was taken.
    pub fn read(&self, range: Range<usize>) -> Result<Vec<u8>> {
        let mut bytes = vec![0; range.len()];
        match &self.file {
            Some(space) => space.read(HEAD + range.start as u64, &mut bytes)?,
            None => bytes.copy_from_slice(&self.memory[range]),
        }
        Ok(bytes)
    }

    /// Puts a head, which has no more than some hundred bytes, and a tail around all that was written.
    pub fn finish(mut self, head: &[u8], tail: &[u8]) -> Result<ReadBody> {
        if self.file.is_none() {
            // In its own memory: it is never there twice.
            let mut body = self.memory;
            body.splice(0..0, head.iter().copied());
            body.extend_from_slice(tail);
            return Ok(ReadBody::Whole(body));
        }
        self.memory.extend_from_slice(tail);
        self.spill()?;
        let space = self.file.ok_or_else(|| Error::failed("a body has no file"))?;
        let start = HEAD.checked_sub(head.len() as u64).ok_or_else(|| Error::failed("a head is too long"))?;
        space.put(start, head)?;
        let length = space.written() + head.len() as u64;
        Ok(ReadBody::Spooled(SpooledBody { space, start, length }))
    }

    fn spill_where_large(&mut self) -> Result<()> {
        if self.spills() && self.memory.len() > IN_MEMORY { self.spill().map(drop) } else { Ok(()) }
    }

    /// Moves what is in memory to the file, which is made with the first bytes.
    fn spill(&mut self) -> Result<&mut SpoolFile> {
        let space = match (self.file.take(), &self.spools) {
            (Some(space), _) => space,
            (None, Some(spools)) => spools.open()?,
            (None, None) => return Err(Error::failed("a body has no place for files")),
        };
        let space = self.file.insert(space);
        space.write(&self.memory)?;
        self.memory.clear();
        self.memory.shrink_to(2 * IN_MEMORY);
        Ok(space)
    }
}

impl SpooledBody {
    /// Its bytes.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Reads on from a place in it, some 100 KB; nothing at its end.
    pub fn read(&self, from: u64) -> Result<Vec<u8>> {
        let left = usize::try_from(self.length.saturating_sub(from)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; left.min(BLOCK)];
        self.space.read(self.start + from, &mut bytes)?;
        Ok(bytes)
    }
}

impl ReadBody {
    /// A body that is at hand: where it is large, it goes to a file.
    pub fn placed(bytes: Vec<u8>, spools: Option<&Arc<SpoolFolder>>) -> Result<Self> {
        let mut spool = SpoolWriter::new(spools);
        spool.put(bytes)?;
        spool.finish(b"", b"")
    }

    /// The number of its bytes.
    pub fn len(&self) -> u64 {
        match self {
            ReadBody::Whole(bytes) => bytes.len() as u64,
            ReadBody::Spooled(spooled) => spooled.len(),
        }
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Hands its bytes to `each`, piece by piece.
    pub fn pieces(&self, each: &mut dyn FnMut(&[u8])) -> Result<()> {
        let spooled = match self {
            ReadBody::Whole(bytes) => {
                each(bytes);
                return Ok(());
            }
            ReadBody::Spooled(spooled) => spooled,
        };
        let mut from = 0;
        while from < spooled.len() {
            let piece = spooled.read(from)?;
            each(&piece);
            from += piece.len() as u64;
        }
        Ok(())
    }

    /// All of its bytes, in memory.
    pub fn into_whole(self) -> Result<Vec<u8>> {
        if let ReadBody::Whole(bytes) = self {
            return Ok(bytes);
        }
        let mut whole = Vec::new();
        self.pieces(&mut |piece| whole.extend_from_slice(piece))?;
        Ok(whole)
    }
}

impl From<Vec<u8>> for ReadBody {
    fn from(bytes: Vec<u8>) -> Self {
        ReadBody::Whole(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spools(folder: &tempfile::TempDir, most_bytes: u64) -> Arc<SpoolFolder> {
        Arc::new(SpoolFolder::new(folder.path().join("spool"), most_bytes))
    }

    #[test]
    fn a_body_is_the_same_in_memory_and_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let spools = spools(&folder, 10 << 20);
        let piece: Vec<u8> = (0..700_000_u32).map(|number| number as u8).collect();
        for pieces in [1, 2, 3] {
            let (mut filed, mut whole) = (SpoolWriter::new(Some(&spools)), SpoolWriter::new(None));
            for _ in 0..pieces {
                filed.write(&piece).unwrap();
                whole.write(&piece).unwrap();
            }
            assert_eq!(filed.len(), whole.len());
            let (filed, whole) = (filed.finish(b"head", b"tail").unwrap(), whole.finish(b"head", b"tail").unwrap());
            assert_eq!(matches!(filed, ReadBody::Spooled(_)), pieces > 1);
            assert_eq!(spools.bytes() > 0, pieces > 1);
            assert!(filed.into_whole().unwrap() == whole.into_whole().unwrap());
            assert_eq!(spools.bytes(), 0);
        }
        assert_eq!(std::fs::read_dir(folder.path().join("spool")).unwrap().count(), 0);
    }

    #[test]
    fn what_is_taken_can_be_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = SpoolWriter::new(Some(&spools(&folder, 1_000)));
        spool.take(&mut b"0123".to_vec()).unwrap();
        spool.take(&mut b"456789".to_vec()).unwrap();
        assert_eq!((spool.len(), spool.read(2..6).unwrap()), (10, b"2345".to_vec()));
    }
}
