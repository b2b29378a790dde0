//! Functions of values of the row.

use crate::condition::{Condition, ValuePlace};
use crate::pushdown::sort::{FloatBounds, IntegerRange, ValueSort};
use crate::pushdown::term::{PartTerm, SpannedPart, TranslatedPart};
use crate::pushdown::texts::filled;
use crate::pushdown::translate::{ContextRow, RuleTranslation, TranslationResult, refused};
use crate::pushdown::truth::{given, truthy};
use crate::scalar::{Scalar, ScalarOperation};
use database::{ColumnType, Value as Cell};
use expression::syntax::{FunctionCall, SyntaxKind, SyntaxNode};
use expression::{LanguageRules, Span, Value, catalogue};
use model::kinds::ValueStorage;

/// The functions that translate, for messages and for the documentation's test.
const FUNCTIONS: &[&str] = &[
    "compareDates",
    "concat",
    "contains",
    "endsWith",
    "firstNChars",
    "formatDate",
    "if",
    "in_array",
    "join",
    "lastNChars",
    "length",
    "lower",
    "startsWith",
    "toBool",
    "toFloat",
    "toInt",
    "toString",
    "trim",
    "upper",
];

/// An argument: what was translated already, or what is to be.
enum CallOperand<'s, 'm> {
    Value(Box<SpannedPart<'m>>),
    Syntax(&'s SyntaxNode),
}

impl<'m> RuleTranslation<'_, 'm> {
    /// A call; with a receiver, that is the first argument.
    pub(super) fn call(
        &self,
        call: &FunctionCall,
        receiver: Option<TranslatedPart<'m>>,
        span: Span,
        here: ContextRow<'m>,
    ) -> TranslationResult<TranslatedPart<'m>> {
        let received = receiver.is_some();
        let mut given = self.arguments(call, receiver, span)?;
        let mut next = || if given.is_empty() { None } else { Some(given.remove(0)) };
        let missing = || refused(span, format!("{}() lacks an argument", call.name));
        let mut argument = || -> TranslationResult<SpannedPart<'m>> {
            match next().ok_or_else(missing)? {
                CallOperand::Value(value) => Ok(*value),
                CallOperand::Syntax(syntax) => Ok(SpannedPart { part: self.part(syntax, here)?, span: syntax.span }),
            }
        };
        match call.name.as_str() {
            "if" => match call.arguments.as_slice() {
                [condition, then, otherwise] if call.arguments.iter().all(|one| one.name.is_none()) => {
                    self.chosen(&condition.value, Some(&then.value), &otherwise.value, span, here)
                }
                _ => Err(refused(span, "if() wants three arguments, without names")),
            },
            "upper" => self.changed(ScalarOperation::Upper, argument()?),
            "lower" => self.changed(ScalarOperation::Lower, argument()?),
            "trim" => self.changed(ScalarOperation::Trim, argument()?),
            "toString" => {
                let SpannedPart { part: value, span } = argument()?;
                Ok(TranslatedPart::row(ValueSort::Text(true), filled(self.text_of(value.term, span)?), value.raises))
            }
            "toBool" => {
                let SpannedPart { part: value, span } = argument()?;
                let (truth, raises) = self.truth_of(value, span)?;
                Ok(TranslatedPart::truth(truth, raises))
            }
            "length" => {
                let SpannedPart { part: value, span } = argument()?;
                if let Some(count) = members(&value.term) {
                    return Ok(TranslatedPart::row(
                        ValueSort::Int(IntegerRange(0, i128::from(i32::MAX))),
                        count,
                        value.raises,
                    ));
                }
                if matches!(
                    value.term,
                    PartTerm::Row(ValueSort::Resource(_), _) | PartTerm::Several(..) | PartTerm::Members(..)
                ) {
                    return Err(refused(
                        span,
                        "members are counted of one property with several values, not of paths on",
                    ));
                }
                let text = filled(self.text_of(value.term, span)?);
                let sort = ValueSort::Int(IntegerRange(0, i128::from(i32::MAX)));
                Ok(TranslatedPart::row(sort, Scalar::of_one(ScalarOperation::Length, text), value.raises))
            }
            "startsWith" => self.tested(ScalarOperation::StartsWith, argument()?, argument()?),
            "endsWith" => self.tested(ScalarOperation::EndsWith, argument()?, argument()?),
            "contains" => {
                let haystack = argument()?;
                if !matches!(
                    haystack.part.term,
                    PartTerm::Row(..) | PartTerm::Truth(_) | PartTerm::Bound(ValueSort::Text(_) | ValueSort::Null, _)
                ) {
                    return Err(refused(haystack.span, "contains() is asked of an array; `in` does it"));
                }
                self.tested(ScalarOperation::Contains, haystack, argument()?)
            }
            "firstNChars" | "lastNChars" => {
                let (text, count) = (argument()?, argument()?);
                self.cut_off(call.name == "firstNChars", text, count)
            }
            "toInt" | "toFloat" => self.cast(call.name == "toInt", argument()?),
            "in_array" => {
                let (needle, haystack) = (argument()?, argument()?);
                let raises = needle.part.raises.or(haystack.part.raises);
                let PartTerm::Bound(ValueSort::Array(sorts), items) = haystack.part.term else {
                    return Err(refused(
                        haystack.span,
                        "in_array() wants an array that does not depend on the row; `in` takes others",
                    ));
                };
                Ok(TranslatedPart::truth(self.loosely_among(needle.part.term, &sorts, items.as_ref(), span)?, raises))
            }
            "formatDate" => {
                let (date, format) = (argument()?, argument()?);
                self.formatted(date, format)
            }
            "compareDates" => {
                let (first, operator) = (argument()?, argument()?);
                let second = if call.arguments.len() + usize::from(received) > 2 { Some(argument()?) } else { None };
                self.compared_dates(first, operator, second)
            }
            "concat" | "join" => self.listed(call, span, here),
            name => Err(untranslatable(name, span)),
        }
    }

    /// The arguments in the order of the parameters.
    fn arguments<'s>(
        &self,
        call: &'s FunctionCall,
        receiver: Option<TranslatedPart<'m>>,
        span: Span,
    ) -> TranslationResult<Vec<CallOperand<'s, 'm>>> {
        let function = catalogue::find(&call.name).ok_or_else(|| untranslatable(&call.name, span))?;
        let mut slots: Vec<Option<CallOperand<'s, 'm>>> = Vec::new();
        slots.resize_with(function.parameters.len().max(call.arguments.len() + 1), || None);
        let mut next = usize::from(receiver.is_some());
        if let Some(receiver) = receiver {
            slots[0] = Some(CallOperand::Value(Box::new(SpannedPart { part: receiver, span })));
        }
        for argument in &call.arguments {
            if argument.spread {
                return Err(refused(argument.value.span, "the arguments are spread"));
            }
            let place = match &argument.name {
                Some((name, _)) => function.parameters.iter().position(|parameter| parameter.name == name),
                None => {
                    next += 1;
                    Some(next - 1)
                }
            };
            let slot = place.and_then(|place| slots.get_mut(place));
            let slot = slot.ok_or_else(|| refused(argument.value.span, "there is no such parameter"))?;
            *slot = Some(CallOperand::Syntax(&argument.value));
        }
        Ok(slots.into_iter().map_while(|slot| slot).collect())
    }

    /// A text changed; null is empty. By the rules of version 1 the interpreter ends with an error there.
    fn changed(&self, operation: ScalarOperation, value: SpannedPart<'m>) -> TranslationResult<TranslatedPart<'m>> {
        let SpannedPart { part: value, span } = value;
        let text = self.text_of(value.term, span)?;
        if self.model.rules != LanguageRules::V1 {
            let changed = Scalar::of_one(operation, filled(text));
            return Ok(TranslatedPart::row(ValueSort::Text(true), changed, value.raises));
        }
        let raises = value.raises.or(given(&text).opposite());
        Ok(TranslatedPart::row(ValueSort::Text(true), Scalar::of_one(operation, text), raises))
    }

    /// Returns true if one text stands in another; null is empty.
    fn tested(
        &self,
        operation: ScalarOperation,
        text: SpannedPart<'m>,
        searched: SpannedPart<'m>,
    ) -> TranslationResult<TranslatedPart<'m>> {
        let raises = text.part.raises.or(searched.part.raises);
        let text = filled(self.text_of(text.part.term, text.span)?);
        let part = filled(self.text_of(searched.part.term, searched.span)?);
        Ok(TranslatedPart::truth(Condition::Holds(Scalar::of_two(operation, text, part)), raises))
    }

    /// A number as one of the other kind; null is 0.
    fn cast(&self, whole: bool, value: SpannedPart<'m>) -> TranslationResult<TranslatedPart<'m>> {
        let SpannedPart { part: value, span } = value;
        let raises = value.raises;
        let (sort, scalar) = self.value(value.term, span)?;
        let filled = |scalar, zero: Cell, column| Scalar::First(vec![scalar, Scalar::Value(column, zero)]);
        let integer = |scalar| filled(scalar, Cell::Integer(0), ColumnType::Integer);
        let (sort, scalar) = match (sort, whole) {
            (ValueSort::Int(range), true) => (ValueSort::Int(range.united(IntegerRange(0, 0))), integer(scalar)),
            (ValueSort::Resource(_), true) => (ValueSort::Int(IntegerRange::ALL), integer(scalar)),
            (ValueSort::Int(range), false) => {
                let real = FloatBounds { most: range.size() as f64, whole: false };
                (ValueSort::Real(real), Scalar::of_one(ScalarOperation::Float, integer(scalar)))
            }
            (ValueSort::Float, false) => (ValueSort::Float, filled(scalar, Cell::Float(0.0), ColumnType::Float)),
            (ValueSort::Real(of), false) => (
                ValueSort::Real(FloatBounds { whole: false, ..of }),
                filled(scalar, Cell::Float(0.0), ColumnType::Float),
            ),
            (ValueSort::Real(of), true) if of.most < FloatBounds::WHOLE as f64 => {
                let most = of.most.ceil() as i128;
                (ValueSort::Int(IntegerRange(-most, most)), integer(Scalar::of_one(ScalarOperation::Truncate, scalar)))
            }
            (ValueSort::Float | ValueSort::Real(_), true) => {
                return Err(refused(
                    span,
                    "the float may be too large for an integer; give the property a min and a max",
                ));
            }
            (ValueSort::Decimal(scale, range), true) => {
                let unit = 10_i128.pow(u32::from(scale));
                let range = IntegerRange(range.0 / unit, range.1 / unit).united(IntegerRange(0, 0));
                (ValueSort::Int(range), integer(Scalar::of_one(ScalarOperation::Whole(scale), scalar)))
            }
            (ValueSort::Decimal(scale, range), false) if range.within(FloatBounds::WHOLE) && scale <= 22 => {
                let unit = Scalar::Value(ColumnType::Float, Cell::Float(10_f64.powi(scale.into())));
                let units = Scalar::of_one(ScalarOperation::Float, integer(scalar));
                let most = range.size() as f64;
                (
                    ValueSort::Real(FloatBounds { most, whole: false }),
                    Scalar::of_two(ScalarOperation::FloatDivide, units, unit),
                )
            }
            (ValueSort::Decimal(..), false) => {
                return Err(refused(
                    span,
                    "the decimal may have too many digits for a float; give the property a min and a max",
                ));
            }
            (ValueSort::Bool, true) => (ValueSort::Int(IntegerRange(0, 1)), flag(scalar, Scalar::integer)),
            (ValueSort::Bool, false) => {
                let float = |number: i64| Scalar::Value(ColumnType::Float, Cell::Float(number as f64));
                (ValueSort::Real(FloatBounds { most: 1.0, whole: false }), flag(scalar, float))
            }
            (sort, _) => return Err(refused(span, format!("{} is cast to a number", sort.words()))),
        };
        Ok(TranslatedPart::row(sort, scalar, raises))
    }

    fn cut_off(
        &self,
        first: bool,
        value: SpannedPart<'m>,
        count: SpannedPart<'m>,
    ) -> TranslationResult<TranslatedPart<'m>> {
        let text = filled(self.text_of(value.part.term, value.span)?);
        let PartTerm::Bound(ValueSort::Int(_), Some(Value::Int(number))) = count.part.term else {
            return Err(refused(count.span, "the count must be written out"));
        };
        // No text is as long as that.
        let most = i64::from(i32::MAX / 2);
        let count = i32::try_from(number.clamp(-most, most)).unwrap_or(0);
        let scalar = match (first, count) {
            (true, count) => Scalar::of_one(ScalarOperation::First(count), text),
            (false, 0) => text,
            (false, count) => Scalar::of_one(ScalarOperation::Last(count), text),
        };
        Ok(TranslatedPart::row(ValueSort::Text(true), scalar, value.part.raises))
    }

    /// `concat([a, b])` and `join(", ", [a, b])`.
    fn listed(&self, call: &FunctionCall, span: Span, here: ContextRow<'m>) -> TranslationResult<TranslatedPart<'m>> {
        let plain = call.arguments.iter().all(|argument| argument.name.is_none() && !argument.spread);
        let (separator, list) = match (call.name.as_str(), call.arguments.as_slice()) {
            ("concat", [list]) if plain => (None, &list.value),
            ("join", [separator, list]) if plain => (Some(&separator.value), &list.value),
            _ => return Err(refused(span, "the list must be written out, and no argument named")),
        };
        let SyntaxKind::Array(items) = &list.kind else {
            return Err(refused(list.span, "the list must be written out: [a, b]"));
        };
        self.joined(&items.iter().collect::<Vec<_>>(), separator, here)
    }
}

