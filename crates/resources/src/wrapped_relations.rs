//! Wrapped relations: what names the resources that they refer to, and where these are found, as far as the caller sees
//! them.

use super::expanded_rows::ExpandedRows;
use super::output::RowPlaceholder;
use super::relation_face::{RelationFace, write_id};
use super::wrap::{write_array, write_kind, write_type};
use model::display;
use model::kinds::{Kind, json};
use model::types::Property;

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
