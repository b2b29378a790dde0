//! Errors and notices of the server, as data.

use crate::ConstraintViolation;
use tokio_postgres::error::SqlState;

/// The fields of an error from the server.
#[derive(Default)]
pub(crate) struct ServerError {
    pub(crate) severity: String,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) detail: Option<String>,
    pub(crate) table: Option<String>,
    pub(crate) constraint: Option<String>,
    /// The function of the server's code.
    pub(crate) routine: Option<String>,
}

impl ServerError {
    /// Returns true if the error has one of the codes.
    pub(crate) fn is(&self, states: &[SqlState]) -> bool {
        states.iter().any(|state| state.code() == self.code)
    }

    /// Reads an error or a notice.
    pub(crate) fn parse(body: &[u8]) -> Self {
        let mut error = ServerError::default();
        for field in body.split(|byte| *byte == 0) {
            let Some((kind, text)) = field.split_first() else { continue };
            let text = || String::from_utf8_lossy(text).into_owned();
            match kind {
                // The first is in the server's language, and the only one that PgBouncer has. Servers send both in order.
                b'S' | b'V' => error.severity = text(),
                b'C' => error.code = text(),
                b'M' => error.message = text(),
                b'D' => error.detail = Some(text()),
                b't' => error.table = Some(text()),
                b'n' => error.constraint = Some(text()),
                b'R' => error.routine = Some(text()),
                _ => {}
            }
        }
        error
    }

    /// Returns true if a pooler says that it lost the server, or could not reach it.
    pub(crate) fn is_of_lost_server(&self) -> bool {
        self.is_of_pooler() && !self.is_of_full_pooler()
    }

    /// Returns true if a pooler had no connection left in time. It has sent nothing to the server.
    pub(crate) fn is_of_full_pooler(&self) -> bool {
        self.is_of_pooler() && self.message == "query_wait_timeout"
    }

    /// Returns true if a pooler gave up: servers have no fatal error of this class once they have signed a client in.
    pub(crate) fn is_of_pooler(&self) -> bool {
        self.severity == "FATAL" && self.code.starts_with("08")
    }

    /// Returns true if a standby refused to begin a write. Stale plans have the same code.
    pub(crate) fn is_refused_in_recovery(&self) -> bool {
        // It checks the value of a setting, here that of transaction_read_only.
        self.routine.as_deref() == Some("call_bool_check_hook") && self.is(&[SqlState::FEATURE_NOT_SUPPORTED])
    }

    /// Returns the violated unique set. Its columns stand in the detail, `Key (p12, p13)=(…) already exists.`, whatever
    /// its language: our names hold no parenthesis. The name of the index would not do, since names may contain its
    /// separator.
    pub(crate) fn unique(&self) -> Option<ConstraintViolation> {
        let (_, rest) = self.detail.as_deref()?.split_once('(')?;
        let (columns, _) = rest.split_once(")=(")?;
        let columns = columns.split(", ").map(str::to_owned).collect();
        Some(ConstraintViolation::Unique { table: self.table.clone()?, columns })
    }

    /// Returns true if a row does not fit into a page of 8 KB, of which a long value takes 18 bytes at least. Other limits
    /// have the same code, and messages have the server's language.
    pub(crate) fn is_row_too_large(&self) -> bool {
        let finds_room = self.routine.as_deref() == Some("RelationGetBufferForTuple");
        finds_room && self.is(&[SqlState::PROGRAM_LIMIT_EXCEEDED])
    }

    /// Returns true if the values of an index do not fit into an entry, of which a page of 8 KB holds at least three.
    pub(crate) fn is_index_entry_too_large(&self) -> bool {
        let makes_entry = matches!(
            self.routine.as_deref(),
            Some("_bt_check_third_page" | "index_form_tuple" | "index_form_tuple_context")
        );
        makes_entry && self.is(&[SqlState::PROGRAM_LIMIT_EXCEEDED])
    }

    /// Returns table and column of a reference, from the constraint `f_t7_p12` of table `t7`.
    pub(crate) fn reference(&self) -> Option<(String, String)> {
        let table = self.table.as_deref()?;
        let column = self.constraint.as_deref()?.strip_prefix("f_")?.strip_prefix(table)?.strip_prefix('_')?;
        Some((table.to_owned(), column.to_owned()))
    }
}
