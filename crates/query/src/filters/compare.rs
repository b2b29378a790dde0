//! Equal, less, greater, between, one of.

use crate::condition::{Condition, ValueCheck, ValueComparison, ValuePlace};
use crate::filters::operand::FilterOperand;
use crate::filters::subject::FilterSubject;
use database::{JsonType, Value};
use model::error::Result;
use serde_json::Value as Json;

/// `eq`: a null equals null.
pub(super) fn equal<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    Ok(match subject.operand(subject.param())? {
        FilterOperand::Null => subject.present().negated(),
        FilterOperand::Value(value, json_type) => among(subject, vec![value], json_type)?,
        FilterOperand::Place(place) => {
            let other = subject.access.test(&subject.access.allowed, place.clone(), ValueCheck::Present);
            let both_null = vec![subject.present().negated(), other.negated()];
            let equal = subject.test_place(ValueComparison::Equal, place);
            Condition::Any(vec![equal, Condition::All(both_null)])
        }
    })
}

/// `lt`, `lte`, `gt`, `gte`: null has no place in the order.
pub(super) fn ordered<'m>(subject: &FilterSubject<'_, 'm>, comparison: ValueComparison) -> Result<Condition<'m>> {
    match subject.operand(subject.param())? {
        FilterOperand::Null => Err(subject.refused("cannot compare with null")),
        FilterOperand::Value(_, JsonType::Boolean) => Err(subject.refused("cannot compare with true or false")),
        FilterOperand::Value(value, json_type) => {
            Ok(subject.test_as(json_type, ValueCheck::Compare(comparison, value)))
        }
        FilterOperand::Place(place) => Ok(subject.test_place(comparison, place)),
    }
}

/// `between`: both ends belong to it; null is an open end, of which there may be one.
pub(super) fn between<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    let fault = || subject.refused("needs [from, to] as param, one of which may be null");
    let [from, to] = subject.array()? else { return Err(fault()) };
    let mut conditions = Vec::new();
    for (end, comparison) in [(from, ValueComparison::GreaterOrEqual), (to, ValueComparison::LessOrEqual)] {
        match subject.operand(end)? {
            FilterOperand::Null => {}
            FilterOperand::Value(_, JsonType::Boolean) => return Err(fault()),
            FilterOperand::Value(value, json_type) => {
                conditions.push(subject.test_as(json_type, ValueCheck::Compare(comparison, value)));
            }
            FilterOperand::Place(place) => conditions.push(subject.test_place(comparison, place)),
        }
    }
    if conditions.is_empty() { Err(fault()) } else { Ok(Condition::All(conditions)) }
}

/// `in`: nothing is in an empty array; null as a member is null.
pub(super) fn one_of<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    let mut by_type: Vec<(JsonType, Vec<Value>)> = Vec::new();
    let mut conditions = Vec::new();
    for member in subject.array()? {
        match subject.operand(member)? {
            FilterOperand::Null => conditions.push(subject.present().negated()),
            FilterOperand::Place(_) => return Err(subject.refused("takes no $property among its values")),
            FilterOperand::Value(value, json_type) => match by_type.iter_mut().find(|(known, _)| *known == json_type) {
                Some((_, values)) => values.push(value),
                None => by_type.push((json_type, vec![value])),
            },
        }
    }
    conditions.truncate(1);
    for (json_type, values) in by_type {
        conditions.push(among(subject, values, json_type)?);
    }
    Ok(Condition::Any(conditions))
}

/// Returns true if the value is one of some, which are not none.
fn among<'m>(subject: &FilterSubject<'_, 'm>, values: Vec<Value>, json_type: JsonType) -> Result<Condition<'m>> {
    let check = |mut values: Vec<Value>| match (values.len(), values.pop()) {
        (1, Some(only)) => ValueCheck::Compare(ValueComparison::Equal, only),
        (_, last) => ValueCheck::OneOf(values.into_iter().chain(last).collect()),
    };
    if subject.property().kind.relation().is_none() {
        return Ok(subject.test_as(json_type, check(values)));
    }
    let (uuids, ids): (Vec<_>, Vec<_>) = values.into_iter().partition(|value| matches!(value, Value::Uuid(_)));
    let mut conditions = Vec::new();
    if !ids.is_empty() {
        conditions.push(subject.test(check(ids)));
    }
    if !uuids.is_empty() {
        conditions.push(with_uuid(subject, check(uuids))?);
    }
    Ok(Condition::Any(conditions))
}

/// Returns true if the relation leads to a resource whose uuid passes the check. Who may not see such resources cannot
/// ask for their uuids either.
pub(super) fn with_uuid<'m>(subject: &FilterSubject<'_, 'm>, check: ValueCheck<'m>) -> Result<Condition<'m>> {
    let target = subject.access.follow(subject.property());
    let target = target.ok_or_else(|| subject.refused("needs ids"))?;
    let property = &target.resource_type.fields[1];
    let place = ValuePlace { level: subject.related_level(), property, inside: None };
    Ok(subject.related(Condition::Test(place, check)))
}

/// The values of an array, none of which may be null.
pub(super) fn values(subject: &FilterSubject<'_, '_>, members: &[Json]) -> Result<Vec<Value>> {
    members.iter().map(|member| subject.value(member)).collect()
}
