//! Tags: a tree of labels for resources of any type, some of them private to whoever made them.
//!
//! Who may see a tag is asked of [`AllowedTags`] in every statement, so that a private tag is nowhere for others. A tag
//! under a private one is private to the same owner: whoever sees a tag sees the tags above it, and whoever may change
//! one sees those below it.

mod accept;
mod allowed;
mod assign;
mod assignment;
mod check;
mod create;
mod delete;
mod filter;
mod find;
mod happened;
mod list;
mod output;
mod seed;
mod tag;
mod tree;
mod update;
pub(crate) mod version;

pub use allowed::AllowedTags;
pub use assign::{assign, object};
pub use assignment::{Assignment, Operation, Tagged};
pub use create::create;
pub use delete::{Deletion, delete};
pub use filter::{TagFilter, TagsMode};
pub use find::get;
pub use list::{TagListRequest, list};
pub use output::{FIELDS, MANAGED_FIELDS};
pub use update::{patch, replace};

pub(crate) use assign::{forget_objects, forget_type};
pub(crate) use filter::TagCondition;
pub(crate) use seed::{SeedTag, changes as seed_changes, levels, put as put_seeds};
use tree::MOST_LEVELS;

/// The most characters of an id and of a code.
const MOST_ID: usize = 40;

/// Whether a text can be the id or the code of a tag: `[A-Za-z0-9_-]{1,40}`.
fn is_id(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=MOST_ID).contains(&text.len()) && text.bytes().all(allowed)
}
