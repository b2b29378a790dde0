//! Resources of the tenant's types: list, read, create, replace, patch, delete.
//!
//! Reading goes in stages, each of which may refuse: a request is parsed ([`query::request`]), resolved against the
//! model and the caller's rights into a plan, the plan becomes SQL, and only then is a connection touched.
//! Rows are written as JSON straight into the answer.
//!
//! A write is one value, a `Change` or a `NewResource`. It goes from the rights on the row to its
//! values, to the checks of all that it comes to, to the row, and to what follows from it.

pub mod accept;
pub mod aggregate;
mod body;
mod calculate;
mod calculated_fields;
mod change;
mod configured;
pub mod create;
pub mod delete;
mod differences;
pub mod etag;
pub mod events;
mod expand;
mod expanded_rows;
pub mod explained;
pub mod expressions;
pub mod fields;
pub mod files;
mod foreign_reads;
pub mod get;
mod hold;
mod input_rows;
mod insertion;
pub mod list;
pub(crate) mod metadata;
mod missing_values;
pub mod numbering;
mod order_sql;
pub mod output;
pub mod patch;
mod picker;
mod presets;
pub mod queries;
mod recalculation;
pub mod record;
mod record_body;
mod related;
mod relation_face;
pub mod relations;
pub mod replace;
mod restored;
pub mod ripple;
pub mod row_rights;
pub mod row_size;
mod rule_problems;
pub mod secrets;
pub mod select;
mod selection_draft;
pub mod settle;
mod sparing;
pub mod store;
mod summary;
pub mod tag_version;
pub mod tally;
pub mod totals;
pub mod turns;
mod type_dependencies;
pub mod unique;
mod unique_key;
mod unwrap;
pub mod users;
mod wrap;
mod wrapped_relations;
mod writable;

pub use accept::check_fixed;
pub use aggregate::answer as aggregate_answer;
pub use body::{Body, object, prepare};
pub use configured::Blame;
pub use configured::groups;
pub use configured::lists;
pub use configured::with_group_columns;
pub(crate) use configured::{check_list, shows};
pub use list::answer as list_answer;

pub use calculate::complete as with_virtual;
pub use calculate::complete_all;
pub use calculated_fields::shows_own;
pub use create::{create, create_again, create_alone};
pub use delete::delete;
pub use etag::etag_of;
pub use etag::{IfMatch, etag};

pub use get::account;
pub use get::first as get_first;
pub use get::one as get_one;
pub use get::{LookupKey, bodies, current_user, get, get_by};
pub use hold::grants_on as hold_for_grants;
pub use list::{Matching, Page, list, matching_count, matching_ids};
pub use metadata::{describe as describe_property, may_write, options as property_options};

pub use patch::patch;

pub use recalculation::calculate as recalculate_some;
pub use recalculation::follow_users;
pub use recalculation::forget as forget_calculated;
pub use recalculation::next as next_ids;
pub use recalculation::recalculate;
pub use record::Purpose;
pub use record::empty as empty_of;
pub use record::stored;
pub use record::{lock_rows, rows_of};
pub use replace::replace;
pub use restored::RecordOrigin;

pub use row_rights::readable as readable_of_row;
pub use row_rights::rights_on;

pub use turns::to_tag as turn_to_tag;
pub use turns::{WriteTurn, ahead as turn_ahead};
pub use unique_key::{find as find_by_key, value_of_text as key_of_text};
pub use writable::check_given;

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
