//! Long work that a request begins and a worker carries out: imports and bulk changes, in batches, and exports.
//!
//! A job is a row of `plinth_job`. The worker who claims it has a lease, which each batch renews. A batch and the
//! position behind it are one commit, so another node can go on where one was killed. Each batch asks for the rights of
//! the key that began the job, as a request of its own does.

mod created;
mod job_row;
mod part_reader;
mod parts;
mod problems;
mod queue;
mod view;

pub use job_row::{JobKind, JobState};
pub use part_reader::PartReader;
pub use parts::forget_data;
pub use problems::problems_csv;
pub use queue::{next, sweep};
pub use view::{JobPage, cancel, get, list};

pub(crate) use created::{created_by, put_created};
pub(crate) use job_row::{JobRow, NewJob, take_turn};
pub(crate) use parts::{PART, PartKind, after as part_after, data_bytes, put as put_part, put_data, remove_some};
pub(crate) use problems::{RowProblems, of as problems_of, of_refused as problems_of_refused, put as put_problems};
pub(crate) use queue::{ClaimedJob, JobProgress, LOST, claim, key_of};
pub(crate) use view::{own, told};
