//! Carrying out a bulk write, inside of its transaction.

use super::refusal::{RefusalReader, RefusedRow};
use super::request::{BulkAction, BulkRequest, LIMIT, MOST_ATOMIC};
use super::{begin, digest};
use crate::jobs;
use crate::trial;
use accounts::tags;
use accounts::tags::{Assignment, Tagged};
use context::audit;
use context::audit::{AuditEvent, EventKind};
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, ErrorKind, Result};
use model::kinds::PatchOperator;
use model::types::{ResourceAction, SystemPermission};
use query::request::ItemRef;
use resources::{Matching, Purpose, WriteTurn};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The outcome of a bulk write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BulkOutcome {
    /// The number of resources that the filters found.
    pub matched: usize,
    /// The number of resources that were changed.
    pub changed: usize,
    /// The resources that refused the change, and were left out.
    pub refused: Vec<RefusedRow>,
    /// The number of resources that went, of those that the caller sees, by type; told of a trial alone.
    pub deleted: Option<BTreeMap<String, i64>>,
    /// The digest of the resources before the change; told of a trial alone.
    pub digest: Option<String>,
    /// The job that changes them, where they are many.
    pub job: Option<i64>,
    /// True if they were counted, and too many to be tried.
    pub counted: bool,
}

impl BulkOutcome {
    /// The outcome as it is told.
    pub fn told(self) -> Json {
        let BulkOutcome { matched, changed, refused, deleted, digest, counted, .. } = self;
        let refused: Vec<Json> = refused.iter().map(RefusedRow::told).collect();
        let mut told = json!({"matched": matched, "changed": changed, "refused": refused});
        let counted = counted.then_some(Json::Bool(true));
        let digest = digest.map(Json::from);
        let members = [("deleted", deleted.map(|deleted| json!(deleted))), ("digest", digest), ("counted", counted)];
        for (name, value) in members.into_iter().filter_map(|(name, value)| Some((name, value?))) {
            told[name] = value;
        }
        told
    }
}

/// Changes all resources of a collection that the filters find and that the caller sees, in the order of their ids. They
/// are locked first: what does not match any more is out, and what matches later does not come in.
pub fn run(tx: &mut Tx<'_>, request: &RequestContext, collection: &str, bulk: &BulkRequest) -> Result<BulkOutcome> {
    let (action, purpose) = bulk.needs();
    let allowed = request.actor.allowed(&request.model, collection, action)?;
    if !bulk.automations {
        request.actor.require(SystemPermission::Admin)?;
    }
    turn(request, collection, action, bulk).max(WriteTurn::Beside).take(tx)?;
    let created = match bulk.imported {
        None => None,
        Some(job) => Some(jobs::created_by(tx, request, allowed.resource_type.id, job)?),
    };
    let found = resources::matching_ids(tx, request, collection, bulk.matching(), created.as_deref(), bulk.limit + 1)?;
    if found.len() > bulk.limit {
        let count = match created {
            None => resources::matching_count(tx, request, collection, bulk.matching())?,
            Some(ids) => {
                let found =
                    resources::matching_ids(tx, request, collection, bulk.matching(), Some(&ids), ids.len())?.len();
                i64::try_from(found).unwrap_or(i64::MAX)
            }
        };
        let limit = bulk.limit;
        let why = format!("more than the limit of {limit}. Send \"limit\", or narrow the filters");
        return Err(unexpected(count, &why));
    }
    let quiet = (!bulk.automations).then(|| request.quietly());
    if !bulk.automations && !bulk.trial {
        let event = AuditEvent::of_none(EventKind::AutomationsSkipped).with("type", collection);
        audit::record(request, event.with("matched", found.len()));
    }
    let request = quiet.as_ref().unwrap_or(request);
    if found.len() > LIMIT && !bulk.atomic {
        return begin_job(tx, request, allowed.resource_type.id, collection, bulk, found);
    }
    let items: Vec<ItemRef> = found.iter().copied().map(ItemRef::Id).collect();
    resources::lock_rows(tx, allowed.resource_type, &items, purpose)?;
    let ids = match found.is_empty() {
        true => found,
        false => resources::matching_ids(tx, request, collection, bulk.matching(), Some(&found), found.len())?,
    };
    bulk.check_count(ids.len())?;
    let digest = checked_digest(tx, request, collection, bulk, &ids)?;
    if !bulk.trial {
        return change_all(tx, request, collection, bulk, &ids);
    }
    let outcome = tried(tx, request, collection, bulk, &ids)?;
    Ok(BulkOutcome { digest, ..outcome })
}

