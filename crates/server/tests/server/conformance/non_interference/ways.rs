//! All ways, one after the other, by which what a row holds could come out.

use super::callers::Caller;
use super::requests::{Ask, with};
use super::tenant::{Focus, KINDS, Kind, Shape, World, kind};
use serde_json::{Map, Value as Json, json};
use testing::form;

/// A request, and the way by which it would tell.
pub(super) struct Way {
    pub(super) name: &'static str,
    pub(super) ask: Ask,
}

impl Way {
    fn get(name: &'static str, path: &str, parameters: &[(&str, Json)]) -> Way {
        let parameters: Map<String, Json> =
            parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Way { name, ask: Ask::of(with(path, &parameters)) }
    }
}

/// The end of a name: a property, what it holds, and its value.
struct End {
    name: String,
    shape: Shape,
    value: Json,
}

/// How a value could come out that the world has there, by relations that the caller is shown of some row.
pub(super) fn of_value(caller: &Caller, focus: Focus, world: &World) -> Vec<Way> {
    let (of, row) = (kind(focus.of), &world[focus.of][&focus.id]);
    let mut ways = of_row(caller, focus, &row[focus.property]);
    let ends = ends(caller, of, focus.property, row, world);
    // What is behind a relation is far enough as it is.
    let hops = if ends.len() > 1 { 1 } else { 2 };
    for (from, before) in paths(caller, of, hops) {
        for end in &ends {
            by_name(from, &before, end, &mut ways);
        }
    }
    if focus.of == "story" && focus.property == "above" {
        for id in world["story"].keys() {
            for name in ["descendantOf", "ancestorOf"] {
                let filter = |property: &str| json!([{"property": property, "type": name, "param": id}]);
                let plain = ("showFields", json!("id"));
                ways.push(Way::get("tree", "collection/story", &[plain.clone(), ("filters", filter("id"))]));
                ways.push(Way::get("tree above", "collection/story", &[plain, ("filters", filter("above"))]));
            }
        }
    }
    ways
}

/// How a tag of a row could come out. How often it is used is told to those alone who manage tags.
pub(super) fn of_tag(caller: &Caller, focus: Focus, tag: &str) -> Vec<Way> {
    let shown = json!(if caller.may("manageTags") { "id,usage" } else { "id,name" });
    let all = format!("collection/{}", focus.of);
    vec![
        Way::get("usage", &format!("collection/tags/{tag}"), &[("showFields", shown.clone())]),
        Way::get("usages", "collection/tags", &[("showFields", shown)]),
        Way::get("tags", "app/tags.object", &[("type", json!(focus.of)), ("item", json!(focus.id))]),
        Way::get("tagged", &all, &[("showFields", json!("id")), ("tags", json!(tag))]),
    ]
}

/// How a file that has that name in a row could come out.
pub(super) fn of_file(Focus { of, id, property }: Focus, name: &str) -> Vec<Way> {
    let all = format!("collection/{of}");
    let filter = json!([{"property": format!("{property}.name"), "type": "eq", "param": name}]);
    vec![
        Way::get("file", &format!("/api/ext/v1/file/{of}/{id}/{property}/{name}"), &[]),
        Way::get("shown", &all, &[("showFields", json!(format!("id,{property}")))]),
        Way::get("filter", &all, &[("showFields", json!("id")), ("filters", filter)]),
        Way::get("row", &format!("{all}/{id}"), &[("wrapFields", json!("*"))]),
    ]
}

/// What the type's own lists and the row itself show.
pub(super) fn of_row(caller: &Caller, Focus { of, id, property }: Focus, value: &Json) -> Vec<Way> {
    let seen = caller.sees.get(of).map(|seen| seen.properties.iter().copied().collect::<Vec<_>>()).unwrap_or_default();
    let all = format!("collection/{of}");
    let row = format!("{all}/{id}");
    let plain = ("showFields", json!("id"));
    let mut ways = vec![
        Way::get("list", &all, &[("showFields", json!(format!("id,{}", seen.join(","))))]),
        Way::get("page", &all, &[plain.clone(), ("perPage", json!(1)), ("page", json!(2))]),
        Way::get("row", &row, &[("wrapFields", json!("*"))]),
        Way::get("query", "/api/ext/v1/query/writers", &[]),
        Way::get("query", "/api/ext/v1/query/stories", &[("size", json!(2))]),
        Way::get("canvas", "/api/ext/v1/canvas/board", &[("size", json!(2))]),
        Way::get("notifications", "collection/notifications", &[("_archived", json!(1))]),
    ];
    if let Some(text) = value.as_str() {
        let filter = json!([{"property": "*", "type": "search", "param": text.split(' ').next()}]);
        ways.push(Way::get("search", &all, &[plain.clone(), ("filters", filter)]));
    }
    let text = value.as_str().map(str::to_owned).or_else(|| value.as_i64().map(|number| number.to_string()));
    if let Some(text) = text {
        let text = form(&[("", &text)]);
        ways.push(Way::get("get-by", &format!("{all}/get-by/{property}/{}", text.trim_start_matches('=')), &[plain]));
    }
    ways
}

