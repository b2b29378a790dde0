//! Events of a job, with what the request context tells of who acts.

use super::event::{AuditEvent, RequestSource};
use crate::request_context::RequestContext;
use serde_json::{Value as Json, json};

/// Notes an event of this job. It is written in the job's transaction, last; where the job fails, it never was.
pub fn record(context: &RequestContext, event: AuditEvent) {
    let (actor, source) = (event.actor.or_else(|| context.user()), event.source.unwrap_or(context.source));
    let mut event = AuditEvent { actor, source: Some(source), ..event };
    // A user who acts as another stands beside them.
    if let Some(acting) = context.actor.acting {
        event = event.with("loginAs", acting);
    }
    context.audit.add(event);
}

/// Returns the user who asks for what a later job does, and the source, for the event of that.
pub fn asked(context: &RequestContext) -> Json {
    let RequestSource { via, key, address } = context.source;
    json!({"actor": context.user(), "via": via.name(), "key": key, "address": address.map(|address| address.to_string())})
}
