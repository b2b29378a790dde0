//! Named queries: lists and groups whose filters, order and fields the tenant's files give, with typed parameters.
//!
//! A query becomes a [`query::request::ListRequest`] or a [`query::aggregate_request::AggregateRequest`], and goes
//! through the one machinery of lists or of groups, with the acting user's rights: it never shows what the user could
//! not list, and nothing about rows that the user does not see.

mod arguments;
mod filters;
pub(crate) mod prepared;
mod run;

pub use arguments::arguments;
pub use filters::fill;
pub use filters::places;

pub use run::{answer, groups};
pub(crate) use run::{groups_answer, groups_pivot, prepare};
