//! Notifications that a caller sees, once it was checked.

use database::{Sql, Value};
use jiff::Timestamp;
use model::error::{Error, Result};

/// A right on notifications that was checked; [`crate::actor::Actor`] alone gives one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllowedNotifications {
    user: i64,
    /// With `notifications`: those of one's own.
    own: bool,
    /// With `getNotificationsPerCustomId`: those of any custom id.
    custom: bool,
}

impl AllowedNotifications {
    /// Returns the right of a user: to own notifications, to those of custom ids.
    pub fn new(user: i64, own: bool, custom: bool) -> Self {
        AllowedNotifications { user, own, custom }
    }

    /// Appends which notifications are listed: those of the custom id, or the caller's own.
    pub fn listed(self, sql: &mut Sql, custom_id: Option<&str>) -> Result<()> {
        match custom_id {
            Some(_) if !self.custom => Err(custom_missing()),
            Some(custom_id) => {
                sql.push("n.custom_id = ").bind(custom_id);
                Ok(())
            }
            None if self.own => {
                sql.push("n.recipient = ").bind(self.user);
                Ok(())
            }
            // Who may ask for custom ids alone has to name one.
            None => Err(Error::invalid("parameter_missing", "The parameter recipient_custom_id is needed.")),
        }
    }

    /// The right on single notifications: on those of the custom id, or on all that the caller sees.
    pub fn of(self, custom_id: Option<&str>) -> Result<NotificationRight<'_>> {
        match custom_id {
            Some(_) if !self.custom => Err(custom_missing()),
            custom_id => Ok(NotificationRight { allowed: self, custom_id }),
        }
    }
}

/// A right on single notifications.
#[derive(Clone, Copy, Debug)]
pub struct NotificationRight<'a> {
    allowed: AllowedNotifications,
    custom_id: Option<&'a str>,
}

impl NotificationRight<'_> {
    /// Appends whether the caller sees the notification of the row. Every statement on one notification has this in it.
    pub fn visible(self, sql: &mut Sql, now: Timestamp) {
        let AllowedNotifications { user, own, custom } = self.allowed;
        match self.custom_id {
            Some(id) => _ = sql.push("n.custom_id = ").bind(id),
            None if own && custom => _ = sql.push("(n.custom_id IS NOT NULL OR n.recipient = ").bind(user).push(")"),
            None if custom => _ = sql.push("n.custom_id IS NOT NULL"),
            None => _ = sql.push("n.recipient = ").bind(user),
        }
        sql.push(" AND ");
        lasting(sql, now);
    }
}

fn custom_missing() -> Error {
    Error::forbidden("permission_missing", "The permission getNotificationsPerCustomId is needed.")
}

/// Appends whether the notification of the row has not expired.
pub fn lasting(sql: &mut Sql, now: Timestamp) {
    sql.push("(n.expires IS NULL OR n.expires > ").bind(Value::Timestamp(now.as_millisecond())).push(")");
}
