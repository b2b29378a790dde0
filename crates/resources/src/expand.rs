//! Relations that are expanded: one query for each relation and level, however many rows there are.

use super::calculate::VirtualValues;
use super::fields::{Member, Selection};
use super::output::WrittenRows;
use super::select;
use super::sparing::LargeRows;
use super::wrapped_relations::{self, RelationFace};
use context::request_context::RequestContext;
use database::{Row, Sql, Tx};
use model::error::Result;
use model::kinds::{ValueContext, json};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// A place in written rows where expanded resources belong.
pub(crate) struct RowPlaceholder {
    /// Offset in the bytes.
    pub(crate) at: usize,
    /// Index of the member in the selection.
    pub(crate) member: usize,
    /// True if an array belongs there, or one object or null.
    pub(crate) many: bool,
    /// The number of the row.
    pub(crate) row: usize,
    /// The ids of the resources.
    pub(crate) ids: Vec<i64>,
}

/// A member of a row, with its name and the separator before it, which is left out where it does not apply.
pub(crate) struct OmittedField {
    /// Range in the bytes.
    pub(crate) range: Range<usize>,
    /// Index of the member in the selection.
    pub(crate) member: usize,
    /// The number of the row.
    pub(crate) row: usize,
}

/// Rows without holes.
pub(crate) struct FilledRows {
    pub(crate) bytes: Vec<u8>,
    /// The end of each row.
    pub(crate) ends: Vec<usize>,
    /// The large rows, also expanded ones, where those that are too large for a list are left out.
    pub(super) sparing: Option<LargeRows>,
}

/// Resources of one type, by id.
pub(super) struct ExpandedRows {
    bytes: Vec<u8>,
    places: HashMap<i64, Range<usize>>,
    /// Names and uuids that wrapped relations to the resources show beside.
    faces: ResourceFaces,
    /// Those that were asked for and are too large for a list.
    large: Vec<i64>,
    /// The large rows, for the next part of the list.
    pub(super) sparing: Option<LargeRows>,
}

/// Names of resources: for each a JSON string, and the uuid.
#[derive(Default)]
struct ResourceFaces {
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

    /// At most how many bytes belong into a hole.
    fn size(&self, hole: &RowPlaceholder, member: &Member<'_>, base: &str) -> usize {
        let place = |id: &i64| self.places.get(id).map_or(0, |place| place.len() + 1);
        let objects = hole.ids.iter().map(place).sum::<usize>();
        if member.wrapping.is_none() {
            return objects;
        }
        let (own, each) = wrapped_relations::sizes(member.property, base);
        let displays = hole.ids.iter().map(|id| 2 * self.display(*id).map_or(0, <[u8]>::len)).sum::<usize>();
        objects + displays + own + hole.ids.len() * each
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

/// Reads what belongs into the holes, and puts it there.
pub(crate) fn fill(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    selection: &Selection<'_>,
    mut written: WrittenRows,
) -> Result<FilledRows> {
    written.check(0)?;
    let mut sparing = written.sparing.take();
    if written.holes.is_empty() && written.gaps.is_empty() {
        return Ok(FilledRows { bytes: written.bytes, ends: written.ends, sparing });
    }
    let mut expanded = HashMap::new();
    for (index, member) in selection.members.iter().enumerate() {
        if let Some(inner) = &member.expansion {
            let holes = written.holes.iter().filter(|hole| hole.member == index);
            let ids: BTreeSet<i64> = holes.flat_map(|hole| hole.ids.iter().copied()).collect();
            let below = sparing.as_mut().map(|sparing| sparing.below(index));
            let mut found = read(tx, call, inner, ids.into_iter().collect(), below, None)?;
            if let (Some(sparing), Some(below)) = (&mut sparing, found.sparing.take()) {
                sparing.put_below(index, below);
            }
            expanded.insert(index, found);
        }
    }
    let calculated = VirtualValues::read(tx, call, selection, &mut written)?;
    // Resources that many others refer to are written many times over: that is counted before memory is taken.
    let base = call.signer.base();
    let size = |hole: &RowPlaceholder| match expanded.get(&hole.member) {
        Some(expanded) => expanded.size(hole, &selection.members[hole.member], base),
        None => calculated.get(hole).len(),
    };
    written.check(written.holes.iter().map(size).fold(0, usize::saturating_add))?;
    let filled = splice(&written, selection, (&expanded, &calculated), base);
    Ok(FilledRows { sparing, ..filled })
}

/// A statement that is run behind another one, and what reads its rows.
pub(super) type FollowUp<'b> = (&'b Sql, &'b mut dyn FnMut(&Row<'_>) -> database::Result<()>);

