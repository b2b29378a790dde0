//! The records of today that those of the archive are compared with, and what else there is for them.

use super::former::FormerRecords;
use super::properties::SharedProperties;
use super::selection::{self, BATCH};
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value};
use model::error::Result;
use model::kinds::StoredValue;
use model::table_names::TAG;
use model::types::ResourceType;
use resources::Purpose;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// The records of today beside some of the archive.
pub(super) struct Today<'t> {
    pub context: &'t RequestContext,
    pub of: &'t Arc<ResourceType>,
    pub properties: SharedProperties,
    /// The values of the records that exist, by id.
    pub rows: HashMap<i64, Vec<StoredValue>>,
    /// The records that others refer to and that exist, by the name of the type and the id.
    pub targets: HashSet<(String, i64)>,
    /// The tags that exist.
    pub tags: HashSet<String>,
}

impl<'t> Today<'t> {
    /// Reads what there is, and locks the records where they are to be written.
    pub(super) fn read(
        tx: &mut Tx<'_>,
        context: &'t RequestContext,
        former: &FormerRecords,
        named: &[String],
        purpose: Purpose,
    ) -> Result<Self> {
        let of = selection::type_named(context, &former.of.name, "The tenant")?;
        let properties = SharedProperties::of(&former.of, of, named)?;
        let ids: Vec<i64> = former.records.iter().map(|record| record.id).collect();
        let rows = resources::rows_of(tx, of, &ids, purpose)?.into_iter().collect();
        let mut targets = HashSet::new();
        for (name, wanted) in &former.targets {
            let Some(target) = context.model.collection(name) else { continue };
            let there = selection::uuids(tx, target, &wanted.keys().copied().collect())?;
            // A record of another tenant may have the same id.
            let same = wanted.iter().filter(|(id, uuid)| there.get(*id) == Some(*uuid));
            targets.extend(same.map(|(id, _)| (name.clone(), *id)));
        }
        let tags = tags(tx, former)?;
        Ok(Today { context, of, properties, rows, targets, tags })
    }
}

/// Those of the tags that exist.
fn tags(tx: &mut Tx<'_>, former: &FormerRecords) -> Result<HashSet<String>> {
    let wanted: BTreeSet<&String> = former.records.iter().flat_map(|record| &record.tags).collect();
    let mut found = HashSet::new();
    for some in wanted.into_iter().collect::<Vec<_>>().chunks(BATCH) {
        let mut sql = tx.sql();
        sql.push("SELECT identifier FROM ").table(&TAG).push(" WHERE identifier");
        sql.any_of(ColumnType::Text, some.iter().map(|tag| Value::Text((*tag).clone())).collect());
        tx.query(&sql, &mut |row| {
            found.insert(row.text(0)?.to_owned());
            Ok(())
        })?;
    }
    Ok(found)
}
