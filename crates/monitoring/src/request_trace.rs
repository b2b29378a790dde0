//! Requests as traces.

use edge::FinishedExchange;
use model::environment::Clock;
use traces::{AttributeValue, SpanKind, TracedWork, Tracer};

/// Keeps the trace of a request that was answered, where it is to be kept.
pub fn keep_trace(tracer: &Tracer, exchange: &FinishedExchange<'_>, clock: &dyn Clock) {
    let FinishedExchange { method, trace, status, code, bytes, began, took, id, .. } = exchange;
    let Some(start) = trace.start else { return };
    let failed = status.is_server_error();
    if !tracer.keeps(&start, *took, failed) {
        return;
    }
    let name = match trace.route {
        "" => (*method).to_owned(),
        route => format!("{method} {route}"),
    };
    tracer.keep(&TracedWork {
        start,
        name: &name,
        kind: SpanKind::Server,
        began: *began,
        took: *took,
        ended: clock.now(),
        failed,
        attributes: &[
            ("http.request.method", AttributeValue::Text(method)),
            ("http.route", AttributeValue::Text(trace.route)),
            ("http.response.status_code", AttributeValue::Number(status.as_u16().into())),
            ("http.response.body.size", AttributeValue::Number(i64::try_from(*bytes).unwrap_or(i64::MAX))),
            ("error.type", AttributeValue::Text(code.filter(|_| failed).unwrap_or_default())),
            ("plinth.tenant", AttributeValue::Text(trace.tenant.as_deref().map_or("", tenant::Tenant::name))),
            ("plinth.request_id", AttributeValue::Text(id.as_str())),
        ],
        admitted: trace.admitted,
        jobs: &trace.jobs,
        calls: &trace.calls,
        cause: None,
    });
}
