//! Short ways to write rows of the catalogue.

use crate::catalogue::{Availability, FunctionEntry, FunctionParameter, NullArgument};
use crate::value::Value;
use crate::{Result, Run};

/// A parameter that must be given.
pub(crate) const fn required(name: &'static str, kind: &'static str) -> FunctionParameter {
    FunctionParameter { name, kind, default: None, variadic: false, null: NullArgument::Taken }
}

/// A parameter that may be left out.
pub(crate) const fn optional(name: &'static str, kind: &'static str, default: &'static str) -> FunctionParameter {
    FunctionParameter { name, kind, default: Some(default), variadic: false, null: NullArgument::Taken }
}

impl FunctionParameter {
    /// The parameter with an effect of null.
    pub(crate) const fn null(mut self, null: NullArgument) -> Self {
        self.null = null;
        self
    }

    /// The parameter that null is refused for; the text is a value to give in its place.
    pub(crate) const fn refusing(self, remedy: &'static str) -> Self {
        self.null(NullArgument::Refused(remedy))
    }
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
