//! Saved views of lists: the state of a screen under a title, for one user, for roles or for all.

mod change;
mod input;
mod row;
mod select;

pub use change::{create, delete, forget_users, replace};
pub use input::{ViewInput, ViewSharing};
pub use select::{get, list};

/// The command that a key's scopes must leave: `app:user.views`.
const COMMAND: &str = "user.views";
/// The most views of a user.
const MOST: i64 = 1_000;
/// The most bytes of a view's state.
const STATE_BYTES: usize = 16 * 1024;
/// The most characters of a title.
const TITLE: usize = 200;
