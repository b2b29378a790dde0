//! Automations: what happens, on its own, when something has happened.
//!
//! An event is noted in the transaction that causes it, as a run that waits (`events`, [`start`]). The worker claims
//! runs that are due and carries their steps out: those on the database together with the note that they are done, those
//! over the network outside of any transaction.

mod apart;
mod claim;
mod events;
mod files;
mod hook;
mod list;
mod machine;
mod memory;
mod position;
mod progress;
mod record;
mod retry;
mod run;
mod schedule;
mod shown;
mod start;
mod steps;
mod stored;
mod switch;
mod template;
mod trigger;
mod turn;
mod values;

pub(crate) use claim::next;

pub(crate) use events::happened;
pub(crate) use hook::signature;
pub use hook::{HookCall, hook};
pub use list::{RunPage, RunRequest, get, list};
pub use machine::Ran;
pub(crate) use machine::run_due;
pub(crate) use position::Position;
pub use retry::{RetryRequest, retry};
pub use schedule::overview;
pub(crate) use schedule::{begin_due, follow as follow_schedules, next as next_moment};
pub(crate) use shown::unknown as unknown_change;
pub use start::{MOST_DEEP, State, start};
pub(crate) use switch::disabled;
pub use switch::{disable, enable, reason};

pub use trigger::Trigger;
