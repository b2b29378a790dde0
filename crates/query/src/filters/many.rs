//! Members of multi-valued properties.

use crate::condition::{Condition, ValueCheck, ValueComparison};
use crate::filters::compare::{values, with_uuid};
use crate::filters::subject::FilterSubject;
use database::Value;
use model::error::Result;
use serde_json::Value as Json;
use std::collections::HashSet;

/// The most uuids of `allOf`: each is a sub-query of its own, and engines plan many of them for long.
const MOST_UUIDS: usize = 20;

/// `anyOf`: one of the values is a member.
pub(super) fn any_of<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    let (uuids, plain) = members(subject)?;
    let mut conditions = vec![subject.test(ValueCheck::AnyMember(plain))];
    if !uuids.is_empty() {
        conditions.push(with_uuid(subject, ValueCheck::OneOf(uuids))?);
    }
    Ok(Condition::Any(conditions))
}

/// `allOf`: each of the values is a member.
pub(super) fn all_of<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    let (uuids, plain) = members(subject)?;
    let uuids = distinct(uuids);
    if uuids.len() > MOST_UUIDS {
        return Err(subject.refused(&format!("takes at most {MOST_UUIDS} uuids; give ids")));
    }
    let mut conditions = vec![subject.test(ValueCheck::AllMembers(distinct(plain)))];
    for uuid in uuids {
        conditions.push(with_uuid(subject, ValueCheck::Compare(ValueComparison::Equal, uuid))?);
    }
    Ok(Condition::All(conditions))
}

/// `size`: a number, or comparisons that all hold.
pub(super) fn size<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    let fault = || subject.refused("needs a number, or comparisons such as {\"gte\": 2}, as param");
    let number = |value: &Json| value.as_u64().and_then(|number| i64::try_from(number).ok()).ok_or_else(fault);
    let comparisons = match subject.param() {
        Json::Object(comparisons) if !comparisons.is_empty() => comparisons,
        other => return Ok(subject.test(ValueCheck::MemberCount(ValueComparison::Equal, number(other)?))),
    };
    let mut conditions = Vec::new();
    for (name, value) in comparisons {
        let comparison = match name.as_str() {
            "eq" | "neq" => ValueComparison::Equal,
            "lt" => ValueComparison::Less,
            "lte" => ValueComparison::LessOrEqual,
            "gt" => ValueComparison::Greater,
            "gte" => ValueComparison::GreaterOrEqual,
            _ => return Err(fault()),
        };
        let condition = subject.test(ValueCheck::MemberCount(comparison, number(value)?));
        conditions.push(if name == "neq" { condition.negated() } else { condition });
    }
    Ok(Condition::All(conditions))
}

/// `some`: a related resource for which all filters hold; with no filters, any.
pub(super) fn some<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    Ok(subject.related(Condition::All(inner(subject)?)))
}

/// `every`: no related resource for which not all filters hold.
pub(super) fn every<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Condition<'m>> {
    Ok(subject.related(Condition::All(inner(subject)?).negated()).negated())
}

fn inner<'m>(subject: &FilterSubject<'_, 'm>) -> Result<Vec<Condition<'m>>> {
    let Json::Array(filters) = subject.param() else {
        return Err(subject.refused("needs an array of filters as param"));
    };
    let target = subject.access.follow(subject.property()).ok_or_else(|| subject.unsuitable())?;
    let access = subject.access.at(target);
    subject.reader.array(&access, filters, subject.related_level(), subject.depth + 1)
}

/// Uuids of related resources, and other values.
fn members(subject: &FilterSubject<'_, '_>) -> Result<(Vec<Value>, Vec<Value>)> {
    let values = values(subject, subject.array()?)?;
    Ok(values.into_iter().partition(|value| matches!(value, Value::Uuid(_))))
}

/// The values without those that came before.
fn distinct(values: Vec<Value>) -> Vec<Value> {
    let mut known = HashSet::new();
    values.into_iter().filter(|value| known.insert(value.clone())).collect()
}
