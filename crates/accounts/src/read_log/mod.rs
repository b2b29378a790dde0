//! The read log: who read what, of types with `logReads` (D-29).
//!
//! A read of such a type runs as a write, and notes what it gives in its own transaction: where the log cannot be
//! written there is no answer. [`context::reads::logged`] is the one place that says which types these are.

pub mod list;

pub use list::{ReadLogPage, ReadLogRequest, list};
pub(crate) use list::{invalid, moments, user_named};
