//! Rights of a caller on tags, once they were checked, and the tags that the caller sees.

use database::{Name, Sql};

/// A right on tags that was checked; [`crate::actor::Actor`] alone gives one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllowedTags {
    /// The user who acts; 0 for the command line, [`crate::actor::PUBLIC`] without a key.
    user: i64,
    /// True if the caller has `manageTags`: sees private tags of others and all fields, and may change all.
    manages: bool,
}

impl AllowedTags {
    /// Returns the right of a user, who may have `manageTags`.
    pub fn new(user: i64, manages: bool) -> Self {
        AllowedTags { user, manages }
    }

    /// Returns the right of the command line.
    pub const fn all() -> Self {
        AllowedTags { user: 0, manages: true }
    }

    /// Returns true if the caller has `manageTags`.
    pub fn manages(&self) -> bool {
        self.manages
    }

    /// Returns the owner of a tag that the caller makes; none for the command line.
    pub fn owner(&self) -> Option<i64> {
        (self.user > 0).then_some(self.user)
    }

    /// Appends whether the caller sees the tag of that row. Every statement on tags has this in it.
    pub fn visible(&self, sql: &mut Sql, row: &Name) {
        if self.manages {
            sql.push("TRUE");
            return;
        }
        sql.push("(NOT ").column(row, &Name::fixed("private")).push(" OR ").column(row, &Name::fixed("owner"));
        sql.push(" = ").bind(self.user).push(")");
    }
}
