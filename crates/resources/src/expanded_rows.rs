//! Resources that were read to be put into the rows that refer to them.

use super::output::RowPlaceholder;
use super::relation_face::{FaceColumns, RelationFace};
use super::sparing::LargeRows;
use database::Row;
use model::kinds::{ValueContext, json};
use std::collections::HashMap;
use std::ops::Range;

/// Resources of one type, by id.
#[derive(Default)]
pub(super) struct ExpandedRows {
    pub(super) bytes: Vec<u8>,
    pub(super) places: HashMap<i64, Range<usize>>,
    /// Names and uuids that wrapped relations to the resources show beside.
    pub(super) faces: ResourceFaces,
    /// Those that were asked for and are too large for a list.
    pub(super) large: Vec<i64>,
    /// The large rows, for the next part of the list.
    pub(super) sparing: Option<LargeRows>,
}

/// Names of resources: for each a JSON string, and the uuid.
#[derive(Default)]
pub(super) struct ResourceFaces {
    bytes: Vec<u8>,
    places: HashMap<i64, (Range<usize>, [u8; 16])>,
}

impl ExpandedRows {
    /// The resource with that id, if it is among them.
    pub(super) fn get(&self, id: i64) -> Option<&[u8]> {
        self.places.get(&id).map(|place| &self.bytes[place.clone()])
    }

    /// Returns true if the resource with that id was left out, as too large for a list.
    pub(super) fn is_large(&self, id: i64) -> bool {
        self.large.contains(&id)
    }

    /// Bytes of the resources.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the name of the resource with that id, as a JSON string.
    pub(crate) fn display(&self, id: i64) -> Option<&[u8]> {
        self.faces.places.get(&id).map(|(place, _)| &self.faces.bytes[place.clone()])
    }

    /// Its uuid.
    pub(crate) fn uuid(&self, id: i64) -> Option<&[u8; 16]> {
        self.faces.places.get(&id).map(|(_, uuid)| uuid)
    }

    /// Writes the resources of a hole. One that the caller cannot see is not there: null, or left out of the array.
    pub(super) fn write(&self, out: &mut Vec<u8>, hole: &RowPlaceholder) {
        let mut found = hole.ids.iter().filter_map(|id| self.get(*id));
        if !hole.many {
            return match found.next() {
                Some(object) => out.extend_from_slice(object),
                None => json::write_null(out),
            };
        }
        out.push(b'[');
        for (index, object) in found.enumerate() {
            if index > 0 {
                out.push(b',');
            }
            out.extend_from_slice(object);
        }
        out.push(b']');
    }
}

impl ResourceFaces {
    /// Reads what names the resource with that id.
    pub(super) fn read(
        &mut self,
        row: &Row<'_>,
        id: i64,
        columns: FaceColumns,
        face: &RelationFace<'_>,
        context: &ValueContext<'_>,
    ) -> database::Result<()> {
        let start = self.bytes.len();
        let uuid = face.read(row, id, columns, context, &mut self.bytes)?;
        self.places.insert(id, (start..self.bytes.len(), uuid));
        Ok(())
    }
}
