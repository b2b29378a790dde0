//! Calls: arguments that may be null, or are of a kind that a parameter cannot use.

use super::Operand;
use crate::catalogue::{FunctionEntry, FunctionParameter, NullArgument};
use crate::compile::{Compiler, TypedNode};
use crate::error::Span;
use crate::finding::{Finding, Severity};
use crate::parser::{FunctionCall, SyntaxKind};
use crate::value::Value;
use values::types::{ValueKind, ValueType};

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
            self.check_first(function, call, of, span, haystack);
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
        let source = self.text.get(span.from..span.to).unwrap_or(super::ELLIPSIS);
        let parameter = &function.parameters[0];
        let given = Given { parameter, place: 0, of, constant: None, source, span, is_loose: false };
        self.check_argument(function, &given, None);
    }

    fn check_first(
        &mut self,
        function: &'static FunctionEntry,
        call: &FunctionCall,
        of: &ValueType,
        span: Span,
        haystack: Option<&ValueType>,
    ) {
        // In a chain of map() an item has no text of its own.
        let is_written = span != call.name_span;
        let source = self.text.get(span.from..span.to).filter(|_| is_written).unwrap_or(super::ELLIPSIS);
        let parameter = &function.parameters[0];
        let given = Given { parameter, place: 0, of, constant: None, source, span, is_loose: false };
        self.check_argument(function, &given, haystack);
    }

    fn check_argument(&mut self, function: &FunctionEntry, given: &Given<'_>, haystack: Option<&ValueType>) {
        if self.check_kind(function, given, haystack)
            || self.check_joined_items(function, given)
            || !given.of.may_be_null()
        {
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
                // A second call may give something else than the first one.
                let remedy = match given.source.contains('(') {
                    true => format!("put it into a variable, `var('it') != null ? {name}(var('it')) : null`"),
                    false => format!("`{source} != null ? {name}({source}) : null`"),
                };
                let message = format!("`{source}` may be empty, and then {name}() is about this resource: {remedy}.");
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
        let is_text = |of: &ValueType| of.kinds().iter().any(|kind| kind.is_scalar() || kind == DateTime);
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
        let Some(kind) = given.of.kinds().iter().find(is_wrong) else { return false };
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

    /// Finds items of a list that are no text where they are joined; true if one is found.
    fn check_joined_items(&mut self, function: &FunctionEntry, given: &Given<'_>) -> bool {
        use ValueKind::{Array, Changes, File, Interval, Object, Rows};
        if !matches!((function.name, given.place), ("join", 1) | ("concat", 0)) {
            return false;
        }
        let no_text = |kind: &ValueKind| matches!(kind, Array | Changes | File | Interval | Object | Rows);
        let Some(kind) = given.of.member().kinds().iter().find(no_text) else { return false };
        let (name, source, found) = (function.name, given.source, kind.words());
        let message = format!(
            "{name}() takes texts, and an item of `{source}` may be {found}: `map({source}, '…')` makes texts."
        );
        self.error("no_text", given.span, message);
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
}
