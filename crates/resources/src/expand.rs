//! Relations that are expanded: one query for each relation and level, however many rows there are.

use super::calculate::VirtualValues;
use super::expanded_rows::{ExpandedRows, ResourceFaces};
use super::fields::{Member, Selection};
use super::output::{RowPlaceholder, WrittenRows};
use super::related::FoundRelated;
use super::relation_face::FaceColumns;
use super::sparing::LargeRows;
use super::{select, wrapped_relations};
use context::request_context::RequestContext;
use database::{Row, Sql, Tx};
use model::error::Result;
use std::collections::{BTreeSet, HashMap};

/// Rows without holes.
pub(crate) struct FilledRows {
    pub(crate) bytes: Vec<u8>,
    /// The end of each row.
    pub(crate) ends: Vec<usize>,
    /// The large rows, also expanded ones, where those that are too large for a list are left out.
    pub(super) sparing: Option<LargeRows>,
}

/// Reads what belongs into the holes, and puts it there.
pub(crate) fn fill(
    tx: &mut Tx<'_>,
    request: &RequestContext,
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
            let mut found = read(tx, request, inner, ids.into_iter().collect(), below, None)?;
            if let (Some(sparing), Some(below)) = (&mut sparing, found.sparing.take()) {
                sparing.put_below(index, below);
            }
            expanded.insert(index, found);
        }
    }
    let related = FoundRelated::read(
        tx,
        request,
        selection.resource_type.id,
        &selection.related,
        selection.members.len(),
        &written.holes,
    )?;
    let calculated = VirtualValues::read(tx, request, selection, &mut written)?;
    // Resources that many others refer to are written many times over: that is counted before memory is taken.
    let base = request.signer.base();
    let size = |hole: &RowPlaceholder| match expanded.get(&hole.member) {
        Some(expanded) => size(expanded, hole, &selection.members[hole.member], base),
        None => related.get(hole).unwrap_or_else(|| calculated.get(hole)).len(),
    };
    written.check(written.holes.iter().map(size).fold(0, usize::saturating_add))?;
    let beside = SingleValues { calculated: &calculated, related: &related };
    let filled = splice(&written, selection, &expanded, beside, base);
    Ok(FilledRows { sparing, ..filled })
}

/// A statement that is run behind another one, and what reads its rows.
pub(super) type FollowUp<'b> = (&'b Sql, &'b mut dyn FnMut(&Row<'_>) -> database::Result<()>);

/// Reads resources by id, without those that are too large for a list where large ones are counted; runs another
/// statement behind.
pub(super) fn read(
    tx: &mut Tx<'_>,
    request: &RequestContext,
    selection: &Selection<'_>,
    ids: Vec<i64>,
    sparing: Option<LargeRows>,
    mut behind: Option<FollowUp<'_>>,
) -> Result<ExpandedRows> {
    if ids.is_empty() && behind.is_none() {
        return Ok(ExpandedRows { sparing, ..ExpandedRows::default() });
    }
    let mut written = WrittenRows::for_rows(ids.len()).sparing(sparing);
    let mut sql = tx.sql();
    select::by_ids(&mut sql, selection, ids);
    let context = request.answer_context();
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
        let Some(face) = &selection.face else {
            let kept = written.row(row, selection, &context)?;
            if kept { &mut found } else { &mut large }.push(row.integer(selection.id_column())?);
            return Ok(());
        };
        let id = row.integer(selection.id_column())?;
        let columns = FaceColumns { first: selection.members.len(), grants: selection.grant_column() };
        faces.read(row, id, columns, face, &context)?;
        if written.row(row, selection, &context)? { &mut found } else { &mut large }.push(id);
        Ok(())
    })?;
    request.reads.note_embedded(selection.resource_type, &found);
    let filled = fill(tx, request, selection, written)?;
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

/// Returns at most how many bytes belong into a hole.
fn size(found: &ExpandedRows, hole: &RowPlaceholder, member: &Member<'_>, base: &str) -> usize {
    let place = |id: &i64| found.get(*id).map_or(0, |object| object.len() + 1);
    let objects = hole.ids.iter().map(place).sum::<usize>();
    if member.wrapping.is_none() {
        return objects;
    }
    let (own, each) = wrapped_relations::sizes(member.property, base);
    let displays = hole.ids.iter().map(|id| 2 * found.display(*id).map_or(0, <[u8]>::len)).sum::<usize>();
    objects + displays + own + hole.ids.len() * each
}

/// Values that belong into holes as they are.
#[derive(Clone, Copy)]
struct SingleValues<'v> {
    calculated: &'v VirtualValues,
    related: &'v FoundRelated,
}

fn splice(
    written: &WrittenRows,
    selection: &Selection<'_>,
    expanded: &HashMap<usize, ExpandedRows>,
    SingleValues { calculated, related }: SingleValues<'_>,
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
            let Some(found) = expanded.get(&hole.member) else {
                filled.bytes.extend_from_slice(related.get(hole).unwrap_or_else(|| calculated.get(hole)));
                continue;
            };
            let member = &selection.members[hole.member];
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
