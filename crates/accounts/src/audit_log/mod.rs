//! Reading of the audit log: pages of it, and the proof that its chain is whole.

pub mod list;
pub mod verify;

pub use list::{AuditPage, AuditRequest, list};
pub use verify::{Anchor, Broken, Fault, VerifiedChain, verify};