/// Reads resources by id, without those that are too large for a list where large ones are counted; runs another
/// statement behind.
pub(super) fn read(
    tx: &mut Tx<'_>,
    call: &RequestContext,
    selection: &Selection<'_>,
    ids: Vec<i64>,
    sparing: Option<LargeRows>,
    mut behind: Option<FollowUp<'_>>,
) -> Result<ExpandedRows> {
    if ids.is_empty() && behind.is_none() {
        return Ok(ExpandedRows {
            bytes: Vec::new(),
            places: HashMap::new(),
            faces: ResourceFaces::default(),
            large: Vec::new(),
            sparing,
        });
    }
    let mut written = WrittenRows::for_rows(ids.len()).sparing(sparing);
    let mut sql = tx.sql();
    select::by_ids(&mut sql, selection, ids);
    let context = call.context();
    let (mut found, mut large) = (Vec::new(), Vec::new());
    let mut faces = ResourceFaces::default();
    let statements: Vec<&Sql> = std::iter::once(&sql).chain(behind.as_ref().map(|(sql, _)| *sql)).collect();
    tx.query_all(&statements, &mut |statement, row| {
        if let (1, Some((_, take))) = (statement, &mut behind) {
            return take(row);
        }
        if written.overfull() {
            return Ok(());
        }
        let columns = selection.members.len();
        let Some(face) = &selection.face else {
            let kept = written.row(row, selection, &context)?;
            if kept { &mut found } else { &mut large }.push(row.integer(selection.id_column())?);
            return Ok(());
        };
        let id = row.integer(selection.id_column())?;
        let titled = face.shown(row, selection.grant_column())?;
        faces.read(row, columns, (id, titled), face, &context)?;
        if written.row(row, selection, &context)? { &mut found } else { &mut large }.push(id);
        Ok(())
    })?;
    call.reads.note_embedded(selection.resource_type, &found);
    let filled = fill(tx, call, selection, written)?;
    let starts = std::iter::once(0).chain(filled.ends.iter().copied());
    let ranges = starts.zip(filled.ends.iter().copied()).map(|(start, end)| start..end);
    Ok(ExpandedRows {
        places: found.into_iter().zip(ranges).collect(),
        bytes: filled.bytes,
        faces,
        large,
        sparing: filled.sparing,
    })
}

impl ResourceFaces {
    fn read(
        &mut self,
        row: &Row<'_>,
        first: usize,
        (id, titled): (i64, bool),
        face: &RelationFace<'_>,
        context: &ValueContext<'_>,
    ) -> database::Result<()> {
        let start = self.bytes.len();
        let uuid = face.read(row, first, (id, titled), context, &mut self.bytes)?;
        self.places.insert(id, (start..self.bytes.len(), uuid));
        Ok(())
    }
}

fn splice(
    written: &WrittenRows,
    selection: &Selection<'_>,
    (expanded, calculated): (&HashMap<usize, ExpandedRows>, &VirtualValues),
    base: &str,
) -> FilledRows {
    let mut filled = FilledRows { bytes: Vec::with_capacity(written.bytes.len() * 2), ends: Vec::new(), sparing: None };
    let mut holes = written.holes.iter().peekable();
    let mut gaps = written.gaps.iter().filter(|gap| !calculated.applies(gap)).peekable();
    let mut from = 0;
    for end in written.ends.iter().copied() {
        // Whether the row's first member was left out, and the brace stands alone.
        let mut bare = false;
        loop {
            let hole = holes.peek().filter(|hole| hole.at < end).map(|hole| hole.at);
            // A member's hole lies behind where the member begins.
            let gap = gaps.next_if(|gap| gap.range.start < end && hole.is_none_or(|at| gap.range.start < at));
            if let Some(gap) = gap {
                copy(&mut filled.bytes, &written.bytes[from..gap.range.start], &mut bare);
                if written.bytes[gap.range.start] == b'{' {
                    filled.bytes.push(b'{');
                    bare = true;
                }
                while holes.next_if(|hole| hole.at <= gap.range.end).is_some() {}
                from = gap.range.end;
                continue;
            }
            let Some(hole) = holes.next_if(|hole| hole.at < end) else { break };
            copy(&mut filled.bytes, &written.bytes[from..hole.at], &mut bare);
            from = hole.at;
            let member = &selection.members[hole.member];
            let Some(found) = expanded.get(&hole.member) else {
                filled.bytes.extend_from_slice(calculated.get(hole));
                continue;
            };
            match member.expansion.as_ref().and_then(|inner| inner.face.as_ref()) {
                Some(face) => {
                    wrapped_relations::write_hole(&mut filled.bytes, hole, member.property, face, found, base)
                }
                None => found.write(&mut filled.bytes, hole),
            }
        }
        copy(&mut filled.bytes, &written.bytes[from..end], &mut bare);
        from = end;
        filled.ends.push(filled.bytes.len());
    }
    filled
}

/// Copies a part of a row; behind a brace that stands alone, without the comma that it begins with.
fn copy(out: &mut Vec<u8>, mut part: &[u8], bare: &mut bool) {
    if *bare && !part.is_empty() {
        part = part.strip_prefix(b",").unwrap_or(part);
        *bare = false;
    }
    out.extend_from_slice(part);
}
