//! Random filters, of values that decide.

use super::callers::Caller;
use super::requests::{field, path};
use super::tenant::{FILE_NAMES, Kind, NUMBERS, OPTIONS, Shape, Tenant, WORDS, kind};
use serde_json::{Value as Json, json};
use testing::Choices;

/// Filters that all must hold.
pub(super) fn filters(choices: &mut Choices, tenant: &Tenant, caller: &Caller, of: &Kind) -> Json {
    (0..1 + choices.below(2)).map(|_| filter(choices, tenant, caller, of, 2)).collect()
}

fn filter(choices: &mut Choices, tenant: &Tenant, caller: &Caller, of: &Kind, levels: usize) -> Json {
    if levels > 0 && choices.once_in(5) {
        let members: Vec<Json> =
            (0..1 + choices.below(2)).map(|_| filter(choices, tenant, caller, of, levels - 1)).collect();
        return json!({"property": "*", "type": choices.of(&["and", "or", "not"]), "param": members});
    }
    if choices.once_in(8) {
        return json!({"property": "*", "type": "search", "param": choices.of(&WORDS)});
    }
    let climbs = tenant.focus.is_some_and(|focus| focus.of == of.name && focus.property == "above");
    if choices.once_in(if climbs {
        2
    } else if of.name == "story" {
        8
    } else {
        40
    }) {
        let types = ["descendantOf", "ancestorOf"];
        return json!({"property": "id", "type": choices.of(&types), "param": tenant.row(choices, of.name)});
    }
    let (property, shape) = path(choices, tenant, caller, of, 2);
    let to = match shape {
        Some(Shape::One(to) | Shape::Many(to)) if choices.once_in(2) => to,
        _ => return leaf(choices, tenant, &property, shape),
    };
    match levels > 0 && matches!(shape, Some(Shape::Many(_))) && choices.once_in(2) {
        true => {
            let inner = vec![filter(choices, tenant, caller, kind(to), levels - 1)];
            json!({"property": property, "type": choices.of(&["some", "none", "every"]), "param": inner})
        }
        false => {
            let rest = field(choices, tenant, caller, kind(to));
            leaf(choices, tenant, &format!("{property}.{rest}"), kind(to).shape(rest))
        }
    }
}

/// A filter on one property.
pub(super) fn leaf(choices: &mut Choices, tenant: &Tenant, property: &str, shape: Option<Shape>) -> Json {
    if choices.once_in(5) {
        return json!({"property": property, "type": choices.of(&["isNull", "isNotNull", "isEmpty", "isNotEmpty"])});
    }
    let equal = ["eq", "neq"];
    let (property, name, param) = match shape {
        Some(Shape::Text) => {
            let types = ["contains", "iContains", "startsWith", "notEndsWith", "search", "gt"];
            (property.to_owned(), *choices.of(&types), json!(choices.of(&WORDS)))
        }
        Some(Shape::Number) if choices.once_in(6) => {
            let other = choices.of(&["mark", "pages", "rank", "size", "id"]);
            (property.to_owned(), *choices.of(&equal), json!({"$property": other}))
        }
        None if property != "absent" && !property.ends_with(".absent") && !property.ends_with("id") => {
            let types = ["eq", "gte", "isNotNull"];
            (property.to_owned(), *choices.of(&types), json!("2026-11-20T13:00:00+01:00"))
        }
        Some(Shape::Number) | None => {
            (property.to_owned(), *choices.of(&["eq", "gte", "lt", "neq"]), json!(choices.below(NUMBERS)))
        }
        Some(Shape::Option) => (property.to_owned(), *choices.of(&equal), json!(choices.of(&OPTIONS))),
        Some(Shape::Options) => {
            (property.to_owned(), *choices.of(&["anyOf", "noneOf", "allOf"]), json!(choices.some(&OPTIONS)))
        }
        Some(Shape::Many(of)) => {
            (property.to_owned(), *choices.of(&["anyOf", "noneOf"]), json!([tenant.row(choices, of)]))
        }
        Some(Shape::One("user")) if choices.once_in(2) => (property.to_owned(), "eq", json!({"$user": "id"})),
        Some(Shape::One(of)) => {
            let types: &[&str] = if of == "story" { &["eq", "descendantOf", "ancestorOf"] } else { &["eq", "neq"] };
            (property.to_owned(), *choices.of(types), json!(tenant.row(choices, of)))
        }
        Some(Shape::Document) if choices.once_in(2) => {
            (format!("{property}.b.c"), "contains", json!(choices.of(&WORDS)))
        }
        Some(Shape::Document) => (format!("{property}.a"), *choices.of(&equal), json!(choices.below(NUMBERS))),
        Some(Shape::File) if choices.once_in(2) => (format!("{property}.name"), "eq", json!(choices.of(&FILE_NAMES))),
        Some(Shape::File) => (format!("{property}.size"), "gte", json!(choices.below(12))),
        Some(Shape::Roles) => (property.to_owned(), "anyOf", json!(["reader"])),
        Some(Shape::Fixed | Shape::Made) => (property.to_owned(), "contains", json!("extra")),
    };
    json!({"property": property, "type": name, "param": param})
}
