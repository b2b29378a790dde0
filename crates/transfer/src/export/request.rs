//! Request for an export: its form, and the list whose rows it has.

use model::error::{Error, InputProblem, Result};
use model::parameters::RequestParameters;
use query::request::ListRequest;
use std::path::Path;

/// Form of an exported file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    /// Cells by commas, the first line their names. Null is empty; the members of an array stand between `|`.
    #[default]
    Csv,
    /// An array of objects in wire form.
    Json,
    /// An object on each line.
    Jsonl,
    /// A sheet of a workbook, as spreadsheets have it.
    Xlsx,
}

/// Request for an export.
#[derive(Clone, Debug, Default)]
pub struct ExportRequest {
    /// The form of the file.
    pub format: ExportFormat,
    /// True if no cell of CSV may be read as a formula by a spreadsheet.
    pub safe: bool,
    /// The list.
    pub list: ListRequest,
}

/// The parameters of lists that an export has no use for.
const REFUSED: [&str; 3] = ["page", "perPage", "propsMeta"];

impl ExportFormat {
    /// All of them.
    pub const ALL: [ExportFormat; 4] = [ExportFormat::Csv, ExportFormat::Json, ExportFormat::Jsonl, ExportFormat::Xlsx];

    /// Its name, which is the ending of its files.
    pub fn name(self) -> &'static str {
        match self {
            ExportFormat::Csv => "csv",
            ExportFormat::Json => "json",
            ExportFormat::Jsonl => "jsonl",
            ExportFormat::Xlsx => "xlsx",
        }
    }

    /// The form of that name.
    pub fn named(name: &str) -> Option<Self> {
        ExportFormat::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The form of a file by the ending of its name, behind which `.gz` may stand.
    pub fn of_file(path: &Path) -> Option<Self> {
        let name = path.to_string_lossy().to_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match name.rsplit_once('.')?.1 {
            "ndjson" => Some(ExportFormat::Jsonl),
            ending => ExportFormat::named(ending),
        }
    }

    /// Returns true if gzip makes it smaller: a workbook is packed in itself.
    pub fn packs(self) -> bool {
        self != ExportFormat::Xlsx
    }

    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            ExportFormat::Csv => "text/csv; charset=utf-8; header=present",
            ExportFormat::Json => "application/json",
            ExportFormat::Jsonl => "application/jsonl",
            ExportFormat::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

impl ExportRequest {
    /// Reads the parameters of a query string, decoded pairs in its order.
    pub fn parse(query: &[(String, String)]) -> Result<Self> {
        const OWN: [&str; 2] = ["format", "safe"];
        let (own, rest): (Vec<_>, Vec<_>) = query.iter().cloned().partition(|(name, _)| OWN.contains(&name.as_str()));
        if let Some(name) = REFUSED.iter().find(|name| rest.iter().any(|(given, _)| given == *name)) {
            let message = format!("{name} does not apply: an export has all rows of the list. Leave it out.");
            return Err(invalid(name, "parameter_unknown", message));
        }
        if rest.iter().any(|(given, _)| given == "_decimals") {
            let message = "_decimals does not apply: a file has all digits of each number. Leave it out.".to_owned();
            return Err(invalid("_decimals", "parameter_unknown", message));
        }
        let mut own = RequestParameters::gather(&own, None, &OWN)?;
        let name = own.one_of("format", &ExportFormat::ALL.map(ExportFormat::name))?;
        let format = name.and_then(ExportFormat::named).unwrap_or_default();
        let safe = own.flag("safe")?;
        if safe.is_some() && format != ExportFormat::Csv {
            let message = "safe is for CSV alone: the cells of other forms have their types.".to_owned();
            return Err(invalid("safe", "parameter_unsuited", message));
        }
        Ok(ExportRequest { format, safe: safe.unwrap_or(false), list: ListRequest::parse(&rest, None)? })
    }
}

fn invalid(name: &str, code: &'static str, message: String) -> Error {
    Error::problems(vec![InputProblem { property: name.to_owned(), code, message }])
}
