//! Members of rows, once they are read: bytes by the id of the row that they belong to.

use super::{RelatedMembers, tags};
use crate::output::{RowPlaceholder, refuse_more};
use context::request_context::RequestContext;
use database::Tx;
use groups::OwnerValues;
use model::error::Result;
use std::collections::BTreeSet;

/// The members behind the fields of some rows.
#[derive(Default)]
pub(crate) struct FoundRelated {
    /// The number of fields before them.
    first: usize,
    parts: Vec<OwnerValues>,
}

impl FoundRelated {
    /// Reads the members of rows of a type that have holes for them, behind so many fields.
    pub(crate) fn read(
        tx: &mut Tx<'_>,
        request: &RequestContext,
        type_id: i64,
        members: &RelatedMembers<'_>,
        first: usize,
        holes: &[RowPlaceholder],
    ) -> Result<Self> {
        if members.is_empty() {
            return Ok(FoundRelated::default());
        }
        let behind = holes.iter().filter(|hole| hole.member >= first);
        let owners: BTreeSet<i64> = behind.flat_map(|hole| hole.ids.iter().copied()).collect();
        let owners: Vec<i64> = owners.into_iter().collect();
        let mut parts: Vec<OwnerValues> = Vec::new();
        for rows in &members.rows {
            parts.push(rows.read(tx, request, &owners)?);
            // An answer that is too large already is not read on.
            refuse_more(parts.iter().map(OwnerValues::bytes).sum())?;
        }
        for totals in &members.totals {
            parts.extend(totals.read(tx, request, &owners)?);
        }
        if let Some(allowed) = members.tags {
            parts.push(tags::read(tx, allowed, type_id, &owners)?);
        }
        Ok(FoundRelated { first, parts })
    }

    /// The value that belongs into a hole; none where the hole is one of a field.
    pub(crate) fn get(&self, hole: &RowPlaceholder) -> Option<&[u8]> {
        let part = self.parts.get(hole.member.checked_sub(self.first)?)?;
        Some(part.get(hole.ids.first().copied().unwrap_or_default()))
    }
}
