//! Calls: arguments that may be null, or are of a kind that a parameter cannot use; and the types of results.

use super::Operand;
use super::dates::{is_written, read};
use crate::catalogue::{FunctionEntry, FunctionParameter, NullArgument};
use crate::compile::{Compiler, TypedNode};
use crate::error::Span;
use crate::finding::{Finding, Severity};
use crate::parser::{FunctionCall, SyntaxKind};
use crate::scope::{IntervalUnits, ValueKind, ValueType};
use crate::value::Value;

/// An argument: what is given for which parameter.
struct Given<'g> {
    parameter: &'g FunctionParameter,
    place: usize,
    of: &'g ValueType,
    constant: Option<&'g Value>,
    /// The text that it is written with, and where; what stands before the dot for the first of a step.
    source: &'g str,
    span: Span,
    /// True if more stands there than one operand.
    is_loose: bool,
}

/// The arguments of a call, in the order in which they are written, and the places of their parameters.
pub(crate) struct PlacedArguments<'a> {
    pub(crate) built: &'a [TypedNode],
    pub(crate) places: &'a [usize],
}

impl Compiler<'_> {
    /// Checks the arguments of a call. The receiver is what a step is taken of, and its text.
    pub(crate) fn check_arguments(
        &mut self,
        function: &'static FunctionEntry,
        call: &FunctionCall,
        arguments: &[TypedNode],
        places: &[usize],
        receiver: Option<(&ValueType, Span)>,
    ) {
        let Some(last) = function.parameters.len().checked_sub(1) else { return };
        let haystack = receiver.map(|(of, _)| of).or_else(|| {
            let first = places.iter().position(|place| *place == 0)?;
            arguments.get(first).map(|node| &node.of)
        });
        if let Some((of, span)) = receiver {
            self.check_first(function, of, span, haystack);
        }
        for ((argument, node), place) in call.arguments.iter().zip(arguments).zip(places) {
            let syntax = &argument.value;
            let is_loose = matches!(syntax.kind, SyntaxKind::Conditional(..)) && !syntax.parenthesised;
            let given = Given {
                parameter: &function.parameters[(*place).min(last)],
                place: *place,
                of: &node.of,
                constant: node.node.constant(),
                source: self.source(syntax),
                span: syntax.span,
                is_loose,
            };
            self.check_argument(function, &given, haystack);
            self.check_cast(function, Operand::of(node, syntax));
        }
    }

    /// Checks what map() goes through.
    pub(crate) fn check_iterable(&mut self, function: &'static FunctionEntry, of: &ValueType, span: Span) {
        self.check_first(function, of, span, None);
    }

    fn check_first(
        &mut self,
        function: &'static FunctionEntry,
        of: &ValueType,
        span: Span,
        haystack: Option<&ValueType>,
    ) {
        let source = self.text.get(span.from..span.to).unwrap_or("…");
        let parameter = &function.parameters[0];
        let given = Given { parameter, place: 0, of, constant: None, source, span, is_loose: false };
        self.check_argument(function, &given, haystack);
    }

    fn check_argument(&mut self, function: &FunctionEntry, given: &Given<'_>, haystack: Option<&ValueType>) {
        if self.check_kind(function, given, haystack) || !given.of.may_be_null() {
            return;
        }
        let null = match (function.name, given.place, haystack.map(ValueType::known)) {
            ("contains", 1, Some(ValueKind::Text)) => NullArgument::Refused("'none'"),
            _ => given.parameter.null,
        };
        let (name, source) = (function.name, given.source);
        let (severity, code, message, remedy) = match null {
            NullArgument::Taken | NullArgument::Passed => return,
            NullArgument::Refused(value) => {
                let remedy =
                    if given.is_loose { format!("({source}) ?? {value}") } else { format!("{source} ?? {value}") };
                let message = format!(
                    "`{source}` may be empty, and {name}() takes no empty `{}`: `{remedy}`.",
                    given.parameter.name
                );
                (Severity::Error, "null_argument", message, Some(format!("({remedy})")))
            }
            NullArgument::Present => {
                let remedy = format!("{source} != null and …");
                let message = format!(
                    "`{source}` may be empty, and then {name}() takes the present: ask for it first, `{remedy}`."
                );
                (Severity::Error, "null_is_present", message, None)
            }
            NullArgument::Context => {
                let remedy = format!("{source} != null ? {name}({source}) : null");
                let message = format!("`{source}` may be empty, and then {name}() is about this resource: `{remedy}`.");
                (Severity::Error, "null_is_context", message, None)
            }
            NullArgument::Alike => {
                let message = format!("`{source}` may be empty, and {name}() gives the same for all empty ones.");
                (Severity::Warning, "empty_alike", message, None)
            }
            NullArgument::Loose => {
                let message =
                    format!("`{source}` may be empty, and equals '', 0 and false in {name}(): `in` does not do so.");
                (Severity::Warning, "empty_equals", message, None)
            }
        };
        let mut finding = Finding::new(severity, code, given.span, message);
        if let Some(remedy) = remedy.filter(|_| given.constant.is_none()) {
            finding = finding.fixed(given.span, remedy);
        }
        self.find(finding);
    }

    /// Finds values of kinds that a parameter cannot use; true if one is found.
    fn check_kind(&mut self, function: &FunctionEntry, given: &Given<'_>, haystack: Option<&ValueType>) -> bool {
        use ValueKind::{Any, Array, Bool, Changes, DateTime, File, Interval, Object, Resource, Rows, Text};
        // A mistake says so if the kind is known for certain.
        let is_told = given.of.kind == Any;
        let (name, source, wanted) = (function.name, given.source, given.parameter.kind);
        let is_moment = ["date", "date1", "date2", "timestampOrDate", "input"].contains(&given.parameter.name);
        // It looks into a text if its first argument may be one.
        let is_text = |of: &ValueType| kinds(of).into_iter().any(ValueKind::is_scalar);
        let seeks = given.place == 1 && name == "contains" && haystack.is_some_and(is_text);
        let measures = given.place == 0 && matches!(name, "contains" | "length" | "toString");
        let is_wrong = |kind: &ValueKind| match wanted {
            // Parameters of queries and of links are written as an object.
            "array" if *kind == Object && (name.starts_with("query") || name.starts_with("object")) => false,
            "array" if is_told && kind.is_scalar() => true,
            "array" => matches!(kind, Object | Resource | File | Changes | Interval | DateTime),
            "string" if is_told && matches!(kind, Array | Rows) => true,
            "string" => matches!(kind, Object | Resource | Changes | Interval),
            "mixed" if given.parameter.name == "iterable" => {
                kind.is_scalar() || matches!(kind, File | Changes | Interval | DateTime)
            }
            "int" => {
                let date = given.of.date_kind();
                let is_base = given.parameter.name == "baseTimestamp" && date == Some(DateTime);
                let is_text = *kind == Text && given.constant.is_none();
                matches!(kind, Array | Object | Resource | File | Changes | Rows | Interval)
                    || !is_base && (is_text || date.is_some())
            }
            "mixed" if seeks => matches!(kind, Array | Object | Interval | Resource | Changes),
            "mixed" | "string|array" if measures => matches!(kind, Object | Interval | Resource | Changes),
            "mixed" if is_moment => matches!(kind, Bool | Array | Object | Resource | File | Changes | Rows),
            _ => false,
        };
        let Some(kind) = kinds(given.of).into_iter().find(is_wrong) else { return false };
        let found = kind.words();
        let (message, remedy) = match (wanted, kind) {
            _ if seeks => (format!("{name}() looks for a text in a text, and `{source}` is {found}."), None),
            _ if measures => (format!("{name}() takes a text or an array, and `{source}` is {found}."), None),
            ("array", _) | ("mixed", _) if !is_moment => {
                let remedy = format!("toArray({source})");
                (format!("{name}() goes through an array, and `{source}` is {found}: `{remedy}`."), Some(remedy))
            }
            ("string", Interval) => {
                (format!("{name}() takes a text, and `{source}` is an interval: `{source}.days`."), None)
            }
            ("string", _) => (format!("{name}() takes a text, and `{source}` is {found}."), None),
            ("int", _) => (format!("{name}() takes a whole number, and `{source}` is {found}."), None),
            _ => (format!("{name}() takes a date, and `{source}` is {found}."), None),
        };
        let mut finding = Finding::new(Severity::Error, "wrong_argument", given.span, message);
        if let Some(remedy) = remedy.filter(|_| !given.of.nullable) {
            finding = finding.fixed(given.span, remedy);
        }
        self.find(finding);
        true
    }

    /// A number is read out of a text that may be none.
    fn check_cast(&mut self, function: &FunctionEntry, given: Operand<'_>) {
        let casts = matches!(function.name, "toInt" | "toFloat");
        let is_number = given.of.told == ValueKind::Timestamp;
        if !casts
            || is_number
            || given.kind() != ValueKind::Text
            || given.constant.is_some()
            || given.of.date_kind().is_some()
        {
            return;
        }
        // A part that is cut out is cut for its digits.
        if matches!(&given.syntax.kind, SyntaxKind::Call(call) if ["firstNChars", "lastNChars"].contains(&call.name.as_str()))
        {
            return;
        }
        let source = self.source(given.syntax);
        let name = function.name;
        let message = format!("{name}() reads what `{source}` begins with: '12,50' gives 12, and 'abc' 0.");
        self.warning("number_in_text", given.syntax.span, message);
    }

    /// Returns the type of a call's result, as far as the arguments tell more than the catalogue does.
    pub(crate) fn check_result(
        &mut self,
        function: &'static FunctionEntry,
        call: &FunctionCall,
        arguments: &PlacedArguments<'_>,
        receiver: Option<&ValueType>,
        of: ValueType,
    ) -> ValueType {
        let at = |wanted: usize| -> Option<Operand<'_>> {
            let found = arguments.places.iter().position(|place| *place == wanted)?;
            Some(Operand::of(arguments.built.get(found)?, &call.arguments.get(found)?.value))
        };
        let first = receiver.or_else(|| at(0).map(|operand| operand.of));
        let first_null = first.is_some_and(|of| of.nullable);
        self.note_call(function, call, first, at(1).map(|second| second.of));
        match function.name {
            "get" => match first {
                Some(first) => ValueType { nullable: first.nullable, units: first.units, ..of.told(first.known()) },
                None => of,
            },
            "setVar" => match at(1) {
                Some(value) => {
                    ValueType { nullable: value.of.nullable, units: value.of.units, ..of.told(value.kind()) }
                }
                None => of,
            },
            "date" => {
                let format = at(0).filter(|_| receiver.is_none());
                let of = self.check_format(format.as_ref(), "Y-m-d H:i:s");
                let in_seconds = format.is_some_and(|format| format.text() == Some("U"));
                of.told(if in_seconds { ValueKind::Timestamp } else { ValueKind::Any })
            }
            "formatDate" => {
                let of = self.check_format(at(1).as_ref(), "c").or_null(false);
                // The text of an instant in seconds; that of an empty date would be 1970.
                let in_seconds = at(1).is_some_and(|format| format.text() == Some("U")) && !first_null;
                of.told(if in_seconds { ValueKind::Timestamp } else { ValueKind::Any })
            }
            "toUtc" => self.check_format(at(1).as_ref(), "Y-m-d H:i:s").or_null(first_null),
            "fromUtc" => self.check_format(at(1).as_ref(), "c").or_null(first_null),
            "today" => ValueType::written(ValueKind::DateTime),
            "time" => ValueType::of(ValueKind::Timestamp),
            "strtotime" => {
                let given = at(0).filter(|_| receiver.is_none());
                let reads = match (first, given) {
                    (None, _) => true,
                    (Some(of), _) if of.date_kind().is_some() => !of.nullable,
                    (Some(_), Some(given)) => {
                        given.text().is_some_and(|text| read(text).is_some()) || std::mem::take(&mut self.sampled)
                    }
                    _ => false,
                };
                ValueType::of(ValueKind::Timestamp).or_null(!reads)
            }
            "dateDiff" => {
                let given = at(0).filter(|_| receiver.is_none());
                let first = given.map_or_else(|| first.map_or(ValueKind::Any, day_kind), |first| dated(&first));
                let units = IntervalUnits::between([first, at(1).map_or(ValueKind::Any, |second| dated(&second))]);
                let nullable = first_null || at(1).is_some_and(|second| second.of.nullable);
                ValueType { units, ..of.or_null(nullable) }
            }
            "toInt" if first.is_some_and(|of| of.told == ValueKind::Timestamp) => ValueType::of(ValueKind::Timestamp),
            "length" => ValueType { at_least: Some(0), ..of },
            "explode" => ValueType::array(ValueKind::Text),
            "arrayValues" | "arrayPopGetArray" | "arrayShiftGetArray" => match first {
                Some(first) => ValueType { item_kind: first.item_kind, items_null: first.items_null, ..of },
                None => of,
            },
            "arrayFirstValue" | "arrayLastValue" | "arrayShift" | "arrayPop" => match first {
                Some(first) if first.item_kind != ValueKind::Any => of.told(first.item_kind),
                _ => of,
            },
            _ => of,
        }
    }

    /// A date that may be empty within the text of a moment: without it the text is about the present.
    pub(super) fn check_moment(&mut self, part: &Operand<'_>) {
        if part.of.date_kind().is_some() && part.may_be_empty() {
            let source = self.source(part.syntax);
            let message = format!(
                "`{source}` may be empty, and then strtotime() counts from the present: ask for it first, `{source} != \
                 null and …`."
            );
            self.error("null_is_present", part.syntax.span, message);
        }
    }

    /// Tries a text of written parts, days and whole numbers with samples: true if strtotime reads each.
    pub(super) fn reads_as_moment(&self, parts: &[Operand<'_>]) -> bool {
        ["0", "1", "99"].iter().all(|number| {
            let mut text = String::new();
            for part in parts {
                match (part.constant, part.kind()) {
                    (Some(Value::Text(written)), _) => text.push_str(&written.lossy()),
                    (Some(Value::Int(written)), _) => text.push_str(&written.to_string()),
                    (None, ValueKind::Int) if !part.of.nullable => text.push_str(number),
                    _ if part.of.nullable => return false,
                    _ => match part.of.date_kind() {
                        Some(ValueKind::Date) => text.push_str("2026-12-04"),
                        Some(ValueKind::Month) => text.push_str("2026-12"),
                        Some(ValueKind::Time) => text.push_str("14:30:00"),
                        Some(ValueKind::DateTime) if part.kind() == ValueKind::Text => {
                            text.push_str("2026-12-04T14:30:00+00:00");
                        }
                        _ => return false,
                    },
                }
            }
            read(&text).is_some()
        })
    }
}

/// Returns the kinds that a value may be of: those of unlike branches.
fn kinds(of: &ValueType) -> [ValueKind; 2] {
    of.unlike.unwrap_or([of.known(); 2])
}

/// Returns the kind of date that an operand is; a text that is written out as a day is one.
fn dated(operand: &Operand<'_>) -> ValueKind {
    match operand.text() {
        Some(text) if is_written(text, ValueKind::Date) => ValueKind::Date,
        _ => day_kind(operand.of),
    }
}

/// Of unlike branches one may be any text.
fn day_kind(of: &ValueType) -> ValueKind {
    match of.unlike {
        Some(_) => ValueKind::Text,
        None => of.date_kind().unwrap_or_else(|| of.known()),
    }
}
