//! Expressions at work: the places where configured texts stand, what they are compiled against, and what they run on.
//!
//! A text is compiled once, with the model, by [`model::place::compile`]; it runs on the platform's own records
//! ([`context::stored_resource::StoredResource`]), whose relations are read through the transaction only when a path walks along them.

pub mod accept;
mod arguments;
mod ask;
pub mod evaluate;
mod find;
mod group_results;
mod kept_results;
mod links;
mod parts;
mod prefetch;
mod providers;
mod referring;
mod results;
mod seen;

pub use accept::accept;
pub(crate) use accept::cell;
pub use evaluate::{evaluate, holds};
pub use parts::{Handed, Parts, Rights, Secrets};

pub use providers::{PlatformProviders, Reading};
