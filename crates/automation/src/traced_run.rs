//! Runs as traces: their jobs, the requests that they send, and a link to the request that caused them.

use super::claim::ClaimedRun;
use super::machine::{HostAccess, carry_out};
use super::start::State;
use model::error::Result;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use std::time::Instant;
use tenant::Tenant;
use traces::{AttributeValue, SpanKind, TracedWork, Tracer, followed};

/// Carries a run out as [`carry_out`] does, and keeps its trace where that is to be kept.
pub(super) async fn carry_out_traced(
    tracer: &Tracer,
    hosts: &HostAccess,
    tenant: &Arc<Tenant>,
    claimed: Arc<ClaimedRun>,
    number: &AtomicI64,
) -> Result<Option<State>> {
    let cause = claimed.known.as_ref().and_then(|(trigger, _)| trigger.span);
    let (start, began) = (tracer.begin_caused(cause), Instant::now());
    let carried = pin!(carry_out(hosts, tenant, Arc::clone(&claimed), number));
    let (outcome, work) = followed(start, carried).await;
    let took = began.elapsed();
    let state = match &outcome {
        Ok(Some(state)) => state.name(),
        Ok(None) => "left",
        Err(_) => "error",
    };
    // A run that waits failed, and is tried again.
    let failed = matches!(outcome, Ok(Some(State::Failed | State::Waiting)) | Err(_));
    if tracer.keeps(&start, took, failed, tenant.name()) {
        tracer.keep(TracedWork {
            start,
            name: ["run".into(), claimed.automation.clone().into()],
            kind: SpanKind::Consumer,
            began,
            took,
            ended: tenant.environment().clock.now(),
            failed,
            attributes: vec![
                ("plinth.tenant", AttributeValue::Text(tenant.name().to_owned().into())),
                ("plinth.automation", AttributeValue::Text(claimed.automation.clone().into())),
                ("plinth.run", AttributeValue::Number(claimed.id)),
                ("plinth.run.state", AttributeValue::Text(state.into())),
            ],
            admitted: None,
            jobs: work.jobs,
            calls: work.calls,
            cause,
        });
    }
    outcome
}
