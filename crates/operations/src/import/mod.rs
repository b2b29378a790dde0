//! Imports for callers: a file comes, its rows are shown, and then they are written: at once, or by a job.

mod plan;
mod preview;
mod query;
mod run;
mod upload;

pub use plan::{FileForm, FormName, ImportPlan, ImportRun};
pub use query::ImportQuery;
pub use run::{ImportOutcome, KeptImport, run, take_resume};
pub(crate) use run::{KEPT, counts};
pub use upload::{Destination, Upload, check, receive};
