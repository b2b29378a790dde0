//! Automations: what happens, on its own, when something has happened.
//!
//! An event is noted in the transaction that causes it, as a run that waits (`events`, [`start`]). The worker claims
//! runs that are due and carries their steps out: those on the database together with the note that they are done, those
//! over the network outside of any transaction.

mod apart;
pub mod canvases;
mod claim;
mod events;
pub mod explain;
pub mod hook;
pub mod list;
mod machine;
mod made_files;
mod memory;
mod position;
mod progress;
mod record;
pub mod retry;
pub mod run;
mod schedule;
mod shown;
mod start;
mod steps;
mod stored;
mod switch;
mod template;
pub mod trials;
mod trigger;
mod turn;
mod values;

pub use claim::next;

pub use events::happened;
pub(crate) use hook::signature;
pub use hook::{HookCall, hook};
pub use list::{RunPage, RunRequest, get, list};
pub use machine::Ran;
pub use machine::run_due;
pub(crate) use position::StepPosition;
pub use retry::{RetryRequest, retry};
pub use schedule::begin_due;
pub use schedule::follow as follow_schedules;
pub use schedule::next as next_moment;
pub use schedule::overview;
pub use shown::unknown as unknown_change;
pub use start::{State, start};
pub use switch::disabled;
pub use switch::{disable, enable, reason};

pub use trigger::Trigger;
