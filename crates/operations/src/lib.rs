//! Several writes in one request. Each of them goes through the code of single writes: nothing here writes a row.

pub mod batch;
pub mod bulk;
pub mod exports;
pub mod import;
pub mod job_runs;
pub mod jobs;
pub mod once;
pub mod trial;
pub mod upsert;

mod patch_members;

pub use patch_members::in_contract_spelling;
