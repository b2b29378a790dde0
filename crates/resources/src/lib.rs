//! Resources of the tenant's types: list, read, create, replace, patch, delete.
//!
//! Reading goes in stages, each of which may refuse: a request is parsed ([`query::request`]), resolved against the
//! model and the caller's rights into a plan, the plan becomes SQL, and only then is a connection touched.
//! Rows are written as JSON straight into the answer.

pub mod accept;
mod approach;
mod body;
mod calculate;
mod carried;
mod change;
mod configured;
pub mod create;
pub mod delete;
mod differences;
pub mod etag;
pub mod events;
mod expand;
pub mod explained;
pub mod expressions;
pub mod fields;
pub mod files;
mod float_sum;
mod foreign_reads;
mod found;
mod gather;
pub mod get;
mod hold;
pub mod list;
pub(crate) mod metadata;
pub mod numbering;
pub mod output;
pub mod patch;
pub mod plan;
mod presets;
pub mod queries;
mod recalculation;
mod recall;
pub mod record;
pub mod relations;
pub mod replace;
pub mod ripple;
pub mod row_rights;
pub mod row_size;
pub mod secrets;
pub mod select;
pub mod settle;
mod sparing;
pub mod store;
mod summary;
mod summing;
pub mod tag_version;
pub mod tally;
pub mod totals;
mod touched;
pub mod turns;
pub mod unique;
pub mod users;
mod wrap;
mod wrapped_relations;

pub use accept::check_fixed;
pub use body::{Body, object, prepare};
pub use configured::Blame;
pub use configured::lists;
pub(crate) use configured::{check_list, shows};
pub use list::answer as list_answer;

pub use calculate::complete as with_virtual;
pub use calculate::complete_all;
pub use calculate::shows_own;
pub use create::{create, create_alone};
pub use delete::delete;
pub use etag::etag_of;
pub use etag::{IfMatch, etag};

pub use get::account;
pub use get::first as get_first;
pub use get::one as get_one;
pub use get::{current_user, get, get_by};
pub use hold::grants_on as hold_for_grants;
pub(crate) use hold::read as lock_to_read;
pub use list::{Page, list};

pub use patch::patch;

pub use recalculation::calculate as recalculate_some;
pub use recalculation::follow_users;
pub use recalculation::forget as forget_calculated;
pub use recalculation::next as next_ids;
pub use recalculation::recalculate;
pub use record::Purpose;
pub use record::empty as empty_of;
pub use record::rows_of;
pub use record::stored;
pub use replace::replace;

pub use row_rights::readable as readable_of_row;
pub use row_rights::rights_on;

pub use turns::to_tag as turn_to_tag;

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
