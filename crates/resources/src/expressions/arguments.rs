//! Values that an evaluation is given for the moment: parameters, variables, a query; and evaluations within others.

use super::evaluate;
use super::parts::Handed;
use super::providers::PlatformProviders;
use expression::{Diagnostic, HostProviders, Program, Value};
use model::error::Result;
use std::collections::BTreeMap;

impl PlatformProviders<'_, '_> {
    /// Hands values over; gives what was handed over before.
    pub fn hand(&self, handed: Handed) -> Handed {
        self.handed.replace(handed)
    }

    /// Begins an evaluation, or several that share its steps: what the one before left is forgotten.
    pub fn begin(&self) {
        self.forget_results();
        self.inside.begin();
    }

    /// Evaluates a program that is about nothing, of the steps that are left since an evaluation began.
    pub fn within(&self, program: &Program) -> Result<Result<Value, Diagnostic>> {
        evaluate::run(self, program, Value::Null)
    }

    /// A value that was handed over, or what the place has.
    pub(super) fn handed(
        &self,
        values: fn(&Handed) -> &Option<BTreeMap<String, Value>>,
        name: &str,
        ask: impl FnOnce(&dyn HostProviders) -> expression::Result<Value>,
    ) -> expression::Result<Value> {
        match values(&self.handed.borrow()) {
            Some(values) => Ok(values.get(name).cloned().unwrap_or_default()),
            None => self.more(ask),
        }
    }
}
