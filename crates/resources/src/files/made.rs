//! Files that expressions make: stored as uploads are, by the same rules and outside of any transaction, before the write
//! that gives them to a resource.

use super::promised::{find_target, write_promise};
use super::upload::receive;
use bytes::Bytes;
use expression::value::FileValue;
use model::error::Result;
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
    let Made { type_id, property, .. } = *made;
    let target = find_target(tenant, type_id, property).await?;
    let mut receiving = receive(tenant, &target, &made.title, None, MOST).await?;
    receiving.push(&Bytes::copy_from_slice(file.data.as_bytes())).await?;
    let received = receiving.finish().await?;
    write_promise(tenant, owner, target, received).await
}
