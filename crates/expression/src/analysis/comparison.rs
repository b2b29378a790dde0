//! Comparisons by order, and the choice of the checks for each operator.

use super::Operand;
use super::dates::{is_written, words};
use crate::compile::Compiler;
use crate::error::Span;
use crate::error::capital;
use crate::finding::{Finding, Severity};
use crate::numeric;
use crate::parser::{BinaryOperator, PathStep, SyntaxKind, SyntaxNode};
use crate::value::Value;
use values::types::ValueKind;

impl Compiler<'_> {
    /// Checks a comparison. Of what a relation to many leads to, one of the members is compared.
    pub(crate) fn check_comparison(
        &mut self,
        operator: BinaryOperator,
        left: Operand<'_>,
        right: Operand<'_>,
        span: Span,
    ) {
        self.note_compared(operator, &left, &right, span);
        let items = [&left, &right].map(|operand| operand.of.several.then(|| operand.of.item().or_null(false)));
        let [first, second] = &items;
        let left = first.as_ref().map_or(left, |of| Operand { of, ..left });
        match operator {
            BinaryOperator::In | BinaryOperator::NotIn => self.check_contained(left, right),
            _ => {
                let right = second.as_ref().map_or(right, |of| Operand { of, ..right });
                match operator {
                    BinaryOperator::Equal
                    | BinaryOperator::NotEqual
                    | BinaryOperator::Identical
                    | BinaryOperator::NotIdentical => self.check_equality(operator, left, right, span),
                    _ => self.check_order(operator, left, right, span),
                }
            }
        }
    }

    /// Checks `<` and its like.
    fn check_order(&mut self, operator: BinaryOperator, left: Operand<'_>, right: Operand<'_>, span: Span) {
        self.check_sign_of_days(operator, left, right, span);
        for operand in [&left, &right] {
            if self.check_unlike(operand, "an order wants values of one kind") {
                return;
            }
        }
        for (own, other) in [(left, right), (right, left)] {
            if own.kind() == ValueKind::Any || other.kind() == ValueKind::Any {
                return;
            }
        }
        // A date that is written out may stand on either side.
        if right.of.date_kind().is_some() && left.text().is_some() {
            return self.check_date_beside(right, left, span);
        }
        for (own, other) in [(left, right), (right, left)] {
            let kind = own.kind();
            if own.of.date_kind().is_some() {
                return self.check_date_beside(own, other, span);
            }
            let unordered = matches!(
                kind,
                ValueKind::Bool
                    | ValueKind::Array
                    | ValueKind::Object
                    | ValueKind::File
                    | ValueKind::Resource
                    | ValueKind::Changes
                    | ValueKind::Rows
            );
            if unordered {
                let message = format!("{} is neither less nor greater than another value.", capital(kind.words()));
                return self.error("no_order", own.syntax.span, message);
            }
            if kind == ValueKind::Interval && other.kind() != ValueKind::Interval {
                return self.interval_beside(own, span);
            }
            if kind == ValueKind::Interval && own.of.units.of_months() {
                let message = "Months differ in length, so an interval of months has no order: compare dates, \
                               `issued + 1.months < due`.";
                return self.error("no_order", own.syntax.span, message.to_owned());
            }
            if kind == ValueKind::Text && other.kind().at_run_time() != ValueKind::Text && other.constant.is_none() {
                if own.text().is_some_and(|text| numeric::whole(text.as_bytes()).is_some()) {
                    continue;
                }
                return self.text_beside_number(own, other);
            }
            if kind == ValueKind::Text && other.kind() != ValueKind::Text && own.constant.is_none() {
                return self.text_beside_number(own, other);
            }
        }
        let plain = |operand: &Operand<'_>| {
            operand.kind() == ValueKind::Text
                && operand.of.options.is_none()
                && operand.text().is_none_or(|text| numeric::whole(text.as_bytes()).is_some())
        };
        if plain(&left) && plain(&right) && (left.constant.is_none() || right.constant.is_none()) {
            let (first, second) = (self.source(left.syntax), self.source(right.syntax));
            let message = format!(
                "Texts that are numbers compare as numbers: '10' is greater than '9', and '1a' is not. Is that meant of \
                 `{first}` and `{second}`?"
            );
            self.warning("texts_ordered", span, message);
        }
    }

    /// The days of an interval have no sign: a comparison with less than none is always the same.
    fn check_sign_of_days(&mut self, operator: BinaryOperator, left: Operand<'_>, right: Operand<'_>, span: Span) {
        use BinaryOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
        let (days, number, operator) = match (operator, dates_of_days(left.syntax), dates_of_days(right.syntax)) {
            (operator, Some(days), _) => (days, right, operator),
            (Less, _, Some(days)) => (days, left, Greater),
            (LessOrEqual, _, Some(days)) => (days, left, GreaterOrEqual),
            (Greater, _, Some(days)) => (days, left, Less),
            (GreaterOrEqual, _, Some(days)) => (days, left, LessOrEqual),
            _ => return,
        };
        let Some(Value::Int(number)) = number.constant else { return };
        let is_constant = match operator {
            Less | GreaterOrEqual => *number <= 0,
            _ => *number < 0,
        };
        if !is_constant {
            return;
        }
        let (first, second) = (self.source(days[0]), self.source(days[1]));
        let sign = if matches!(operator, Less | LessOrEqual) { ">" } else { "<=" };
        let remedy = format!("{first} {sign} {second}");
        let message = format!("The days of dateDiff() have no sign. To ask which date comes first: `{remedy}`.");
        let finding = Finding::new(Severity::Warning, "days_without_sign", span, message);
        self.find(if *number == 0 { finding.fixed(span, format!("({remedy})")) } else { finding });
    }

    fn text_beside_number(&mut self, text: Operand<'_>, number: Operand<'_>) {
        let source = self.source(text.syntax);
        let words = number.kind().words();
        let message = format!(
            "`{source}` is a text, and is compared with {words}: a number is kept in a property of kind pInteger or pDecimal."
        );
        self.error("text_beside_number", text.syntax.span, message);
    }

    /// Checks a date and what it is compared with: another of its kind, or a text that is the writing of one.
    pub(super) fn check_date_beside(&mut self, date: Operand<'_>, other: Operand<'_>, span: Span) {
        let Some(kind) = date.of.date_kind() else { return };
        if kind == ValueKind::DateTime && other.of.date_kind() == Some(ValueKind::Date) {
            // The day of the datetime is what can stand there.
            return self.check_date_beside(other, date, span);
        }
        let fits = match other.kind() {
            ValueKind::Any | ValueKind::Null => true,
            _ if other.of.date_kind() == Some(kind) => true,
            ValueKind::Timestamp => kind == ValueKind::DateTime,
            ValueKind::Text => other.text().is_some_and(|text| is_kept(text, kind, date.syntax)),
            _ => false,
        };
        if fits {
            return;
        }
        // A text that is made for it may well be one: `firstNChars(issued, 7) == month`. A property is another thing.
        let is_text = |operand: &Operand<'_>| operand.kind() == ValueKind::Text && operand.of.date_kind().is_none();
        let is_made = |operand: &Operand<'_>| !is_property(operand.syntax);
        let format = written_format(other.syntax).filter(|_| is_text(&other));
        let is_other = format.is_some() || other.constant.is_some();
        if is_text(&other) && !is_other && (is_made(&other) || date.kind() == ValueKind::Text) {
            return;
        }
        if let Some(format) = format {
            return self.format_beside(date, kind, format, span);
        }
        let (own, shown) = (self.source(date.syntax), self.source(other.syntax));
        let day = kind == ValueKind::Date;
        let (message, fix) = if day && other.calls("time") {
            let remedy = "date('Y-m-d')".to_owned();
            let whole = self.replaced(span, other.syntax.span, &remedy);
            (format!("`{own}` is a day and `time()` are seconds: `{whole}`."), Some(remedy))
        } else if day && other.calls("today") {
            let remedy = "date('Y-m-d')".to_owned();
            let whole = self.replaced(span, other.syntax.span, &remedy);
            (format!("`{own}` is a day, and `today()` the end of one, at 23:59:59: `{whole}`."), Some(remedy))
        } else if let Some(turned) = other.text().filter(|_| day).and_then(super::dates::turned) {
            let remedy = format!("'{turned}'");
            let whole = self.replaced(span, other.syntax.span, &remedy);
            (format!("`{own}` is a date, and is written year first: `{whole}`."), Some(remedy))
        } else if let Some(text) = other.text().filter(|text| kind == ValueKind::Time && is_written(text, kind)) {
            let remedy = format!("'{text}:00'");
            let whole = self.replaced(span, other.syntax.span, &remedy);
            (format!("`{own}` has seconds, and is the same as no text without: `{whole}`."), Some(remedy))
        } else if day && other.kind() == ValueKind::DateTime {
            let remedy = format!("formatDate({shown}, 'Y-m-d')");
            (format!("`{own}` is a day, and `{shown}` a datetime: `{remedy}` is its day."), Some(remedy))
        } else {
            let written = super::dates::example(kind).filter(|_| other.text().is_some());
            let found = match other.of.date_kind() {
                Some(other) if words(other) == words(kind) => "another text",
                Some(other) => words(other),
                None if other.text().is_some() => "another text",
                None => other.kind().words(),
            };
            let message = match written {
                Some(example) => format!("`{own}` is {}, which is written like `'{example}'`.", words(kind)),
                None => format!("`{own}` is {}, and `{shown}` is {found}: these cannot be compared.", words(kind)),
            };
            (message, None)
        };
        let mut finding = Finding::new(Severity::Error, "date_beside", other.syntax.span, message);
        finding = finding.also(span, format!("`{own}` is compared here."));
        let is_turned = day && other.text().is_some();
        finding = match fix {
            Some(fix) if is_turned => finding.safely_fixed(other.syntax.span, fix),
            Some(fix) => finding.fixed(other.syntax.span, fix),
            None => finding,
        };
        self.find(finding);
    }
}

