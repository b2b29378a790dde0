//! Files that are imported, in the form that their names or the operator says.

use crate::commands::Failure;
use clap::ValueEnum;
use indicatif::ProgressBar;
use model::error::Result;
use std::io;
use std::path::Path;
use transfer::import::Import;
use transfer::source::{FileSource, SourceFormat, is_delimiter};

/// The form in which the rows of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImportFormat {
    /// Cells by commas, the first line their names
    Csv,
    /// An array of objects
    Json,
    /// An object on each line
    Jsonl,
    /// A sheet of a workbook, its first row the names of the columns
    Xlsx,
}

/// The details of a file's form.
#[derive(Clone, Debug)]
pub struct FileDetails {
    /// The form, where it is not that of the file's name.
    pub format: Option<ImportFormat>,
    /// The character between the cells of CSV.
    pub delimiter: char,
    /// True if the sign before formulas is taken away.
    pub safe: bool,
    /// The name or the number of a workbook's sheet.
    pub sheet: Option<String>,
}

/// The source of rows.
pub struct ImportSource {
    file: FileSource,
    format: SourceFormat,
}

impl ImportSource {
    /// A file, or standard input where it is `-`.
    pub fn file(path: &Path, details: FileDetails) -> Result<Self, Failure> {
        let FileDetails { format, delimiter, safe, sheet } = details;
        let name = path.to_string_lossy().to_lowercase();
        let delimiter = u8::try_from(delimiter).ok().filter(|byte| is_delimiter(*byte)).ok_or_else(|| {
            let message = "The delimiter must be a space, a tab, or a sign of ASCII other than a quote.";
            Failure::new(message, "Such as --delimiter ';'.")
        })?;
        let (packed, name) = name.strip_suffix(".gz").map_or((false, name.as_str()), |name| (true, name));
        let by_name = match name.rsplit_once('.').map(|(_, ending)| ending) {
            Some("csv") => Some(ImportFormat::Csv),
            Some("json") => Some(ImportFormat::Json),
            Some("jsonl" | "ndjson") => Some(ImportFormat::Jsonl),
            Some("xlsx" | "xlsm") => Some(ImportFormat::Xlsx),
            _ => None,
        };
        let format = match format.or(by_name) {
            Some(ImportFormat::Csv) => SourceFormat::Csv { delimiter, safe },
            Some(ImportFormat::Json) => SourceFormat::Json,
            Some(ImportFormat::Jsonl) => SourceFormat::Jsonl,
            Some(ImportFormat::Xlsx) => SourceFormat::Xlsx { sheet },
            None => {
                let message = "The file's name does not show its format.";
                return Err(Failure::new(message, "Use --format csv, json, jsonl or xlsx."));
            }
        };
        let file = FileSource::open(path, packed).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData if packed => {
                let message = format!("{} is not compressed with gzip, as its name says.", path.display());
                Failure::new(message, "Compress it, or rename it without .gz.")
            }
            _ => Failure::new(format!("Cannot read {}: {error}.", path.display()), ""),
        })?;
        Ok(ImportSource { file, format })
    }

    /// Returns the number of bytes to read.
    pub fn size(&self) -> u64 {
        self.file.size()
    }

    /// Returns true if rows are cells, of which those with texts have no type.
    pub(super) fn has_cells(&self) -> bool {
        matches!(self.format, SourceFormat::Csv { .. } | SourceFormat::Xlsx { .. })
    }

    /// Hands all rows to an import, from the first on.
    pub(super) fn feed(&mut self, import: &mut Import<'_, '_>, bar: &ProgressBar) -> Result<()> {
        bar.set_position(0);
        self.file.feed(&self.format, |file| bar.wrap_read(file), import)
    }
}
