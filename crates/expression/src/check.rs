//! Checks before anything runs: names, arguments, kinds, and what was probably meant.

use crate::analysis::Operand;
use crate::catalogue::{self, Availability, FunctionEntry, FunctionParameter};
use crate::error::{Diagnostic, Span, capital, mistake};
use crate::foreign_words;
use crate::members;
use crate::numeric;
use crate::parser::{self, BinaryOperator, CallArgument, FunctionCall, SyntaxKind, SyntaxNode};
use crate::scope::Scope;
use crate::value::Value;
use datetime::IntervalUnit;
use values::types::{IntervalUnits, ValueKind, ValueType};

/// The nearest of some names, where one is near.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let allowed = (name.chars().count() / 3).max(1);
    let lower = name.to_lowercase();
    let length = lower.chars().count();
    let scored = names.filter_map(|other| {
        let other_lower = other.to_lowercase();
        // What differs much in length is not near, and comparing a long name would take long.
        if length.abs_diff(other_lower.chars().count()) > allowed.max(2) {
            return None;
        }
        let distance = strsim::damerau_levenshtein(&lower, &other_lower);
        let near = distance <= allowed || distance == 2 && is_shortened(&lower, &other_lower);
        near.then_some((distance, other))
    });
    scored.min().map(|(_, other)| other.to_string())
}

/// Returns true if a name of three letters or more is another with letters left out behind the first (`upr`, `upper`).
fn is_shortened(name: &str, other: &str) -> bool {
    let mut letters = other.chars();
    let starts = name.chars().next() == other.chars().next();
    starts && name.chars().count() >= 3 && name.chars().all(|letter| letters.any(|other| other == letter))
}

/// The function that a call names, if it exists in this place. The span is that of a call that stands alone, and not
/// behind a dot.
pub(crate) fn function(
    call: &FunctionCall,
    whole: Option<Span>,
    text: &str,
    scope: &Scope,
) -> Result<&'static FunctionEntry, Diagnostic> {
    let name = call.name.as_str();
    let Some(function) = catalogue::find(name) else {
        let internal = match name {
            "ifElse" => Some("if".to_string()),
            "objectMerge" => Some("object".to_string()),
            "localVar" => Some("var".to_string()),
            _ => None,
        };
        if let Some(foreign) = foreign_words::function(call, whole, text) {
            return Err(foreign);
        }
        let available = catalogue::all().filter(|function| scope.available.has(function.availability));
        let suggestion = internal.or_else(|| nearest(name, available.map(|function| function.name)));
        let message = format!("There is no function {name}().");
        return Err(mistake("unknown_function", call.name_span, message, suggestion));
    };
    if !scope.available.has(function.availability) {
        let message = format!("{name}() is not available here: {}.", condition(function.availability));
        return Err(mistake("provider_missing", call.name_span, message, None));
    }
    Ok(function)
}

fn condition(availability: Availability) -> &'static str {
    match availability {
        Availability::Always => "it always exists",
        Availability::Context => "it needs a resource as context",
        Availability::Trigger => "it needs trigger parameters",
        Availability::Endpoint => "it needs a previous endpoint",
        Availability::Local => "it needs local variables",
        Availability::Template => "it needs template variables",
        Availability::Environment => "it needs environment variables of the app",
        Availability::AppParameters => "it needs app parameters",
        Availability::Secrets => "it needs secrets",
        Availability::DataQuery => "it needs a current DataQuery",
    }
}

/// Returns the place of the parameter for every argument of a call, in order. With a spread argument, those that stand
/// for themselves are counted by the run.
pub(crate) fn places(
    function: &FunctionEntry,
    call: &FunctionCall,
    receiver: bool,
    mistakes: &mut Vec<Diagnostic>,
) -> Option<Vec<usize>> {
    let before = mistakes.len();
    let parameters = function.parameters;
    let spread = call.arguments.iter().any(|argument| argument.spread);
    let mut places = Vec::new();
    let mut given = vec![false; parameters.len()];
    if let (true, Some(first)) = (receiver, given.first_mut()) {
        *first = true;
    }
    let mut next = usize::from(receiver);
    for argument in &call.arguments {
        let place = match &argument.name {
            None => {
                next += 1;
                next - 1
            }
            Some((name, span)) => match named(function, name, *span) {
                Ok(place) => place,
                Err(diagnostic) => {
                    mistakes.push(diagnostic);
                    continue;
                }
            },
        };
        if let Some(taken) = given.get_mut(place) {
            if *taken && argument.name.is_some() && !spread {
                let message = format!("`{}` is given twice.", parameters[place].name);
                mistakes.push(mistake("repeated_argument", argument.value.span, message, None));
            }
            *taken = true;
        }
        places.push(place);
    }
    if spread {
        return (mistakes.len() == before).then_some(places);
    }
    if next > parameters.len() && !parameters.last().is_some_and(|parameter| parameter.variadic) {
        let message = match function.name {
            "concat" => "concat() takes one array, `concat([a, b])`: write `a ~ b`.".to_string(),
            "date" => "date() takes a format and a date. A day is written `'2026-12-31'`.".to_string(),
            _ => format!("{} takes {}, and {next} are given.", signature(function), count(parameters)),
        };
        mistakes.push(mistake("too_many_arguments", call.name_span, message, None));
    }
    // In the short form changedFrom('status') the first argument is the property.
    let short = !receiver && next > 0 && short_form(function, call).is_some();
    for (parameter, given) in parameters.iter().zip(&given) {
        if !given && parameter.default.is_none() && !parameter.variadic && !short {
            let nothing =
                if function.name == "if" && parameter.name == "ifFalse" { " Write `null` for none." } else { "" };
            let message = format!("{} needs `{}`.{nothing}", signature(function), parameter.name);
            mistakes.push(mistake("missing_argument", call.name_span, message, None));
        }
    }
    (mistakes.len() == before).then_some(places)
}

