//! Imports in short transactions, between which others write.

use super::lease::ImportLease;
use super::options::ImportOptions;
use super::report::ImportReport;
use super::state::{Import, RowFeed, RowSink, STOPPED};
use model::error::Result;
use tenant::Tenant;

/// Writes rows that were checked, in groups.
pub(super) fn import_in_groups(
    tenant: &Tenant,
    collection: &str,
    options: &ImportOptions,
    feed: RowFeed<'_>,
) -> Result<ImportReport> {
    let (lease, context) = ImportLease::begin(tenant, collection)?;
    let mut import = Import::begin(RowSink::Groups(&lease), &context, collection, options.clone())?;
    let type_id = import.resource_type.id;
    let fed = feed(&mut import).and_then(|()| import.flush());
    let report = import.report();
    let outcome = match fed {
        Ok(()) if report.kept => match lease.keep() {
            Ok(()) => {
                lease.end_kept();
                return Ok(report);
            }
            Err(error) => Err(error),
        },
        Ok(()) => Ok(report),
        Err(error) if error.code == STOPPED => Ok(report),
        Err(error) => Err(error),
    };
    match lease.take_back(type_id) {
        Ok(()) => outcome,
        Err(error) => {
            let id = lease.id();
            tracing::warn!(import = id, %error, "an import is not taken back yet: the next import, or the next look of a server, does so");
            outcome.and(Err(error))
        }
    }
}
