//! Who changed who may do what: accounts, roles, keys, sessions. Rows are added and never changed, each with a digest
//! over itself and the digest before, so that whoever changes or takes one out breaks the chain.
//!
//! Events are noted while a job runs ([`record`]) and written as the last thing of its transaction: the one row that
//! all writers wait for, the head of the chain, is locked for as short as can be. Without them nothing is committed.

mod chain;
mod event;
mod list;
mod notes;
mod users;
mod verify;

pub(crate) use chain::{begin, last};
pub(crate) use event::asked;
pub use event::{Event, Kind, Source, Via};
pub use list::{AuditPage, AuditRequest, list};
pub(crate) use notes::Notes;
pub use notes::record;
pub(crate) use users::{acted_elsewhere, changed, created, deleted};
pub use verify::{Anchor, Broken, Fault, Verified, verify};
