//! Deep values are taken apart level by level: dropping them never uses up the stack.

use super::{Array, Object, Value};
use std::sync::Arc;

/// Takes an array's nested values apart, where nobody shares them.
pub(super) fn dismantle_array(array: &mut Array) {
    let mut nested = Vec::new();
    of_array(array, &mut nested);
    dismantle(nested);
}

/// Takes an object's nested values apart, where nobody shares them.
pub(super) fn dismantle_object(object: &mut Object) {
    let mut nested = Vec::new();
    of_object(object, &mut nested);
    dismantle(nested);
}

fn dismantle(mut nested: Vec<Value>) {
    while let Some(mut value) = nested.pop() {
        match &mut value {
            Value::Array(array) => of_array(array, &mut nested),
            Value::Object(object) => of_object(object, &mut nested),
            Value::Secret(secret) => {
                if let Some(secret) = Arc::get_mut(secret) {
                    take(&mut secret.0, &mut nested);
                }
            }
            _ => (),
        }
    }
}

fn of_array(array: &mut Array, nested: &mut Vec<Value>) {
    match array {
        Array::List(items) if Arc::strong_count(items) == 1 => {
            for item in Arc::get_mut(items).into_iter().flatten() {
                take(item, nested);
            }
        }
        Array::Map { entries, .. } if Arc::strong_count(entries) == 1 => {
            for item in Arc::get_mut(entries).into_iter().flat_map(|entries| entries.values_mut()) {
                take(item, nested);
            }
        }
        _ => (),
    }
}

fn of_object(object: &mut Object, nested: &mut Vec<Value>) {
    for value in object.values_mut().into_iter().flatten() {
        take(value, nested);
    }
}

/// Takes a value out where it holds something that holds others. Any other value stays where it is: it drops without
/// going deeper.
fn take(value: &mut Value, nested: &mut Vec<Value>) {
    let is_deep = match &*value {
        Value::Array(Array::List(items)) => Arc::strong_count(items) == 1 && items.iter().any(holds),
        Value::Object(object) => !object.is_shared() && object.values().iter().any(holds),
        value => holds(value),
    };
    if is_deep {
        nested.push(std::mem::take(value));
    }
}

fn holds(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_) | Value::Secret(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Text;

    #[test]
    fn values_nested_deep_drop() {
        let mut value = Value::Null;
        for _ in 0..100_000 {
            value = Value::Array(vec![value].into());
        }
        for _ in 0..100_000 {
            value = Value::Object([(Text::from("a"), value)].into_iter().collect());
        }
        drop(value);
    }
}
