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
    let kind = ValueKind::of_value(value);
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
