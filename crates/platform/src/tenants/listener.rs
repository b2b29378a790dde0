//! The listener of all tenants: automations, accounts and messages, which stand above resources.

use accounts::{keys, registration, sessions, tags, users};
use context::call::Call;
use context::listener::{Listener, Occurrence, Task};
use database::{Tx, Value};
use messages::notifications;
use model::automation::Event;
use model::error::Result;

/// The listener that passes on what happens.
pub(super) struct PlatformListener;

impl Listener for PlatformListener {
    fn happened(&self, tx: &mut Tx<'_>, call: &Call, event: Event, occurrences: Vec<Occurrence<'_>>) -> Result<()> {
        automation::happened(tx, call, event, occurrences)
    }

    fn credentials_changed(&self, tx: &mut Tx<'_>, call: &Call, user: i64, properties: &[i64]) -> Result<()> {
        users::credentials_changed(tx, call, user, properties)
    }

    fn resources_deleted(&self, tx: &mut Tx<'_>, type_id: i64, ids: &[Value]) -> Result<()> {
        tags::forget_objects(tx, type_id, ids.to_vec())
    }

    fn users_deleted(&self, tx: &mut Tx<'_>, call: &Call, ids: &[Value]) -> Result<()> {
        keys::revoke_of_users(tx, call, ids.to_vec())?;
        registration::forget_users(tx, call, ids)?;
        sessions::end_of_users(tx, call, ids.to_vec())?;
        tags::forget_users(tx, call, ids.to_vec())?;
        notifications::forget_users(tx, ids.to_vec())
    }

    fn run_task(&self, tx: &mut Tx<'_>, call: &Call, task: &Task) -> Result<()> {
        registration::run_task(tx, call, task)
    }
}
