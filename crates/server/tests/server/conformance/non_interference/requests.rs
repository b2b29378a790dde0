//! Random requests: what is asked of visible and of hidden names alike.

use super::callers::{Caller, TELLING};
use super::filters;
use super::tenant::{FILE_NAMES, Focus, KINDS, Kind, NUMBERS, Shape, Tenant, WORDS, kind};
use super::{groups, inverses};
use serde_json::{Map, Value as Json, json};
use testing::{Choices, Client, Reply, form};

/// A request, to be sent again and again.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    method: &'static str,
    path: String,
    body: Option<Json>,
}

impl Ask {
    /// To get what a path leads to.
    pub(super) fn of(path: String) -> Ask {
        Ask { method: "GET", path, body: None }
    }

    /// To search what a path leads to.
    pub(super) fn search(path: String, body: Json) -> Ask {
        Ask { method: "SEARCH", path, body: Some(body) }
    }

    /// Sends it, with a header if one is given.
    pub(super) async fn send(&self, client: &Client, header: Option<(&str, &str)>) -> Reply {
        let mut request = client.request(self.method, &self.path);
        if let Some(body) = &self.body {
            request = request.json(body);
        }
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        request.send().await
    }
}

/// A request that the caller may think of.
pub(super) fn request(choices: &mut Choices, tenant: &Tenant, caller: &Caller) -> Ask {
    match choices.below(24) {
        21.. => inverses::request(choices, tenant, caller),
        18.. => {
            let of = any_kind(choices, tenant, caller);
            groups::request(choices, tenant, caller, of)
        }
        16 => get(queries(choices), choices),
        17 => get("/api/ext/v1/canvas/board?size=2".to_owned(), choices),
        0..=7 => list(choices, tenant, caller),
        8 | 9 => one(choices, tenant, caller),
        10 => {
            let of = any_kind(choices, tenant, caller);
            let name = field(choices, tenant, caller, of);
            get_by(choices, tenant, caller, (of, name))
        }
        11 | 12 => get(tags(choices, tenant), choices),
        13 | 14 => get(notifications(choices, tenant), choices),
        _ => get(other(choices, tenant, caller), choices),
    }
}

/// GET, and HEAD once in a while.
pub(super) fn get(path: String, choices: &mut Choices) -> Ask {
    Ask { method: if choices.once_in(8) { "HEAD" } else { "GET" }, path, body: None }
}

/// A query.
fn queries(choices: &mut Choices) -> String {
    let name = choices.of::<&str>(&[
        "stories",
        "stories?size=2",
        "stories?showFields=title,author.rank",
        "writers",
        "places",
        "states",
        "states?size=2&least=2",
        "ranks",
    ]);
    format!("/api/ext/v1/query/{name}")
}

/// The name of a type, one that is shown more often than not.
fn any_kind(choices: &mut Choices, tenant: &Tenant, caller: &Caller) -> &'static Kind {
    if let Some(focus) = tenant.focus.filter(|_| choices.once_in(2)) {
        return kind(focus.of);
    }
    let shown: Vec<&Kind> = KINDS.iter().filter(|kind| caller.sees.contains_key(kind.name)).collect();
    match shown.is_empty() || choices.once_in(6) {
        true => choices.of(&KINDS),
        false => kind(choices.of(&shown).name),
    }
}

/// The name of a field, one that is shown more often than not.
pub(super) fn field(choices: &mut Choices, tenant: &Tenant, caller: &Caller, of: &Kind) -> &'static str {
    if let Some(focus) = tenant.focus.filter(|focus| focus.of == of.name && choices.once_in(2)) {
        return focus.property;
    }
    const ALWAYS: [&str; 5] = ["id", "uuid", "created", "createdBy", "absent"];
    let seen = caller.sees.get(of.name);
    let shown: Vec<&'static str> = seen.map(|seen| seen.properties.iter().copied().collect()).unwrap_or_default();
    if !shown.is_empty() && !choices.once_in(12) {
        return choices.of::<&str>(&shown);
    }
    match choices.below(4) {
        0 => choices.of::<&str>(&ALWAYS),
        // Where they are seen they tell of hidden changes, which is what they are for.
        1 if seen.is_none_or(|seen| !seen.telling) => choices.of::<&str>(&TELLING),
        _ => choices.of(of.properties).0,
    }
}

