//! The tasks written by hand in Rust, on Plinth's dynamic values: what an expression could cost at the least.

use crate::case::Case;
use crate::ours;
use expression::Value;
use expression::value::{Array, Object, ObjectShape, Text};
use jiff::Timestamp;
use serde_json::Value as Json;
use std::cmp::Ordering;
use std::sync::{Arc, LazyLock};

static FIELDS: LazyLock<Arc<ObjectShape>> =
    LazyLock::new(|| Arc::new(["id", "name", "price"].into_iter().map(Text::from).collect()));

/// A task of that name, written by hand.
pub fn case(name: &str, record: &Json) -> Option<Case> {
    let task: fn(&Object) -> Option<Value> = match name {
        "arithmetic on 4 properties" => arithmetic,
        "membership and comparison with `and`" => membership,
        "string of 4 parts" => string,
        "map of 100 to 3 fields" => map,
        "search among 1,000 by a field" => search,
        "nested if of 5" => nested,
        "date comparison" => dates,
        "date comparison, of texts" => texts,
        "path of 4 with a null" => path,
        _ => return None,
    };
    let Value::Object(object) = ours::value("", record) else { return None };
    Some(Case::of(move || task(&object).expect("the record has what the task needs"), ours::show))
}

fn int(object: &Object, name: &str) -> Option<i64> {
    match object.get(name)? {
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

fn text<'o>(object: &'o Object, name: &str) -> Option<&'o Text> {
    match object.get(name)? {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

fn list<'o>(object: &'o Object, name: &str) -> Option<&'o [Value]> {
    match object.get(name)? {
        Value::Array(Array::List(items)) => Some(items),
        _ => None,
    }
}

fn arithmetic(object: &Object) -> Option<Value> {
    let product = int(object, "price")?.checked_mul(int(object, "quantity")?)?;
    product.checked_add(int(object, "tax")?)?.checked_sub(int(object, "discount")?).map(Value::Int)
}

fn membership(object: &Object) -> Option<Value> {
    let status = text(object, "status")?.as_bytes();
    let found = ["open", "new", "held"].iter().any(|one| one.as_bytes() == status);
    Some(Value::Bool(found && int(object, "total")? > 1000))
}

fn string(object: &Object) -> Option<Value> {
    let mut made = Vec::with_capacity(64);
    made.extend_from_slice(text(object, "first")?.as_bytes());
    made.push(b' ');
    made.extend_from_slice(text(object, "last")?.as_bytes());
    made.extend_from_slice(text(object, "city")?.as_bytes());
    Some(Value::Text(Text::of_bytes(&made)))
}

fn map(object: &Object) -> Option<Value> {
    let mut made = Vec::with_capacity(100);
    for line in list(object, "lines")? {
        let Value::Object(line) = line else { return None };
        let values = vec![line.get("id")?.clone(), line.get("name")?.clone(), line.get("price")?.clone()];
        made.push(Value::Object(Object::new(Arc::clone(&FIELDS), values)));
    }
    Some(Value::Array(Array::List(Arc::new(made))))
}

fn search(object: &Object) -> Option<Value> {
    let wanted = int(object, "wanted")?.checked_add(1)?;
    let prices = list(object, "orders")?.iter().map(|order| match order {
        Value::Object(order) => int(order, "price"),
        _ => None,
    });
    let prices = prices.collect::<Option<Vec<_>>>()?;
    Some(Value::Bool(prices.contains(&wanted)))
}

fn nested(object: &Object) -> Option<Value> {
    let limits = [(10, "a"), (100, "b"), (500, "c"), (1000, "d"), (2000, "e")];
    for (limit, name) in limits {
        if int(object, "total")? < limit {
            return Some(Value::text(name));
        }
    }
    Some(Value::text("f"))
}

fn dates(object: &Object) -> Option<Value> {
    let (Value::DateTime(due), Value::DateTime(until)) = (object.get("dueAt")?, object.get("untilAt")?) else {
        return None;
    };
    let order = (due.seconds, due.micros).cmp(&(until.seconds, until.micros));
    Some(Value::Bool(order == Ordering::Less))
}

fn texts(object: &Object) -> Option<Value> {
    let due: Timestamp = text(object, "due")?.as_str()?.parse().ok()?;
    let until: Timestamp = text(object, "until")?.as_str()?.parse().ok()?;
    Some(Value::Bool(due < until))
}

fn path(object: &Object) -> Option<Value> {
    let step = |value: &Value, name: &str| match value {
        Value::Object(object) => object.get(name).cloned().unwrap_or_default(),
        _ => Value::Null,
    };
    let contract = step(object.get("customer")?, "contract");
    Some(step(&step(&contract, "owner"), "name"))
}
