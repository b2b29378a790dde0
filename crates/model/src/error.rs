//! The one error type of the domain, in few kinds.

use crate::rate::RatePolicy;
use std::fmt;

/// The result of calls of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The code of the error of a write to a frozen tenant.
pub const FROZEN: &str = "tenant_frozen";

/// Why a request was not carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    /// The kind of the failure.
    pub kind: ErrorKind,
    /// A stable snake_case word for machines (D-5).
    pub code: &'static str,
    /// A message for the reader: what went wrong and what to do.
    pub message: String,
    /// The single problems of an invalid input, where there are several or they have a property.
    pub problems: Vec<InputProblem>,
    /// For the log alone.
    pub detail: Option<String>,
}

/// The sorts of failure; the edge maps each to one status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The input is malformed or not allowed.
    Invalid,
    /// Credentials were given and are wrong (POST /auth alone).
    Unauthenticated,
    /// The caller has no usable key, or not the right.
    Forbidden,
    /// The target of the request is not there, or not visible.
    Missing,
    /// A unique set or a restricting relation stands against it.
    Conflict,
    /// The resource is not the one that the caller saw (If-Match).
    Changed,
    /// More bytes, or more work, than is taken.
    TooLarge,
    /// The name of another request, which was done.
    Unprocessable,
    /// Too many tries; again after so many seconds.
    TooMany {
        /// Seconds until the next try can succeed.
        retry_after: u32,
        /// The limit that was met, where it is one that may be told.
        policy: Option<RatePolicy>,
    },
    /// Reserved by the contract, not served.
    Unsupported,
    /// The database has no room for the request right now.
    Busy,
    /// The platform failed; the caller can do nothing.
    Failed,
}

/// One thing that is wrong with an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputProblem {
    /// The property's name, as the input spelt it; empty where it concerns the whole.
    pub property: String,
    /// A stable snake_case word.
    pub code: &'static str,
    /// A message: what is wrong and what to do.
    pub message: String,
}

impl Error {
    /// An error of a kind, with its code and message.
    pub fn new(kind: ErrorKind, code: &'static str, message: impl Into<String>) -> Self {
        Error { kind, code, message: message.into(), problems: Vec::new(), detail: None }
    }

    /// [`ErrorKind::Invalid`].
    pub fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, code, message)
    }

    /// [`ErrorKind::Forbidden`].
    pub fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Forbidden, code, message)
    }

    /// [`ErrorKind::Missing`].
    pub fn missing(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Missing, code, message)
    }

    /// [`ErrorKind::Conflict`].
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Conflict, code, message)
    }

    /// The same error, which names the property or parameter that it is about.
    #[must_use]
    pub fn about(self, name: &str) -> Self {
        let problem = InputProblem { property: name.to_owned(), code: self.code, message: self.message.clone() };
        Error { problems: vec![problem], ..self }
    }

    /// [`ErrorKind::Failed`]; the detail is for the log.
    pub fn failed(detail: impl Into<String>) -> Self {
        let mut error = Self::new(ErrorKind::Failed, "failed", "The request failed. It was logged; try again later.");
        error.detail = Some(detail.into());
        error
    }

    /// [`ErrorKind::Invalid`] out of the problems of an input; the message names the first.
    pub fn problems(problems: Vec<InputProblem>) -> Self {
        let message =
            problems.first().map_or_else(|| "The input is invalid.".to_owned(), |first| first.message.clone());
        let code = problems.first().map_or("invalid", |first| first.code);
        Error { kind: ErrorKind::Invalid, code, message, problems, detail: None }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.detail {
            Some(detail) => write!(formatter, " ({detail})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

fn busy() -> Error {
    Error::new(ErrorKind::Busy, "busy", "The database is busy or away. Try again in a few seconds.")
}

impl From<database::Error> for Error {
    /// Violations that reach this point were not expected by the caller: they become a failure.
    fn from(error: database::Error) -> Self {
        match error {
            database::Error::Busy => busy(),
            // Clients are told that they may try again, and operators where there is no room.
            database::Error::NoRoom(_) => Error { detail: Some(error.to_string()), ..busy() },
            database::Error::RowTooLarge => {
                let message =
                    "The resource has more values than the database keeps in a row. Leave some of them empty.";
                Error::invalid("row_too_large", message)
            }
            database::Error::IndexEntryTooLarge => {
                let message = "The values of an index or a unique set have together more bytes than the database keeps \
                               in an index, some 2,700 after compression. Shorten one of them.";
                Error::invalid("index_entry_too_large", message)
            }
            database::Error::Damaged(detail) => {
                let message = "The data of this tenant are damaged. Its operator has to restore them from a backup.";
                Error { detail: Some(detail), ..Error::new(ErrorKind::Busy, "tenant_damaged", message) }
            }
            database::Error::NoStore => Error::missing("tenant_missing", "There is no such tenant."),
            database::Error::Timeout => {
                let message = "The database took too long over this request and was stopped. Ask for less at a time.";
                Error {
                    detail: Some("statement timeout".to_owned()),
                    ..Error::new(ErrorKind::Busy, "timeout", message)
                }
            }
            other => Error::failed(other.to_string()),
        }
    }
}
