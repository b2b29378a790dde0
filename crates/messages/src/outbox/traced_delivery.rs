//! Deliveries as traces: their jobs, and the mail server or the gateway that they reach.

use super::claim::ClaimedMessage;
use super::deliver::carry_out;
use super::routes::Routes;
use super::settle::TryOutcome;
use model::types::Model;
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;
use tenant::Tenant;
use traces::{AttributeValue, SpanKind, TracedWork, Tracer, followed};

/// Sends a row as [`carry_out`] does, and keeps its trace where that is to be kept.
pub(super) async fn carry_out_traced(
    tracer: &Tracer,
    tenant: &Arc<Tenant>,
    model: &Model,
    routes: &Routes,
    row: &ClaimedMessage,
) -> (TryOutcome, bool) {
    let (start, began) = (tracer.begin_caused(None), Instant::now());
    let carried = pin!(carry_out(tenant, model, routes, row));
    let (outcome, work) = followed(start, carried).await;
    let (took, failed) = (began.elapsed(), !matches!(outcome.0, TryOutcome::Sent));
    if tracer.keeps(&start, took, failed, tenant.name()) {
        tracer.keep(TracedWork {
            start,
            name: ["deliver".into(), row.channel.name().into()],
            kind: SpanKind::Consumer,
            began,
            took,
            ended: tenant.environment().clock.now(),
            failed,
            attributes: vec![
                ("plinth.tenant", AttributeValue::Text(tenant.name().to_owned().into())),
                ("plinth.outbox", AttributeValue::Number(row.id)),
                ("plinth.outbox.channel", AttributeValue::Text(row.channel.name().into())),
            ],
            admitted: None,
            jobs: work.jobs,
            calls: work.calls,
            cause: None,
        });
    }
    outcome
}
