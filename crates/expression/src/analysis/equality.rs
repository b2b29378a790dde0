//! Equality, and membership of lists: types that share no value are never the same.

use super::Operand;
use crate::check::nearest;
use crate::compile::Compiler;
use crate::error::Span;
use crate::finding::{Finding, Severity};
use crate::numeric;
use crate::parser::{BinaryOperator, SyntaxKind};
use crate::value::Value;
use values::types::may_be_same;
use values::types::{ValueKind, ValueType};

impl Compiler<'_> {
    /// Checks `==` and its like.
    pub(super) fn check_equality(
        &mut self,
        operator: BinaryOperator,
        left: Operand<'_>,
        right: Operand<'_>,
        span: Span,
    ) {
        let kinds = (left.kind(), right.kind());
        if [kinds.0, kinds.1].iter().any(|kind| matches!(kind, ValueKind::Any | ValueKind::Null)) {
            return;
        }
        for (own, other) in [(left, right), (right, left)] {
            if own.of.date_kind().is_some() {
                return self.check_date_beside(own, other, span);
            }
            if own.kind() == ValueKind::Interval && other.kind() != ValueKind::Interval {
                return self.interval_beside(own, span);
            }
        }
        let strict = matches!(operator, BinaryOperator::Identical | BinaryOperator::NotIdentical);
        if !overlap(left.of, right.of, strict) || is_word_beside_number(left, right) {
            return self.never_same(left, right, span);
        }
        if self.check_option(left, right, span) || self.check_empty_text(operator, left, right, span) || strict {
            return;
        }
        if (kinds.0 == ValueKind::Bool) != (kinds.1 == ValueKind::Bool) {
            let message = "Beside a boolean each value counts as yes or no: compare with true or false.".to_owned();
            return self.warning("loose_boolean", span, message);
        }
        self.check_loose(left, right, span);
    }

    /// A value that the place hands over is one of a list, and the text is none of it. Of properties, the model says so.
    fn check_option(&mut self, left: Operand<'_>, right: Operand<'_>, span: Span) -> bool {
        for (own, other) in [(left, right), (right, left)] {
            let is_handed = matches!(own.syntax.kind, SyntaxKind::Call(_) | SyntaxKind::Variable(_));
            let (Some(options), Some(text)) = (&own.of.options, other.text()) else { continue };
            if !is_handed || options.iter().any(|option| &**option == text) {
                continue;
            }
            let near = nearest(text, options.iter().map(|option| &**option));
            let remedy = near.as_ref().map(|near| format!(" Did you mean `'{near}'`?")).unwrap_or_default();
            let message = format!("`{}` is never '{text}': there is no such option.{remedy}", self.source(own.syntax));
            let finding = Finding::new(Severity::Error, "never_same", span, message);
            self.find(match near {
                Some(near) => finding.fixed(other.syntax.span, format!("'{near}'")),
                None => finding,
            });
            return true;
        }
        false
    }

    /// A text that may be null is compared with an empty one: null is not the same as that.
    fn check_empty_text(
        &mut self,
        operator: BinaryOperator,
        left: Operand<'_>,
        right: Operand<'_>,
        span: Span,
    ) -> bool {
        let sides = [(left, right), (right, left)];
        let Some((text, _)) = sides.into_iter().find(|(own, other)| own.may_be_empty() && other.text() == Some(""))
        else {
            return false;
        };
        let is_same = matches!(operator, BinaryOperator::Equal | BinaryOperator::Identical);
        let (source, sign) = (self.grouped(text.syntax), if is_same { "==" } else { "!=" });
        let remedy = format!("{source} {sign} null");
        let message = format!("A text that is missing is null, and null is not '': `{remedy}`.");
        let finding = Finding::new(Severity::Warning, "empty_text", span, message);
        self.find(finding.fixed(span, format!("({remedy})")));
        true
    }

    /// Two texts that may be numbers are compared as numbers.
    fn check_loose(&mut self, left: Operand<'_>, right: Operand<'_>, span: Span) {
        let may_count = |operand: &Operand<'_>| {
            let written = operand.text().is_none_or(|text| numeric::whole(text.as_bytes()).is_some());
            operand.kind().is_number() || operand.of.options.is_none() && written
        };
        let text = |operand: &Operand<'_>| operand.kind() == ValueKind::Text && operand.constant.is_none();
        if !(may_count(&left) && may_count(&right) && (text(&left) || text(&right))) {
            return;
        }
        let (first, second) = (self.source(left.syntax), self.source(right.syntax));
        let message = format!(
            "Texts that are numbers compare as numbers: \"0123\" == \"123\" holds. `{first} === {second}` compares what is \
             written."
        );
        self.warning("loose_texts", span, message);
    }

    /// Checks `in` and `not in`.
    pub(super) fn check_contained(&mut self, left: Operand<'_>, right: Operand<'_>) {
        if self.check_unlike(&right, "`in` looks into an array, or into a text") {
            return;
        }
        let source = self.source(right.syntax);
        match right.kind() {
            ValueKind::Any | ValueKind::Null => return,
            ValueKind::Array | ValueKind::Rows => {}
            // A text is looked into for a part.
            ValueKind::Text if right.of.date_kind().is_none() => {
                if left.kind() == ValueKind::Text || left.kind() == ValueKind::Any || left.kind() == ValueKind::Null {
                    return;
                }
                let message = format!(
                    "`{source}` is a text, and `{}` is {}: a part of a text is a text.",
                    self.source(left.syntax),
                    left.kind().words()
                );
                return self.error("no_list", left.syntax.span, message);
            }
            kind => {
                let message = format!("`in` looks into an array, and `{source}` is {}.", kind.words());
                return self.error("no_list", right.syntax.span, message);
            }
        }
        if right.may_be_empty() {
            let message = format!("`{source}` may be empty, and nothing is in no list: `{source} ?? []`.");
            let finding = Finding::new(Severity::Error, "no_list", right.syntax.span, message);
            let fix = format!("({} ?? [])", self.grouped(right.syntax));
            return self.find(finding.fixed(right.syntax.span, fix));
        }
        let Some(Value::Array(items)) = right.constant else { return };
        for (_, item) in items.iter() {
            if !holds(left, item) {
                let message = format!(
                    "`{}` is {}, and is never the same as {}.",
                    self.source(left.syntax),
                    left.kind().words(),
                    article(item)
                );
                return self.error("never_same", right.syntax.span, message);
            }
        }
    }

    fn never_same(&mut self, left: Operand<'_>, right: Operand<'_>, span: Span) {
        let (first, second) = (self.source(left.syntax), self.source(right.syntax));
        let (own, other) = (described(left.of), described(right.of));
        let message = format!("`{first}` is {own}, and `{second}` is {other}: these are never the same.");
        self.error("never_same", span, message);
    }
}

