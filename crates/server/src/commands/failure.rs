//! Why a command failed, in words for the person at the terminal.

use context::tables::LATER;
use platform::tenants::EMPTY;
use std::fmt;

/// The advice where this version refuses the stored files.
const FIX: &str = "Write the files into a folder with plinth pull FOLDER, fix them, and run plinth apply FOLDER.";
/// The advice where it does not know what the tables hold.
const FORMER: &str =
    "Nothing was changed. With the version of Plinth that stored these files, apply files that this version accepts.";

/// The advice where a store needs a later version.
const EARLIER: &str =
    "Without that version, restore a backup from before it: see \"A new version\" in docs/operation.md.";

/// The advice where a disk is full.
const ROOM: &str = "Make room on that disk, or name a place on another one. Then run the command again.";

/// The advice where a tenant has no tables.
const AGAIN: &str = "Then restore or create it again.";

/// The code of PostgreSQL (SQLSTATE) for a right that the role lacks, as errors show it.
const NO_RIGHT: &str = "(42501)";
/// The advice where a role of PostgreSQL lacks a right.
const OWNER: &str = "This takes the role that owns schemas and tables, such as plinth_owner: --postgres \
                     postgresql://plinth_owner@HOST/DATABASE. See \"Two roles\" in docs/operation.md; plinth doctor \
                     tells the rights of a role.";

/// A failed command: what went wrong, and what to do next.
#[derive(Debug)]
pub struct Failure {
    /// The description of what went wrong.
    pub message: String,
    /// The advice on what to do next; may be empty.
    pub advice: String,
    /// The exit code.
    pub code: u8,
}

impl Failure {
    /// A failure with advice.
    pub fn new(message: impl Into<String>, advice: impl Into<String>) -> Self {
        Failure { message: message.into(), advice: advice.into(), code: 1 }
    }

    /// A failure of the database, in its own words.
    pub(super) fn of_database(message: impl Into<String>, advice: &str) -> Self {
        let message = message.into();
        let advice = if message.contains(NO_RIGHT) { OWNER } else { advice };
        Failure::new(message, advice)
    }

    /// A failure of which the command has told all; the exit code remains.
    pub fn told() -> Self {
        Failure::new("", "")
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        if !self.advice.is_empty() {
            write!(formatter, "\n{}", self.advice)?;
        }
        Ok(())
    }
}

impl From<model::error::Error> for Failure {
    /// The detail of a failure is kept from clients; the user of a command is told.
    fn from(error: model::error::Error) -> Self {
        match (error.code, error.detail) {
            ("configuration_refused", Some(detail)) => Failure::new(detail, FIX),
            ("configuration_unknown", Some(detail)) => Failure::new(detail, FORMER),
            ("busy", Some(detail)) => Failure::new(format!("It failed: {detail}."), ROOM),
            (EMPTY, Some(detail)) => Failure::new(detail, AGAIN),
            (LATER, _) => Failure::new(error.message, EARLIER),
            (_, Some(detail)) => Failure::of_database(format!("It failed: {}.", detail.trim_end_matches('.')), ""),
            (_, None) => Failure::new(error.message, ""),
        }
    }
}

impl From<database::Error> for Failure {
    fn from(error: database::Error) -> Self {
        Failure::of_database(error.to_string(), "")
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::new(error.to_string(), "")
    }
}
