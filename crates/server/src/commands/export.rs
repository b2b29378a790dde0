//! `plinth export`: all resources of a type into a file.

use super::output::{stream, unwritable};
use super::{Console, Failure};
use clap::{Args, ValueEnum};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tenant::Tenant;
use transfer::export::{ExportFormat, ExportRequest, export_all};

/// Export all resources of a type
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth export city --out cities.csv\n  \
                        plinth export city --out cities.jsonl.gz\n  plinth export country --format json")]
pub(super) struct ExportArguments {
    /// The type's name or id
    #[arg(value_name = "TYPE")]
    collection: String,
    /// The format of the output [default: by the file's ending, else csv]
    #[arg(long, value_enum)]
    format: Option<FileFormat>,
    /// The file to create, compressed if it ends in .gz [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The form in which resources are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FileFormat {
    /// Cells by commas, the first line their names
    Csv,
    /// An object on each line
    Jsonl,
    /// An array of objects
    Json,
    /// A sheet of a workbook
    Xlsx,
}

impl From<FileFormat> for ExportFormat {
    fn from(format: FileFormat) -> Self {
        match format {
            FileFormat::Csv => ExportFormat::Csv,
            FileFormat::Jsonl => ExportFormat::Jsonl,
            FileFormat::Json => ExportFormat::Json,
            FileFormat::Xlsx => ExportFormat::Xlsx,
        }
    }
}

/// Runs the command.
pub(super) fn run(arguments: ExportArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    let tenant = console.tenant(&settings, &platform)?;
    let format = arguments.format.or_else(|| by_name(arguments.out.as_deref()?)).unwrap_or(FileFormat::Csv);
    let collection = &arguments.collection;
    let Some(path) = &arguments.out else {
        return stream(|out| write(&tenant, collection, format, out).map(|_| ()));
    };
    let file = File::create(path)
        .map_err(|error| Failure::new(format!("Cannot make {}: {error}.", path.display()), "Choose another --out."))?;
    let mut file = BufWriter::new(file);
    let rows = if path.extension().is_some_and(|ending| ending == "gz") {
        let mut packed = GzEncoder::new(&mut file, Compression::default());
        let rows = write(&tenant, collection, format, &mut packed)?;
        packed.finish().map_err(unwritable)?;
        rows
    } else {
        write(&tenant, collection, format, &mut file)?
    };
    file.flush().map_err(unwritable)?;
    let text = format!("Exported {rows} rows of {collection} to {}.", path.display());
    console.print(&text, &json!({"rows": rows, "file": path}))
}

fn by_name(path: &Path) -> Option<FileFormat> {
    let name = path.to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    match name.rsplit_once('.')?.1 {
        "csv" => Some(FileFormat::Csv),
        "jsonl" | "ndjson" => Some(FileFormat::Jsonl),
        "json" => Some(FileFormat::Json),
        "xlsx" => Some(FileFormat::Xlsx),
        _ => None,
    }
}

fn write(tenant: &Tenant, collection: &str, format: FileFormat, out: &mut dyn Write) -> Result<u64, Failure> {
    let request = ExportRequest { format: format.into(), ..ExportRequest::default() };
    let rows = export_all(tenant, collection, &request, out)?;
    out.flush().map_err(unwritable)?;
    Ok(rows)
}
