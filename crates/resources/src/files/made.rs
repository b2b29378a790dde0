//! Files that expressions make: stored as uploads are, by the same rules and outside of any transaction, before the write
//! that gives them to a resource.

use super::promise;
use super::upload::{Target, over_quota, receive, used};
use bytes::Bytes;
use database::ReadCost;
use expression::value::FileValue;
use model::error::{Error, Result};
use sha2::{Digest as _, Sha256};
use std::sync::Arc;
use tenant::Tenant;

/// The most bytes of a file where its property does not say.
const MOST: u64 = 20 << 20;

/// The identity of a file, and of the property that is to have it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Made {
    type_id: i64,
    property: i64,
    title: String,
    digest: [u8; 32],
}

impl Made {
    /// A file for a property of a type.
    pub fn new(type_id: i64, property: i64, file: &FileValue) -> Self {
        let digest = Sha256::digest(file.data.as_bytes()).into();
        Made { type_id, property, title: file.title.clone(), digest }
    }
}

/// Stores a file for a property; gives the promise of it, which is that user's.
pub async fn store_made(tenant: &Arc<Tenant>, owner: i64, made: &Made, file: &FileValue) -> Result<String> {
    let quota = tenant.file_quota();
    let Made { type_id, property, .. } = *made;
    let target = tenant.read_elevated(ReadCost::Point, move |tx, request| {
        let left = quota.map(|quota| Ok::<_, Error>(quota.saturating_sub(used(tx)?))).transpose()?;
        let of = request.model.type_by_id(type_id);
        let found = of.and_then(|of| of.properties().iter().find(|known| known.id == property));
        let target = found.and_then(|property| Target::new(type_id, property, left));
        target.ok_or_else(|| Error::missing("property_missing", "There is no such property."))
    });
    let target = target.await?;
    let mut receiving = receive(tenant, &target, &made.title, None, MOST).await?;
    receiving.push(&Bytes::copy_from_slice(file.data.as_bytes())).await?;
    let received = receiving.finish().await?;
    let promised = tenant.write_elevated(move |tx, request| {
        if let Some(quota) = quota {
            tx.lock_store()?;
            if used(tx)?.saturating_add(received.size) > quota {
                return Err(over_quota());
            }
        }
        promise::write(tx, &request.elevated(owner), &target, std::slice::from_ref(&received))
    });
    // Where it fails, the bytes are swept.
    promised.await?.pop().ok_or_else(|| Error::failed("a file without a promise"))
}
