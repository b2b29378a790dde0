//! Wrapped relations: what names the resources that they refer to, and where these are found, as far as the caller sees
//! them.

use super::expand::{ExpandedRows, RowPlaceholder};
use super::wrap::{write_array, write_kind, write_type};
use context::actor::Allowed;
use database::{ColumnType, Name, Row, ValueRef};
use model::display;
use model::kinds::{Kind, ValueContext, ValueStorage, json};
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

    /// Returns true if a row shows the caller what names it; the grants begin at a column.
    pub(super) fn shown(&self, row: &Row<'_>, grants: usize) -> database::Result<bool> {
        self.guard.as_ref().map_or(Ok(true), |guard| rows::shows(row, grants, guard))
    }

    /// Reads a row, in which its columns begin at an index: writes what names the resource as a JSON string, which is
    /// its id where nothing else does, and gives its uuid.
    pub(super) fn read(
        &self,
        row: &Row<'_>,
        first: usize,
        (id, titled): (i64, bool),
        context: &ValueContext<'_>,
        out: &mut Vec<u8>,
    ) -> database::Result<[u8; 16]> {
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

/// Writes a wrapped relation whose targets were read; addresses begin with `base`. Of a target that the caller cannot
/// see there is its id.
pub(super) fn write_hole(
    out: &mut Vec<u8>,
    hole: &RowPlaceholder,
    property: &Property,
    face: &RelationFace<'_>,
    found: &ExpandedRows,
    base: &str,
) {
    let kind = property.kind.as_ref();
    out.extend_from_slice(b"{\"value\":");
    match (face.expanded, hole.many) {
        (true, _) => found.write(out, hole),
        (false, true) => write_array(out, hole.ids.iter(), |id, out| json::write_integer(out, *id)),
        (false, false) => hole.ids.iter().for_each(|id| json::write_integer(out, *id)),
    }
    out.extend_from_slice(b",\"display\":");
    let display = |id: &i64, out: &mut Vec<u8>| match found.display(*id) {
        Some(display) => out.extend_from_slice(display),
        None => write_id(out, *id),
    };
    display::write_joined(out, &hole.ids, display);
    write_kind(out, kind);
    write_type(out, kind);
    let link = |id: &i64, out: &mut Vec<u8>| write_link(out, kind, *id, found.uuid(*id), base);
    if hole.many {
        out.extend_from_slice(b",\"items\":");
        write_array(out, hole.ids.iter(), |id, out| {
            out.extend_from_slice(b"{\"value\":");
            json::write_integer(out, *id);
            out.extend_from_slice(b",\"display\":");
            display(id, out);
            link(id, out);
            out.push(b'}');
        });
    } else {
        hole.ids.iter().for_each(|id| link(id, out));
    }
    out.push(b'}');
}

/// At most how many bytes a wrapped relation takes: of its own, and for each target beside twice its display.
pub(super) fn sizes(property: &Property, base: &str) -> (usize, usize) {
    let name = property.kind.relation().map_or(0, |relation| relation.type_name.len());
    (160 + name, 220 + name + base.len())
}

/// Writes the uuid and the address of a resource; nulls where the caller cannot see it.
fn write_link(out: &mut Vec<u8>, kind: &dyn Kind, id: i64, uuid: Option<&[u8; 16]>, base: &str) {
    let (Some(uuid), Some(relation)) = (uuid, kind.relation()) else {
        return out.extend_from_slice(b",\"uuid\":null,\"url\":null");
    };
    out.extend_from_slice(b",\"uuid\":");
    json::write_uuid(out, uuid);
    out.extend_from_slice(b",\"url\":");
    json::write_string(out, &format!("{base}/api/v1/collection/{}/{id}", relation.type_name));
}

fn write_id(out: &mut Vec<u8>, id: i64) {
    out.push(b'"');
    json::write_integer(out, id);
    out.push(b'"');
}
