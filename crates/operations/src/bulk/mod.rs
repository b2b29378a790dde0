//! Bulk writes: one change of all resources that filters find, in one transaction or by a job.

mod begin;
mod digest;
mod refusal;
mod request;
mod run;

pub use refusal::{RefusalProblem, RefusedRow, remembered};
pub use request::BulkRequest;
pub(crate) use run::run_some;
pub use run::{BulkOutcome, run};
