//! State of an import: its options, its destination, and the rows that wait.

use super::columns::{self, ImportColumn};
use super::file_keys::FileKeys;
use super::journal::GroupChanges;
use super::lease::ImportLease;
use super::lookups::ImportLookups;
use super::options::{ImportMode, ImportOptions};
use super::report::ImportReport;
use super::rights::{CallerRights, ImportRights};
use super::rows::WaitingRow;
use super::uuids::RowUuids;
use context::request_context::RequestContext;
use database::Tx;
use model::error::{Error, Result};
use model::kinds;
use model::kinds::StoredValue;
use model::types::{FIRST_PROPERTY, Property, ResourceAction, ResourceType};
use query::relation_filter;
use resources::ripple::WritePropagation;
use resources::turns;
use std::sync::Arc;

/// Hands all rows of a file to an import.
pub(super) type RowFeed<'f> = &'f mut dyn FnMut(&mut Import<'_, '_>) -> Result<()>;

/// Number of rows that are written at once.
pub(super) const BATCH: usize = 1_000;
/// The problems of a caller's rows that are kept in full.
const PROBLEMS: usize = 2_000;
/// The code of the error that ends a pass before its file ends.
pub(super) const STOPPED: &str = "import_stopped";

/// Destination of the rows.
pub(super) enum RowSink<'t, 'c> {
    /// Nowhere: they are counted, until there are too many for a short transaction.
    Count,
    /// Into one transaction.
    Whole(&'t mut Tx<'c>),
    /// Into short transactions, between which others write.
    Groups(&'t ImportLease<'t>),
    /// Nowhere: they are read, and their references found.
    Check(&'t mut Tx<'c>),
}

/// An import that goes on. Rows are handed to it in the order of the file.
pub struct Import<'t, 'c> {
    pub(super) sink: RowSink<'t, 'c>,
    pub(super) context: &'t RequestContext,
    pub(super) resource_type: &'t Arc<ResourceType>,
    pub(super) options: ImportOptions,
    pub(super) rights: ImportRights<'t>,
    /// Keys of the file's own rows, while rows are only read.
    pub(super) file_keys: FileKeys,
    /// The property that finds rows, and its place among the lookups; none where all rows are new.
    pub(super) key: Option<(&'t Property, usize)>,
    /// Values of new rows where the file is silent, by position.
    pub(super) defaults: Vec<Option<StoredValue>>,
    pub(super) header: Vec<ImportColumn<'t>>,
    pub(super) lookups: ImportLookups<'t>,
    pub(super) pending: Vec<WaitingRow>,
    pub(super) uuids: RowUuids,
    pub(super) ripple: WritePropagation,
    /// Changes since the last group, to be taken back.
    pub(super) done: GroupChanges,
    pub(super) report: ImportReport,
}

impl<'t, 'c> Import<'t, 'c> {
    /// Begins an import into a type, with all rights.
    pub(super) fn begin(
        sink: RowSink<'t, 'c>,
        context: &'t RequestContext,
        collection: &str,
        options: ImportOptions,
    ) -> Result<Self> {
        let resource_type = context.actor.allowed(&context.model, collection, ResourceAction::Edit)?.resource_type;
        Self::with_rights(sink, context, ImportRights::All, resource_type, options)
    }

    /// Begins an import into a type, with the rights of the caller.
    pub(super) fn begin_for_caller(
        sink: RowSink<'t, 'c>,
        context: &'t RequestContext,
        collection: &str,
        options: ImportOptions,
    ) -> Result<Self> {
        let (rights, resource_type) = CallerRights::new(context, collection, options.mode)?;
        Self::with_rights(sink, context, ImportRights::Caller(rights), resource_type, options)
    }

    fn with_rights(
        mut sink: RowSink<'t, 'c>,
        context: &'t RequestContext,
        rights: ImportRights<'t>,
        resource_type: &'t Arc<ResourceType>,
        options: ImportOptions,
    ) -> Result<Self> {
        if let RowSink::Whole(tx) = &mut sink {
            turns::to_change_many(tx, resource_type)?;
        }
        let seen_by = rights.are_limited().then_some(context);
        let mut lookups = ImportLookups::seen_by(seen_by, !matches!(sink, RowSink::Check(_)));
        let key = match options.mode {
            ImportMode::Create => None,
            ImportMode::Update | ImportMode::Upsert => {
                let property = columns::key(resource_type, options.key.as_deref())?;
                rights.check_key(property)?;
                Some((property, lookups.by(resource_type, property)?))
            }
        };
        // What a caller writes is held against filters row by row.
        for property in resource_type.properties().iter().filter(|_| !rights.are_limited()) {
            let Some(relation) = property.kind.relation() else { continue };
            if let Some(filter) = relation_filter::condition(&context.model, &context.actor, relation, context.now)? {
                lookups.filter(relation.type_id, property.position, filter);
            }
        }
        let most = rights.are_limited().then_some(PROBLEMS);
        let defaults = defaults(resource_type, context)?;
        Ok(Import {
            sink,
            context,
            resource_type,
            options,
            rights,
            file_keys: FileKeys::default(),
            key,
            defaults,
            header: Vec::new(),
            lookups,
            pending: Vec::with_capacity(BATCH),
            uuids: RowUuids::default(),
            ripple: WritePropagation::default(),
            done: GroupChanges::default(),
            report: ImportReport { most, ..ImportReport::default() },
        })
    }

    /// Returns the report as it is now.
    pub(super) fn report(self) -> ImportReport {
        let mut report = self.report;
        report.kept = !self.options.dry_run && (report.problem_count == 0 || self.options.keep_going);
        report
    }
}

fn defaults(resource_type: &ResourceType, context: &RequestContext) -> Result<Vec<Option<StoredValue>>> {
    let default = |property: &Property| {
        let wire = property.default.as_ref().filter(|_| property.position >= FIRST_PROPERTY);
        wire.map(|wire| kinds::accept(property.kind.as_ref(), wire, &context.value_context())).transpose()
    };
    let read = resource_type.fields.iter().map(default).collect::<Result<Vec<_>, _>>();
    read.map_err(|fault| Error::failed(format!("a default of {}: {}", resource_type.name, fault.text())))
}
