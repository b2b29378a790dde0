//! What a caller may do with tags, once it was checked, and which tags the caller sees.

use super::tag::Tag;
use crate::error::{Error, Result};
use database::{Name, Sql};

/// A right on tags that was checked; [`crate::actor::Actor`] alone gives one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllowedTags {
    /// Who acts; 0 for the command line.
    user: i64,
    /// Whether the caller has `manageTags`: sees private tags of others and all fields, and may change all.
    manages: bool,
}

impl AllowedTags {
    pub(crate) fn new(user: i64, manages: bool) -> Self {
        AllowedTags { user, manages }
    }

    /// What the command line may do.
    pub(super) const fn all() -> Self {
        AllowedTags { user: 0, manages: true }
    }

    /// Whether the caller has `manageTags`.
    pub fn manages(&self) -> bool {
        self.manages
    }

    /// Who owns a tag that the caller makes; none for the command line.
    pub(super) fn owner(&self) -> Option<i64> {
        (self.user != 0).then_some(self.user)
    }

    /// Appends whether the caller sees the tag of that row. Every statement on tags has this in it.
    pub(super) fn visible(&self, sql: &mut Sql, row: &Name) {
        if self.manages {
            sql.push("TRUE");
            return;
        }
        sql.push("(NOT ").column(row, &Name::fixed("private")).push(" OR ").column(row, &Name::fixed("owner"));
        sql.push(" = ").bind(self.user).push(")");
    }

    /// Fails unless the caller, who sees the tag and may write tags, may change this one: without `manageTags` only
    /// private tags of one's own.
    pub(super) fn to_change(self, tag: &Tag) -> Result<()> {
        if self.manages || self.owns(tag) {
            return Ok(());
        }
        Err(Error::forbidden("permission_missing", "The permission manageTags is needed to change this tag."))
    }

    /// Whether the tag is private to the caller.
    pub(super) fn owns(&self, tag: &Tag) -> bool {
        tag.content.private && tag.owner == Some(self.user)
    }
}
