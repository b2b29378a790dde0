//! A batch of records: compared, and written in one transaction where each that is refused is left out.

use super::comparison::{Comparing, Comparison, RecordWrite};
use super::former::{FormerRecord, FormerRecords};
use super::record_files::{self, FilePromises};
use super::today::Today;
use super::{RecordsArchive, RecordsRequest};
use accounts::tags::{self, Assignment, Operation, Tagged};
use context::audit::{self, AuditEvent, EventKind, RequestChannel, RequestSource};
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, ErrorKind, Result};
use query::request::ItemRef;
use resources::{Purpose, turns};
use std::collections::HashSet;
use std::sync::Arc;
use tenant::Tenant;

/// The most times that a batch is begun anew while the database is busy.
const TRIES: usize = 5;

/// Records that were compared, and written where that was asked for.
#[derive(Default)]
pub(super) struct BatchOutcome {
    pub compared: Vec<Comparison>,
    /// The records that were created or changed.
    pub written: HashSet<i64>,
    created: usize,
    changed: usize,
}

impl BatchOutcome {
    /// Notes a record that was written.
    fn note(&mut self, comparison: &Comparison) {
        match comparison.write {
            RecordWrite::Nothing => return,
            RecordWrite::Create(..) => self.created += 1,
            RecordWrite::Change(_) => self.changed += 1,
        }
        self.written.insert(comparison.told.id);
    }
}

/// The work on a batch.
pub(super) struct Batch<'b> {
    pub archive: &'b RecordsArchive,
    pub tenant: &'b Arc<Tenant>,
    pub request: &'b RecordsRequest,
    pub former: &'b FormerRecords,
    /// True if no other record comes back afterwards.
    pub last: bool,
}