/// 1 where a boolean of the row is true, else 0.
fn flag<'m>(scalar: Scalar<'m>, number: impl Fn(i64) -> Scalar<'m>) -> Scalar<'m> {
    Scalar::Choice(Box::new(truthy(&ValueSort::Bool, scalar)), Box::new(number(1)), Box::new(number(0)))
}

/// Returns the number of members of a property that holds several values, behind relations to one resource.
fn members<'m>(term: &PartTerm<'m>) -> Option<Scalar<'m>> {
    let (hops, place) = match term {
        PartTerm::Members(hops, _, place) => (hops.as_slice(), place),
        // The resources themselves, which are as many as are referred to.
        PartTerm::Several(hops, ValueSort::Resource(_), Scalar::Place(behind, _)) if behind.is_empty() => {
            let (last, before) = hops.split_last()?;
            (before, last)
        }
        _ => return None,
    };
    let links =
        matches!(place.property.kind.storage(), ValueStorage::Links(_)) && !hops.iter().any(ValuePlace::multiple);
    links.then(|| Scalar::Count(hops.to_vec(), place.clone()))
}

fn untranslatable(name: &str, span: Span) -> expression::Diagnostic {
    refused(
        span,
        format!("{name}() of a value of the row has no counterpart in SQL; these have: {}", FUNCTIONS.join(", ")),
    )
}
