//! `+=` and `+==` of PATCH (D-23, R-135 to R-138).

use super::class::{AdditionEffect, abilities};
use super::kind::Kind;
use super::property::{check_change, check_property, read_property};
use super::text_kind;
use super::value::{StoredValue, ValueContext, ValueFault};
use database::Value;
use serde_json::Value as Json;
use std::collections::HashSet;
use std::hash::Hash;

/// An operator behind a property's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchOperator {
    /// `+=`: appends to texts, adds to numbers, appends all members to arrays.
    Add,
    /// `+==`: appends to arrays the members that are missing.
    AddMissing,
}

impl PatchOperator {
    /// The property's name and the operator behind it, if there is one.
    pub fn split(key: &str) -> (&str, Option<PatchOperator>) {
        if let Some(name) = key.strip_suffix("+==") {
            (name, Some(PatchOperator::AddMissing))
        } else if let Some(name) = key.strip_suffix("+=") {
            (name, Some(PatchOperator::Add))
        } else {
            (key, None)
        }
    }
}

/// Reads what is to be added. Limits hold for the sum, not for it. Uuids of relations are still to be resolved.
pub fn operand(
    kind: &dyn Kind,
    operator: PatchOperator,
    input: &Json,
    context: &ValueContext<'_>,
) -> Result<StoredValue, ValueFault> {
    let addition = abilities(kind.class()).addition;
    match (operator, addition, input) {
        (_, None, _) => Err(ValueFault::new("not_addable", "cannot be added to")),
        (PatchOperator::AddMissing, Some(AdditionEffect::Append | AdditionEffect::Sum), _) => {
            Err(ValueFault::new("not_addable", "is not an array: +== is for arrays, += adds"))
        }
        // As it is: the space that a trimmed text begins with parts the words.
        (_, Some(AdditionEffect::Append), _) => text_kind::text_of(input).map(|text| StoredValue::One(text.into())),
        (_, Some(AdditionEffect::Sum), Json::Null) => Err(ValueFault::new("not_number", "must be a number")),
        (_, Some(AdditionEffect::Sum), _) => kind.read(input, context).map(StoredValue::One),
        (_, Some(AdditionEffect::Merge), Json::Array(_)) => {
            let members = read_property(kind, input, context)?;
            // Members are checked by themselves, but a document only as a whole.
            if let StoredValue::Many(_) = members {
                check_property(kind, &members)?;
            }
            Ok(members)
        }
        (_, Some(AdditionEffect::Merge), _) => Err(ValueFault::new("not_array", "must be an array")),
    }
}

/// Adds to a value what [`operand`] gave, and checks the sum. On null it sets.
pub fn combine(
    kind: &dyn Kind,
    operator: PatchOperator,
    old: &StoredValue,
    operand: StoredValue,
    context: &ValueContext<'_>,
) -> Result<StoredValue, ValueFault> {
    let sum = match (old, operand) {
        (StoredValue::Many(old), StoredValue::Many(added)) => StoredValue::Many(merge(old.clone(), added, operator)),
        (StoredValue::One(old), StoredValue::One(added)) => StoredValue::One(add(kind, operator, old, added, context)?),
        _ => return Err(ValueFault::new("not_addable", "cannot be added to")),
    };
    check_change(kind, &sum, old)?;
    Ok(sum)
}

fn add(
    kind: &dyn Kind,
    operator: PatchOperator,
    old: &Value,
    added: Value,
    context: &ValueContext<'_>,
) -> Result<Value, ValueFault> {
    let out_of_range = || ValueFault::new("out_of_range", "would be out of range");
    match (old, added) {
        (Value::Integer(old), Value::Integer(added)) => {
            old.checked_add(added).map(Value::Integer).ok_or_else(out_of_range)
        }
        (Value::Float(old), Value::Float(added)) => {
            Some(old + added).filter(|sum| sum.is_finite()).map(Value::Float).ok_or_else(out_of_range)
        }
        (Value::Text(old), Value::Text(added)) if kind.is_document() => {
            merge_documents(old, &added, operator).map(Value::Text)
        }
        (Value::Text(old), Value::Text(added)) => kind.read(&Json::String(format!("{old}{added}")), context),
        (Value::Null, Value::Text(added)) if !kind.is_document() => kind.read(&Json::String(added), context),
        (Value::Null, added) => Ok(added),
        _ => Err(ValueFault::new("not_addable", "cannot be added to")),
    }
}

/// Appends members, or those that are missing. The time grows with their number, not with its square: both lists are a
/// client's.
fn merge<T: Eq + Hash>(mut old: Vec<T>, added: Vec<T>, operator: PatchOperator) -> Vec<T> {
    if operator == PatchOperator::Add {
        old.extend(added);
        return old;
    }
    let mut known: HashSet<&T> = old.iter().collect();
    let missing: Vec<bool> = added.iter().map(|member| known.insert(member)).collect();
    old.extend(added.into_iter().zip(missing).filter_map(|(member, missing)| missing.then_some(member)));
    old
}

fn merge_documents(old: &str, added: &str, operator: PatchOperator) -> Result<String, ValueFault> {
    match (serde_json::from_str(old), serde_json::from_str(added)) {
        (Ok(Json::Array(old)), Ok(Json::Array(added))) => Ok(Json::Array(merge(old, added, operator)).to_string()),
        _ => Err(ValueFault::new("not_array", "is not an array and cannot be added to")),
    }
}