/// The digest of the resources where it is told or expected; fails where it is another than expected.
fn checked_digest(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    bulk: &BulkRequest,
    ids: &[i64],
) -> Result<Option<String>> {
    let digest = match bulk.trial || bulk.digest.is_some() {
        true => Some(digest::of(tx, request, collection, ids)?),
        false => None,
    };
    if bulk.digest.is_some() && bulk.digest != digest {
        let message = "The resources are not those of the dry run any more, or have changed since.";
        return Err(Error::conflict("digest_differs", message));
    }
    Ok(digest)
}

/// Has a job change these resources. A trial tries them where they are not too many, and counts them else.
fn begin_job(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    type_id: i64,
    collection: &str,
    bulk: &BulkRequest,
    ids: Vec<i64>,
) -> Result<BulkOutcome> {
    bulk.check_count(ids.len())?;
    let digest = checked_digest(tx, request, collection, bulk, &ids)?;
    if bulk.trial && ids.len() <= MOST_ATOMIC {
        return Ok(BulkOutcome { digest, ..tried(tx, request, collection, bulk, &ids)? });
    }
    let matched = ids.len();
    let job = match bulk.trial {
        true => None,
        false => Some(begin::begin(tx, request, type_id, bulk, &ids)?),
    };
    Ok(BulkOutcome { matched, digest, job, counted: bulk.trial, ..BulkOutcome::default() })
}

/// Changes some of the resources of a job: those that the filters find still. One that refuses is left out and told.
pub(crate) fn run_some(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    bulk: &BulkRequest,
    ids: &[i64],
) -> Result<BulkOutcome> {
    let (action, purpose) = bulk.needs();
    let allowed = request.actor.allowed(&request.model, collection, action)?;
    turn(request, collection, action, bulk).max(WriteTurn::Beside).take(tx)?;
    if ids.is_empty() {
        return Ok(BulkOutcome::default());
    }
    let items: Vec<ItemRef> = ids.iter().copied().map(ItemRef::Id).collect();
    resources::lock_rows(tx, allowed.resource_type, &items, purpose)?;
    let ids = resources::matching_ids(tx, request, collection, bulk.matching(), Some(ids), ids.len())?;
    let lenient = BulkRequest { skip: true, ..bulk.clone() };
    if bulk.automations {
        return change_all(tx, request, collection, &lenient, &ids);
    }
    request.actor.require(SystemPermission::Admin)?;
    change_all(tx, &request.quietly(), collection, &lenient, &ids)
}

/// Changes the resources and undoes that.
fn tried(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    bulk: &BulkRequest,
    ids: &[i64],
) -> Result<BulkOutcome> {
    let read = request.reads.count();
    let outcome = trial::undone(tx, request, |tx, quiet| {
        let before = counts(tx, request, bulk)?;
        let lenient = BulkRequest { skip: true, ..bulk.clone() };
        let outcome = change_all(tx, quiet, collection, &lenient, ids)?;
        let after = counts(tx, request, bulk)?;
        let gone = before.into_iter().map(|(name, count)| (name.clone(), count - after.get(&name).unwrap_or(&0)));
        let gone: BTreeMap<String, i64> = gone.filter(|(_, count)| *count > 0).collect();
        let deleted = matches!(bulk.action, BulkAction::Delete).then_some(gone);
        Ok(BulkOutcome { deleted, ..outcome })
    });
    request.reads.forget(read);
    outcome
}

