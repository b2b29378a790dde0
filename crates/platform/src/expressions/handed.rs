//! What an evaluation is handed over for the moment: parameters, variables, a query; and evaluations within others.

use super::providers::PlatformProviders;
use crate::error::Result;
use expression::{Diagnostic, Limits, Program, Providers, Run, Value};
use std::collections::BTreeMap;

/// Values by name; where there are none, the place may have its own way to them.
#[derive(Default)]
pub struct Handed {
    /// Parameters of the app. A name that is not among them is null.
    pub app: Option<BTreeMap<String, Value>>,
    /// Variables of the template.
    pub template: Option<BTreeMap<String, Value>>,
    /// Local variables.
    pub local: Option<BTreeMap<String, Value>>,
    /// The current query.
    pub data: Option<Value>,
}

impl PlatformProviders<'_, '_> {
    /// Hands values over; gives what was handed over before.
    pub fn hand(&self, handed: Handed) -> Handed {
        self.handed.replace(handed)
    }

    /// Begins an evaluation: what the one before left is forgotten, unless this one lies within another.
    pub(super) fn begin(&self) {
        if self.is_outermost() {
            self.forget_results();
            self.forget_account();
            self.allow(Limits::default().fuel);
        }
    }

    /// How many steps evaluations within others, and [`Self::within`], may take together from here on.
    pub fn allow(&self, steps: u64) {
        self.spare.set(steps);
    }

    /// Evaluates a program that is about nothing, of the steps that are left.
    pub fn within(&self, program: &Program) -> Result<Result<Value, Diagnostic>> {
        let before = self.about(Value::Null);
        let call = self.call;
        let mut random = |bytes: &mut [u8]| call.random.fill(bytes);
        let limits = Limits { fuel: self.spare.get(), ..Limits::default() };
        let mut run = Run::new(call.now, self.zone().clone(), self, &mut random, limits);
        let value = program.evaluate(&mut run);
        self.spare.set(run.steps_left().min(self.spare.get()));
        self.about(before);
        match self.take_failure() {
            Some(failure) => Err(failure),
            None => Ok(value),
        }
    }

    /// A value that was handed over, or what the place has.
    pub(super) fn handed(
        &self,
        values: fn(&Handed) -> &Option<BTreeMap<String, Value>>,
        name: &str,
        ask: impl FnOnce(&dyn Providers) -> expression::Result<Value>,
    ) -> expression::Result<Value> {
        match values(&self.handed.borrow()) {
            Some(values) => Ok(values.get(name).cloned().unwrap_or_default()),
            None => self.more(ask),
        }
    }
}
