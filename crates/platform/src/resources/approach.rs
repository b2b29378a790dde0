//! From which end the rows of a list by id are found, where relations decide which these are: from the rows that the
//! relations lead to, which is best where few match, or in the order of ids, each row looked at until the page is full.
//! The engines do not know how many match. We do: a list counts them.

use super::order::SortKey;
use super::plan::ListPlan;

/// How many rows match, or did a moment ago, and how many there are in all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    pub(crate) matching: i64,
    pub(crate) all: i64,
    /// The one resource that the relation behind which the condition lies refers to in rows that match, where it is so.
    pub(crate) only: Option<i64>,
}

/// From which end rows are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Approach {
    /// As the engine thinks best.
    Free,
    /// In the order of ids, each looked at, until there are enough.
    Walk,
    /// All that match, out of which the first are taken.
    Gather,
    /// Those that refer to this resource: they lie in the order of ids.
    Only(i64),
}

/// To look at a row while walking costs about as much as to gather so many.
const LOOK: i64 = 4;

impl Approach {
    /// The better one for so many rows of a list from an offset on.
    pub(crate) fn of(plan: &ListPlan<'_>, (length, offset): (i64, i64), expected: Option<Expected>) -> Self {
        let Some(Expected { matching, all, only }) = expected.filter(|_| plan.chooses()) else { return Approach::Free };
        if let Some(only) = only {
            return Approach::Only(only);
        }
        let wanted = offset.saturating_add(length);
        // Rows that match lie evenly among all, as far as anybody knows.
        let looked_at = match all.saturating_mul(wanted).checked_div(matching) {
            Some(rows) if wanted <= matching => rows.min(all),
            _ => all,
        };
        if looked_at.saturating_mul(LOOK) < matching { Approach::Walk } else { Approach::Gather }
    }
}

impl ListPlan<'_> {
    /// Whether its rows can be found from either end.
    pub(crate) fn chooses(&self) -> bool {
        self.order.first().is_some_and(SortKey::decides) && self.condition.as_ref().is_some_and(|one| one.leads())
    }
}
