//! Who read what, of types with `logReads` (D-29).
//!
//! A read of such a type runs as a write, and notes what it gives in its own transaction: where the log cannot be
//! written there is no answer. `logged` is the one place that says which types these are.

mod list;
mod reads;

pub use list::{ReadLogPage, ReadLogRequest, list};
pub(crate) use list::{invalid, moments, user_named};
pub(crate) use reads::{RECORDED, Recorded};
pub use reads::{Reads, Way};

use crate::types::Type;

/// Whether reads of the type are logged. Answers with resources of it are never kept.
pub(crate) fn logged(resource_type: &Type) -> bool {
    resource_type.log_reads
}
