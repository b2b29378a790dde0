//! The audit log of changes to who may do what: accounts, roles, keys, sessions. Rows are added and never changed. Each
//! has a digest over itself and the digest before, so that whoever changes or takes one out breaks the chain.
//!
//! Events are noted while a job runs ([`record`]) and written as the last thing of its transaction: the one row that
//! all writers wait for, the head of the chain, is locked for as short as can be. Without them nothing is committed.

pub mod chain;
pub mod event;
mod notes;
mod record;
mod users;

pub use chain::last;
pub use event::{AuditEvent, EventKind, RequestChannel, RequestSource};
pub use notes::AuditNotes;
pub use record::{asked, record};
pub use users::{acted_elsewhere, changed, created, deleted};