/// A field, or one behind relations.
pub(super) fn path(
    choices: &mut Choices,
    tenant: &Tenant,
    caller: &Caller,
    of: &Kind,
    hops: usize,
) -> (String, Option<Shape>) {
    let mut name = field(choices, tenant, caller, of);
    // What leads to the row that matters is gone along more often.
    let leads = |shape: &Shape| matches!(shape, Shape::One(to) | Shape::Many(to) if tenant.focus.is_some_and(|focus| focus.of == *to));
    let seen = |name: &str| caller.sees.get(of.name).is_some_and(|seen| seen.properties.contains(name));
    let ways: Vec<&'static str> =
        of.properties.iter().filter(|(name, shape)| leads(shape) && seen(name)).map(|(name, _)| *name).collect();
    if hops > 0 && !ways.is_empty() && choices.once_in(2) {
        name = choices.of::<&str>(&ways);
    }
    let shape = of.shape(name);
    match shape {
        Some(Shape::One(target) | Shape::Many(target)) if hops > 0 && !choices.once_in(3) => {
            let (rest, shape) = path(choices, tenant, caller, kind(target), hops - 1);
            (format!("{name}.{rest}"), shape)
        }
        _ => (name.to_owned(), shape),
    }
}

/// Names by commas, or none.
fn names(choices: &mut Choices, tenant: &Tenant, caller: &Caller, of: &Kind, hops: usize) -> String {
    let names: Vec<String> = (0..choices.below(4)).map(|_| path(choices, tenant, caller, of, hops).0).collect();
    names.join(",")
}

/// Parameters of lists and of single resources.
fn fields(choices: &mut Choices, tenant: &Tenant, caller: &Caller, of: &Kind) -> Map<String, Json> {
    let mut parameters = Map::new();
    for name in ["showFields", "hideFields", "propsMeta", "wrapFields"] {
        if choices.once_in(3) {
            let star = name != "showFields" && name != "hideFields" && choices.once_in(2);
            let value = if star { "*".to_owned() } else { names(choices, tenant, caller, of, 2) };
            parameters.insert(name.to_owned(), json!(value));
        }
    }
    parameters
}

fn list(choices: &mut Choices, tenant: &Tenant, caller: &Caller) -> Ask {
    let of = any_kind(choices, tenant, caller);
    let mut parameters = fields(choices, tenant, caller, of);
    let mut put = |name: &str, value: Json| drop(parameters.insert(name.to_owned(), value));
    if choices.once_in(2) {
        let (name, shape) = path(choices, tenant, caller, of, 1);
        let sorts = !matches!(
            shape,
            Some(Shape::Options | Shape::Many(_) | Shape::Document | Shape::File | Shape::Roles | Shape::Made)
        );
        if sorts || choices.once_in(4) {
            put("orderBy", json!(format!("{}{name}", ["", "-"][choices.below(2)])));
        }
    }
    if choices.once_in(6) {
        put("orderDir", json!("desc"));
    }
    if choices.once_in(3) {
        put("perPage", json!(1 + choices.below(4)));
        put("page", json!(1 + choices.below(2)));
    }
    if choices.once_in(3) {
        let tags: Vec<&str> = (0..1 + choices.below(2)).map(|_| choices.of(&tenant.tags).id.as_str()).collect();
        put("tags", json!(tags.join(",")));
        put("tagsMode", json!(["any", "all"][choices.below(2)]));
        put("includeTagDescendants", json!(choices.once_in(2)));
    }
    if !choices.once_in(3) {
        put("filters", filters::filters(choices, tenant, caller, of));
    }
    let path = match choices.once_in(4) {
        true => format!("collection/{}", of.id),
        false => format!("collection/{}", of.name),
    };
    match choices.below(3) {
        0 => Ask { method: "SEARCH", path, body: Some(Json::Object(parameters)) },
        _ => get(with(&path, &parameters), choices),
    }
}

