//! The plan of an import: the form of its file, the meaning of its columns, and how rows are written.

use super::preview::KEPT;
use context::request_context::RequestContext;
use model::error::{Error, InputProblem, Result};
use model::types::{ResourceAction, SystemPermission};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::io::{Read, Seek};
use transfer::import::{CallerRows, DateOrder, DecimalSign, ImportMode, ImportOptions};
use transfer::source::{FileLimits, RowTaker, SourceFormat, other_delimiter_of, read_file};

/// The most rows that are written while the caller waits, and in one transaction where that is asked for.
const AT_ONCE: u64 = 1_000;
pub(super) const ATOMIC: u64 = 10_000;
/// A row may have so many bytes: in memory, JSON takes many times its text.
const ROW: u64 = 2 << 20;
/// The memory that any file takes.
const LEAST_MEMORY: usize = 256 << 10;
/// The bytes that the most rows of one transaction take beside their values.
const ROWS_KEPT: usize = 1536 << 10;

/// Form of a file that came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileForm {
    /// Its form.
    pub name: FormName,
    /// The character between cells of CSV.
    pub delimiter: u8,
    /// True if the sign before formulas is taken away.
    pub safe: bool,
    /// True if it is packed with gzip.
    pub packed: bool,
    /// Its bytes, as it came.
    pub length: u64,
    /// The name or the number of a workbook's sheet.
    #[serde(default)]
    pub sheet: Option<String>,
}

/// The name of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FormName {
    /// Cells, the first line their names.
    Csv,
    /// An array of objects.
    Json,
    /// An object on each line.
    Jsonl,
    /// A sheet of a workbook.
    Xlsx,
}

/// An import that may be carried out.
#[derive(Clone, Debug)]
pub struct ImportPlan {
    /// The id of the type.
    pub type_id: i64,
    /// The file.
    pub file: FileForm,
    /// The way in which rows are written.
    pub options: ImportOptions,
    /// True if rows are written with all rights.
    pub as_admin: bool,
}

/// A request to carry an import out.
#[derive(Clone, Debug, Default)]
pub struct ImportRun {
    /// The way in which rows are written.
    pub options: ImportOptions,
    /// True if all rows are written in one transaction.
    pub atomic: bool,
    /// True if rows are written with all rights, which the caller then must have.
    pub as_admin: bool,
}

/// An import as it is stored.
#[derive(Serialize, Deserialize)]
struct StoredPlan {
    #[serde(rename = "type")]
    type_id: i64,
    file: FileForm,
    #[serde(default)]
    run: Map<String, Json>,
}

impl FormName {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            FormName::Csv => "csv",
            FormName::Json => "json",
            FormName::Jsonl => "jsonl",
            FormName::Xlsx => "xlsx",
        }
    }

    /// Returns true if its rows are cells, of which those with texts have no type.
    pub(super) fn has_cells(self) -> bool {
        matches!(self, FormName::Csv | FormName::Xlsx)
    }
}

impl FileForm {
    /// Hands the rows of a file over, given its bytes as they came.
    pub fn read(&self, reader: impl Read + Seek, taker: &mut dyn RowTaker) -> Result<()> {
        let format = match self.name {
            FormName::Csv => SourceFormat::Csv { delimiter: self.delimiter, safe: self.safe },
            FormName::Json => SourceFormat::Json,
            FormName::Jsonl => SourceFormat::Jsonl,
            FormName::Xlsx => SourceFormat::Xlsx { sheet: self.sheet.clone() },
        };
        read_file(&format, self.packed, FileLimits::of_request(ROW, self.length), reader, taker)
    }

    /// The memory that the file takes while its rows are read and written at once.
    pub fn memory(&self) -> usize {
        let texts = match self.name {
            FormName::Xlsx => FileLimits::texts_of_request(self.length),
            FormName::Csv | FormName::Json | FormName::Jsonl => 0,
        };
        // Rows wait, and are written as values of their own.
        2 * self.kept() + texts + LEAST_MEMORY
    }

    /// The bytes of rows that are kept in memory: a small file may be made so that it unpacks to many.
    pub(super) fn kept(&self) -> usize {
        let length = usize::try_from(self.length).unwrap_or(usize::MAX);
        let length = if self.packed { length.saturating_mul(20) } else { length };
        let rows = match self.name {
            // A cell takes a byte at least, and eight more in memory.
            FormName::Csv => length.saturating_mul(9),
            FormName::Json | FormName::Jsonl | FormName::Xlsx => length.saturating_mul(40),
        };
        rows.saturating_add(ROWS_KEPT).min(KEPT)
    }

    /// The error of a header whose one name is unknown, where another character stands between names.
    pub(crate) fn explain(&self, error: Error, rows: &CallerRows) -> Error {
        let other = rows.header.as_ref().filter(|_| self.name == FormName::Csv && error.code == "property_unknown");
        match other.and_then(|header| other_delimiter_of(header, self.delimiter)) {
            None => error,
            Some(other) => {
                let message = format!(
                    "The first line has {other:?} between the names, and not {:?}. Send the file with delimiter={}.",
                    char::from(self.delimiter),
                    percent_encoded(other)
                );
                Error::invalid("delimiter", message)
            }
        }
    }
}

impl ImportPlan {
    /// The plan in the form that jobs keep.
    pub(crate) fn stored_form(type_id: i64, file: FileForm, run: &Map<String, Json>) -> Result<Json> {
        serde_json::to_value(StoredPlan { type_id, file, run: run.clone() })
            .map_err(|error| Error::failed(format!("the plan of an import: {error}")))
    }

