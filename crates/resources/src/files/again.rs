//! Files that come back from a backup: stored as uploads are, before the write that gives them to a resource.

use super::promise;
use super::upload::{Target, over_quota, receive, used};
use database::ReadCost;
use model::error::{Error, Result};
use std::sync::Arc;
use tenant::Tenant;
use tenant::storage::Content;

/// Stores a file for a property, given by the ids of its type and of itself; gives the promise of it, which is that of
/// commands.
pub async fn store_again(
    tenant: &Arc<Tenant>,
    [type_id, property]: [i64; 2],
    name: &str,
    mut content: Content,
) -> Result<String> {
    let quota = tenant.file_quota();
    let target = tenant.read_elevated(ReadCost::Point, move |tx, request| {
        let left = quota.map(|quota| Ok::<_, Error>(quota.saturating_sub(used(tx)?))).transpose()?;
        let of = request.model.type_by_id(type_id);
        let found = of.and_then(|of| of.properties().iter().find(|known| known.id == property));
        let target = found.and_then(|property| Target::new(type_id, property, left));
        target.ok_or_else(|| Error::missing("property_missing", "There is no such property."))
    });
    let target = target.await?;
    let mut receiving = receive(tenant, &target, name, None, u64::MAX).await?;
    while let Some(bytes) = content.next().await? {
        receiving.push(&bytes).await?;
    }
    let received = receiving.finish().await?;
    let promised = tenant.write_elevated(move |tx, request| {
        if let Some(quota) = quota {
            tx.lock_store()?;
            if used(tx)?.saturating_add(received.size) > quota {
                return Err(over_quota());
            }
        }
        promise::write(tx, &request.elevated(0), &target, std::slice::from_ref(&received))
    });
    // Where it fails, the bytes are swept.
    promised.await?.pop().ok_or_else(|| Error::failed("a file without a promise"))
}
