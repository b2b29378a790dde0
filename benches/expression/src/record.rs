//! The record that every engine evaluates on.

use serde_json::{Value as Json, json};

/// A record of 20 properties. Those named `…At` are instants where an engine has such values, else texts.
pub fn record() -> Json {
    let line = |number: i64| json!({"id": number, "name": format!("Line {number}"), "price": number * 3, "quantity": number % 7, "note": null});
    json!({
        "id": 4711,
        "title": "Order of spring",
        "price": 120,
        "quantity": 7,
        "discount": 50,
        "tax": 21,
        "status": "held",
        "total": 1750,
        "wanted": 2999,
        "first": "Ada",
        "last": "Lovelace",
        "city": "Brno",
        "due": "2026-06-30T00:00:00Z",
        "until": "2026-09-30T00:00:00Z",
        "dueAt": "2026-06-30T00:00:00Z",
        "untilAt": "2026-09-30T00:00:00Z",
        "lines": (1..=100).map(line).collect::<Vec<_>>(),
        "orders": (1..=1000).map(line).collect::<Vec<_>>(),
        "customer": {"name": "Babbage", "contract": null},
        "flag": true,
    })
}

/// The properties of the record that are numbers and texts: what a request binds.
pub fn scalars() -> Json {
    let Json::Object(mut record) = record() else { return Json::Null };
    record.retain(|name, value| (value.is_number() || value.is_string()) && !name.ends_with("At"));
    Json::Object(record)
}
