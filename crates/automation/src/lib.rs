//! Automations: what happens, on its own, when something has happened.
//!
//! An event is noted in the transaction that causes it, as a run that waits (`events`, [`start`]). The worker claims
//! runs that are due and carries their steps out: those on the database together with the note that they are done, those
//! over the network outside of any transaction.

pub mod canvases;
mod claim;
pub mod config_tests;
mod events;
pub mod explain;
pub mod hook;
pub mod list;
mod machine;
mod made_files;
mod memory;
mod overdue;
mod position;
mod progress;
mod record;
pub mod retry;
mod row_encoding;
pub mod run;
mod run_row;
mod run_values;
mod schedule;
mod start;
mod steps;
mod switch;
mod template;
mod traced_run;
mod trigger;
mod turn;
mod values;
mod virtual_values;

pub use claim::next;

pub use events::happened;
pub(crate) use hook::signature;
pub use hook::{HookCall, hook};
pub use list::{RunPage, RunRequest, get, list};
pub use machine::Ran;
pub use machine::run_due;
pub use overdue::overdue;
pub(crate) use position::StepPosition;
pub use retry::{RetryRequest, retry};
pub use schedule::begin_due;
pub use schedule::bring_back as bring_back_schedules;
pub use schedule::follow as follow_schedules;
pub use schedule::next as next_moment;
pub use schedule::overview;
pub use start::{State, start};
pub use switch::disabled;
pub use switch::{disable, disabled_for, enable, reason, rest_all};
pub use virtual_values::unknown as unknown_change;

pub use trigger::Trigger;
