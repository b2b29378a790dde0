//! `plinth export`: all resources of a type into a file.

use super::output::{stream, unwritable};
use super::{Console, Failure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
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
    #[arg(long, value_parser = formats())]
    format: Option<ExportFormat>,
    /// The file to create, compressed if it ends in .gz [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The formats, by name.
fn formats() -> impl TypedValueParser<Value = ExportFormat> {
    PossibleValuesParser::new(ExportFormat::ALL.map(ExportFormat::name))
        .map(|name| ExportFormat::named(&name).unwrap_or_default())
}

/// Runs the command.
pub(super) fn run(arguments: ExportArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = console.platform(&settings)?;
    let tenant = console.tenant(&settings, &platform)?;
    let by_name = || ExportFormat::of_file(arguments.out.as_deref()?);
    let format = arguments.format.or_else(by_name).unwrap_or_default();
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

fn write(tenant: &Tenant, collection: &str, format: ExportFormat, out: &mut dyn Write) -> Result<u64, Failure> {
    let request = ExportRequest { format, ..ExportRequest::default() };
    let rows = export_all(tenant, collection, &request, out)?;
    out.flush().map_err(unwritable)?;
    Ok(rows)
}