impl Batch<'_> {
    /// Compares the records, and writes nothing.
    pub(super) fn compare(&self) -> Result<BatchOutcome> {
        let promises = FilePromises { compared: true, ..FilePromises::default() };
        self.tenant.read_as_administrator(|tx, context| {
            tx.snapshot()?;
            let mut today = self.today(tx, context, Purpose::Look)?;
            if self.request.properties.is_empty() {
                // Others may refer to records that come back.
                let name = &self.former.of.name;
                today.targets.extend(self.former.coming.iter().map(|id| (name.clone(), *id)));
            }
            let compared = self.compared(&today, &promises)?;
            Ok(BatchOutcome { compared, ..BatchOutcome::default() })
        })
    }

    /// Writes the records that are missing or differ.
    pub(super) fn write(&self) -> Result<BatchOutcome> {
        let promises = self.bring_files()?;
        let mut tries = 0;
        loop {
            tries += 1;
            match self.tenant.write_as_administrator(|tx, context| self.write_within(tx, context, &promises)) {
                Err(error) if error.kind == ErrorKind::Busy && tries < TRIES => {}
                outcome => return outcome,
            }
        }
    }

    fn today<'t>(&self, tx: &mut Tx<'_>, context: &'t RequestContext, purpose: Purpose) -> Result<Today<'t>> {
        Today::read(tx, context, self.former, &self.request.properties, purpose)
    }

    fn compared(&self, today: &Today<'_>, promises: &FilePromises) -> Result<Vec<Comparison>> {
        self.former.records.iter().map(|record| self.compared_one(today, promises, record)).collect()
    }

    fn compared_one(&self, today: &Today<'_>, promises: &FilePromises, record: &FormerRecord) -> Result<Comparison> {
        let mut comparison = Comparing { former: self.former, today, promises, last: self.last }.record(record)?;
        if matches!(comparison.write, RecordWrite::Create(..)) {
            let lost = record.tags.iter().filter(|tag| !today.tags.contains(*tag));
            comparison.told.notes.extend(lost.map(|tag| format!("the tag {tag} is missing today")));
            if !self.request.properties.is_empty() {
                // Some properties make no record.
                comparison.write = RecordWrite::Nothing;
                comparison.waits = false;
                comparison.told.notes = vec!["it stays missing, since properties were named".to_owned()];
            }
        }
        Ok(comparison)
    }

    /// Brings the files that the records lack, before their transaction.
    fn bring_files(&self) -> Result<FilePromises> {
        let has_files = self.former.of.properties().iter().any(|property| property.kind.files().is_some());
        if !has_files {
            return Ok(FilePromises::default());
        }
        let lacking = self.tenant.read_as_administrator(|tx, context| {
            let today = self.today(tx, context, Purpose::Look)?;
            let compared = self.compared(&today, &FilePromises { compared: true, ..FilePromises::default() })?;
            Ok(record_files::lacking(self.former, &today, &compared))
        })?;
        record_files::bring(&self.archive.tenant, self.tenant, lacking)
    }

    fn write_within(&self, tx: &mut Tx<'_>, context: &RequestContext, promises: &FilePromises) -> Result<BatchOutcome> {
        let context =
            context.come_from(RequestSource { via: RequestChannel::Restore, ..RequestSource::default() }).in_job();
        let context = if self.request.automations { context } else { context.quietly() };
        if let Some(of) = context.model.collection(&self.former.of.name) {
            turns::to_change_many(tx, of)?;
        }
        let mut today = self.today(tx, &context, Purpose::Change)?;
        let mut done = BatchOutcome::default();
        for record in &self.former.records {
            tx.check_deadline()?;
            let mut comparison = self.compared_one(&today, promises, record)?;
            let kept = record.tags.iter().filter(|tag| today.tags.contains(*tag)).cloned().collect();
            let (noted, read) = (context.audit.count(), context.reads.count());
            match tx.savepoint(|tx| self.write_one(tx, &context, &comparison, kept)) {
                Ok(()) => {
                    done.note(&comparison);
                    if matches!(comparison.write, RecordWrite::Create(..)) {
                        // Those behind it may refer to it.
                        today.targets.insert((self.former.of.name.clone(), record.id));
                    }
                }
                Err(error) if is_refusal(&error) => {
                    context.audit.forget(noted);
                    context.reads.forget(read);
                    comparison.told.refused = Some(reason(error));
                }
                Err(error) => return Err(error),
            }
            done.compared.push(comparison);
        }
        self.record(&context, &done);
        Ok(done)
    }

    /// Writes a record, as a request for it alone does.
    fn write_one(
        &self,
        tx: &mut Tx<'_>,
        context: &RequestContext,
        comparison: &Comparison,
        tags: Vec<String>,
    ) -> Result<()> {
        let collection = &self.former.of.name;
        match &comparison.write {
            RecordWrite::Nothing => Ok(()),
            RecordWrite::Change(body) => {
                let item = ItemRef::Id(comparison.told.id);
                resources::patch(tx, context, collection, &item, None, body).map(drop)
            }
            RecordWrite::Create(body, origin) => {
                resources::create_again(tx, context, collection, body, origin)?;
                if tags.is_empty() {
                    return Ok(());
                }
                let of = Tagged { collection: collection.clone(), item: comparison.told.id.to_string() };
                tags::assign(tx, context, &Assignment { of, operation: Operation::Add, tags }).map(drop)
            }
        }
    }

    /// Notes what was written in the audit log.
    fn record(&self, context: &RequestContext, done: &BatchOutcome) {
        let BatchOutcome { created, changed, .. } = *done;
        if created + changed == 0 {
            return;
        }
        let event = AuditEvent::of_none(EventKind::RecordsRestored).with("type", self.former.of.name.as_str());
        let event = event.with("made", self.archive.manifest.made.to_string()).with("created", created);
        audit::record(context, event.with("changed", changed).with("automations", self.request.automations));
    }
}

fn is_refusal(error: &Error) -> bool {
    matches!(
        error.kind,
        ErrorKind::Invalid | ErrorKind::Conflict | ErrorKind::Forbidden | ErrorKind::Missing | ErrorKind::TooLarge
    )
}

/// The reason of a refusal: all problems of it.
fn reason(error: Error) -> String {
    let mut messages: Vec<String> = error.problems.into_iter().map(|problem| problem.message).collect();
    messages.dedup();
    if messages.is_empty() { error.message } else { messages.join(" ") }
}
