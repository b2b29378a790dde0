//! Resources of the tenant's types: list, read, create, replace, patch, delete.
//!
//! Reading goes in stages, each of which may refuse: a request is parsed ([`request`]), resolved against the
//! model and the caller's rights into a plan, the plan becomes SQL, and only then is a connection touched.
//! Rows are written as JSON straight into the answer.

pub mod get;
pub mod list;
pub mod output;
pub mod request;

pub use get::{get, get_by};
pub use list::{Page, list};
pub use request::{FieldsRequest, ItemRef, ListRequest};
