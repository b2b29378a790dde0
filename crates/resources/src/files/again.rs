//! Files that come back from a backup: stored as uploads are, before the write that gives them to a resource.

use super::promised::{find_target, write_promise};
use super::upload::receive;
use model::error::Result;
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
    let target = find_target(tenant, type_id, property).await?;
    let mut receiving = receive(tenant, &target, name, None, u64::MAX).await?;
    while let Some(bytes) = content.next().await? {
        receiving.push(&bytes).await?;
    }
    let received = receiving.finish().await?;
    write_promise(tenant, 0, target, received).await
}