/// Returns true if a text is a date as it is kept. A time has seconds, but for one that is written with a format.
pub(super) fn is_kept(text: &str, kind: ValueKind, date: &SyntaxNode) -> bool {
    let lacks_seconds = kind == ValueKind::Time && text.len() < 8 && written_format(date).is_none();
    is_written(text, kind) && !lacks_seconds
}

/// Returns the format that a call writes a date with, where it is written out.
fn written_format(syntax: &SyntaxNode) -> Option<&SyntaxNode> {
    let (call, place) = match &syntax.kind {
        SyntaxKind::Call(call) => (call, usize::from(call.name != "date")),
        SyntaxKind::Path(_, steps) => match steps.last() {
            Some(PathStep::Call(call)) if call.name != "date" => (call, 0),
            _ => return None,
        },
        _ => return None,
    };
    let writes = ["date", "formatDate", "toUtc", "fromUtc"].contains(&call.name.as_str());
    let format = &call.arguments.get(place).filter(|_| writes)?.value;
    matches!(format.kind, SyntaxKind::Literal(Value::Text(_))).then_some(format)
}

/// Returns true for a name, or a path of names.
fn is_property(syntax: &SyntaxNode) -> bool {
    match &syntax.kind {
        SyntaxKind::Name(_) => true,
        SyntaxKind::Path(first, steps) => {
            is_property(first) && steps.iter().all(|step| matches!(step, PathStep::Property(..)))
        }
        _ => false,
    }
}

/// Returns the two dates of `dateDiff(a, b).days`.
fn dates_of_days(syntax: &SyntaxNode) -> Option<[&SyntaxNode; 2]> {
    let SyntaxKind::Path(first, steps) = &syntax.kind else { return None };
    let (SyntaxKind::Call(call), [PathStep::Property(name, _)]) = (&first.kind, steps.as_slice()) else { return None };
    match call.arguments.as_slice() {
        [one, other] if call.name == "dateDiff" && name == "days" => Some([&one.value, &other.value]),
        _ => None,
    }
}
