//! Evaluations within others: how deep they lie, and the steps that they share.
//!
//! An expression may run a query whose rows are shown with calculations, which may run queries. All that lies within the
//! outermost evaluation is paid out of one account with it, and lies only so deep. Where the account is used up, none of
//! them goes on: a value is whole, or there is none.

use super::providers::PlatformProviders;
use crate::tenants::Call;
use database::Tx;
use expression::{Account, Fault, Limits, Result};
use std::sync::Arc;

/// How deep evaluations lie in one another.
const DEEPEST: u32 = 8;

/// How many steps a question to the database costs, whatever comes of it; twice as many with each level that it lies deeper,
/// where each of those above asks several.
const ASKING: u64 = 1_000;

/// Where an evaluation stands: within how many others, and what is left for all of them.
#[derive(Clone, Debug)]
pub(crate) struct Inside {
    depth: u32,
    account: Arc<Account>,
}

impl Inside {
    /// Where evaluations of this call stand.
    pub(super) fn of(call: &Call) -> Self {
        let outermost = || Inside { depth: 0, account: Arc::new(Account::new(Limits::default().fuel)) };
        call.inside.clone().unwrap_or_else(outermost)
    }

    /// What they are paid out of.
    pub(super) fn account(&self) -> &Account {
        &self.account
    }

    /// Begins another evaluation: it has an account of its own, unless it lies within one.
    pub(super) fn begin(&self) {
        if self.depth == 0 {
            self.account.fill(Limits::default().fuel);
        }
    }

    /// One deeper, for what the database is asked.
    fn deeper(&self) -> Result<Self> {
        if self.depth >= DEEPEST {
            return Err(Fault::new("too_deep", format!("Expressions ask for one another more than {DEEPEST} deep.")));
        }
        if !self.account.take(ASKING << self.depth) {
            self.account.end();
        }
        self.go_on()?;
        Ok(Inside { depth: self.depth + 1, account: Arc::clone(&self.account) })
    }

    /// Refuses to go on where something was lacking.
    fn go_on(&self) -> Result<()> {
        match self.account.has_ended() {
            true => Err(Fault::new("fuel_spent", "The expressions that ask for one another take too many steps.")),
            false => Ok(()),
        }
    }
}

impl<'t> PlatformProviders<'_, 't> {
    /// Asks the database in the name of a call, as a part of the evaluation that is under way.
    pub(super) fn ask<T>(
        &self,
        call: &Call,
        question: impl FnOnce(&mut Tx<'t>, &Call) -> crate::error::Result<T>,
    ) -> Result<T> {
        let call = call.by_expression(self.inside.deeper()?);
        let answer = self.with_tx(|tx| question(tx, &call))?;
        // What it evaluated may lack something then.
        self.inside.go_on()?;
        Ok(answer)
    }
}
