//! Evaluations within others: how deep they lie, and the steps that they share.
//!
//! An expression may run a query whose rows are shown with calculations, which may run queries. All that lies within
//! the outermost evaluation is paid out of one account with it, and lies only so deep. Where the account is used up,
//! none of them goes on: a value is whole, or there is none.

use expression::{Fault, Result, RunLimits, StepAccount};
use std::sync::Arc;

/// The depth to which evaluations lie in one another.
const DEEPEST: u32 = 8;

/// The steps that a question to the database costs, whatever comes of it. They double with each level that it lies
/// deeper, where each of those above asks several.
const ASKING: u64 = 1_000;

/// The place of an evaluation: within how many others, and what is left for all of them.
#[derive(Clone, Debug)]
pub struct EvaluationNesting {
    depth: u32,
    account: Arc<StepAccount>,
}

impl EvaluationNesting {
    /// Returns the place of an evaluation that lies within no other.
    pub(crate) fn outermost() -> Self {
        EvaluationNesting { depth: 0, account: Arc::new(StepAccount::new(RunLimits::default().fuel)) }
    }

    /// Returns the account that they are paid out of.
    pub fn account(&self) -> &StepAccount {
        &self.account
    }

    /// Begins another evaluation: it has an account of its own, unless it lies within one.
    pub fn begin(&self) {
        if self.depth == 0 {
            self.account.fill(RunLimits::default().fuel);
        }
    }

    /// One deeper, for what the database is asked.
    pub fn deeper(&self) -> Result<Self> {
        if self.depth >= DEEPEST {
            return Err(Fault::new("too_deep", format!("Expressions read one another more than {DEEPEST} deep.")));
        }
        if !self.account.take(ASKING << self.depth) {
            self.account.end();
        }
        self.go_on()?;
        Ok(EvaluationNesting { depth: self.depth + 1, account: Arc::clone(&self.account) })
    }

    /// Refuses to go on where something was lacking.
    pub fn go_on(&self) -> Result<()> {
        match self.account.has_ended() {
            true => Err(Fault::new("fuel_spent", "The nested expressions take too many steps.")),
            false => Ok(()),
        }
    }
}
