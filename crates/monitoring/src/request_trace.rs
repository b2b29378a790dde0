//! Requests as traces.

use edge::FinishedExchange;
use model::environment::Clock;
use traces::{AttributeValue, SpanKind, TracedWork, Tracer};

/// Keeps the trace of a request that was answered, where it is to be kept.
pub fn keep_trace(tracer: &Tracer, exchange: &FinishedExchange<'_>, clock: &dyn Clock) {
    let FinishedExchange { method, trace, status, code, bytes, began, took, id, .. } = exchange;
    let Some(start) = trace.start else { return };
    let failed = status.is_server_error();
    let tenant = trace.tenant.as_deref().map_or("", tenant::Tenant::name);
    if !tracer.keeps(&start, *took, failed, tenant) {
        return;
    }
    let code = code.filter(|_| failed).unwrap_or_default();
    tracer.keep(TracedWork {
        start,
        name: [(*method).into(), trace.route.into()],
        kind: SpanKind::Server,
        began: *began,
        took: *took,
        ended: clock.now(),
        failed,
        attributes: vec![
            ("http.request.method", AttributeValue::Text((*method).into())),
            ("http.route", AttributeValue::Text(trace.route.into())),
            ("http.response.status_code", AttributeValue::Number(status.as_u16().into())),
            ("http.response.body.size", AttributeValue::Number(i64::try_from(*bytes).unwrap_or(i64::MAX))),
            ("error.type", AttributeValue::Text(code.into())),
            ("plinth.tenant", AttributeValue::Text(tenant.to_owned().into())),
            ("plinth.request_id", AttributeValue::Text(id.as_str().to_owned().into())),
        ],
        admitted: trace.admitted,
        jobs: trace.jobs.clone(),
        calls: trace.calls.clone(),
        cause: None,
    });
}
