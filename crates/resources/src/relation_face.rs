//! The names of resources that wrapped relations refer to, as far as the caller sees them.

use context::actor::Allowed;
use database::{ColumnType, Name, Row, ValueRef};
use model::display;
use model::kinds::{ValueContext, ValueStorage, json};
use model::types::{Model, Property};
use query::path::TypeAccess;
use query::row_access as rows;

/// Fields that are read of resources that wrapped relations refer to.
#[derive(Debug)]
pub(crate) struct RelationFace<'m> {
    uuid: &'m Property,
    /// Property that names a resource to people, as far as the caller may read it.
    title: Option<&'m Property>,
    /// Of which grants one must hold for a row to show that.
    guard: Option<Box<[usize]>>,
    model: &'m Model,
    /// True if the relation is expanded: its value is an object then, else an id.
    pub(super) expanded: bool,
}

/// The columns in which a statement has what names a resource.
#[derive(Clone, Copy)]
pub(super) struct FaceColumns {
    /// The first of the face's own.
    pub(super) first: usize,
    /// The first of the grants that decide about fields.
    pub(super) grants: usize,
}

/// The type that a relation refers to, where the caller may see it.
pub(super) fn target<'m>(access: &TypeAccess<'m>, property: &Property) -> Option<Allowed<'m>> {
    property.kind.relation().and_then(|_| access.follow(property))
}

impl<'m> RelationFace<'m> {
    /// Returns the fields that the caller may see of the resources of a type.
    pub(crate) fn new(access: &TypeAccess<'m>, target: &Allowed<'m>, expanded: bool) -> Self {
        let of = target.resource_type;
        let title = of.title_property.map(|position| &of.fields[position]);
        let title = title.filter(|title| target.field(&title.name).is_ok());
        let guard = title.and_then(|title| rows::guarding(target, title));
        RelationFace { uuid: &of.fields[1], title, guard, model: access.model, expanded }
    }

    /// The columns that are read.
    pub(super) fn columns(&self) -> impl Iterator<Item = &Name> {
        std::iter::once(self.uuid).chain(self.title).map(|property| &property.column)
    }

    /// Reads the row of the resource with that id, in which its columns begin at an index and the grants at another:
    /// writes what names the resource as a JSON string, which is its id where nothing else does, and gives its uuid.
    pub(super) fn read(
        &self,
        row: &Row<'_>,
        id: i64,
        columns: FaceColumns,
        context: &ValueContext<'_>,
        out: &mut Vec<u8>,
    ) -> database::Result<[u8; 16]> {
        let FaceColumns { first, grants } = columns;
        let titled = self.guard.as_ref().map_or(Ok(true), |guard| rows::shows(row, grants, guard))?;
        let value = match self.title.filter(|_| titled).map(|title| (title, title.kind.storage())) {
            Some((title, ValueStorage::Column(column))) => Some((title, row.get(first + 1, column)?)),
            _ => None,
        };
        match value {
            None | Some((_, ValueRef::Null | ValueRef::Text(""))) => write_id(out, id),
            Some((title, value)) => display::write(title.kind.as_ref(), value, context, self.model, out),
        }
        match row.get(first, ColumnType::Uuid)? {
            ValueRef::Uuid(uuid) => Ok(uuid),
            _ => Err(database::Error::Corrupt("a resource without a uuid".to_owned())),
        }
    }
}

/// Writes what names a resource where nothing else does.
pub(super) fn write_id(out: &mut Vec<u8>, id: i64) {
    out.push(b'"');
    json::write_integer(out, id);
    out.push(b'"');
}
