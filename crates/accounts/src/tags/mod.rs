//! Tags: a tree of labels for resources of any type, some of them private to their makers.
//!
//! Every statement asks [`context::allowed_tags::AllowedTags`] for the visible tags, so that a private tag is nowhere
//! for others. A tag under a private one is private to the same owner: a user who sees a tag sees the tags above it, and a
//! user who may change one sees those below it.

mod accept;
pub mod assign;
mod assignment;
mod check;
pub mod create;
pub mod delete;
mod find;
pub mod list;
mod output;
mod seed;
mod tag_events;
mod update;

pub use assign::{assign, object};
pub use assignment::{Assignment, Operation, Tagged};
pub use create::create;
pub use delete::{Deletion, delete};

pub use find::get;
pub use list::{TagListRequest, list};
pub use output::FIELDS;
pub use update::{patch, replace};

pub use assign::forget_objects;
pub use assign::forget_type;
pub use delete::forget_ownerless;
pub use delete::forget_users;

use query::tag_tree::MOST_LEVELS;
pub use seed::SeedTag;
pub use seed::changes as seed_changes;
pub use seed::levels;
pub use seed::put as put_seeds;
