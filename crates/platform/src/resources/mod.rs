//! Resources of the tenant's types: list, read, create, replace, patch, delete.
//!
//! Reading goes in stages, each of which may refuse: a request is parsed ([`query::request`]), resolved against the
//! model and the caller's rights into a plan, the plan becomes SQL, and only then is a connection touched.
//! Rows are written as JSON straight into the answer.

mod accept;
mod approach;
mod body;
mod calculate;
mod carried;
mod change;
mod configured;
mod create;
mod delete;
mod differences;
mod etag;
pub(crate) mod events;
mod expand;
pub(crate) mod explained;
pub mod export;
pub(crate) mod fields;
mod float_sum;
mod foreign_reads;
mod found;
mod gather;
mod get;
mod hold;
pub mod import;
pub mod list;
pub(crate) mod metadata;
pub(crate) mod numbering;
mod output;
mod patch;
pub(crate) mod plan;
mod presets;
mod recalculation;
mod recall;
mod record;
mod relations;
mod replace;
mod ripple;
mod row_rights;
mod row_size;
mod select;
mod settle;
mod sparing;
mod store;
mod summary;
mod summing;
pub(crate) mod tally;
pub(crate) mod totals;
mod touched;
mod turns;
mod unique;
mod wrap;
mod wrapped_relations;

pub(crate) use accept::check_fixed;
pub use body::{Body, object, prepare};
pub(crate) use configured::{Blame, check_list, lists, shows};
pub(crate) use list::answer as list_answer;

pub(crate) use calculate::{complete as with_virtual, complete_all, shows_own};
pub use create::{create, create_alone};
pub use delete::delete;
pub(crate) use etag::etag_of;
pub use etag::{IfMatch, etag};

pub(crate) use get::{account, first as get_first, one as get_one};
pub use get::{current_user, get, get_by};
pub(crate) use hold::{grants_on as hold_for_grants, read as lock_to_read};
pub use list::{Page, list};

pub use patch::patch;

pub(crate) use recalculation::{
    calculate as recalculate_some, follow_users, forget as forget_calculated, next as next_ids, recalculate,
};
pub(crate) use record::{Purpose, empty as empty_of, rows_of, stored};
pub use replace::replace;

pub(crate) use row_rights::{readable as readable_of_row, rights_on};

pub(crate) use turns::to_tag as turn_to_tag;

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
