//! Named queries: lists whose filters, order and fields the tenant's files give, with typed parameters.
//!
//! A query becomes a [`query::request::ListRequest`] and goes through the one list machinery, with the acting
//! user's rights: it never shows what the user could not list, and nothing about rows that the user does not see.

mod arguments;
mod filters;
mod run;

pub use arguments::arguments;
pub use filters::fill;
pub use filters::places;

pub use run::answer;
pub(crate) use run::prepare;
