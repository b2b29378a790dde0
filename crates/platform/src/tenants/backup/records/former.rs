//! Records as the archive has them: their values in wire form, what they refer to, and their tags.

use super::selection::{self, Asked, integers};
use context::request_context::RequestContext;
use database::{ColumnType, Tx, Value};
use model::error::{Error, Result};
use model::kinds::{self, StoredValue, ValueContext, write_property};
use model::table_names::{TAG, TAGGED};
use model::types::{Property, ResourceType};
use model::user_columns::USER_TYPE;
use resources::Purpose;
use serde_json::Value as Json;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// The most bytes of records that are in memory together, beyond one of them.
const BYTES: usize = 8 << 20;
/// The records that are read together.
const READ: usize = 50;

/// The position of the creator among the fields of a type.
pub(super) const CREATED_BY: usize = 4;

/// A record of the archive.
#[derive(Clone, Debug)]
pub(super) struct FormerRecord {
    pub id: i64,
    pub title: String,
    /// The values of all fields, by position.
    pub values: Vec<StoredValue>,
    /// The identifiers of its tags.
    pub tags: Vec<String>,
}

/// Some records of the archive, and what is known of others that they refer to.
pub(super) struct FormerRecords {
    /// The type, as the archive has it.
    pub of: Arc<ResourceType>,
    /// The context that the archive's values are written in.
    pub context: RequestContext,
    pub records: Vec<FormerRecord>,
    /// The uuids of what they refer to, by the name of the type and the id.
    pub targets: HashMap<String, HashMap<i64, [u8; 16]>>,
    /// Records of the type itself to which they refer, and that were asked for, too.
    pub coming: HashSet<i64>,
}

impl FormerRecords {
    /// Reads records with these ids, as many as fit into memory.
    pub(super) fn read(
        tx: &mut Tx<'_>,
        context: &RequestContext,
        of: &Arc<ResourceType>,
        ids: &[i64],
        condition: Option<&str>,
    ) -> Result<Self> {
        let (mut records, mut bytes) = (Vec::new(), 0);
        for some in ids.chunks(READ) {
            let mut rows = resources::rows_of(tx, of, some, Purpose::Look)?;
            // They come in the order that was asked for.
            if some.first() > some.last() {
                rows.reverse();
            }
            for (id, values) in rows {
                bytes += values.iter().map(size).sum::<usize>();
                let title = title(of, id, &values, &context.value_context());
                records.push(FormerRecord { id, title, values, tags: Vec::new() });
            }
            if bytes > BYTES {
                break;
            }
        }
        let mut read = FormerRecords {
            of: Arc::clone(of),
            context: context.clone(),
            records,
            targets: HashMap::new(),
            coming: HashSet::new(),
        };
        read.find_targets(tx, condition)?;
        read.find_tags(tx)?;
        Ok(read)
    }

    fn find_targets(&mut self, tx: &mut Tx<'_>, condition: Option<&str>) -> Result<()> {
        let mut wanted: HashMap<i64, BTreeSet<i64>> = HashMap::new();
        for property in self.of.properties() {
            let Some(relation) = property.kind.relation() else { continue };
            let ids = self.records.iter().flat_map(|record| ids_of(&record.values[property.position]));
            wanted.entry(relation.type_id).or_default().extend(ids);
        }
        let creators = self.records.iter().flat_map(|record| ids_of(&record.values[CREATED_BY]));
        wanted.entry(USER_TYPE).or_default().extend(creators);
        for (type_id, ids) in wanted {
            let Some(target) = self.context.model.type_by_id(type_id) else { continue };
            self.targets.insert(target.name.clone(), selection::uuids(tx, target, &ids)?);
            if type_id == self.of.id {
                let ids: Vec<i64> = ids.into_iter().collect();
                for some in ids.chunks(selection::BATCH) {
                    let found = selection::matching(tx, &self.context, &self.of, condition, Asked::Among(some))?;
                    self.coming.extend(found);
                }
            }
        }
        Ok(())
    }

    fn find_tags(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let mut sql = tx.sql();
        sql.push("SELECT g.object, x.identifier FROM ").table(&TAGGED).push(" AS g JOIN ").table(&TAG);
        sql.push(" AS x ON x.id = g.tag WHERE g.type = ").bind(self.of.id).push(" AND g.object");
        sql.any_of(ColumnType::Integer, integers(self.records.iter().map(|record| record.id)));
        sql.push(" ORDER BY g.object, x.identifier");
        let mut tags: HashMap<i64, Vec<String>> = HashMap::new();
        tx.query(&sql, &mut |row| {
            tags.entry(row.integer(0)?).or_default().push(row.text(1)?.to_owned());
            Ok(())
        })?;
        for record in &mut self.records {
            record.tags = tags.remove(&record.id).unwrap_or_default();
        }
        Ok(())
    }
}

/// Returns the value of a property in wire form.
pub(super) fn wire(context: &RequestContext, property: &Property, value: &StoredValue) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    // Decimals keep their digits as texts.
    let texts = property.kind.scale().is_some();
    let written = ValueContext { zone: &context.model.settings.timezone, now: context.now, links: None, texts };
    write_property(property.kind.as_ref(), value, &written, &mut out);
    Ok(out)
}

/// Reads a value in wire form.
pub(super) fn parsed(wire: &[u8]) -> Result<Json> {
    serde_json::from_slice(wire).map_err(|error| Error::failed(format!("a value is no JSON: {error}")))
}

/// The ids in the value of a relation.
pub(super) fn ids_of(value: &StoredValue) -> impl Iterator<Item = i64> {
    let members: &[Value] = match value {
        StoredValue::One(one) => std::slice::from_ref(one),
        StoredValue::Many(many) => many,
    };
    members.iter().filter_map(|member| if let Value::Integer(id) = member { Some(*id) } else { None })
}

/// The text that names a record to people.
fn title(of: &ResourceType, id: i64, values: &[StoredValue], context: &ValueContext<'_>) -> String {
    let property = of.title_property.map(|position| &of.fields[position]);
    let text = property.and_then(|property| match &values[property.position] {
        StoredValue::One(Value::Null) | StoredValue::Many(_) => None,
        StoredValue::One(value) => Some(kinds::write_plain(property.kind.as_ref(), value.as_ref(), context)),
    });
    text.filter(|text| !text.is_empty()).unwrap_or_else(|| format!("#{id}"))
}

/// About how many bytes a value has.
fn size(value: &StoredValue) -> usize {
    let of = |value: &Value| match value {
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        _ => 16,
    };
    match value {
        StoredValue::One(one) => of(one),
        StoredValue::Many(many) => many.iter().map(of).sum(),
    }
}
