//! Carrying out a batch, inside of its transaction.

use super::failure::is_refusal;
use super::operation::{ItemTarget, Operation, OperationAction};
use super::references::{self, OperationReferences, ReferencePlace, ResultReference};
use super::request::Batch;
use super::{FailureNotes, OperationEffect, OperationFailure, OperationOutcome, OperationResult, locks};
use crate::upsert::{UpsertRequest, upsert};
use accounts::tags;
use accounts::tags::{Assignment, Tagged};
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, ErrorKind, InputProblem, Result};
use model::types::{ReadableRows, ResourceAction};
use query::request::{FieldsRequest, ItemRef};
use resources::{Body, Written};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::time::{Duration, Instant};

/// The limits of a batch.
#[derive(Clone, Copy, Debug)]
pub struct BatchLimits {
    /// The time within which it has to be carried out.
    pub time: Duration,
    /// The most bytes that the resources of its answer have together.
    pub answer: usize,
}

/// A batch while it is carried out.
struct BatchRun<'b> {
    batch: &'b Batch,
    references: Vec<OperationReferences>,
    limits: BatchLimits,
    begun: Instant,
    /// The time of the operation that took longest.
    longest: Duration,
    results: Vec<OperationResult>,
    /// Bytes of the answer so far.
    answered: usize,
}

/// Carries out the operations of a batch, one after the other. An atomic one fails with its first operation that does:
/// the failures are then among the notes, and the caller's transaction is undone.
pub fn run(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    batch: &Batch,
    limits: BatchLimits,
    notes: &FailureNotes,
) -> Result<Vec<OperationResult>> {
    notes.take();
    let references = references::check(request, batch).map_err(|failures| notes.put(failures))?;
    locks::take(tx, request, batch)?;
    // The locks of others are no work of this batch.
    let (begun, longest) = (Instant::now(), Duration::ZERO);
    let results = Vec::with_capacity(batch.operations.len());
    let mut run = BatchRun { batch, references, limits, begun, longest, results, answered: 0 };
    for index in 0..batch.operations.len() {
        let result = run.operation(tx, request, index)?;
        if let OperationResult::Failed(failure) = &result
            && batch.atomic
            && !batch.tells_all
        {
            return Err(notes.put(vec![failure.clone()]));
        }
        run.results.push(result);
    }
    let failed = |result: &OperationResult| match result {
        // A reference to a failure is not a failure of its own.
        OperationResult::Failed(failure) if failure.error.code != REFERENCE_FAILED => Some(failure.clone()),
        _ => None,
    };
    let failures: Vec<_> = run.results.iter().filter_map(failed).collect();
    if batch.atomic && !failures.is_empty() { Err(notes.put(failures)) } else { Ok(run.results) }
}

/// The code of an operation that refers to one that failed.
const REFERENCE_FAILED: &str = "reference_failed";
/// The time from which on one operation is thought to have waited for another write.
const WAITED: Duration = Duration::from_millis(500);

