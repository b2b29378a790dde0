//! Requests about what is in focus, one for each way by which it could come out.

use super::callers::Caller;
use super::requests::{Ask, get, request, with};
use super::tenant::{KINDS, Kind, SUM, Shape, Tenant, WORDS, kind};
use super::{filters, requests};
use serde_json::{Map, Value as Json, json};
use testing::{Choices, form};

/// Something about what is in focus; whatever comes to mind where nothing is.
pub(super) fn aimed(choices: &mut Choices, tenant: &Tenant, caller: &Caller) -> Ask {
    let Some(focus) = tenant.focus else { return request(choices, tenant, caller) };
    let (of, id, property) = (kind(focus.of), focus.id, focus.property);
    let shape = of.shape(property);
    let item = format!("collection/{}/{id}", of.name);
    let way = if property == "above" && choices.once_in(2) { 6 } else { choices.below(22) };
    let path = match way {
        0 => list(of, [("showFields", shown(caller, of))]),
        1 => list(of, [("showFields", json!("id")), ("perPage", json!(1)), ("page", json!(1 + choices.below(9)))]),
        2 | 3 => list(of, [("showFields", json!("id")), ("filters", json!([holds(choices, tenant, property, shape)]))]),
        4 => list(of, [("showFields", json!("id")), ("orderBy", json!(turned(choices, property)))]),
        5 => list(of, [("showFields", json!("id")), ("filters", json!([search(choices, tenant)]))]),
        6 if of.name == "story" => {
            let above = tenant.aim.0.as_i64().filter(|_| property == "above" && !choices.once_in(3));
            let above = above.unwrap_or_else(|| tenant.row(choices, of.name));
            let filter = json!({"property": "id", "type": choices.of(&["descendantOf", "ancestorOf"]),
                "param": above});
            list(of, [("showFields", json!("id")), ("filters", json!([filter]))])
        }
        7 => format!("{item}?showFields=id,{property}"),
        8 => format!("{item}?wrapFields=*"),
        9 => return by_value(choices, tenant, caller, (of, property)),
        10..=13 | 19..=21 => related(choices, tenant, caller, of),
        14 => tagged(choices, tenant, of, id),
        15 => format!("app/tags.object?type={}&item={id}", of.name),
        16 if matches!(shape, Some(Shape::File)) => {
            format!("/api/ext/v1/file/{}/{id}/{property}/{}", of.name, choices.of(&super::tenant::FILE_NAMES))
        }
        17 => return queried(choices),
        18 => "collection/notifications?_archived=1&limit=100".to_owned(),
        _ => tagged(choices, tenant, of, id),
    };
    get(path, choices)
}

/// The row in focus, and all rows of its type, with all that the caller sees of them.
pub(super) fn whole(tenant: &Tenant, caller: &Caller) -> Vec<Ask> {
    let Some(focus) = tenant.focus else { return Vec::new() };
    // Without what is made of other types: that an answer rests on these would be known by it.
    let names = shown(caller, kind(focus.of));
    let names: Vec<&str> =
        names.as_str().into_iter().flat_map(|names| names.split(',')).filter(|name| *name != SUM).collect();
    let fields = [("showFields".to_owned(), json!(names.join(",")))].into_iter().collect();
    let all = format!("collection/{}", focus.of);
    [format!("{all}/{}", focus.id), all].iter().map(|path| Ask::of(with(path, &fields))).collect()
}

fn list<const N: usize>(of: &Kind, parameters: [(&str, Json); N]) -> String {
    let parameters: Map<String, Json> = parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    with(&format!("collection/{}", of.name), &parameters)
}

/// All fields that the caller sees of some row.
fn shown(caller: &Caller, of: &Kind) -> Json {
    let seen = caller.sees.get(of.name).map(|seen| seen.properties.iter().copied().collect::<Vec<_>>());
    json!(std::iter::once("id").chain(seen.unwrap_or_default()).collect::<Vec<_>>().join(","))
}

fn turned(choices: &mut Choices, name: &str) -> String {
    format!("{}{name}", ["", "-"][choices.below(2)])
}

