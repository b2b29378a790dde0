//! From which end the rows of a list by id are found, where relations decide which these are: from the rows that the
//! relations lead to, which is best where few match, or in the order of ids, each row looked at until the page is full.
//! The engines do not know how many match. We do: a list counts them.

use super::plan::ListPlan;
use query::order::SortKey;

/// Number of rows that match, or that did a moment ago, and number of all rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowEstimate {
    pub(crate) matching: i64,
    pub(crate) all: i64,
    /// The one resource that the relation behind which the condition lies refers to in rows that match, where it is so.
    pub(crate) only: Option<i64>,
    /// Set where a full text index, asked beside other conditions, finds a good part of all rows.
    pub(crate) often: bool,
}

/// Rows of a list that follow one another.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListPart {
    /// The number of rows before it.
    pub(super) start: i64,
    pub(super) length: i64,
}

/// From which end rows are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessPath {
    /// As the engine thinks best.
    Free,
    /// In the order of ids, each looked at, until there are enough.
    Walk,
    /// All that match, out of which the first are taken.
    Gather,
    /// The same, where a full text index finds a good part of all rows.
    Join,
    /// Those that refer to this resource: they lie in the order of ids.
    Only(i64),
}

/// To look at a row while walking costs about as much as to gather so many.
const LOOK: i64 = 4;

impl AccessPath {
    /// The better one for a part of a list.
    pub(super) fn of(plan: &ListPlan<'_>, part: ListPart, expected: Option<RowEstimate>) -> Self {
        let Some(RowEstimate { matching, all, only, often }) = expected.filter(|_| plan.chooses()) else {
            return AccessPath::Free;
        };
        if let Some(only) = only {
            return AccessPath::Only(only);
        }
        let wanted = part.start.saturating_add(part.length);
        // Rows that match lie evenly among all, as far as anybody knows.
        let looked_at = match all.saturating_mul(wanted).checked_div(matching) {
            Some(rows) if wanted <= matching => rows.min(all),
            _ => all,
        };
        match looked_at.saturating_mul(LOOK) < matching {
            true => AccessPath::Walk,
            false if often => AccessPath::Join,
            false => AccessPath::Gather,
        }
    }
}

impl ListPlan<'_> {
    /// The page.
    pub(super) fn part(&self) -> ListPart {
        ListPart { start: self.offset, length: self.per_page }
    }

    /// Returns true where the number of matches decides how its rows are found.
    pub(crate) fn chooses(&self) -> bool {
        let by_id = self.order.first().is_some_and(SortKey::decides);
        self.condition.as_ref().is_some_and(|one| (by_id && one.leads()) || one.searched().is_some())
    }
}
