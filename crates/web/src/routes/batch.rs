//! Several operations in one request.

use super::once::replayed;
use super::request::TenantRequest;
use context::caller_key::CallerKey;
use context::request_context::RequestContext;
use database::Tx;
use edge::answer::ProblemDetail;
use edge::{Answer, Problem, Reply, body};
use http::StatusCode;
use operations::batch::{
    self, Batch, BatchInput, BatchLimits, BatchRefusal, FailureNotes, OperationEffect, OperationFailure,
    OperationOutcome, OperationResult,
};
use operations::once::{self, AnswerForm, OnceMemory, OnceOutcome, RememberedResult, Repetition, ToldResult};
use serde_json::{Value as Json, json};
use std::io::Write as _;
use std::sync::Arc;

/// The most keys of a body: some hundred for each operation.
const KEYS: usize = 100_000;

/// POST /api/ext/v1/batch.
pub(super) async fn run(mut request: TenantRequest<'_>, key: CallerKey) -> Reply {
    request.form_of_decimals()?;
    let (members, text) = large_body(&mut request).await?;
    let batch = Batch::read(BatchInput { members, text: &text }).map_err(|refusal| refused(*refusal))?;
    carry_out(request, key, batch).await
}

/// Reads the body of a batch.
pub(super) async fn large_body(
    request: &mut TenantRequest<'_>,
) -> Result<(serde_json::Map<String, Json>, bytes::Bytes), Problem> {
    let limit = request.app.settings.limits.batch_bytes;
    body::large_object(&mut request.http, limit, KEYS).await
}

/// Carries out a batch in one transaction.
pub(super) async fn carry_out(request: TenantRequest<'_>, key: CallerKey, mut batch: Batch) -> Reply {
    let preferences = request.preferences()?;
    batch.minimal |= preferences.is_minimal();
    batch.prepare(&request.tenant, &key).await.map_err(|refusal| refused(*refusal))?;
    let limits = &request.app.settings.limits;
    let limits = BatchLimits { time: limits.batch_time, answer: limits.batch_answer_bytes };
    let (notes, answer) = (FailureNotes::default(), Arc::clone(&request.http.answer));
    let (noted, most) = (notes.clone(), if batch.minimal { 0 } else { limits.answer });
    let job = move |tx: &mut Tx<'_>, context: &RequestContext| {
        let run = || {
            let results = batch::run(tx, context, &batch, limits, &noted)?;
            Ok(results.into_iter().map(told).collect::<Vec<_>>())
        };
        answer.admitted(run, |told| length(told))
    };
    let once = request.idempotency_key()?;
    let form = AnswerForm { most, texts: request.takes_texts()? };
    match once::write(&request.tenant, &key, once, form, |told: &Vec<_>| memory(told), job).await {
        Ok(OnceOutcome::Done(told)) => Ok(preferences.note(Answer::json(answer_of(&told)))),
        Ok(OnceOutcome::Repeated(repetition)) => {
            let told = if let Repetition::Results(told) = repetition { told } else { Vec::new() };
            Ok(replayed(preferences.note(Answer::json(answer_of(&told)))))
        }
        Err(error) => Err(refused(BatchRefusal { error, failures: notes.take() })),
    }
}

/// The memory of a batch: ids, and failures that were kept.
fn memory(told: &[ToldResult]) -> OnceMemory {
    let remembered = told.iter().map(|result| match result {
        ToldResult::Done(outcome) => RememberedResult::of(outcome),
        ToldResult::Failed(failure) => RememberedResult::Failed(failure.clone()),
    });
    OnceMemory::Results(remembered.collect())
}

/// A result as it is told.
fn told(result: OperationResult) -> ToldResult {
    match result {
        OperationResult::Done(outcome) => ToldResult::Done(outcome),
        OperationResult::Failed(failure) => ToldResult::Failed(failed(&failure)),
    }
}

/// The problem of a batch that was refused, or that failed.
pub(super) fn refused(refusal: BatchRefusal) -> Problem {
    let BatchRefusal { error, failures } = refusal;
    let mut problem = Problem::from(error);
    if let Some(first) = failures.first() {
        problem.operation = Some(first.operation);
        problem.errors = failures.iter().flat_map(details).collect();
    }
    problem
}

fn details(failure: &OperationFailure) -> impl Iterator<Item = ProblemDetail> + '_ {
    failure.problems.iter().map(|placed| {
        let problem = placed.problem.clone();
        ProblemDetail {
            pointer: Some(placed.pointer.clone()),
            ..ProblemDetail::new(problem.property, problem.code, problem.message)
        }
    })
}

fn length(results: &[ToldResult]) -> usize {
    let bytes = |result: &ToldResult| match result {
        ToldResult::Done(OperationOutcome { data: Some(data), .. }) => data.len(),
        _ => 0,
    };
    results.iter().map(bytes).sum()
}

/// The body that tells the results.
fn answer_of(results: &[ToldResult]) -> Vec<u8> {
    let mut out = Vec::with_capacity(length(results) + 128 * results.len() + 16);
    out.extend_from_slice(b"{\"results\":[");
    for (index, result) in results.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        match result {
            ToldResult::Done(outcome) => write_outcome(&mut out, outcome),
            ToldResult::Failed(failure) => out.extend_from_slice(failure.to_string().as_bytes()),
        }
    }
    out.extend_from_slice(b"]}");
    out
}

fn write_outcome(out: &mut Vec<u8>, outcome: &OperationOutcome) {
    let _ = write!(out, "{{\"status\":{}", status(outcome.effect).as_u16());
    if let Some(id) = outcome.id {
        let _ = write!(out, ",\"id\":{id}");
    }
    for (name, text) in [("uuid", &outcome.uuid), ("etag", &outcome.etag)] {
        if let Some(text) = text {
            let _ = write!(out, ",\"{name}\":{}", Json::from(text.as_str()));
        }
    }
    if let Some(data) = &outcome.data {
        out.extend_from_slice(b",\"data\":");
        out.extend_from_slice(data);
    }
    out.push(b'}');
}

fn failed(failure: &OperationFailure) -> Json {
    let problem = Problem::from(failure.error.clone());
    let errors: Vec<Json> = details(failure).map(|detail| detail.json()).collect();
    json!({
        "status": problem.status.as_u16(),
        "error": {"code": problem.code, "detail": problem.message, "errors": errors},
    })
}

/// The status that the operation would have by itself.
fn status(effect: OperationEffect) -> StatusCode {
    match effect {
        OperationEffect::Accepted => StatusCode::ACCEPTED,
        OperationEffect::Created => StatusCode::CREATED,
        OperationEffect::Done | OperationEffect::Tagged => StatusCode::OK,
        OperationEffect::Deleted => StatusCode::NO_CONTENT,
    }
}
