//! Constants, and their types: what is known of a value that is written out.

use super::TypedNode;
use crate::evaluate::ConstantNode;
use crate::scope::{IntervalUnits, ValueKind, ValueType};
use crate::value::Value;

pub(crate) fn constant(value: Value) -> TypedNode {
    let of = type_of(&value);
    TypedNode::new(Box::new(ConstantNode(value)), of)
}

fn type_of(value: &Value) -> ValueType {
    let kind = ValueKind::of_value(value);
    let (nonzero, at_least) = match value {
        Value::Int(number) => (*number != 0, Some(*number)),
        Value::Float(number) => (*number != 0.0, None),
        _ => (false, None),
    };
    let units = match value {
        Value::Interval(interval) => IntervalUnits::of_value(interval),
        _ => IntervalUnits::default(),
    };
    let item_kind = match value {
        Value::Array(items) if items.is_list() => {
            let kinds = items.values().map(ValueKind::of_value);
            kinds.reduce(|one, other| if one == other { one } else { ValueKind::Any }).unwrap_or_default()
        }
        _ => ValueKind::Any,
    };
    let nullable = matches!(kind, ValueKind::Null | ValueKind::Any);
    ValueType { nonzero, at_least, units, item_kind, ..ValueType::of(kind).or_null(nullable) }
}
