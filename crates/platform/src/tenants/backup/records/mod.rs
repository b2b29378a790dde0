//! Records of one type that come back from a backup, as ordinary writes: the archive is restored aside, queried there,
//! and compared with the tenant of today.

mod batch;
mod comparison;
mod former;
mod outcome;
mod properties;
mod record_files;
mod restoring;
mod selection;
mod today;

pub use outcome::{ComparedRecord, LeftOutProperty, PropertyDifference, RecordState, RecordsOutcome};

use super::create::scratch_database;
use super::restore::RestoreOptions;
use super::scratch::Scratch;
use crate::tenants::{Platform, Settings};
use backups::{Identities, Manifest};
use model::error::Result;
use properties::SharedProperties;
use restoring::Restoring;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use tenant::Tenant;
use tenant::storage::FileStorage;

/// The records that are to come back.
#[derive(Clone, Debug, Default)]
pub struct RecordsRequest {
    /// The name of their type.
    pub collection: String,
    /// The condition on the archive's records, `{=…}`; without one, all are meant.
    pub condition: Option<String>,
    /// The properties that are compared; empty for all. Records that are missing stay so where some are named.
    pub properties: Vec<String>,
    /// True if records are to be written, and not only compared.
    pub apply: bool,
    /// True if automations hear of it.
    pub automations: bool,
}

/// A backup that was restored aside, to be read.
pub struct RecordsArchive {
    /// The description of the backup.
    pub manifest: Manifest,
    tenant: Arc<Tenant>,
    _platform: Arc<Platform>,
    /// The last to go: the folder of all of it.
    _scratch: Scratch,
}

impl Platform {
    /// Restores a backup within a folder, for as long as it is read. `progress` is told the bytes that were read.
    pub fn open_archive(
        self: &Arc<Self>,
        path: &Path,
        identities: &Identities,
        scratch: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<RecordsArchive> {
        let scratch = Scratch::within(scratch)?;
        let aside = self.aside(&scratch)?;
        let options = RestoreOptions { identities: Some(identities), ..RestoreOptions::default() };
        let restored = aside.restore(path, options, scratch.path(), progress)?;
        let tenant = aside.open(&restored.tenant)?;
        Ok(RecordsArchive { manifest: restored.manifest, tenant, _platform: aside, _scratch: scratch })
    }

    /// A platform within a scratch folder, with the same master key.
    pub(super) fn aside(&self, scratch: &Scratch) -> Result<Arc<Platform>> {
        let folder = scratch.path().join("tenants");
        let settings = Settings {
            files: FileStorage::folders(folder.clone(), "files".into()),
            key: self.settings.key.clone(),
            ..Settings::default()
        };
        Ok(Platform::new(scratch_database(&folder)?, self.environment().clone(), settings))
    }
}

/// A listener to records that come back.
pub trait RecordsListener {
    /// Hears of a record that is missing or differs, or of which something does not come back. Where records are
    /// written, that was tried.
    fn record(&mut self, record: &ComparedRecord) -> Result<()>;
    /// Hears how many records more were compared.
    fn compared(&mut self, records: u64);
}

impl RecordsArchive {
    /// Compares records of the archive with those of a tenant, and writes them where that is asked for. Each batch has a
    /// transaction of its own.
    pub fn restore_records(
        &self,
        tenant: &Arc<Tenant>,
        request: &RecordsRequest,
        listener: &mut dyn RecordsListener,
    ) -> Result<RecordsOutcome> {
        let collection = self.tenant.read_as_administrator(|_, context| {
            selection::type_named(context, &request.collection, "The archive").map(|of| of.name.clone())
        })?;
        let left_out = self.left_out(tenant, &collection, &request.properties)?;
        let outcome = RecordsOutcome {
            tenant: tenant.name().to_owned(),
            made: self.manifest.made,
            collection: collection.clone(),
            applied: request.apply,
            matching: 0,
            missing: 0,
            differing: 0,
            same: 0,
            new: None,
            created: 0,
            changed: 0,
            refused: 0,
            left_out,
        };
        let request = &RecordsRequest { collection, ..request.clone() };
        Restoring { archive: self, tenant, request, outcome, begun: HashSet::new(), listener }.run()
    }

    /// The properties of the archive that no record gets. Fails where records of the type cannot come back.
    fn left_out(&self, tenant: &Tenant, collection: &str, named: &[String]) -> Result<Vec<LeftOutProperty>> {
        self.tenant.read_as_administrator(|_, then| {
            let of = selection::type_named(then, collection, "The archive")?;
            tenant.read_as_administrator(|_, now| {
                let today = selection::type_named(now, collection, &format!("The tenant {}", tenant.name()))?;
                SharedProperties::of(of, today, named).map(|properties| properties.left_out)
            })
        })
    }
}
