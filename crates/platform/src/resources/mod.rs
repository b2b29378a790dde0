//! Resources of the tenant's types: list, read, create, replace, patch, delete.
//!
//! Reading goes in stages, each of which may refuse: a request is parsed ([`request`]), resolved against the
//! model and the caller's rights into a plan, the plan becomes SQL, and only then is a connection touched.
//! Rows are written as JSON straight into the answer.

mod accept;
mod body;
mod change;
mod condition;
mod condition_sql;
pub(crate) mod counter;
mod create;
mod delete;
mod etag;
mod expand;
pub mod export;
mod fields;
mod filters;
mod get;
pub mod import;
pub mod list;
pub(crate) mod numbering;
mod order;
mod output;
mod parameters;
mod patch;
mod path;
mod plan;
mod record;
mod references;
mod relations;
mod replace;
pub mod request;
mod select;
mod store;
mod unique;

pub use body::{Body, object};
pub use create::create;
pub use delete::delete;
pub use etag::{IfMatch, etag};
pub use get::{get, get_by};
pub use list::{Page, list};
pub use patch::patch;
pub use replace::replace;
pub use request::{FieldsRequest, ItemRef, ListRequest};

/// A resource that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its id.
    pub id: i64,
    /// Its body as get-one gives it to the caller.
    pub body: Vec<u8>,
    /// The ETag of the body.
    pub etag: String,
}
