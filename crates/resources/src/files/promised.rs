//! The two ends of storing bytes that no upload brings: the property that they are for, and the promise of them.

use super::promise;
use super::upload::{Received, Target, over_quota, used};
use database::ReadCost;
use model::error::{Error, Result};
use std::sync::Arc;
use tenant::Tenant;

/// Returns the target of a file, by the ids of its type and property, with the room that is left.
pub(super) async fn find_target(tenant: &Arc<Tenant>, type_id: i64, property: i64) -> Result<Target> {
    let quota = tenant.file_quota();
    let target = tenant.read_elevated(ReadCost::Point, move |tx, request| {
        let left = quota.map(|quota| Ok::<_, Error>(quota.saturating_sub(used(tx)?))).transpose()?;
        let of = request.model.type_by_id(type_id);
        let found = of.and_then(|of| of.properties().iter().find(|known| known.id == property));
        let target = found.and_then(|property| Target::new(type_id, property, left));
        target.ok_or_else(|| Error::missing("property_missing", "There is no such property."))
    });
    target.await
}

/// Writes the promise of bytes that were stored, which is that user's; returns its text.
pub(super) async fn write_promise(
    tenant: &Arc<Tenant>,
    owner: i64,
    target: Target,
    received: Received,
) -> Result<String> {
    let quota = tenant.file_quota();
    let promised = tenant.write_elevated(move |tx, request| {
        if let Some(quota) = quota {
            tx.lock_store()?;
            if used(tx)?.saturating_add(received.size) > quota {
                return Err(over_quota());
            }
        }
        promise::write(tx, &request.elevated(owner), &target, std::slice::from_ref(&received))
    });
    // Bytes of a failed try are swept.
    promised.await?.pop().ok_or_else(|| Error::failed("a file without a promise"))
}