    /// Reads what a job keeps.
    pub(crate) fn stored(stored: &Json) -> Result<Self> {
        let corrupt = |error| Error::failed(format!("the plan of an import cannot be read: {error}"));
        let StoredPlan { type_id, file, run } = serde_json::from_value(stored.clone()).map_err(corrupt)?;
        let ImportRun { options, as_admin, .. } = ImportRun::read(run)?;
        Ok(ImportPlan { type_id, file, options, as_admin })
    }

    /// Returns true if the plan only tries: then the file stays for the run.
    pub(crate) fn is_trial(stored: &Json) -> bool {
        stored["run"]["dryRun"] == true
    }

    /// The context in which rows are written. Fails where the caller lacks the rights that the import asks for.
    pub(crate) fn writer(&self, context: &RequestContext) -> Result<RequestContext> {
        if !self.as_admin {
            return Ok(context.clone());
        }
        context.actor.require(SystemPermission::Admin)?;
        // A key without scopes for the type has no more rights by this.
        context.actor.allowed(&context.model, &self.collection(context)?, ResourceAction::Edit)?;
        Ok(context.elevated(context.actor.user))
    }

    /// The name of the type.
    pub(crate) fn collection(&self, context: &RequestContext) -> Result<String> {
        let of = context.model.type_by_id(self.type_id);
        of.map(|of| of.name.clone()).ok_or_else(|| Error::missing("type_missing", "The type of the import is gone."))
    }
}

impl ImportRun {
    /// The names of the members that a first run may have.
    pub const MEMBERS: [&'static str; 9] =
        ["mapping", "mode", "key", "dryRun", "keepGoing", "atomic", "asAdmin", "decimal", "dates"];

    /// The most rows that are written, or tried, in one transaction. Only a trial judges rules, so more rows are tried.
    pub(super) fn most_at_once(&self) -> u64 {
        if self.atomic || self.options.dry_run { ATOMIC } else { AT_ONCE }
    }

    /// Fails where the run says what a file of this form does not have.
    pub(super) fn check_form(&self, form: &FileForm) -> Result<()> {
        let named = [("decimal", self.options.decimal.is_some()), ("dates", self.options.dates.is_some())];
        match named.into_iter().find(|(_, is_named)| *is_named && !form.name.has_cells()) {
            None => Ok(()),
            Some((name, _)) => {
                let message =
                    format!("{name} is for CSV and workbooks alone: values of JSON have a form. Leave it out.");
                Err(invalid(name, "parameter_invalid", &message))
            }
        }
    }

    /// Reads the members of a request.
    pub fn read(mut members: Map<String, Json>) -> Result<Self> {
        if let Some(name) = members.keys().find(|name| !ImportRun::MEMBERS.contains(&name.as_str())) {
            return Err(invalid(name, "property_unknown", &format!("There is no property {name:?}.")));
        }
        let mode = match members.get("mode").map(Json::as_str) {
            None | Some(Some("create")) => ImportMode::Create,
            Some(Some("update")) => ImportMode::Update,
            Some(Some("upsert")) => ImportMode::Upsert,
            _ => return Err(invalid("mode", "word_unknown", "mode must be create, update or upsert.")),
        };
        let key = match members.get("key") {
            None | Some(Json::Null) => None,
            Some(Json::String(name)) => Some(name.clone()),
            Some(_) => return Err(invalid("key", "not_text", "key must be the name of a property.")),
        };
        let flag = |name: &str| match members.get(name) {
            None => Ok(false),
            Some(Json::Bool(flag)) => Ok(*flag),
            Some(_) => Err(invalid(name, "not_boolean", &format!("{name} must be true or false."))),
        };
        let (dry_run, keep_going, atomic) = (flag("dryRun")?, flag("keepGoing")?, flag("atomic")?);
        let as_admin = flag("asAdmin")?;
        let decimal = word(&members, "decimal", DecimalSign::of, "decimal must be \".\" or \",\".")?;
        let dates = word(&members, "dates", DateOrder::of, "dates must be \"dmy\" or \"mdy\".")?;
        let (mut renamed, mut omitted) = (Vec::new(), Vec::new());
        match members.remove("mapping") {
            None => {}
            Some(Json::Object(mapping)) => {
                for (column, property) in mapping {
                    match property {
                        Json::String(property) => renamed.push((column, property)),
                        Json::Null => omitted.push(column),
                        _ => {
                            let message = format!("mapping: {column:?} must be the name of a property, or null.");
                            return Err(invalid("mapping", "mapping_invalid", &message));
                        }
                    }
                }
            }
            Some(_) => return Err(invalid("mapping", "not_object", "mapping must be an object of columns.")),
        }
        let options = ImportOptions {
            mode,
            key,
            keep_going,
            dry_run,
            exclusive: false,
            quiet: false,
            keep_ids: true,
            renamed,
            omitted,
            decimal,
            dates,
        };
        Ok(ImportRun { options, atomic, as_admin })
    }
}

/// Reads a member that is one of a few words; none where it is absent or null.
fn word<T>(
    members: &Map<String, Json>,
    name: &str,
    of: impl FnOnce(&str) -> Option<T>,
    message: &str,
) -> Result<Option<T>> {
    match members.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(given) => match given.as_str().and_then(of) {
            Some(word) => Ok(Some(word)),
            None => Err(invalid(name, "word_unknown", message)),
        },
    }
}

/// A sign of ASCII as addresses have it.
fn percent_encoded(sign: char) -> String {
    format!("%{:02X}", u32::from(sign))
}

fn invalid(name: &str, code: &'static str, message: &str) -> Error {
    Error::problems(vec![InputProblem { property: name.to_owned(), code, message: message.to_owned() }])
}
