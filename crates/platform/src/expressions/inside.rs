//! Evaluations within others: how deep they lie, and the steps that they share.
//!
//! An expression may run a query whose rows are shown with calculations, which may run queries. What a list evaluates for an
//! expression is paid out of one account for all that lies within the outermost evaluation, and lies only so deep.

use crate::tenants::Call;
use expression::{Fault, Limits, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How deep evaluations lie in one another.
const DEEPEST: u32 = 8;
/// How many steps a page of a list costs, whatever is in it: one that the outermost evaluation asks for, and one that lies
/// deeper, of which there may be many for each of those.
const PAGES: [u64; 2] = [1_000, 20_000];

/// Where a call stands that an expression makes: in how many evaluations, and what is left for it.
#[derive(Clone, Debug)]
pub(crate) struct Inside {
    depth: u32,
    steps: Arc<AtomicU64>,
}

impl Inside {
    /// Where what an expression of this call asks for stands.
    pub(super) fn begin(call: &Call) -> Self {
        let outermost = || Inside { depth: 0, steps: Arc::new(AtomicU64::new(Limits::default().fuel)) };
        call.inside.clone().unwrap_or_else(outermost)
    }

    /// One deeper, for a page of a list.
    pub(super) fn page(&self) -> Result<Self> {
        if self.depth >= DEEPEST {
            return Err(Fault::new("too_deep", format!("Expressions ask for one another more than {DEEPEST} deep.")));
        }
        let cost = PAGES[usize::from(self.depth > 0)];
        if self.steps.load(Ordering::Relaxed) < cost {
            return Err(Fault::new(
                "fuel_spent",
                "The expressions that ask for one another take too many steps.".to_owned(),
            ));
        }
        self.spend(cost);
        Ok(Inside { depth: self.depth + 1, steps: Arc::clone(&self.steps) })
    }

    fn spend(&self, steps: u64) {
        let rest = self.steps.load(Ordering::Relaxed).saturating_sub(steps);
        self.steps.store(rest, Ordering::Relaxed);
    }
}

/// What an evaluation of this call may take.
pub(super) fn limits(call: &Call) -> Limits {
    let limits = Limits::default();
    let left = call.inside.as_ref().map_or(limits.fuel, |inside| inside.steps.load(Ordering::Relaxed));
    Limits { fuel: limits.fuel.min(left), ..limits }
}

/// Pays for an evaluation of this call.
pub(super) fn spend(call: &Call, steps: u64) {
    if let Some(inside) = &call.inside {
        inside.spend(steps);
    }
}
