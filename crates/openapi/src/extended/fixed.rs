//! The writes of tags and notifications for generated clients.

use super::operations::writes;
use crate::{notifications, tags};
use serde_json::Value;

/// Describes a new tag.
pub fn create_tag() -> Value {
    writes(tags::create())
}

/// Describes the replacement of a tag.
pub fn replace_tag() -> Value {
    writes(tags::replace())
}

/// Describes a change of a tag.
pub fn patch_tag() -> Value {
    writes(tags::patch())
}

/// Describes a change of a notification.
pub fn patch_notification() -> Value {
    writes(notifications::patch())
}
