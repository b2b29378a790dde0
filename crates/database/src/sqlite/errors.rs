//! SQLite's errors, as ours.

use super::locks::lock;
use crate::{ConstraintViolation, Error};
use rusqlite::ErrorCode;
use rusqlite::ffi::{SQLITE_CONSTRAINT_FOREIGNKEY, SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Returns the meaning of an error of the library that was met with the file at a path.
pub(super) fn of_file(error: rusqlite::Error, path: &Path) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => Error::NoRoom(path.display().to_string()),
        _ => self::error(error),
    }
}

/// Returns the meaning of an error of the library.
pub(super) fn error(error: rusqlite::Error) -> Error {
    let (code, message) = match &error {
        rusqlite::Error::SqliteFailure(code, message) => (*code, message.as_deref().unwrap_or_default()),
        rusqlite::Error::SqlInputError { error: code, msg, .. } => (*code, msg.as_str()),
        _ => return Error::Failed(error.to_string()),
    };
    match code.code {
        ErrorCode::ConstraintViolation => match code.extended_code {
            SQLITE_CONSTRAINT_UNIQUE | SQLITE_CONSTRAINT_PRIMARYKEY => unique(message),
            SQLITE_CONSTRAINT_FOREIGNKEY => Error::Violation(ConstraintViolation::Reference { from: None }),
            _ => Error::Failed(error.to_string()),
        },
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Error::Busy,
        ErrorCode::OperationInterrupted => Error::Timeout,
        ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Error::Damaged(error.to_string()),
        ErrorCode::CannotOpen => Error::Unusable(error.to_string()),
        _ => Error::Failed(error.to_string()),
    }
}

/// Logs that the disk of the tenants' files is full, once in a second.
pub(super) fn tell_of_full_disk() {
    static TOLD: Mutex<Option<Instant>> = Mutex::new(None);
    let mut told = lock(&TOLD);
    if told.is_none_or(|told| told.elapsed() >= Duration::from_secs(1)) {
        *told = Some(Instant::now());
        tracing::error!("the disk of the tenants' files is full: writes are refused until it has room");
    }
}

/// `UNIQUE constraint failed: t7.p12, t7.p13`, taken apart.
fn unique(message: &str) -> Error {
    let mut table = String::new();
    let mut columns = Vec::new();
    for column in message.rsplit(": ").next().unwrap_or_default().split(", ") {
        let Some((of, name)) = column.split_once('.') else { return Error::Failed(message.to_owned()) };
        table = of.to_owned();
        columns.push(name.to_owned());
    }
    Error::Violation(ConstraintViolation::Unique { table, columns })
}