fn named(function: &FunctionEntry, name: &str, span: Span) -> Result<usize, Diagnostic> {
    let found = function.parameters.iter().position(|parameter| parameter.name == name && !parameter.variadic);
    found.ok_or_else(|| {
        let suggestion = nearest(name, function.parameters.iter().map(|parameter| parameter.name));
        let message = format!("{} has no parameter `{name}`.", signature(function));
        mistake("unknown_argument", span, message, suggestion)
    })
}

fn count(parameters: &[FunctionParameter]) -> String {
    match parameters.len() {
        0 => "no arguments".to_string(),
        1 => "one argument".to_string(),
        count => format!("at most {count} arguments"),
    }
}

/// A function with its parameters, as the reference writes it.
pub(crate) fn signature(function: &FunctionEntry) -> String {
    let parameters = function.parameters.iter().map(|parameter| match (parameter.variadic, parameter.default) {
        (true, _) => format!("...{}", parameter.name),
        (false, Some(default)) => format!("{} = {default}", parameter.name),
        (false, None) => parameter.name.to_string(),
    });
    format!("{}({})", function.name, parameters.collect::<Vec<_>>().join(", "))
}

/// Returns true if an argument is of a wrong kind for certain.
pub(crate) fn argument(function: &FunctionEntry, place: usize, given: &ValueType, span: Span) -> Option<Diagnostic> {
    let last = function.parameters.len().checked_sub(1)?;
    let parameter = &function.parameters[place.min(last)];
    let wrong = match parameter.kind {
        "array" => given.kind.is_scalar(),
        "string" => matches!(given.kind, ValueKind::Array | ValueKind::Rows),
        _ => false,
    };
    let (wanted, found) = (parameter.kind, given.kind.words());
    let message = format!("`{}` of {} takes values of kind {wanted}, not {found}.", parameter.name, function.name);
    wrong.then(|| mistake("wrong_kind", span, message, None))
}

/// The operands of a chain of operators that cannot be counted with for certain.
pub(crate) fn operands(operator: BinaryOperator, operands: &[Operand<'_>]) -> Vec<Diagnostic> {
    let kind = |operand: &Operand<'_>| operand.of.kind.at_run_time();
    let is_number = |operand: &Operand<'_>| kind(operand).is_scalar() && kind(operand) != ValueKind::Text;
    let counts = |place: usize| match operator {
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Remainder => true,
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => true,
        // The bytes of two strings are combined; beside a number a string must be one.
        bits if bits.is_bitwise() => operands.iter().take(place.max(2)).any(is_number),
        _ => false,
    };
    let bits = operator.is_bitwise() || matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight);
    let wrong = operands.iter().enumerate().filter_map(|(place, operand)| {
        let kind = kind(operand);
        let message = match (operand.constant, kind) {
            (Some(Value::Text(text)), _) if counts(place) && numeric::leading(text.as_bytes()).is_none() => {
                format!("{} counts. Texts are joined with `~`: `'a' ~ name`.", sign(operator))
            }
            (_, ValueKind::Object | ValueKind::File | ValueKind::Changes | ValueKind::Rows)
                if bits || counts(place) =>
            {
                format!("{} cannot be counted with.", capital(kind.words()))
            }
            (_, ValueKind::Array) if bits => "An array has no bits.".to_string(),
            _ => return None,
        };
        Some(mistake("wrong_operand", operand.syntax.span, message, None))
    });
    wrong.collect()
}

/// An arithmetic operator for a message.
pub(crate) fn sign(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "`+`",
        BinaryOperator::Subtract => "`-`",
        BinaryOperator::Multiply => "`*`",
        BinaryOperator::Divide => "`/`",
        BinaryOperator::Remainder => "`%`",
        _ => "This operator",
    }
}

