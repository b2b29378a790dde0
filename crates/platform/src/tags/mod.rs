//! Tags: a tree of labels for resources of any type, some of them private to whoever made them.
//!
//! Who may see a tag is asked of [`context::allowed_tags::AllowedTags`] in every statement, so that a private tag is nowhere for others. A tag
//! under a private one is private to the same owner: whoever sees a tag sees the tags above it, and whoever may change
//! one sees those below it.

mod accept;
mod assign;
mod assignment;
mod check;
mod create;
mod delete;
mod find;
mod happened;
mod list;
mod output;
mod seed;
mod update;
pub(crate) mod version;

pub use assign::{assign, object};
pub use assignment::{Assignment, Operation, Tagged};
pub use create::create;
pub use delete::{Deletion, delete};

pub use find::get;
pub use list::{TagListRequest, list};
pub use output::{FIELDS, MANAGED_FIELDS};
pub use update::{patch, replace};

pub(crate) use assign::{forget_objects, forget_type};
pub(crate) use delete::{forget_ownerless, forget_users};

use query::tag_tree::MOST_LEVELS;
pub(crate) use seed::{SeedTag, changes as seed_changes, levels, put as put_seeds};
