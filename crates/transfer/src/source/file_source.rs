//! Files of this machine: opened, and spooled where they can be read only once.

use super::{FileLimits, RowTaker, SourceFormat, has_gzip_signature, read_file};
use model::error::{Error, Result};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// A file that can be read more than once.
#[derive(Debug)]
pub struct FileSource {
    file: File,
    packed: bool,
    size: u64,
}

impl FileSource {
    /// Opens a file, or standard input where it is `-`. One that is said to be packed with gzip must be so.
    pub fn open(path: &Path, packed: bool) -> io::Result<Self> {
        let file = if path == Path::new("-") { spooled(&mut io::stdin())? } else { File::open(path)? };
        let mut file = if file.metadata()?.is_file() { file } else { spooled(&mut &file)? };
        let size = file.seek(SeekFrom::End(0))?;
        if packed {
            let mut head = Vec::new();
            file.rewind()?;
            (&file).take(2).read_to_end(&mut head)?;
            if !has_gzip_signature(&head) {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "it is not compressed with gzip"));
            }
        }
        Ok(FileSource { file, packed, size })
    }

    /// Returns the number of bytes to read.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Hands all rows over, from the first on; `watched` may count what is read. The operator's own file may be of any
    /// size.
    pub fn feed<R: Read + Seek>(
        &mut self,
        format: &SourceFormat,
        watched: impl FnOnce(File) -> R,
        taker: &mut dyn RowTaker,
    ) -> Result<()> {
        let unreadable = |error| Error::invalid("file_unreadable", format!("The file cannot be read: {error}."));
        self.file.rewind().map_err(unreadable)?;
        let reader = watched(self.file.try_clone().map_err(unreadable)?);
        read_file(format, self.packed, FileLimits::of_operator(), reader, taker)
    }
}

/// All that a reader gives, in a file without a name.
fn spooled(reader: &mut impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(reader, &mut file)?;
    Ok(file)
}