impl BatchRun<'_> {
    /// Carries out an operation; where others are tried behind one that fails, in a part of its own.
    fn operation(&mut self, tx: &mut Tx<'_>, request: &RequestContext, index: usize) -> Result<OperationResult> {
        self.check_limits(tx)?;
        let (noted, read, started) = (request.audit.count(), request.reads.count(), Instant::now());
        let outcome = match self.batch.atomic && !self.batch.tells_all {
            true => self.attempt(tx, request, index),
            false => tx.savepoint(|tx| self.attempt(tx, request, index)),
        };
        self.longest = self.longest.max(started.elapsed());
        match outcome {
            Ok(outcome) => {
                self.answered += outcome.data.as_ref().map_or(0, Vec::len);
                Ok(OperationResult::Done(outcome))
            }
            Err(AttemptError::Refused(failure)) => {
                // Nothing is written down of an operation that was undone.
                request.audit.forget(noted);
                request.reads.forget(read);
                Ok(OperationResult::Failed(*failure))
            }
            Err(AttemptError::Broken(error)) => Err(error),
        }
    }

    fn check_limits(&self, tx: &Tx<'_>) -> Result<()> {
        tx.check_deadline()?;
        if self.begun.elapsed() > self.limits.time {
            if tx.has_other_writers() && self.longest >= WAITED.max(self.limits.time / 2) {
                let message = "An operation took most of the time, as one that waits for another write, and none was \
                               carried out. Try again, or send fewer at a time.";
                return Err(Error::new(ErrorKind::Busy, "busy", message));
            }
            let message = "The operations took too long together, and none was carried out. Send fewer at a time.";
            return Err(Error::new(ErrorKind::TooLarge, "batch_too_long", message));
        }
        if self.answered > self.limits.answer {
            let message = "The answer has too many bytes, and no operation was carried out. Send \"return\": \
                           \"minimal\", or fewer operations at a time.";
            return Err(Error::new(ErrorKind::TooLarge, "batch_answer_too_large", message));
        }
        Ok(())
    }

    fn attempt(
        &self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        index: usize,
    ) -> Result<OperationOutcome, AttemptError> {
        let operation = &self.batch.operations[index];
        let mut outcome = Attempt { run: self, operation, index }.carry_out(tx, request)?;
        if self.batch.minimal {
            outcome.data = None;
        }
        Ok(outcome)
    }
}

/// The end of an operation that was not carried out.
enum AttemptError {
    /// Its input was refused.
    Refused(Box<OperationFailure>),
    /// The whole batch fails, or runs again.
    Broken(Error),
}

impl From<database::Error> for AttemptError {
    fn from(error: database::Error) -> Self {
        AttemptError::Broken(error.into())
    }
}

/// One operation.
struct Attempt<'r, 'b> {
    run: &'r BatchRun<'b>,
    operation: &'r Operation,
    index: usize,
}

impl Attempt<'_, '_> {
    fn carry_out(&self, tx: &mut Tx<'_>, request: &RequestContext) -> Result<OperationOutcome, AttemptError> {
        let collection = self.operation.collection.as_str();
        let of = |effect, written: Written| {
            OperationOutcome::of_resource(effect, collection, written.id, written.body, written.etag)
        };
        let item = |tx: &mut Tx<'_>| self.item(tx, request);
        match &self.operation.action {
            OperationAction::Create { .. } => {
                let body = self.body(tx, request, "set")?;
                let written = resources::create(tx, request, collection, &body);
                Ok(of(OperationEffect::Created, self.placed(written)?))
            }
            OperationAction::Replace { if_match, .. } => {
                let (item, body) = (item(tx)?, self.body(tx, request, "set")?);
                let written = resources::replace(tx, request, collection, &item, if_match.as_ref(), &body);
                Ok(of(OperationEffect::Done, self.placed(written)?))
            }
            OperationAction::Patch { if_match, .. } => {
                let (item, body) = (item(tx)?, self.body(tx, request, "set")?);
                let written = resources::patch(tx, request, collection, &item, if_match.as_ref(), &body);
                Ok(of(OperationEffect::Done, self.placed(written)?))
            }
            OperationAction::Delete { if_match, .. } => {
                let item = item(tx)?;
                self.placed(resources::delete(tx, request, collection, &item, if_match.as_ref()))?;
                Ok(self.without_resource(OperationEffect::Deleted, &item, None))
            }
            OperationAction::Upsert { key, create, conflict, .. } => {
                let set = self.body(tx, request, "set")?;
                let create = create.as_ref().map(|_| self.body(tx, request, "create")).transpose()?;
                let request_of = UpsertRequest {
                    key,
                    values: &set,
                    set: &set,
                    create: create.as_deref(),
                    conflict: *conflict,
                    if_match: None,
                };
                let (new, written) = self.placed(upsert(tx, request, collection, request_of))?;
                Ok(of(if new { OperationEffect::Created } else { OperationEffect::Done }, written))
            }
            OperationAction::Get { fields, .. } => {
                let item = item(tx)?;
                let body = self.placed(resources::get(tx, request, collection, &item, fields))?;
                let id = self.placed(id_of(tx, request, collection, &item))?;
                let etag = resources::etag(request, &body);
                Ok(OperationOutcome::of_resource(OperationEffect::Done, collection, id, body, etag))
            }
            OperationAction::Tag { assignment, .. } => {
                let item = item(tx)?;
                let of = Tagged { collection: collection.to_owned(), item: text_of(&item) };
                let assignment = Assignment { of, ..assignment.clone() };
                let tags = self.placed(tags::assign(tx, request, &assignment))?;
                Ok(self.without_resource(OperationEffect::Tagged, &item, Some(tags)))
            }
        }
    }

