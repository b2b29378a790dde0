//! Reads that a write makes of other rows, beside those of rules: they decide about the write's turn.

use super::accept::PropertyInput;
use super::calculated_fields::needed;
use super::row_rights::limited;
use super::{IfMatch, hold};
use context::actor::Allowed;
use model::types::searches;

/// Reads of rows that are not the written one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ForeignReads {
    /// True if there are any: rows are locked in an order that no type tells.
    pub(super) any: bool,
    /// True if rows are looked for that may not be there yet.
    pub(super) searches: bool,
}

impl ForeignReads {
    /// Returns what grants look at, and what the values that they give read.
    pub(super) fn of_grants(allowed: &Allowed<'_>) -> Self {
        let grants = limited(allowed).into_iter().flat_map(|rows| &rows.some);
        let presets: Vec<_> = grants.flat_map(|grant| &grant.preset).collect();
        let any = hold::follow_paths(allowed) || presets.iter().any(|preset| preset.reads_rows());
        ForeignReads { any, searches: presets.iter().any(|preset| preset.searches()) }
    }

    /// Returns what grants read, and what the resource is compared with as it is shown: all of it by `If-Match`, and
    /// what a body gives of it.
    pub(super) fn of_change(allowed: &Allowed<'_>, if_match: Option<&IfMatch>, given: &[PropertyInput<'_>]) -> Self {
        let whole = matches!(if_match, Some(IfMatch::Listed(_)));
        Self::of_named(allowed, whole, &|position| given.iter().any(|value| value.property.position == position))
    }

    /// The same for a body of which the names are known alone.
    pub(super) fn of_named(allowed: &Allowed<'_>, whole: bool, named: &dyn Fn(usize) -> bool) -> Self {
        let of = allowed.resource_type;
        let compared = |position: usize| named(position) || whole && allowed.readable.contains(&of.fields[position]);
        let shown: Vec<usize> =
            of.rules().virtuals.iter().map(|rule| rule.position).filter(|position| compared(*position)).collect();
        let mut reads = Self::of_grants(allowed);
        for rule in needed(of, &shown) {
            reads.any |= rule.reads_others();
            reads.searches |= searches(&rule.program);
        }
        reads
    }
}