/// The property, and where it is a relation what the row that it leads to holds.
fn ends(caller: &Caller, of: &Kind, property: &'static str, row: &Json, world: &World) -> Vec<End> {
    let shape = of.shape(property).unwrap();
    let value = row[property].clone();
    let first = value.as_array().map_or(&value, |members| members.first().unwrap_or(&Json::Null)).as_i64();
    let mut ends = vec![End { name: property.to_owned(), shape, value: value.clone() }];
    let (Shape::One(to) | Shape::Many(to)) = shape else { return ends };
    let seen = |name: &str| caller.sees.get(to).is_some_and(|seen| seen.properties.contains(name));
    for (name, shape) in kind(to).properties.iter().filter(|(name, _)| seen(name)) {
        let value = first.and_then(|id| Some(world[to].get(&id)?[*name].clone())).unwrap_or_default();
        if matches!(shape, Shape::Text | Shape::Number) {
            ends.push(End { name: format!("{property}.{name}"), shape: *shape, value });
        }
    }
    ends
}

/// The types from which relations lead to one, and what comes before its properties' names there.
fn paths(caller: &Caller, of: &'static Kind, hops: usize) -> Vec<(&'static Kind, String)> {
    let mut found = vec![(of, String::new())];
    let mut last = found.clone();
    for _ in 0..hops {
        let mut next = Vec::new();
        for from in &KINDS {
            let seen = |name: &str| caller.sees.get(from.name).is_some_and(|seen| seen.properties.contains(name));
            for (name, shape) in from.properties.iter().filter(|(name, _)| seen(name)) {
                let (Shape::One(to) | Shape::Many(to)) = shape else { continue };
                let behind = last.iter().filter(|(kind, _)| kind.name == *to);
                next.extend(behind.map(|(_, before)| (from, format!("{name}.{before}"))));
            }
        }
        found.extend(next.iter().cloned());
        last = next;
    }
    found
}

/// Shown, filtered and sorted by a name.
fn by_name(from: &Kind, before: &str, end: &End, ways: &mut Vec<Way>) {
    let path = format!("{before}{}", end.name);
    let all = format!("collection/{}", from.name);
    let plain = ("showFields", json!("id"));
    let mut filtered = |name: &'static str, filter: Json| {
        ways.push(Way::get(name, &all, &[plain.clone(), ("filters", json!([filter]))]));
    };
    filtered("filter", test(&path, &end.value));
    filtered("is null", json!({"property": path, "type": "isNull"}));
    let (relation, rest) = path.split_once('.').unwrap_or((&path, "id"));
    if matches!(from.shape(relation), Some(Shape::Many(_))) {
        let inner = match path.contains('.') {
            true => test(rest, &end.value),
            false => json!({"property": "id", "type": "eq", "param": end.value[0]}),
        };
        for name in ["some", "every", "none"] {
            filtered(name, json!({"property": relation, "type": name, "param": [inner]}));
        }
    }
    ways.push(Way::get("shown", &all, &[("showFields", json!(format!("id,{path}")))]));
    let several = path.split('.').any(|name| name == "readers");
    if !several && !matches!(end.shape, Shape::Options | Shape::Document | Shape::File | Shape::Roles | Shape::Made) {
        ways.push(Way::get("sort", &all, &[plain, ("orderBy", json!(path))]));
    }
}

/// A filter that holds for the value.
fn test(path: &str, value: &Json) -> Json {
    match value {
        Json::Null => json!({"property": path, "type": "isNotNull"}),
        Json::Array(members) => json!({"property": path, "type": "anyOf", "param": members}),
        value => json!({"property": path, "type": "eq", "param": value}),
    }
}
