//! Signatures: the function whose arguments a cursor stands in.

use crate::cursor::EnclosingCall;
use expression::Span;
use expression::catalogue::{self, FunctionEntry};

/// A function with its parameters, and the one at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallSignature {
    /// The function as the reference writes it: `explode(separator, string, limit = null)`.
    pub label: String,
    /// The places of the parameters in the label.
    pub parameters: Vec<Span>,
    /// The parameter at the place; none behind the last.
    pub active: Option<usize>,
    /// A line of help.
    pub help: &'static str,
}

impl EnclosingCall<'_> {
    /// The place of the argument among the parameters: what stands before the dot has the first one.
    pub(crate) fn index(&self) -> usize {
        self.argument + usize::from(self.receiver.is_some())
    }
}

/// Returns the signature of a call; none where there is no such function.
pub(crate) fn of(call: EnclosingCall<'_>) -> Option<CallSignature> {
    let function = catalogue::find(call.function)?;
    let (label, parameters) = written(function);
    let last = parameters.len().checked_sub(1);
    let is_variadic = function.parameters.last().is_some_and(|last| last.variadic);
    let placed = match last {
        Some(last) if is_variadic => Some(call.index().min(last)),
        _ => Some(call.index()).filter(|index| *index < parameters.len()),
    };
    let named = call.named.and_then(|name| function.parameters.iter().position(|parameter| parameter.name == name));
    Some(CallSignature { label, parameters, active: named.or(placed), help: function.help })
}

/// Returns a function with its parameters.
pub(crate) fn line(function: &FunctionEntry) -> String {
    written(function).0
}

fn written(function: &FunctionEntry) -> (String, Vec<Span>) {
    let mut label = format!("{}(", function.name);
    let mut places = Vec::new();
    for (place, parameter) in function.parameters.iter().enumerate() {
        label.push_str(if place > 0 { ", " } else { "" });
        let from = label.len();
        label.push_str(if parameter.variadic { "..." } else { "" });
        label.push_str(parameter.name);
        if let (Some(default), false) = (parameter.default, parameter.variadic) {
            label.push_str(&format!(" = {default}"));
        }
        places.push(Span { from, to: label.len() });
    }
    label.push(')');
    (label, places)
}