    fn without_resource(&self, effect: OperationEffect, item: &ItemRef, data: Option<Vec<u8>>) -> OperationOutcome {
        let told = data.as_ref().and_then(|data| serde_json::from_slice::<Json>(data).ok()?["objectId"].as_i64());
        let id = if let ItemRef::Id(id) = item { Some(*id) } else { told };
        let collection = self.operation.collection.clone();
        OperationOutcome { effect, collection, id, uuid: None, etag: None, data }
    }

    /// The resource that the operation names.
    fn item(&self, tx: &mut Tx<'_>, request: &RequestContext) -> Result<ItemRef, AttemptError> {
        match self.operation.action.item() {
            Some(ItemTarget::Item(item)) => self.placed(item.clone()),
            Some(ItemTarget::Reference(_)) => {
                let own = &self.run.references[self.index];
                let found = own.iter().find(|(place, _)| *place == ReferencePlace::Item);
                let (place, reference) = found.ok_or_else(|| broken("a reference was not checked"))?;
                let value = self.value(tx, request, place, reference)?;
                let item = match &value {
                    Json::Number(id) => ItemRef::parse(&id.to_string()),
                    Json::String(uuid) => ItemRef::parse(uuid),
                    _ => Err(query::request::item_missing()),
                };
                self.placed(item)
            }
            None => Err(broken("an operation names nothing")),
        }
    }

