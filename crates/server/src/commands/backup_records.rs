//! `plinth backup records`: records of one type that come back from a backup.

use super::backup::{bar, fetch, read_identities};
use super::console::shown;
use super::output::print_line;
use super::{Console, Failure};
use clap::Args;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use model::error::{Error, Result};
use platform::tenants::backup::{ComparedRecord, RecordsListener, RecordsOutcome, RecordsRequest};
use serde_json::Value as Json;
use std::path::PathBuf;

/// The most records that are shown to people, and the most that are refused.
const EXAMPLES: usize = 20;
/// The most characters of a value that are shown to people.
const VALUE: usize = 40;

/// Compare records of a backup with those of today, and bring them back with --apply
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  plinth backup records acme-20261129T021500Z.tar.gz --type invoice\n  \
                        plinth backup records FILE --type invoice --where \"{=startsWith(number, 'INV-2026')}\" --apply\n  \
                        plinth backup records FILE --type invoice --property state,paid --apply\n  \
                        plinth backup records FILE --type invoice --json        a line for each record, then the numbers")]
pub(super) struct RecordsArguments {
    /// The archive, or s3://BUCKET/PREFIX/NAME
    file: PathBuf,
    /// The type of the records
    #[arg(long = "type", value_name = "TYPE")]
    collection: String,
    /// A condition on the records as the archive has them, {=...} [default: all]
    #[arg(long = "where", value_name = "EXPRESSION")]
    condition: Option<String>,
    /// The tenant that gets them [default: that of the archive]
    #[arg(long, value_name = "TENANT")]
    into: Option<String>,
    /// Bring these properties back alone, and create no record
    #[arg(long = "property", value_name = "NAME", value_delimiter = ',')]
    properties: Vec<String>,
    /// Write: create missing records again, and change those that differ
    #[arg(long)]
    apply: bool,
    /// Let automations hear of it
    #[arg(long, requires = "apply")]
    with_automations: bool,
    /// The file of an identity of age that opens an encrypted archive
    #[arg(long = "identity", value_name = "FILE")]
    identities: Vec<PathBuf>,
}

/// Runs the command, within a runtime.
pub(super) fn run(arguments: RecordsArguments, console: &Console) -> Result<(), Failure> {
    let settings = console.settings(Vec::new())?;
    let platform = console.changed_platform(&settings)?;
    let open = |name: &str| {
        if platform.tenants()?.iter().any(|known| known == name) {
            return console.open_tenant(&settings, &platform, name);
        }
        let advice = "Name the tenant of today with --into, or get the lost one back with plinth backup restore FILE.";
        Err(Failure::new(format!("There is no tenant {name}."), advice))
    };
    let named = arguments.into.or_else(|| console.shared.tenant.clone());
    let tenant = named.as_deref().map(&open).transpose()?;
    let identities = read_identities(&arguments.identities)?;
    let local = fetch(&settings, &arguments.file)?;
    let reading = bar("Reading", &arguments.file);
    let folder = &settings.data.folder;
    let archive = platform.open_archive(local.path(), &identities, folder, &mut |bytes| reading.inc(bytes));
    reading.finish_and_clear();
    let archive = archive?;
    let tenant = tenant.map_or_else(|| open(&archive.manifest.tenant), Ok)?;
    let request = RecordsRequest {
        collection: arguments.collection,
        condition: arguments.condition,
        properties: arguments.properties,
        apply: arguments.apply,
        automations: arguments.with_automations,
    };
    let mut teller = Teller { json: console.shared.json, bar: records_bar(), shown: 0, refused: 0, hidden: 0 };
    let outcome = archive.restore_records(&tenant, &request, &mut teller);
    teller.bar.finish_and_clear();
    let outcome = outcome?;
    if teller.hidden > 0 {
        print_line(format_args!("and {} more: --json tells all of them", HumanCount(teller.hidden)))?;
    }
    console.print(&summary(&outcome), &outcome.told())?;
    if outcome.refused == 0 {
        return Ok(());
    }
    let message = format!("{} of {} are refused.", outcome.refused, counted(outcome.matching));
    Err(Failure::new(message, "The reasons are told above. Correct them, and run the command again."))
}

fn records_bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message("Comparing");
    match ProgressStyle::with_template("{spinner} {msg}: {human_pos} records ({per_sec})") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Prints records as they are told.
struct Teller {
    json: bool,
    bar: ProgressBar,
    shown: usize,
    refused: usize,
    hidden: u64,
}

impl RecordsListener for Teller {
    fn record(&mut self, record: &ComparedRecord) -> Result<()> {
        let counter = if record.refused.is_some() { &mut self.refused } else { &mut self.shown };
        *counter += 1;
        if !self.json && *counter > EXAMPLES {
            self.hidden += 1;
            return Ok(());
        }
        let line = if self.json { record.told().to_string() } else { text(record) };
        let printed = self.bar.suspend(|| print_line(line));
        printed.map_err(|failure| Error::failed(failure.message))
    }

    fn compared(&mut self, records: u64) {
        self.bar.inc(records);
    }
}

/// A record, for people.
fn text(record: &ComparedRecord) -> String {
    let title = short(&Json::from(record.title.as_str()));
    let mut text = format!("{:<9} {} {title}", record.state.name(), record.id);
    let differences = record.differences.iter();
    let differences: Vec<String> =
        differences.map(|of| format!("{} {} → {}", of.property, short(&of.now), short(&of.then))).collect();
    if !differences.is_empty() {
        text = format!("{text}: {}", differences.join(", "));
    }
    for note in &record.notes {
        text = format!("{text}\n          {note}");
    }
    match &record.refused {
        Some(reason) => format!("{text}\n          refused: {reason}"),
        None => text,
    }
}

/// A value in few characters.
fn short(value: &Json) -> String {
    let text = shown(value).replace('\n', " ");
    if text.chars().count() <= VALUE { text } else { text.chars().take(VALUE - 1).chain(['…']).collect() }
}

fn counted(records: u64) -> String {
    format!("{} {}", HumanCount(records), if records == 1 { "record" } else { "records" })
}

fn summary(outcome: &RecordsOutcome) -> String {
    let RecordsOutcome { collection, matching, missing, differing, same, .. } = outcome;
    let mut text = format!(
        "{} of {collection} in the archive of {}: {} missing today, {} with other values, {} the same",
        counted(*matching),
        outcome.made,
        HumanCount(*missing),
        HumanCount(*differing),
        HumanCount(*same)
    );
    match outcome.new {
        Some(0) => {}
        Some(new) => text = format!("{text}\nnot in the archive, and staying: {}", counted(new)),
        None => text.push_str("\nRecords of today are not counted: the condition does not fit today's type"),
    }
    for of in &outcome.left_out {
        text = format!("{text}\n{} is left out: {}", of.name, of.reason);
    }
    if outcome.applied {
        let (created, changed) = (HumanCount(outcome.created), HumanCount(outcome.changed));
        return format!("{text}\n{created} created again, {changed} changed, {} refused", HumanCount(outcome.refused));
    }
    if missing + differing > 0 {
        text.push_str("\nNothing was written: --apply writes it");
    }
    text
}
