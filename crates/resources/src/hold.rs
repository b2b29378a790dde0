//! Locks on rows that decide about a write, taken before the rows are read.
//!
//! A write reads other resources: its rules do along relations, and so do grants and the filters of relations. Each row
//! is locked by the statement that reads it, hop by hop, and stays as it is until the transaction ends. A row that the
//! write may change itself is locked as for a change at once: of two that hold it as readers, neither could go on.

use super::record;
use crate::expressions::{Parts, PlatformProviders};
use context::actor::Allowed;
use context::request_context::RequestContext;
use context::stored_resource::StoredResource;
use database::Tx;
use model::error::{Error, Result};
use model::kinds::StoredValue;
use model::types::{ReadableRows, ResourceType};
use serde_json::Value as Json;
use std::sync::Arc;

/// Locks all that grants look at beside the row, which has these values.
pub(super) fn grants(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    allowed: &Allowed<'_>,
    values: &[StoredValue],
) -> Result<()> {
    let paths = paths_of_grants(allowed);
    if paths.is_empty() {
        return Ok(());
    }
    along(tx, request, allowed.resource_type, allowed.resource_type, vec![values.to_vec()], &paths)
}

/// Locks all that grants look at beside a resource, which is locked.
pub fn grants_on(tx: &mut Tx<'_>, request: &RequestContext, allowed: &Allowed<'_>, id: i64) -> Result<()> {
    if paths_of_grants(allowed).is_empty() {
        return Ok(());
    }
    let values = record::stored(tx, allowed.resource_type, id)?;
    grants(tx, request, allowed, &values)
}

/// Returns whether grants look at rows beside the written one.
pub(super) fn follow_paths(allowed: &Allowed<'_>) -> bool {
    !paths_of_grants(allowed).is_empty()
}

/// Returns the paths that grants follow from a row to others.
pub(super) fn paths_of_grants<'a>(allowed: &'a Allowed<'_>) -> Vec<&'a [String]> {
    let shown = match allowed.withheld.as_ref().unwrap_or(&allowed.shown) {
        ReadableRows::Some(rows) => Some(rows),
        ReadableRows::Everything | ReadableRows::Nothing => None,
    };
    let grants = allowed.limited.iter().chain(shown).flat_map(|rows| &rows.some);
    let rules = grants.flat_map(|grant| grant.rows.iter().chain(&grant.check));
    rules.flat_map(|rule| &rule.paths).map(Vec::as_slice).collect()
}

/// Returns the paths that the filter of a relation follows from its target to others.
pub(super) fn paths_of_filter(filter: &[Json]) -> Vec<Vec<String>> {
    fn within(json: &Json, paths: &mut Vec<Vec<String>>) {
        let members: Vec<&Json> = match json {
            Json::Array(members) => members.iter().collect(),
            Json::Object(members) => members.values().collect(),
            _ => Vec::new(),
        };
        if let Some(name) = json.get("property").and_then(Json::as_str).filter(|name| name.contains('.')) {
            paths.push(name.split('.').map(str::to_owned).collect());
        }
        members.into_iter().for_each(|member| within(member, paths));
    }
    let mut paths = Vec::new();
    filter.iter().for_each(|filter| within(filter, &mut paths));
    paths
}

/// Locks all rows that paths lead to from rows of a type, for a write of the other type.
pub(super) fn along(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    written: &Arc<ResourceType>,
    of: &Arc<ResourceType>,
    rows: Vec<Vec<StoredValue>>,
    paths: &[&[String]],
) -> Result<()> {
    let zone = &request.model.settings.timezone;
    let providers = PlatformProviders::of_write(tx, request, written, Parts::CONFIGURATION);
    let rows = rows.into_iter().map(|values| Arc::new(StoredResource::new(&request.model, of, values, zone)));
    let followed = providers.along(of, &rows.collect::<Vec<_>>(), paths);
    followed.map_err(|fault| providers.take_failure().unwrap_or_else(|| Error::failed(fault.message)))
}