/// A filter that holds for the value as it is, more often than not.
fn holds(choices: &mut Choices, tenant: &Tenant, property: &str, shape: Option<Shape>) -> Json {
    let filter = |name: &str, param: Json| json!({"property": property, "type": name, "param": param});
    match (shape, &tenant.aim.0) {
        (None, _) => filter("eq", json!(tenant.row(choices, "story"))),
        _ if choices.once_in(4) => filters::leaf(choices, tenant, property, shape),
        (_, Json::Null) => json!({"property": property, "type": choices.of(&["isNull", "isNotNull"])}),
        (Some(Shape::Options | Shape::Many(_) | Shape::Roles), Json::Array(members)) if members.is_empty() => {
            filter("size", json!(0))
        }
        (Some(Shape::Options | Shape::Roles), members) => filter("anyOf", members.clone()),
        (Some(Shape::Many(of)), _) => filter("anyOf", json!([tenant.row(choices, of)])),
        (Some(Shape::Document), document) => {
            json!({"property": format!("{property}.a"), "type": "eq", "param": document["a"]})
        }
        (Some(Shape::File), file) => {
            json!({"property": format!("{property}.name"), "type": "eq", "param": file["name"]})
        }
        (Some(_), value) => filter(choices.of::<&str>(&["eq", "eq", "neq"]), value.clone()),
    }
}

/// A search for the first word of the value, if it is a text.
fn search(choices: &mut Choices, tenant: &Tenant) -> Json {
    let word = tenant.aim.0.as_str().and_then(|text| text.split(' ').next());
    json!({"property": "*", "type": "search", "param": word.unwrap_or_else(|| choices.of::<&str>(&WORDS))})
}

fn by_value(choices: &mut Choices, tenant: &Tenant, caller: &Caller, (of, property): (&Kind, &str)) -> Ask {
    let value = match &tenant.aim.0 {
        Json::String(text) => text.clone(),
        Json::Number(number) => number.to_string(),
        _ => return requests::get_by(choices, tenant, caller, (of, property)),
    };
    let value = form(&[("", &value)]);
    let path = format!("collection/{}/get-by/{property}/{}?showFields=id", of.name, value.trim_start_matches('='));
    get(path, choices)
}

/// Another type whose rows refer to the one in focus: what is shown, found and sorted by way of the relation.
fn related(choices: &mut Choices, tenant: &Tenant, caller: &Caller, to: &Kind) -> String {
    let leads = |shape: &Shape| matches!(shape, Shape::One(of) | Shape::Many(of) if *of == to.name);
    let mut ways = Vec::new();
    for from in &KINDS {
        let seen = |name: &str| caller.sees.get(from.name).is_some_and(|seen| seen.properties.contains(name));
        let relations = from.properties.iter().filter(|(name, shape)| leads(shape) && seen(name));
        ways.extend(relations.map(|(name, shape)| (from, *name, *shape)));
    }
    if ways.is_empty() {
        return list(to, [("showFields", shown(caller, to))]);
    }
    let (from, relation, shape) = *choices.of(&ways);
    let property = tenant.focus.map_or("id", |focus| focus.property);
    let behind = format!("{relation}.{property}");
    let plain = ("showFields", json!("id"));
    match choices.below(6) {
        0 => list(from, [("showFields", json!(format!("id,{behind}")))]),
        1 => list(from, [("showFields", json!("id")), ("wrapFields", json!(relation))]),
        2 if matches!(shape, Shape::One(_)) => list(from, [plain, ("orderBy", json!(turned(choices, &behind)))]),
        3 if matches!(shape, Shape::Many(_)) => {
            let inner = holds(choices, tenant, property, to.shape(property));
            let filter =
                json!({"property": relation, "type": choices.of(&["some", "none", "every"]), "param": [inner]});
            list(from, [plain, ("filters", json!([filter]))])
        }
        4 => {
            let filter = json!({"property": format!("{relation}.id"), "type": choices.of(&["isNull", "isNotNull"])});
            list(from, [plain, ("filters", json!([filter]))])
        }
        _ => list(from, [plain, ("filters", json!([holds(choices, tenant, &behind, to.shape(property))]))]),
    }
}

/// What a tag tells: how often it is used, which rows have it.
fn tagged(choices: &mut Choices, tenant: &Tenant, of: &Kind, id: i64) -> String {
    let Some(tag) = &tenant.aim.1 else { return format!("app/tags.object?type={}&item={id}", of.name) };
    match choices.below(4) {
        0 => format!("collection/tags/{}?showFields=id,usage", tag.id),
        1 => "collection/tags?showFields=id,usage".to_owned(),
        _ => list(of, [("showFields", json!("id")), ("tags", json!(tag.id))]),
    }
}

/// Queries and canvases, with parameters that decide.
fn queried(choices: &mut Choices) -> Ask {
    let path = match choices.below(3) {
        0 => format!("/api/ext/v1/canvas/board?size={}", choices.below(super::tenant::NUMBERS)),
        1 => format!("/api/ext/v1/query/stories?size={}", choices.below(super::tenant::NUMBERS)),
        _ => format!("/api/ext/v1/query/{}", choices.of(&["stories", "writers", "places"])),
    };
    get(path, choices)
}
