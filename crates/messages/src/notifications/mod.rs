//! Notifications: short messages to a user of the tenant, or to somebody whom an integration knows by a custom id.
//!
//! Who may see a notification is asked of [`context::allowed_notifications::AllowedNotifications`] in every statement, so that somebody else's, and
//! one that has expired, is nowhere. Newer ones have greater ids: they are made one transaction after the other, so that
//! a reader who asks for what came after an id misses none.

mod accept;
mod change;
pub mod create;
pub mod list;
mod notification;

pub use change::{NotificationRequest, Patch, get, patch};
pub use create::{Content, NewNotification, Recipient, Target, create, send};
pub use list::{NotificationListRequest, NotificationPage, list};
pub use notification::{Action, Level};

pub use accept::is_link;
pub use create::forget_users;
pub use create::sweep;
pub use list::{all_of, unread};
