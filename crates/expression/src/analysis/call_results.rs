//! The types of what calls give, as far as their arguments tell more than the catalogue does.

use super::Operand;
use super::dates::{is_written, read};
use crate::catalogue::FunctionEntry;
use crate::compile::{Compiler, TypedNode, WrittenObject};
use crate::parser::FunctionCall;
use crate::value::Value;
use values::types::{IntervalUnits, ValueKind, ValueType};

/// The arguments of a call, in the order in which they are written, and the places of their parameters.
pub(crate) struct PlacedArguments<'a> {
    pub(crate) built: &'a [TypedNode],
    pub(crate) places: &'a [usize],
}

/// Returns the type of an array with values added, some of which come out of other arrays; none where those are not
/// known.
pub(crate) fn extended(
    call: &FunctionCall,
    arguments: &[TypedNode],
    receiver: Option<&ValueType>,
) -> Option<ValueType> {
    let mut given = call.arguments.iter().zip(arguments);
    if call.arguments.iter().any(|argument| argument.name.is_some()) {
        return None;
    }
    let first = match receiver {
        Some(receiver) => receiver,
        None => given.next().filter(|(argument, _)| !argument.spread).map(|(_, built)| &built.of)?,
    };
    let mut items = (*first.kept_item()?).clone();
    for (argument, built) in given {
        items = match argument.spread {
            false => items.joined(&built.of),
            true if built.of.known() == ValueKind::Array => items.joined(&*built.of.kept_item()?),
            true => return None,
        };
    }
    Some(ValueType::array_of(items))
}

impl Compiler<'_> {
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
            "get" => first.map_or(of, ValueType::handed),
            "setVar" => at(1).map_or(of, |value| value.of.handed()),
            "if" => match (at(1), at(2)) {
                (Some(then), Some(otherwise)) => then.of.joined(otherwise.of).handed(),
                _ => of,
            },
            // A text, or what a document says; that there is none is a mistake of the run.
            "getSecret" => of.or_null(false),
            "saveSecret" | "removeSecret" => of.or_null(false).told(ValueKind::Bool),
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
            "arrayValues" | "arrayPopGetArray" | "arrayShiftGetArray" => {
                ValueType { item: first.and_then(ValueType::kept_item), ..of }
            }
            "arrayPush" | "arrayUnshift" => {
                let pushed = arguments.built.iter().zip(arguments.places).filter(|(_, place)| **place > 0);
                match first.and_then(ValueType::kept_item) {
                    Some(items) => {
                        ValueType::array_of(pushed.fold((*items).clone(), |all, (one, _)| all.joined(&one.of)))
                    }
                    None => of,
                }
            }
            "toArray" => match first {
                Some(first) if first.known() == ValueKind::Array => ValueType { item: first.kept_item(), ..of },
                Some(first) if first.known().is_scalar() => ValueType::array_of(first.clone().or_null(false)),
                _ => of,
            },
            "range" if (0..3).filter_map(at).all(|operand| operand.kind() == ValueKind::Int) => {
                ValueType::array(ValueKind::Int)
            }
            "merge" | "object" => {
                WrittenObject::merged(receiver.into_iter().chain(arguments.built.iter().map(|node| &node.of)))
                    .unwrap_or(of)
            }
            "arrayFirstValue" | "arrayLastValue" | "arrayShift" | "arrayPop" | "randomFromList" | "arrayGetKey" => {
                match first {
                    Some(first) if first.known() == ValueKind::Array => first.item().handed(),
                    _ => of,
                }
            }
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

/// Returns the kind of date that an operand is; a text that is written out as a day is one.
fn dated(operand: &Operand<'_>) -> ValueKind {
    match operand.text() {
        Some(text) if is_written(text, ValueKind::Date) => ValueKind::Date,
        _ => day_kind(operand.of),
    }
}

/// Of unlike branches one may be any text.
fn day_kind(of: &ValueType) -> ValueKind {
    match of.unlike.is_empty() {
        false => ValueKind::Text,
        true => of.date_kind().unwrap_or_else(|| of.known()),
    }
}
