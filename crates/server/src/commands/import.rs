//! `plinth import`: resources out of a file of CSV, JSON or JSON lines, or a sheet of a workbook.

mod source;

pub use source::{FileDetails, ImportFormat, ImportSource};

use super::output::tell;
use super::{Console, Failure};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use tenant::Tenant;
use transfer::import;
use transfer::import::{DateOrder, DecimalSign, ImportMode, ImportOptions, ImportReport};

/// Import resources from a file
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth import country countries.csv\n  \
                        plinth import city cities.csv.gz --mode upsert --key geoname_id\n  \
                        plinth export city --format jsonl | plinth import city - --format jsonl --mode update --key uuid")]
pub struct ImportArguments {
    /// The type's name or id
    #[arg(value_name = "TYPE")]
    collection: String,
    /// The file: .csv, .json (an array) or .jsonl, each also as .gz, or .xlsx; - reads standard input
    file: PathBuf,
    /// Create resources, update those that the key finds, or both
    #[arg(long, value_enum, default_value = "create")]
    mode: ModeArgument,
    /// The unique property that finds existing resources [default: the type's codeProperty]
    #[arg(long, value_name = "PROPERTY")]
    key: Option<String>,
    /// Read and check everything, but keep nothing
    #[arg(long)]
    dry_run: bool,
    /// Block other writes until the import ends: one transaction, much faster
    #[arg(long)]
    exclusive: bool,
    /// Start no automations: old rows send no mails
    #[arg(long)]
    no_automations: bool,
    /// Keep the rows without problems, even if others have some
    #[arg(long)]
    keep_going: bool,
    /// Map a column to a property with another name; may be repeated
    #[arg(long = "column", value_name = "COLUMN=PROPERTY", value_parser = renaming)]
    columns: Vec<(String, String)>,
    /// The format of the file [default: by its ending]
    #[arg(long, value_enum)]
    format: Option<ImportFormat>,
    /// The character between the cells of CSV
    #[arg(long, value_name = "CHARACTER", default_value_t = ',')]
    delimiter: char,
    /// The name or the number of a workbook's sheet [default: the first that is shown]
    #[arg(long, value_name = "SHEET")]
    sheet: Option<String>,
    /// The sign before the decimals of numbers in texts: with a comma, 1.234,5 is 1234.5
    #[arg(long, value_enum, value_name = "SIGN")]
    decimal: Option<DecimalArgument>,
    /// The order of days with slashes in texts: with dmy, 1/2/2026 is 1 February
    #[arg(long, value_enum, value_name = "ORDER")]
    dates: Option<DatesArgument>,
    /// Take away the sign before formulas, as an export with safe=1 has it
    #[arg(long)]
    safe: bool,
}

/// The mode of an import: whether rows are new or old.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModeArgument {
    Create,
    Update,
    Upsert,
}

/// The sign before the decimals of numbers.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DecimalArgument {
    #[value(name = ".", alias = "point")]
    Point,
    #[value(name = ",", alias = "comma")]
    Comma,
}

impl From<DecimalArgument> for DecimalSign {
    fn from(sign: DecimalArgument) -> Self {
        match sign {
            DecimalArgument::Point => DecimalSign::Point,
            DecimalArgument::Comma => DecimalSign::Comma,
        }
    }
}

/// The order of day and month in days with slashes.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DatesArgument {
    #[value(name = "dmy")]
    DayFirst,
    #[value(name = "mdy")]
    MonthFirst,
}

impl From<DatesArgument> for DateOrder {
    fn from(order: DatesArgument) -> Self {
        match order {
            DatesArgument::DayFirst => DateOrder::DayFirst,
            DatesArgument::MonthFirst => DateOrder::MonthFirst,
        }
    }
}

impl From<ModeArgument> for ImportMode {
    fn from(mode: ModeArgument) -> Self {
        match mode {
            ModeArgument::Create => ImportMode::Create,
            ModeArgument::Update => ImportMode::Update,
            ModeArgument::Upsert => ImportMode::Upsert,
        }
    }
}

