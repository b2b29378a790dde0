//! Resources of the tenant's types: list, read, create, replace, patch, delete.
//!
//! Reading goes in stages, each of which may refuse: a request is parsed ([`request`]), resolved against the
//! model and the caller's rights into a plan, the plan becomes SQL, and only then is a connection touched.
//! Rows are written as JSON straight into the answer.

mod accept;
mod approach;
mod body;
mod calculate;
mod carried;
mod change;
mod condition;
mod condition_sql;
mod configured;
pub(crate) mod counter;
mod create;
mod delete;
mod display;
mod etag;
mod expand;
pub(crate) mod explained;
pub mod export;
pub(crate) mod fields;
mod filters;
mod get;
pub mod import;
pub mod list;
pub(crate) mod metadata;
pub(crate) mod numbering;
mod order;
mod output;
pub(crate) mod parameters;
mod patch;
mod path;
pub(crate) mod plan;
pub mod pushdown;
mod question;
mod reach;
mod recalculation;
mod recall;
mod record;
mod references;
mod relation_filter;
mod relations;
mod replace;
pub mod request;
mod ripple;
mod row_rights;
mod rows;
mod scalar;
mod scalar_sql;
pub(crate) mod search;
mod select;
mod settle;
mod store;
mod summary;
pub(crate) mod tally;
mod touched;
mod turns;
mod unique;
pub(crate) mod versions;
mod wrap;
mod wrapped_relations;

pub(crate) use accept::check_fixed;
pub use body::{Body, object};
pub(crate) use configured::{Blame, check_list, lists, shows};
pub(crate) use list::answer as list_answer;
pub(crate) use relation_filter::check as check_filter;

pub(crate) use calculate::{complete as with_virtual, complete_all, shows_own};
pub use create::{create, create_alone};
pub use delete::delete;
pub use etag::{IfMatch, etag};
pub use filters::names as filter_types;
pub(crate) use get::account;
pub use get::{current_user, get, get_by};
pub use list::{Page, list};
pub use patch::patch;
pub(crate) use question::Made;
pub use question::Question;
pub(crate) use recalculation::{
    calculate as recalculate_some, follow_users, forget as forget_calculated, next as next_ids, recalculate,
};
pub(crate) use record::{empty as empty_of, rows_of, stored};
pub use replace::replace;
pub use request::{FieldsRequest, ItemRef, ListRequest, SomeFields};
pub(crate) use row_rights::{readable as readable_of_row, rights_on};
pub(crate) use rows::{push_visible, visible_among};

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