/// The number of resources that the caller sees of each type, where some may be deleted.
fn counts(tx: &mut Tx<'_>, request: &RequestContext, bulk: &BulkRequest) -> Result<BTreeMap<String, i64>> {
    let mut counts = BTreeMap::new();
    if matches!(bulk.action, BulkAction::Delete) {
        for of in &request.model.types {
            if request.actor.allowed_type(of, ResourceAction::Show).is_ok() {
                counts.insert(of.name.clone(), resources::matching_count(tx, request, &of.name, Matching::default())?);
            }
        }
    }
    Ok(counts)
}

fn change_all(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    collection: &str,
    bulk: &BulkRequest,
    ids: &[i64],
) -> Result<BulkOutcome> {
    let resource_type = request.actor.allowed(&request.model, collection, bulk.needs().0)?.resource_type;
    let mut refusals = RefusalReader::new(request, resource_type, bulk);
    let mut outcome = BulkOutcome { matched: ids.len(), ..BulkOutcome::default() };
    for id in ids {
        tx.check_deadline()?;
        let (noted, read) = (request.audit.count(), request.reads.count());
        let changed = match bulk.skip {
            true => tx.savepoint(|tx| change(tx, request, collection, bulk, *id)),
            false => change(tx, request, collection, bulk, *id),
        };
        match changed {
            Ok(()) => outcome.changed += 1,
            // One that went with another of them is gone as it was to be.
            Err(error) if error.kind == ErrorKind::Missing && matches!(bulk.action, BulkAction::Delete) => {
                outcome.changed += 1;
            }
            Err(error) if bulk.skip && is_refusal(&error) => {
                request.audit.forget(noted);
                request.reads.forget(read);
                outcome.refused.push(refusals.row(*id, error));
            }
            Err(error) if is_refusal(&error) => {
                return Err(Error { message: format!("{collection}/{id}: {}", error.message), ..error });
            }
            Err(error) => return Err(error),
        }
    }
    Ok(outcome)
}

/// Changes one resource, as the request for it alone does.
fn change(tx: &mut Tx<'_>, request: &RequestContext, collection: &str, bulk: &BulkRequest, id: i64) -> Result<()> {
    let item = ItemRef::Id(id);
    match &bulk.action {
        BulkAction::Patch(body) => resources::patch(tx, request, collection, &item, None, body).map(drop),
        BulkAction::Delete => resources::delete(tx, request, collection, &item, None),
        BulkAction::Tag(assignment) => {
            let of = Tagged { collection: collection.to_owned(), item: id.to_string() };
            tags::assign(tx, request, &Assignment { of, ..assignment.clone() }).map(drop)
        }
    }
}

impl BulkRequest {
    /// Fails for another number of resources than is expected.
    fn check_count(&self, count: usize) -> Result<()> {
        match self.expect {
            Some(expected) if expected != count => {
                let count = i64::try_from(count).unwrap_or(i64::MAX);
                Err(unexpected(count, &format!("and the request expects {expected}")))
            }
            _ => Ok(()),
        }
    }

    /// The conditions that each resource meets.
    fn matching(&self) -> Matching<'_> {
        Matching { filters: &self.filters, tags: self.tagged.as_ref() }
    }

    /// The right that each resource needs, and what it is locked for.
    fn needs(&self) -> (ResourceAction, Purpose) {
        match self.action {
            BulkAction::Delete => (ResourceAction::Delete, Purpose::Deletion),
            BulkAction::Patch(_) | BulkAction::Tag(_) => (ResourceAction::Edit, Purpose::Change),
        }
    }
}

fn turn(request: &RequestContext, collection: &str, action: ResourceAction, bulk: &BulkRequest) -> WriteTurn {
    let named = |name: &str| match &bulk.action {
        BulkAction::Patch(body) => body.members().keys().any(|member| PatchOperator::split(member).0 == name),
        BulkAction::Delete | BulkAction::Tag(_) => false,
    };
    resources::turn_ahead(request, collection, action, &named, false)
}

fn is_refusal(error: &Error) -> bool {
    matches!(error.kind, ErrorKind::Invalid | ErrorKind::Conflict | ErrorKind::Forbidden | ErrorKind::Missing)
}

fn unexpected(count: i64, why: &str) -> Error {
    Error::conflict("count_unexpected", format!("The filters find {count} resources, {why}. Nothing was changed."))
}
