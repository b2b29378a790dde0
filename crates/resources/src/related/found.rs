//! Members of rows, once they are read: bytes by the id of the row that they belong to.

use super::RelatedMembers;
use crate::output::RowPlaceholder;
use context::request_context::RequestContext;
use database::Tx;
use model::error::Result;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// The members behind the fields of some rows.
#[derive(Default)]
pub(crate) struct FoundRelated {
    /// The number of fields before them.
    first: usize,
    parts: Vec<FoundPart>,
}

/// One member of some rows.
pub(crate) struct FoundPart {
    /// The value of rows that nothing was found for.
    none: Vec<u8>,
    bytes: Vec<u8>,
    places: HashMap<i64, Range<usize>>,
}

impl FoundPart {
    /// A member with the value of rows that nothing is found for.
    pub(crate) fn new(none: &[u8]) -> Self {
        FoundPart { none: none.to_vec(), bytes: Vec::new(), places: HashMap::new() }
    }

    /// Puts down what belongs to a row.
    pub(crate) fn put(&mut self, owner: i64, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        write(&mut self.bytes);
        self.places.insert(owner, start..self.bytes.len());
    }

    fn get(&self, owner: i64) -> &[u8] {
        self.places.get(&owner).map_or(&self.none, |place| &self.bytes[place.clone()])
    }
}

impl FoundRelated {
    /// Reads the members of rows that have holes for them, behind so many fields.
    pub(crate) fn read(
        tx: &mut Tx<'_>,
        request: &RequestContext,
        members: &RelatedMembers<'_>,
        (first, holes): (usize, &[RowPlaceholder]),
    ) -> Result<Self> {
        if members.is_empty() {
            return Ok(FoundRelated::default());
        }
        let behind = holes.iter().filter(|hole| hole.member >= first);
        let owners: BTreeSet<i64> = behind.flat_map(|hole| hole.ids.iter().copied()).collect();
        let owners: Vec<i64> = owners.into_iter().collect();
        let mut parts = Vec::new();
        for rows in &members.rows {
            parts.push(rows.read(tx, request, &owners)?);
        }
        for totals in &members.totals {
            parts.extend(totals.read(tx, request, &owners)?);
        }
        Ok(FoundRelated { first, parts })
    }

    /// The value that belongs into a hole; none where the hole is one of a field.
    pub(crate) fn get(&self, hole: &RowPlaceholder) -> Option<&[u8]> {
        let part = self.parts.get(hole.member.checked_sub(self.first)?)?;
        Some(part.get(hole.ids.first().copied().unwrap_or_default()))
    }
}
