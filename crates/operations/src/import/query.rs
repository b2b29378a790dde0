//! The parameters and heads with which a file comes.

use super::plan::{FileForm, FormName, ImportRun};
use model::error::{Error, InputProblem, Result};
use serde_json::{Map, Value as Json};
use transfer::source::is_delimiter;

/// A file as it is announced.
#[derive(Clone, Debug)]
pub struct ImportQuery {
    /// Its form, without its length.
    pub form: FileForm,
    /// The members of its run, where that is asked for.
    pub run: Option<Map<String, Json>>,
}

impl ImportQuery {
    /// Reads the parameters of a query string, for a file in this form.
    pub fn read(pairs: Vec<(String, String)>, name: FormName, packed: bool) -> Result<Self> {
        let own = ["run", "safe", "delimiter", "sheet"];
        let (own, rest): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(name, _)| own.contains(&name.as_str()));
        let mut form = FileForm { name, delimiter: b',', safe: false, packed, length: 0, sheet: None };
        let mut runs = false;
        for (name, value) in own {
            match (name.as_str(), value.as_str()) {
                ("run", "1" | "true") => runs = true,
                ("safe", "1" | "true") => form.safe = true,
                ("run" | "safe", "0" | "false") => {}
                ("delimiter", sign) => match sign.as_bytes() {
                    [byte] if is_delimiter(*byte) => form.delimiter = *byte,
                    _ => {
                        let message = "delimiter must be a space, a tab, or a sign of ASCII other than a quote.";
                        return Err(invalid("delimiter", message));
                    }
                },
                ("sheet", _) if form.name != FormName::Xlsx => {
                    return Err(invalid("sheet", "sheet is for workbooks alone."));
                }
                ("sheet", sheet) => form.sheet = Some(sheet.to_owned()),
                _ => return Err(invalid(&name, &format!("{name} must be true or false, or 1 or 0."))),
            }
        }
        match rest.first() {
            Some((name, _)) if !ImportRun::MEMBERS.contains(&name.as_str()) => {
                let message = format!("There is no parameter {name:?}.");
                Err(Error::problems(vec![InputProblem { property: name.clone(), code: "parameter_unknown", message }]))
            }
            Some((name, _)) if !runs => Err(invalid(name, &format!("{name} is for a run: add run=1."))),
            _ => Ok(ImportQuery { form, run: runs.then(|| members(rest)).transpose()? }),
        }
    }
}

/// The members of a run out of a query string.
fn members(pairs: Vec<(String, String)>) -> Result<Map<String, Json>> {
    let mut members = Map::new();
    for (name, value) in pairs {
        let read = match (name.as_str(), value.as_str()) {
            ("mapping", text) => {
                serde_json::from_str(text).map_err(|_| invalid("mapping", "mapping must be an object as JSON."))?
            }
            ("dryRun" | "keepGoing" | "atomic" | "asAdmin", "1" | "true") => Json::Bool(true),
            ("dryRun" | "keepGoing" | "atomic" | "asAdmin", "0" | "false") => Json::Bool(false),
            (_, text) => Json::from(text),
        };
        if members.insert(name.clone(), read).is_some() {
            return Err(invalid(&name, &format!("The parameter {name} is given twice.")));
        }
    }
    Ok(members)
}

fn invalid(name: &str, message: &str) -> Error {
    let problem = InputProblem { property: name.to_owned(), code: "parameter_invalid", message: message.to_owned() };
    Error::problems(vec![problem])
}
