//! Which notifications a caller sees, once it was checked.

use crate::error::{Error, Result};
use crate::tenants::Call;
use database::{Sql, Value};

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
    pub(crate) fn new(user: i64, own: bool, custom: bool) -> Self {
        AllowedNotifications { user, own, custom }
    }

    /// Appends which notifications are listed: those of the custom id, or the caller's own.
    pub(super) fn listed(self, sql: &mut Sql, custom_id: Option<&str>) -> Result<()> {
        match custom_id {
            Some(_) if !self.custom => {
                Err(Error::forbidden("permission_missing", "The permission getNotificationsPerCustomId is needed."))
            }
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

    /// Appends whether the caller sees the notification of the row. Every statement on one notification has this in it.
    pub(super) fn visible(self, sql: &mut Sql, call: &Call) {
        let mut separator = "(";
        if self.own {
            sql.push(separator).push("n.recipient = ").bind(self.user);
            separator = " OR ";
        }
        if self.custom {
            sql.push(separator).push("n.custom_id IS NOT NULL");
        }
        sql.push(") AND ");
        lasting(sql, call);
    }
}

/// Appends whether the notification of the row has not expired.
pub(super) fn lasting(sql: &mut Sql, call: &Call) {
    sql.push("(n.expires IS NULL OR n.expires > ").bind(Value::Timestamp(call.now.as_millisecond())).push(")");
}
