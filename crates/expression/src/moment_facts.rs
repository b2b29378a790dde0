//! Moments that an expression reads out of texts: those that begin with a day of their own say nothing of the present.

use crate::facts::{PathEnd, ProgramFacts};
use crate::parser::{BinaryOperator, FunctionCall, SyntaxKind, SyntaxNode};
use crate::scope::Scope;
use crate::value::Value;
use values::types::{ValueKind, ValueType};

impl ProgramFacts {
    /// Returns true if strtotime() reads a day or a datetime that is there for certain, perhaps with a written distance
    /// behind it: `opened ~ ' +3 days'`.
    pub(crate) fn has_own_day(&mut self, call: &FunctionCall, receiver: Option<&PathEnd>, scope: &Scope) -> bool {
        let given = match receiver {
            Some(receiver) => Some(receiver.of.clone()),
            None => call.arguments.first().and_then(|argument| self.day(&argument.value, scope)),
        };
        given.is_some_and(|of| matches!(of.date_kind(), Some(ValueKind::Date | ValueKind::DateTime)) && !of.nullable)
    }

    /// Returns the type of what a text of a moment begins with.
    fn day(&mut self, syntax: &SyntaxNode, scope: &Scope) -> Option<ValueType> {
        match &syntax.kind {
            SyntaxKind::Chain(first, rest) => {
                // A number right behind the day would be a part of it.
                if !matches!(rest.first(), Some((_, SyntaxNode { kind: SyntaxKind::Literal(Value::Text(_)), .. }))) {
                    return None;
                }
                for (operator, part) in rest {
                    if *operator != BinaryOperator::Join || !self.is_distance(part, scope) {
                        return None;
                    }
                }
                self.day(first, scope)
            }
            _ => self.lead(syntax, scope).map(|end| end.of),
        }
    }

    /// Returns true for a part of a distance: a whole number, or a written text of signs, numbers and units.
    fn is_distance(&mut self, part: &SyntaxNode, scope: &Scope) -> bool {
        match &part.kind {
            SyntaxKind::Literal(Value::Int(_)) => true,
            SyntaxKind::Literal(Value::Text(text)) => is_span(&text.lossy()),
            _ => self.lead(part, scope).is_some_and(|end| end.of.known() == ValueKind::Int && !end.of.nullable),
        }
    }
}

/// Units of a distance, without their plural's `s`.
const UNITS: [&str; 9] = ["second", "sec", "minute", "min", "hour", "day", "week", "month", "year"];

/// Returns true for signs, numbers and units, with spaces between them, from the first space on: a word that other parts
/// complete is none.
fn is_span(text: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_start_matches(['+', '-']);
        let unit = word.trim_start_matches(|digit: char| digit.is_ascii_digit());
        unit.is_empty() || UNITS.contains(&unit.strip_suffix('s').unwrap_or(unit))
    };
    text.split(' ').all(is_word) && (text.starts_with(' ') || text.is_empty())
}
