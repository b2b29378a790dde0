//! Membership in an array that does not depend on the row.

use crate::condition::{Condition, ValueCheck, ValueComparison};
use crate::pushdown::sort::ValueSort;
use crate::pushdown::term::PartTerm;
use crate::pushdown::translate::{RuleTranslation, TranslationResult, refused};
use crate::pushdown::truth::{against, given, truthy};
use crate::pushdown::weight::{unknown, unknown_items};
use crate::scalar::Scalar;
use database::{ColumnType, Value as Cell};
use expression::convert::to_bool;
use expression::{Span, Value};

impl<'m> RuleTranslation<'_, 'm> {
    /// `needle in haystack`.
    pub(super) fn among(
        &self,
        needle: PartTerm<'m>,
        sorts: &[ValueSort],
        array: Option<&Value>,
        span: Span,
    ) -> TranslationResult<Condition<'m>> {
        let (sort, scalar) = match needle {
            PartTerm::Row(sort, scalar) => (sort, scalar),
            PartTerm::Truth(condition) => (ValueSort::Bool, Scalar::Truth(Box::new(condition))),
            _ => return Err(refused(span, "an array is looked for as a whole")),
        };
        for item in sorts {
            self.comparable(&sort, item, false, false, span)?;
        }
        let items = match array {
            Some(Value::Array(items)) => items,
            Some(_) => return Ok(Condition::NEVER),
            None => return Ok(unknown_items(sorts.len(), || unknown(&sort, &scalar))),
        };
        Ok(one_of(items.values().map(|item| self.beside(&sort, &scalar, ValueComparison::Equal, item, false))))
    }

    /// Membership as PHP has it, where null equals what counts as false.
    pub(super) fn loosely_among(
        &self,
        needle: PartTerm<'m>,
        sorts: &[ValueSort],
        items: Option<&Value>,
        span: Span,
    ) -> TranslationResult<Condition<'m>> {
        let (sort, scalar) = self.value(needle, span)?;
        if matches!(sort, ValueSort::Moment) {
            return Err(refused(span, "in_array() does not read datetimes; `in` does"));
        }
        for item in sorts {
            self.comparable(&sort, item, false, false, span)?;
        }
        let items = match items {
            Some(Value::Array(items)) => items,
            Some(_) => return Ok(Condition::NEVER),
            None => {
                let item = || unknown(&sort, &scalar).or(given(&scalar).opposite());
                return Ok(unknown_items(sorts.len(), item));
            }
        };
        let equal = items.values().flat_map(|item| {
            let empty = match item {
                Value::Null => true,
                Value::Text(text) => text.is_empty(),
                other => !to_bool(other),
            };
            let equal = match (item, &sort) {
                (Value::Null, ValueSort::Text(_)) => {
                    against(&scalar, ValueComparison::Equal, ColumnType::Text, Cell::Text(String::new()))
                }
                (Value::Null, sort) => given(&scalar).and(truthy(sort, scalar.clone()).opposite()),
                (item, sort) => self.beside(sort, &scalar, ValueComparison::Equal, item, false),
            };
            [Some(equal), empty.then(|| given(&scalar).opposite())].into_iter().flatten()
        });
        Ok(one_of(equal))
    }
}

/// That one of some conditions on a value holds. However many values it may be equal to, it stands there once for all
/// of them, and none of the others stands there twice.
fn one_of<'m>(conditions: impl Iterator<Item = Condition<'m>>) -> Condition<'m> {
    let mut parts: Vec<Condition<'m>> = Vec::new();
    for condition in conditions {
        if !parts.iter_mut().any(|part| part.takes(&condition)) {
            parts.push(condition);
        }
    }
    parts.into_iter().fold(Condition::NEVER, Condition::or)
}

impl Condition<'_> {
    /// Becomes what holds where it or the other one does, unless it would take both to say so.
    fn takes(&mut self, other: &Self) -> bool {
        match (&mut *self, other) {
            (
                Condition::Test(at, check),
                Condition::Test(place, ValueCheck::Compare(ValueComparison::Equal, value)),
            ) if at == place => {
                match check {
                    ValueCheck::OneOf(values) => values.push(value.clone()),
                    ValueCheck::Compare(ValueComparison::Equal, first) => {
                        *check = ValueCheck::OneOf(vec![first.clone(), value.clone()]);
                    }
                    _ => return false,
                }
                true
            }
            (Condition::Related(at, inner), Condition::Related(place, other)) if at == place => inner.takes(other),
            (Condition::OneOf(scalar, column, values), Condition::Compare(ValueComparison::Equal, same, known)) => {
                let Scalar::Value(of, value) = known else { return false };
                let takes = of == column && same == scalar;
                if takes {
                    values.push(value.clone());
                }
                takes
            }
            (
                Condition::Compare(ValueComparison::Equal, scalar, known),
                Condition::Compare(ValueComparison::Equal, same, other),
            ) => {
                let (Scalar::Value(column, first), Scalar::Value(of, value)) = (known, other) else { return false };
                let takes = of == column && same == scalar;
                if takes {
                    *self = Condition::OneOf(same.clone(), *of, vec![first.clone(), value.clone()]);
                }
                takes
            }
            (one, other) => one == other,
        }
    }
}