    /// The fields that the operation gives, with the values of its references.
    fn body(&self, tx: &mut Tx<'_>, request: &RequestContext, part: &str) -> Result<Cow<'_, Body>, AttemptError> {
        let fields = self.operation.action.fields();
        let found = fields.iter().find(|(name, _)| *name == part);
        let (_, fields) = found.ok_or_else(|| broken("an operation has no fields"))?;
        let refused = |error: Error| match error.kind {
            // The password, which was looked at by itself.
            ErrorKind::Invalid if error.problems.is_empty() => self.failed(error, |_| format!("/{part}/password")),
            _ => self.failed(error, |problem| self.place_or(problem, "")),
        };
        let body = fields.body.as_ref().map_err(|error| refused(error.clone()))?;
        let mut members = None;
        for (place, reference) in &self.run.references[self.index] {
            let ReferencePlace::Value(of, member, index) = place else { continue };
            if *of != part {
                continue;
            }
            let value = self.value(tx, request, place, reference)?;
            let members = members.get_or_insert_with(|| body.members().clone());
            match (members.get_mut(member), index) {
                (Some(slot), None) => *slot = value,
                (Some(Json::Array(slots)), Some(index)) if *index < slots.len() => slots[*index] = value,
                _ => {}
            }
        }
        Ok(members.map_or(Cow::Borrowed(body), |members| Cow::Owned(body.with_members(members))))
    }

    /// The value that a reference stands for: as the caller reads the resource now.
    fn value(
        &self,
        tx: &mut Tx<'_>,
        request: &RequestContext,
        place: &ReferencePlace,
        reference: &ResultReference,
    ) -> Result<Json, AttemptError> {
        let below = || place.pointer(self.operation);
        let refused = |message: String| {
            let place = self.run.batch.place;
            let failure = OperationFailure::at(place, self.index, &below(), REFERENCE_FAILED, message);
            AttemptError::Refused(Box::new(failure))
        };
        let outcome = match self.run.results.get(reference.operation) {
            Some(OperationResult::Done(outcome)) => outcome,
            _ => return Err(refused("It refers to an operation that failed.".to_owned())),
        };
        let id = outcome.id.ok_or_else(|| broken("a result has no id"))?;
        let Some(field) = &reference.field else { return Ok(id.into()) };
        let fields = FieldsRequest { show: Some(vec![field.clone()]), ..FieldsRequest::default() };
        let read = resources::get(tx, request, &outcome.collection, &ItemRef::Id(id), &fields);
        let read = read.and_then(|body| serde_json::from_slice::<Json>(&body).map_err(|_| Error::failed("no JSON")));
        let read = read.map_err(|error| self.failed(error, |_| below()))?;
        // A hidden field is absent. Null in its place would be written.
        let shown = read.get(field).cloned();
        let shown = shown.or_else(|| is_inapplicable(request, &outcome.collection, field).then_some(Json::Null));
        shown.ok_or_else(|| refused(format!("It refers to {field:?}, which the resource does not show.")))
    }

    /// Tells the place of an error.
    fn placed<T>(&self, outcome: Result<T>) -> Result<T, AttemptError> {
        outcome.map_err(|error| {
            let whole = match error.kind {
                ErrorKind::Changed => "/ifMatch",
                ErrorKind::Missing if error.code == "item_missing" => "/item",
                ErrorKind::Missing => "/type",
                _ => "",
            };
            self.failed(error, |problem| self.place_or(problem, whole))
        })
    }

    /// The place of a problem below the operation; the given one for what has no property.
    fn place_or(&self, problem: &InputProblem, whole: &str) -> String {
        if problem.property.is_empty() { whole.to_owned() } else { self.place(problem) }
    }

    fn failed(&self, error: Error, below: impl Fn(&InputProblem) -> String) -> AttemptError {
        match is_refusal(&error) {
            true => {
                let failure = OperationFailure::new(self.run.batch.place, self.index, error, below);
                AttemptError::Refused(Box::new(failure))
            }
            false => AttemptError::Broken(error),
        }
    }

    /// The place of a property below the operation.
    fn place(&self, problem: &InputProblem) -> String {
        let fields = self.operation.action.fields();
        let named = |name: &str| {
            let part = fields
                .iter()
                .find(|(_, fields)| fields.body.as_ref().is_ok_and(|body| body.members().contains_key(name)));
            part.or(fields.first())
        };
        match named(&problem.property) {
            Some((part, fields)) => format!("/{part}{}", fields.place(&problem.property)),
            None => format!("/{}", problem.property),
        }
    }
}

/// The id of a resource that the caller reads.
fn id_of(tx: &mut Tx<'_>, request: &RequestContext, collection: &str, item: &ItemRef) -> Result<i64> {
    if let ItemRef::Id(id) = item {
        return Ok(*id);
    }
    let fields = FieldsRequest { show: Some(vec!["id".to_owned()]), ..FieldsRequest::default() };
    let body = resources::get(tx, request, collection, item, &fields)?;
    let read = serde_json::from_slice::<Json>(&body).ok().and_then(|body| body["id"].as_i64());
    read.ok_or_else(|| Error::failed("a resource without an id"))
}

fn text_of(item: &ItemRef) -> String {
    match item {
        ItemRef::Id(id) => id.to_string(),
        ItemRef::Uuid(uuid) => uuid::Uuid::from_bytes(*uuid).to_string(),
    }
}

fn broken(detail: &str) -> AttemptError {
    AttemptError::Broken(Error::failed(detail))
}

/// Returns true if a property is absent since its condition does not hold: all rows show it otherwise.
fn is_inapplicable(request: &RequestContext, collection: &str, name: &str) -> bool {
    request.model.type_named(collection).is_some_and(|of| {
        let shown = request.actor.allowed_type(of, ResourceAction::Show).ok();
        of.field(name).zip(shown).is_some_and(|(property, shown)| {
            let all = matches!(shown.shown, ReadableRows::Everything);
            property.conditional && all && shown.readable.contains(property)
        })
    })
}