/// A path with a query string.
pub(super) fn with(path: &str, parameters: &Map<String, Json>) -> String {
    let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let pairs: Vec<(&str, String)> = parameters.iter().map(|(name, value)| (name.as_str(), text(value))).collect();
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
    format!("{path}?{}", form(&pairs))
}

fn one(choices: &mut Choices, tenant: &Tenant, caller: &Caller) -> Ask {
    let of = any_kind(choices, tenant, caller);
    let parameters = fields(choices, tenant, caller, of);
    let item = if choices.once_in(8) { 9_999 } else { tenant.row(choices, of.name) };
    get(with(&format!("collection/{}/{item}", of.name), &parameters), choices)
}

pub(super) fn get_by(choices: &mut Choices, tenant: &Tenant, caller: &Caller, (of, name): (&Kind, &str)) -> Ask {
    let value = match of.shape(name) {
        Some(Shape::Number) => choices.below(NUMBERS).to_string(),
        Some(Shape::One(target)) => tenant.row(choices, target).to_string(),
        _ => format!("{}%20{}", choices.of(&WORDS[..3]), choices.of(&WORDS[..3])),
    };
    let parameters = fields(choices, tenant, caller, of);
    get(with(&format!("collection/{}/get-by/{name}/{value}", of.name), &parameters), choices)
}

fn tags(choices: &mut Choices, tenant: &Tenant) -> String {
    let tag = &choices.of(&tenant.tags).id;
    let kind = choices.of(&KINDS).name;
    match choices.below(8) {
        0 => "collection/tags".to_owned(),
        1 => format!("collection/tags?search={}", choices.of(&WORDS[..3])),
        2 => format!("collection/tags?parent={tag}"),
        3 => {
            format!("collection/tags/{tag}?showFields=name,{}", choices.of(&["usage", "path", "types", "description"]))
        }
        4 => format!("collection/tags/code{}", choices.below(20)),
        5 => format!("collection/tags?perPage=2&page={}&parent=", 1 + choices.below(2)),
        _ => format!("app/tags.object?type={kind}&item={}", tenant.row(choices, kind)),
    }
}

fn notifications(choices: &mut Choices, tenant: &Tenant) -> String {
    const LIST: &str = "collection/notifications";
    let id = choices.of(&tenant.notifications);
    match choices.below(7) {
        0 => LIST.to_owned(),
        1 => format!("{LIST}?limit={}&_archived=1", 1 + choices.below(3)),
        2 => format!("{LIST}?after={id}"),
        3 => format!("{LIST}?recipient_custom_id=crm-{}&limit=2", 1 + choices.below(2)),
        4 => format!("{LIST}?unread_only=true&after=2026-11-20"),
        _ => format!("{LIST}/{id}"),
    }
}

/// Whatever else can be read.
fn other(choices: &mut Choices, tenant: &Tenant, caller: &Caller) -> String {
    let of = any_kind(choices, tenant, caller);
    let (item, name) = (tenant.row(choices, of.name), choices.of(of.properties).0);
    // The files of the row that matters.
    let aimed = tenant.focus.filter(|focus| kind(focus.of).shape(focus.property) == Some(Shape::File));
    if let Some(Focus { of, id, property }) = aimed.filter(|_| !choices.once_in(3)) {
        return format!("/api/ext/v1/file/{of}/{id}/{property}/{}", choices.of(&FILE_NAMES));
    }
    match choices.below(8) {
        0 => "app/user.current".to_owned(),
        1 => "/api/ext/v1/openapi.json?profile=contract".to_owned(),
        2 => "/api/ext/v1/read-log".to_owned(),
        3 => format!("collection/user/{}", caller.user),
        _ => format!("/api/ext/v1/file/{}/{item}/{name}/{}", of.name, choices.of(&FILE_NAMES)),
    }
}
