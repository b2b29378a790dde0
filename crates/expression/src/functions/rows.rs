//! Short ways to write rows of the catalogue.

use crate::catalogue::{Availability, FunctionEntry, FunctionParameter};
use crate::value::Value;
use crate::{Result, Run};

/// A parameter that must be given.
pub(crate) const fn required(name: &'static str, kind: &'static str) -> FunctionParameter {
    FunctionParameter { name, kind, default: None, variadic: false }
}

/// A parameter that may be left out.
pub(crate) const fn optional(name: &'static str, kind: &'static str, default: &'static str) -> FunctionParameter {
    FunctionParameter { name, kind, default: Some(default), variadic: false }
}

/// A pure function that is always there.
pub(crate) const fn row(
    name: &'static str,
    parameters: &'static [FunctionParameter],
    returns: &'static str,
    help: &'static str,
    call: fn(&mut Run<'_>, &[Value]) -> Result<Value>,
) -> FunctionEntry {
    let example = ("", "");
    FunctionEntry { name, parameters, availability: Availability::Always, pure: true, returns, help, example, call }
}

impl FunctionEntry {
    /// The function with its example: an expression and its value.
    pub(crate) const fn example(mut self, expression: &'static str, value: &'static str) -> Self {
        self.example = (expression, value);
        self
    }

    /// The function as one that gives another value each time.
    pub(crate) const fn impure(mut self) -> Self {
        self.pure = false;
        self
    }
}
