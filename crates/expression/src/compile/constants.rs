//! Constants, and their types: what is known of a value that is written out.

use super::TypedNode;
use crate::evaluate::ConstantNode;
use crate::scope::{ValueKind, ValueType};
use crate::value::Value;

pub(crate) fn constant(value: Value) -> TypedNode {
    let of = type_of(&value);
    TypedNode::new(Box::new(ConstantNode(value)), of)
}

fn type_of(value: &Value) -> ValueType {
    let kind = match value {
        Value::Null => ValueKind::Null,
        Value::Bool(_) => ValueKind::Bool,
        Value::Int(_) => ValueKind::Int,
        Value::Float(_) => ValueKind::Float,
        Value::Decimal(_) => ValueKind::Decimal,
        Value::Text(_) => ValueKind::Text,
        Value::Array(_) => ValueKind::Array,
        Value::Object(_) => ValueKind::Object,
        Value::Interval(_) => ValueKind::Interval,
        _ => ValueKind::Any,
    };
    let nonzero = match value {
        Value::Int(number) => *number != 0,
        Value::Float(number) => *number != 0.0,
        _ => false,
    };
    let at_least = match value {
        Value::Int(number) => Some(*number),
        _ => None,
    };
    let item_kind = match value {
        Value::Array(items) if items.is_list() => {
            let kinds = items.iter().map(|(_, item)| type_of(item).kind);
            kinds.reduce(|one, other| if one == other { one } else { ValueKind::Any }).unwrap_or_default()
        }
        _ => ValueKind::Any,
    };
    let is_calendar = matches!(value, Value::Interval(interval) if interval.micros().is_none());
    ValueType {
        nonzero,
        at_least,
        item_kind,
        is_calendar,
        ..ValueType::of(kind).or_null(matches!(kind, ValueKind::Null | ValueKind::Any))
    }
}
