//! Resources of the tenant's types: list, read, create, replace, patch, delete.
//!
//! Reading goes in stages, each of which may refuse: a request is parsed ([`request`]), resolved against the
//! model and the caller's rights into a plan, the plan becomes SQL, and only then is a connection touched.
//! Rows are written as JSON straight into the answer.

mod condition;
mod condition_sql;
mod expand;
mod fields;
mod filters;
pub mod get;
pub mod list;
mod order;
pub mod output;
mod parameters;
mod path;
mod plan;
pub mod request;
mod select;

pub use get::{get, get_by};
pub use list::{Page, list};
pub use request::{FieldsRequest, ItemRef, ListRequest};
