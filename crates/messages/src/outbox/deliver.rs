//! Sending what is due, outside of any transaction.

use super::claim::ClaimedMessage;
use super::message::{Channel, Template, Values};
use super::settle::TryOutcome;
use super::turn::SendingTurn;
use super::{render, task};
use crate::outbox::Routes;
use model::types::Model;
use std::sync::Arc;
use std::time::Duration;
use tenant::Tenant;
use tenant::worker::{Stop, WorkerContext, WorkerTurn};

/// The time for which one sending may take.
const LONGEST: Duration = Duration::from_secs(40);

/// Result of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivered {
    /// Number of messages that providers took, and of tasks that were done.
    pub sent: usize,
    /// Number of rows that failed and are tried again.
    pub later: usize,
    /// Number of rows that were given up.
    pub failed: usize,
}

/// Sends all that is due of a tenant; gives, too, when the next is due, in milliseconds. Once it is to stop, what is
/// being sent ends, and nothing else is sent.
pub fn deliver_due<'t>(
    workers: &'t WorkerContext,
    routes: &'t Routes,
    tenant: Arc<Tenant>,
    stop: &'t Stop,
) -> WorkerTurn<'t, (Delivered, Option<i64>)> {
    Box::pin(async move {
        let mut turn = SendingTurn::new(workers, routes, tenant, stop);
        let next = turn.run().await?;
        Ok((turn.done, next))
    })
}

/// Sends a row, or does its task. Gives what became of it, and whether that was written down already.
pub(super) async fn carry_out(
    tenant: &Arc<Tenant>,
    model: &Model,
    routes: &Routes,
    row: &ClaimedMessage,
) -> (TryOutcome, bool) {
    if row.channel == Channel::Task {
        return match task::carry_out(tenant, row).await {
            Ok(()) => (TryOutcome::Sent, true),
            Err(error) => {
                tracing::error!(tenant = tenant.name(), outbox = row.id, task = row.template, %error, "a task failed");
                (row.judge(TryOutcome::Later(error.message)), false)
            }
        };
    }
    let outcome = match tokio::time::timeout(LONGEST, send(tenant, model, routes, row)).await {
        Ok(outcome) => row.judge(outcome),
        Err(_) => row.judge(TryOutcome::Later("sending took too long".to_owned())),
    };
    let (id, channel) = (row.id, row.channel.name());
    match &outcome {
        TryOutcome::Sent => tracing::info!(tenant = tenant.name(), outbox = id, channel, "sent"),
        TryOutcome::Later(error) => tracing::warn!(tenant = tenant.name(), outbox = id, channel, error, "not sent yet"),
        TryOutcome::Never(error) => tracing::warn!(tenant = tenant.name(), outbox = id, channel, error, "given up"),
    }
    (outcome, false)
}

async fn send(tenant: &Arc<Tenant>, model: &Model, routes: &Routes, row: &ClaimedMessage) -> TryOutcome {
    let values = row.content.as_deref().and_then(|content| serde_json::from_slice::<Values>(content).ok());
    let (Some(mut values), Some(template)) = (values, Template::named(&row.template)) else {
        return TryOutcome::Never("what was to be sent cannot be read".to_owned());
    };
    // A path becomes an address of the tenant's here: no header of a request has a part in it (A059).
    if let Some(link) = values.link.as_mut().filter(|link| link.starts_with('/')) {
        link.insert_str(0, &routes.base(model, tenant.name()));
    }
    let sent = match row.channel {
        Channel::Sms => routes.sms.send(tenant, row, &render::sms(model, row, template, &values)).await,
        _ => match render::mail(model, row, &routes.from, template, &values) {
            Ok(mail) => routes.mail.send(tenant.name(), row.id, &mail).await,
            Err(error) => Err(TryOutcome::Never(error)),
        },
    };
    sent.err().unwrap_or(TryOutcome::Sent)
}

/// Returns the outcome of an error of this machine, which may pass later: no room, no rights.
pub(super) fn local(error: &std::io::Error) -> TryOutcome {
    TryOutcome::Later(format!("the file cannot be written: {}", error.kind()))
}
