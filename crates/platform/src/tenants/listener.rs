//! The listener of all tenants: automations, accounts and messages, which stand above resources.

use accounts::{keys, registration, sessions, tags, user_settings, users, views};
use context::listener::{EventOccurrence, Listener, OutboxTask};
use context::request_context::RequestContext;
use database::{Tx, Value};
use messages::notifications;
use model::automation::AutomationEvent;
use model::error::Result;

/// The listener that passes on what happens.
pub(super) struct PlatformListener;

impl Listener for PlatformListener {
    fn happened(
        &self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        event: AutomationEvent,
        occurrences: Vec<EventOccurrence<'_>>,
    ) -> Result<()> {
        automation::happened(tx, context, event, occurrences)
    }

    fn credentials_changed(
        &self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        user: i64,
        properties: &[i64],
    ) -> Result<()> {
        users::credentials_changed(tx, context, user, properties)
    }

    fn resources_deleted(&self, tx: &mut Tx<'_>, type_id: i64, ids: &[Value]) -> Result<()> {
        tags::forget_objects(tx, type_id, ids.to_vec())
    }

    fn users_deleted(&self, tx: &mut Tx<'_>, context: &RequestContext, ids: &[Value]) -> Result<()> {
        keys::revoke_of_users(tx, context, ids.to_vec())?;
        registration::forget_users(tx, context, ids)?;
        sessions::end_of_users(tx, context, ids.to_vec())?;
        tags::forget_users(tx, context, ids.to_vec())?;
        user_settings::forget_users(tx, ids.to_vec())?;
        views::forget_users(tx, ids.to_vec())?;
        notifications::forget_users(tx, ids.to_vec())
    }

    fn run_task(&self, tx: &mut Tx<'_>, context: &RequestContext, task: &OutboxTask) -> Result<()> {
        registration::run_task(tx, context, task)
    }
}