/// Runs the command.
pub fn run(arguments: ImportArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = console.changed_platform(&settings)?;
    let tenant = console.tenant(&settings, &platform)?;
    let ImportArguments { format, delimiter, safe, sheet, .. } = arguments;
    let source = ImportSource::file(&arguments.file, FileDetails { format, delimiter, safe, sheet })?;
    let named = [("--decimal", arguments.decimal.is_some()), ("--dates", arguments.dates.is_some())];
    if let Some((name, _)) = named.into_iter().find(|(_, is_named)| *is_named && !source.has_cells()) {
        let message = format!("{name} is for CSV and workbooks alone.");
        return Err(Failure::new(message, "Leave it out: values of JSON have a form."));
    }
    let started = console.environment.clock.now();
    let options = ImportOptions {
        mode: arguments.mode.into(),
        key: arguments.key,
        keep_going: arguments.keep_going,
        dry_run: arguments.dry_run,
        exclusive: arguments.exclusive,
        quiet: arguments.no_automations,
        keep_ids: false,
        renamed: arguments.columns,
        omitted: Vec::new(),
        decimal: arguments.decimal.map(DecimalSign::from),
        dates: arguments.dates.map(DateOrder::from),
    };
    let report = import(&tenant, &arguments.collection, source, options)?;
    let seconds = console.environment.clock.now().duration_since(started).as_secs_f64();
    console.print(&summary(&arguments.collection, &report, arguments.dry_run, seconds), &as_json(&report, seconds))?;
    if report.problem_count == 0 {
        return Ok(());
    }
    if !console.shared.json {
        problems(&report).iter().for_each(tell);
    }
    let message = format!("{} of {} rows have problems.", report.failed, report.rows);
    let advice = if report.kept {
        "The others were imported."
    } else {
        "Nothing was imported. Fix them, or keep the others with --keep-going."
    };
    Err(Failure::new(message, advice))
}

/// Imports a source into a tenant, with a progress bar where standard error is a terminal.
pub fn import(
    tenant: &Tenant,
    collection: &str,
    mut source: ImportSource,
    options: ImportOptions,
) -> Result<ImportReport, Failure> {
    let bar = bar(&source, collection);
    let report = import::import(tenant, collection, options, |import| source.feed(import, &bar));
    bar.finish_and_clear();
    Ok(report?)
}

fn bar(source: &ImportSource, collection: &str) -> ProgressBar {
    const TEMPLATE: &str = "{prefix} [{bar:40}] {bytes} of {total_bytes}, {eta} left";
    let bar = ProgressBar::new(source.size());
    let style = ProgressStyle::with_template(TEMPLATE).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style.progress_chars("=> ")).with_prefix(collection.to_owned())
}

fn summary(collection: &str, report: &ImportReport, dry_run: bool, seconds: f64) -> String {
    let verb = match (dry_run, report.kept) {
        (true, _) => "Checked",
        (false, true) => "Imported",
        (false, false) => "Read",
    };
    let ImportReport { rows, created, updated, unchanged, .. } = report;
    let done = if report.kept { "" } else { " (undone)" };
    // With --keep-going, these are the rows without problems.
    let some = if report.kept && !dry_run && report.failed > 0 {
        format!("{} of ", rows - report.failed)
    } else {
        String::new()
    };
    format!(
        "{verb} {some}{rows} rows of {collection} in {seconds:.1} s: {created} created, {updated} changed, {unchanged} as before{done}."
    )
}

fn problems(report: &ImportReport) -> Vec<String> {
    let line = |row: &transfer::import::RowProblem| format!("  line {}: {}", row.line, row.problem.message);
    let mut lines: Vec<String> = report.problems.iter().map(line).collect();
    let more = report.problem_count - report.problems.len() as u64;
    if more > 0 {
        lines.push(format!("  and {more} more"));
    }
    lines
}

fn as_json(report: &ImportReport, seconds: f64) -> Json {
    let problem = |row: &transfer::import::RowProblem| {
        let model::error::InputProblem { property, code, message } = &row.problem;
        let mut told = json!({"line": row.line, "property": property, "code": code, "message": message});
        if let Some(value) = &row.value {
            told["value"] = value.as_str().into();
        }
        told
    };
    json!({
        "rows": report.rows,
        "created": report.created,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "failed": report.failed,
        "kept": report.kept,
        "seconds": (seconds * 1_000.0).round() / 1_000.0,
        "problemCount": report.problem_count,
        "problems": report.problems.iter().map(problem).collect::<Vec<_>>(),
    })
}

fn renaming(text: &str) -> Result<(String, String), String> {
    let (column, property) = text.split_once('=').ok_or("write it as COLUMN=PROPERTY")?;
    Ok((column.to_owned(), property.to_owned()))
}
