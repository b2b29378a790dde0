//! Bulk writes: one change of all resources that filters find, in one transaction.

mod digest;
mod request;
mod run;

pub use request::BulkRequest;
pub use run::{BulkOutcome, RefusedRow, run};