/// Says of names behind a `|` that are no properties, but functions, how these are called.
pub(crate) fn piped(operands: &[(BinaryOperator, SyntaxNode)], mistakes: &mut [Diagnostic]) {
    for (_, syntax) in operands {
        let SyntaxKind::Name(name) = &syntax.kind else { continue };
        let found =
            mistakes.iter_mut().find(|mistake| mistake.code == "unknown_property" && mistake.span == syntax.span);
        if let (Some(mistake), Some(function)) = (found, catalogue::find(name)) {
            mistake.message.push_str(&format!(" Functions follow a dot: `a.{}()`.", function.name));
        }
    }
}

/// The short form hasChanged('status') reads the trigger's changes, which must be there.
pub(crate) fn shorthand(function: &FunctionEntry, call: &FunctionCall, scope: &Scope) -> Option<Diagnostic> {
    let first = short_form(function, call)?;
    if scope.available.has(Availability::Trigger) {
        return None;
    }
    let message = format!("Without trigger parameters {}() needs the changes as first argument.", function.name);
    Some(mistake("provider_missing", first.value.span, message, None))
}

/// The property's name where a call is the short form.
fn short_form<'c>(function: &FunctionEntry, call: &'c FunctionCall) -> Option<&'c CallArgument> {
    let reads = matches!(function.name, "hasChanged" | "isOnlyChange" | "changedFrom");
    let first = call.arguments.first().filter(|argument| argument.name.is_none() && !argument.spread)?;
    (reads && matches!(first.value.kind, SyntaxKind::Literal(Value::Text(_)))).then_some(first)
}

/// A parameter's default, which the catalogue writes as an expression; none where it has no value to write.
pub(crate) fn default(parameter: &FunctionParameter) -> Option<Value> {
    let syntax = parser::expression(parameter.default?).ok()?;
    match syntax.kind {
        SyntaxKind::Literal(value) => Some(value),
        SyntaxKind::Array(items) if items.is_empty() => Some(Value::Array(Default::default())),
        _ => None,
    }
}

/// The type of a property of something whose type is known.
pub(crate) fn property(of: &ValueType, name: &str, span: Span) -> Result<ValueType, Diagnostic> {
    member(of, name, span).map(|found| if of.nullable { found.or_null(true) } else { found })
}

/// The type of a property of each item of a list.
pub(crate) fn property_of_each(list: &ValueType, name: &str, span: Span) -> Result<ValueType, Diagnostic> {
    property(&list.member(), name, span).map_err(|mut mistake| {
        if ["length", "count", "size"].contains(&name) && mistake.suggestion.is_none() {
            mistake.message.push_str(" How many there are is `length(x)`.");
            mistake.suggestion = Some("length()".to_owned());
        }
        mistake
    })
}

fn member(of: &ValueType, name: &str, span: Span) -> Result<ValueType, Diagnostic> {
    match of.known() {
        ValueKind::Int if let Some(unit) = IntervalUnit::of(name) => {
            return Ok(ValueType::interval(IntervalUnits::of(unit)));
        }
        ValueKind::Interval => return members::of_interval(name, span),
        _ => {}
    }
    if of.kind.is_scalar() {
        let message = format!("{} has no properties.", capital(of.kind.words()));
        let (remedy, written) = match (name, of.kind) {
            ("length" | "count" | "size", _) => (" Write `length(x)`.", Some("length()".to_owned())),
            (_, ValueKind::Text) => (" Texts are joined with `~`: `'a' ~ name`.", None),
            (_, ValueKind::Int) => {
                let unit = nearest(name, IntervalUnit::ALL.iter().map(|(word, _)| *word));
                (" A whole number has units: `14.days`, `4.hours`.", unit)
            }
            _ => ("", None),
        };
        return Err(mistake("no_properties", span, format!("{message}{remedy}"), written));
    }
    let Some(shape) = &of.shape else { return Ok(ValueType::default()) };
    if let Some(found) = shape.property(name) {
        return Ok(found);
    }
    match name {
        "id" if of.known() != ValueKind::Object => Ok(ValueType::of(ValueKind::Int)),
        "uuid" if of.known() != ValueKind::Object => Ok(ValueType::of(ValueKind::Text)),
        _ => {
            let names = shape.names();
            let suggestion = nearest(name, names.iter().map(|name| &**name));
            let message = match of.known() {
                ValueKind::Object => format!("The object has no key `{name}`."),
                _ => format!("The type {} has no property `{name}`.", shape.name()),
            };
            Err(mistake("unknown_property", span, message, suggestion))
        }
    }
}

/// Returns true if the result is of a wrong kind for certain.
pub(crate) fn result(wanted: ValueKind, given: ValueKind, span: Span) -> Option<Diagnostic> {
    let message = format!("{} is wanted here, and this gives {}.", capital(wanted.words()), given.words());
    (!given.serves(wanted)).then(|| mistake("wrong_result", span, message, None))
}
