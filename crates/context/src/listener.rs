//! The listener of a tenant: what follows from writes of rows, in the transaction of the write. It stands above the
//! code that writes.

use crate::request_context::RequestContext;
use database::{Tx, Value};
use model::automation::AutomationEvent;
use model::error::Result;
use model::kinds::StoredValue;
use model::types::ResourceType;
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::fmt;

/// One occurrence of an event.
pub struct EventOccurrence<'a> {
    /// The resource that it is about.
    pub row: Option<RowChange<'a>>,
    /// Further parameters, by name.
    pub parameters: Map<String, Json>,
}

/// The values of a resource at an occurrence.
pub struct RowChange<'a> {
    /// The type of the resource.
    pub resource_type: &'a ResourceType,
    /// Its values.
    pub values: Cow<'a, [StoredValue]>,
    /// Its values before, where they changed.
    pub before: Option<&'a [StoredValue]>,
}

/// A task of the outbox. Its order costs the same for all who ask. The handler of its kind carries it out in a
/// transaction of its own, in which the row is marked as done: it happens once.
#[derive(Clone)]
pub struct OutboxTask {
    /// The kind, which names the handler.
    pub kind: String,
    /// The values that the handler needs; they are sealed in the row.
    pub input: Json,
}

impl fmt::Debug for OutboxTask {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Task").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// The code above resources: consequences of writes in their transaction, and tasks of the outbox.
pub trait Listener: Send + Sync {
    /// Notes occurrences of an event that an automation waits for. The request is not quiet.
    fn happened(
        &self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        event: AutomationEvent,
        occurrences: Vec<EventOccurrence<'_>>,
    ) -> Result<()>;

    /// Ends the links, codes, sessions and keys that the former values of an account's properties gave.
    fn credentials_changed(
        &self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        user: i64,
        properties: &[i64],
    ) -> Result<()>;

    /// Removes what belongs to resources of a type that are deleted.
    fn resources_deleted(&self, tx: &mut Tx<'_>, type_id: i64, ids: &[Value]) -> Result<()>;

    /// Removes what belongs to users who are deleted.
    fn users_deleted(&self, tx: &mut Tx<'_>, context: &RequestContext, users: &[Value]) -> Result<()>;

    /// Carries out a task of the outbox.
    fn run_task(&self, tx: &mut Tx<'_>, context: &RequestContext, task: &OutboxTask) -> Result<()>;
}