/// Returns true if one is a number and the other a written text that is not one.
fn is_word_beside_number(left: Operand<'_>, right: Operand<'_>) -> bool {
    [(left, right), (right, left)].into_iter().any(|(number, text)| {
        let is_word = text.text().is_some_and(|text| numeric::whole(text.as_bytes()).is_none());
        is_word && number.constant.is_none() && number.kind().is_number()
    })
}

/// Returns true if a value may be the same as an item of a list.
fn holds(left: Operand<'_>, item: &Value) -> bool {
    let kind = match item {
        // A resource is the same as its id.
        Value::Int(_) if left.kind() == ValueKind::Resource => return true,
        Value::Int(_) | Value::Float(_) | Value::Decimal(_) => ValueKind::Float,
        Value::Text(text) => {
            let date = left.of.date_kind();
            return match (date, text.as_str()) {
                (Some(date), Some(text)) => super::comparison::is_kept(text, date, left.syntax),
                _ if left.kind().is_number() && numeric::whole(text.as_bytes()).is_none() => false,
                _ => overlap(left.of, &ValueType::of(ValueKind::Text), false),
            };
        }
        Value::Array(_) => ValueKind::Array,
        _ => return true,
    };
    overlap(left.of, &ValueType::of(kind), false)
}

/// An item of a list for a sentence.
fn article(item: &Value) -> &'static str {
    match item {
        Value::Int(_) | Value::Float(_) | Value::Decimal(_) => "a number",
        Value::Text(_) => "such a text",
        _ => "an array",
    }
}

/// A type for a sentence.
fn described(of: &ValueType) -> String {
    match &of.shape {
        Some(shape) if of.known() == ValueKind::Resource => format!("a resource of {}", shape.name()),
        _ => of.known().words().to_owned(),
    }
}

/// Returns true if some value is of both types.
fn overlap(left: &ValueType, right: &ValueType, strict: bool) -> bool {
    use ValueKind::{Any, Array, Bool, Int, Null, Resource, Rows, Text, Timestamp};
    let (first, second) = (left.known(), right.known());
    let is_count = |kind: ValueKind| kind.is_number() || kind == Timestamp;
    match (first, second) {
        (Any | Null, _) | (_, Any | Null) => true,
        (Resource, Resource) => match (&left.shape, &right.shape) {
            (Some(one), Some(other)) => may_be_same(one, other),
            _ => true,
        },
        (Text, Text) => match (&left.options, &right.options) {
            (Some(one), Some(other)) => one.iter().any(|option| other.contains(option)),
            _ => true,
        },
        (first, second) if first == second => true,
        (first, second) if is_count(first) && is_count(second) => true,
        (Array, Rows) | (Rows, Array) => true,
        _ if strict => false,
        (Bool, _) | (_, Bool) => true,
        // A resource is what its id or code names.
        (Resource, Int | Text) | (Int | Text, Resource) => true,
        (Text, other) | (other, Text) => is_count(other),
        _ => false,
    }
}
