//! Constants, and their types: what is known of a value that is written out.

use super::TypedNode;
use crate::evaluate::ConstantNode;
use crate::value::Value;
use values::types::{IntervalUnits, ValueKind, ValueType};

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
    let item = match value {
        Value::Array(items) if items.is_list() => {
            // Of lists within lists the kind is enough.
            let items: Vec<ValueType> = items.values().map(|item| ValueKind::of_value(item).into_type()).collect();
            ValueType::array_of(joined(items.iter())).item
        }
        _ => None,
    };
    ValueType { nonzero, at_least, units, item, ..kind.into_type() }
}

/// Returns the type of what is any of some values; nothing is any of none.
pub(super) fn joined<'t>(mut types: impl Iterator<Item = &'t ValueType>) -> ValueType {
    let Some(first) = types.next() else { return ValueType::nothing() };
    types.fold(first.chosen(), |all, one| all.joined(one))
}
