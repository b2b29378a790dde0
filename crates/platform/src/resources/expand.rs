//! Relations that are expanded: one query for each relation and level, however many rows there are.

use super::fields::Selection;
use super::output::Written;
use super::select;
use crate::error::Result;
use crate::kinds::json;
use crate::tenants::Call;
use database::Tx;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// A place in written rows where expanded resources belong.
pub(crate) struct Hole {
    /// Where in the bytes.
    pub(crate) at: usize,
    /// Which member of the selection.
    pub(crate) member: usize,
    /// Whether an array belongs there, or one object or null.
    pub(crate) many: bool,
    /// The ids of the resources.
    pub(crate) ids: Vec<i64>,
}

/// Rows without holes.
pub(crate) struct Filled {
    pub(crate) bytes: Vec<u8>,
    /// Where each row ends.
    pub(crate) ends: Vec<usize>,
}

/// Resources of one type, by id.
struct Expanded {
    bytes: Vec<u8>,
    places: HashMap<i64, Range<usize>>,
}

impl Expanded {
    /// The bytes that the resource takes in an array.
    fn size(&self, id: i64) -> usize {
        self.places.get(&id).map_or(0, |place| place.len() + 1)
    }
}

/// Reads what belongs into the holes, and puts it there.
pub(crate) fn fill(tx: &mut Tx<'_>, call: &Call, selection: &Selection<'_>, written: Written) -> Result<Filled> {
    written.check(0)?;
    if written.holes.is_empty() {
        return Ok(Filled { bytes: written.bytes, ends: written.ends });
    }
    let mut expanded = HashMap::new();
    for (index, member) in selection.members.iter().enumerate() {
        if let Some(inner) = &member.expansion {
            let holes = written.holes.iter().filter(|hole| hole.member == index);
            let ids: BTreeSet<i64> = holes.flat_map(|hole| hole.ids.iter().copied()).collect();
            expanded.insert(index, read(tx, call, inner, ids.into_iter().collect())?);
        }
    }
    // Resources that many others refer to are written many times over: that is counted before memory is taken.
    let size = |hole: &Hole| hole.ids.iter().map(|id| expanded[&hole.member].size(*id)).sum::<usize>();
    written.check(written.holes.iter().map(size).fold(0, usize::saturating_add))?;
    Ok(splice(&written, &expanded))
}

fn read(tx: &mut Tx<'_>, call: &Call, selection: &Selection<'_>, ids: Vec<i64>) -> Result<Expanded> {
    if ids.is_empty() {
        return Ok(Expanded { bytes: Vec::new(), places: HashMap::new() });
    }
    let mut written = Written::for_rows(ids.len());
    let mut sql = tx.sql();
    select::by_ids(&mut sql, selection, ids);
    let context = call.context();
    let mut found = Vec::new();
    tx.query(&sql, &mut |row| {
        if written.overfull() {
            return Ok(());
        }
        found.push(row.integer(selection.members.len())?);
        written.row(row, selection, &context)
    })?;
    let filled = fill(tx, call, selection, written)?;
    let starts = std::iter::once(0).chain(filled.ends.iter().copied());
    let ranges = starts.zip(filled.ends.iter().copied()).map(|(start, end)| start..end);
    Ok(Expanded { places: found.into_iter().zip(ranges).collect(), bytes: filled.bytes })
}

fn splice(written: &Written, expanded: &HashMap<usize, Expanded>) -> Filled {
    let mut filled = Filled { bytes: Vec::with_capacity(written.bytes.len() * 2), ends: Vec::new() };
    let mut holes = written.holes.iter().peekable();
    let mut from = 0;
    for end in written.ends.iter().copied() {
        while let Some(hole) = holes.next_if(|hole| hole.at < end) {
            filled.bytes.extend_from_slice(&written.bytes[from..hole.at]);
            from = hole.at;
            write_hole(&mut filled.bytes, hole, &expanded[&hole.member]);
        }
        filled.bytes.extend_from_slice(&written.bytes[from..end]);
        from = end;
        filled.ends.push(filled.bytes.len());
    }
    filled
}

/// A resource that the caller cannot see is not there: null, or left out of the array.
fn write_hole(out: &mut Vec<u8>, hole: &Hole, expanded: &Expanded) {
    let mut found =
        hole.ids.iter().filter_map(|id| expanded.places.get(id)).map(|place| &expanded.bytes[place.clone()]);
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
