//! A resource as it is stored, whole: what a change starts from, and what its answer is written from.

use super::fields::Selection;
use super::path::Access;
use super::request::item_missing;
use super::{FieldsRequest, ItemRef, Written, etag};
use crate::actor::Allowed;
use crate::error::{Error, Result};
use crate::kinds::{Storage, Stored, write_property};
use crate::tenants::Call;
use crate::types::{Property, Type};
use database::{Name, Sql, Tx, Value};

/// The values of all fields of a resource, by position.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) values: Vec<Stored>,
    /// For each multi-valued field that has members, by position: the place behind the last member.
    pub(super) ends: Vec<(usize, i64)>,
}

/// What a resource is locked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Others may refer to it meanwhile.
    Change,
    /// They may not.
    Deletion,
}

impl Record {
    /// Reads a resource and locks it against other changes to the end of the transaction.
    pub(super) fn lock(tx: &mut Tx<'_>, resource_type: &Type, item: &ItemRef) -> Result<Self> {
        Record::lock_for(tx, resource_type, item, Purpose::Change)
    }

    /// Reads a resource and locks it, also against new references to it.
    pub(super) fn lock_to_delete(tx: &mut Tx<'_>, resource_type: &Type, item: &ItemRef) -> Result<Self> {
        Record::lock_for(tx, resource_type, item, Purpose::Deletion)
    }

    /// Links are read after the lock is held, so that what another transaction just wrote is not lost.
    fn lock_for(tx: &mut Tx<'_>, resource_type: &Type, item: &ItemRef, purpose: Purpose) -> Result<Self> {
        let mut statements = vec![row(tx.sql(), resource_type, item, purpose)];
        let linked: Vec<&Property> = resource_type.properties().iter().filter(|of| links(of)).collect();
        for property in &linked {
            statements.push(members(tx.sql(), resource_type, property, item));
        }
        let mut values: Vec<Stored> = resource_type.fields.iter().map(empty).collect();
        let mut ends = Vec::new();
        let mut found = false;
        tx.query_all(&statements.iter().collect::<Vec<_>>(), &mut |statement, row| {
            if statement > 0 {
                let property = linked[statement - 1];
                if let (Storage::Links(column), Stored::Many(members)) =
                    (property.kind.storage(), &mut values[property.position])
                {
                    members.push(row.get(0, column)?.to_value());
                    ends.retain(|(position, _)| *position != property.position);
                    ends.push((property.position, row.integer(1)? + 1));
                }
                return Ok(());
            }
            found = true;
            for (index, (property, column)) in columns(resource_type).enumerate() {
                values[property.position] = Stored::One(row.get(index, column)?.to_value());
            }
            Ok(())
        })?;
        if found { Ok(Record { values, ends }) } else { Err(item_missing()) }
    }

    /// The place behind the last member of a multi-valued field. Places have gaps where members were taken out.
    pub(super) fn end(&self, position: usize) -> i64 {
        self.ends.iter().find(|(of, _)| *of == position).map_or(0, |(_, end)| *end)
    }

    /// The resource's id.
    pub(super) fn id(&self) -> Result<i64> {
        match self.values.first() {
            Some(Stored::One(Value::Integer(id))) => Ok(*id),
            _ => Err(Error::failed("a row without an id")),
        }
    }

    /// The body that get-one gives of the resource, and its ETag.
    pub(super) fn written(&self, call: &Call, allowed: &Allowed<'_>) -> Result<Written> {
        let body = self.body(call, allowed)?;
        Ok(Written { id: self.id()?, etag: etag(call, &body), body })
    }

    /// The body that get-one gives of the resource.
    pub(super) fn body(&self, call: &Call, allowed: &Allowed<'_>) -> Result<Vec<u8>> {
        let selection = Selection::new(&Access::new(call, allowed.clone()), &FieldsRequest::default())?;
        let context = call.context();
        let mut out = Vec::with_capacity(256);
        out.push(b'{');
        for (index, member) in selection.members.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.push(b'"');
            out.extend_from_slice(member.property.name.as_bytes());
            out.extend_from_slice(b"\":");
            let property = member.property;
            write_property(property.kind.as_ref(), &self.values[property.position], &context, &mut out);
        }
        out.push(b'}');
        Ok(out)
    }
}

/// No value of a property.
pub(super) fn empty(property: &Property) -> Stored {
    match property.kind.storage() {
        Storage::Column(_) => Stored::One(Value::Null),
        Storage::Links(_) => Stored::Many(Vec::new()),
    }
}

/// The fields of a type that lie in its table, with the types of their columns.
pub(super) fn columns(resource_type: &Type) -> impl Iterator<Item = (&Property, database::ColumnType)> {
    resource_type.fields.iter().filter_map(|property| match property.kind.storage() {
        Storage::Column(column) => Some((property, column)),
        Storage::Links(_) => None,
    })
}

fn links(property: &Property) -> bool {
    matches!(property.kind.storage(), Storage::Links(_))
}

fn row(mut sql: Sql, resource_type: &Type, item: &ItemRef, purpose: Purpose) -> Sql {
    sql.push("SELECT ");
    for (index, (property, _)) in columns(resource_type).enumerate() {
        sql.push(if index > 0 { ", " } else { "" }).name(&property.column);
    }
    sql.push(" FROM ").table(&resource_type.table).push(" WHERE ");
    where_item(&mut sql, item);
    match purpose {
        Purpose::Change => sql.for_change(),
        Purpose::Deletion => sql.for_update(),
    };
    sql
}

fn members(mut sql: Sql, resource_type: &Type, property: &Property, item: &ItemRef) -> Sql {
    sql.push("SELECT value, position FROM ").table(&property.column).push(" WHERE owner = ");
    match item {
        ItemRef::Id(id) => _ = sql.bind(*id),
        ItemRef::Uuid(_) => {
            sql.push("(SELECT id FROM ").table(&resource_type.table).push(" WHERE ");
            where_item(&mut sql, item);
            sql.push(")");
        }
    }
    sql.push(" ORDER BY position");
    sql
}

fn where_item(sql: &mut Sql, item: &ItemRef) {
    match item {
        ItemRef::Id(id) => sql.name(&Name::fixed("id")).push(" = ").bind(*id),
        ItemRef::Uuid(uuid) => sql.name(&Name::fixed("uuid")).push(" = ").bind(Value::Uuid(*uuid)),
    };
}
