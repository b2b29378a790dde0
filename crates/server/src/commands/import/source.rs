//! Files that are imported: opened, spooled where they can be read only once, and handed over.

use crate::commands::Failure;
use clap::ValueEnum;
use indicatif::ProgressBar;
use model::error::{Error, Result};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use transfer::import::Import;
use transfer::source::{SourceFormat, has_gzip_signature, read_rows};

/// The form in which the rows of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImportFormat {
    /// Cells by commas, the first line their names
    Csv,
    /// An array of objects
    Json,
    /// An object on each line
    Jsonl,
}

/// The source of rows.
pub struct ImportSource {
    file: File,
    packed: bool,
    format: SourceFormat,
    size: Option<u64>,
}

impl ImportSource {
    /// A file, or standard input where it is `-`.
    pub fn file(path: &Path, format: Option<ImportFormat>, delimiter: char, safe: bool) -> Result<Self, Failure> {
        let name = path.to_string_lossy().to_lowercase();
        let delimiter = u8::try_from(delimiter)
            .map_err(|_| Failure::new("The delimiter must be one character of ASCII.", "Such as --delimiter ';'."))?;
        let (packed, name) = name.strip_suffix(".gz").map_or((false, name.as_str()), |name| (true, name));
        let by_name = match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("csv") => Some(ImportFormat::Csv),
            Some("json") => Some(ImportFormat::Json),
            Some("jsonl" | "ndjson") => Some(ImportFormat::Jsonl),
            _ => None,
        };
        let format = match format.or(by_name) {
            Some(ImportFormat::Csv) => SourceFormat::Csv { delimiter, safe },
            Some(ImportFormat::Json) => SourceFormat::Json,
            Some(ImportFormat::Jsonl) => SourceFormat::Jsonl,
            None => {
                let message = "The file's name does not show its format.";
                return Err(Failure::new(message, "Use --format csv, json or jsonl."));
            }
        };
        let missing = |error: io::Error| Failure::new(format!("Cannot read {}: {error}.", path.display()), "");
        let file = if name == "-" { spooled(&mut io::stdin()) } else { File::open(path) }.map_err(missing)?;
        let whole = file.metadata().map_err(missing)?.is_file();
        // Rows are read more than once.
        let mut file = if whole { file } else { spooled(&mut &file).map_err(missing)? };
        let size = Some(file.seek(SeekFrom::End(0)).map_err(missing)?);
        if packed && !is_gzip(&mut file).map_err(missing)? {
            let message = format!("{} is not compressed with gzip, as its name says.", path.display());
            return Err(Failure::new(message, "Compress it, or rename it without .gz."));
        }
        Ok(ImportSource { file, packed, format, size })
    }

    /// Returns the number of bytes to read, where that is known.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Hands all rows to an import, from the first on.
    pub(super) fn feed(&mut self, import: &mut Import<'_, '_>, bar: &ProgressBar) -> Result<()> {
        let unreadable = |error| Error::invalid("file_unreadable", format!("The file cannot be read: {error}."));
        self.file.rewind().map_err(unreadable)?;
        bar.set_position(0);
        let counted = BufReader::new(bar.wrap_read(&self.file));
        match self.packed {
            // The operator's own file may be of any size.
            true => read_rows(self.format, flate2::bufread::MultiGzDecoder::new(counted), import),
            false => read_rows(self.format, counted, import),
        }
    }
}

/// All that a reader gives, in a file without a name.
fn spooled(reader: &mut impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(reader, &mut file)?;
    Ok(file)
}

fn is_gzip(file: &mut File) -> io::Result<bool> {
    let mut head = Vec::new();
    file.rewind()?;
    file.take(2).read_to_end(&mut head)?;
    Ok(has_gzip_signature(&head))
}
