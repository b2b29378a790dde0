//! Changes of rows, and of fields of rows, that a caller does not see whose grants are for some rows only.
//!
//! Which those are is worked out of the grants. What decides about rows is changed as well: where that shows or hides
//! something, it is put back.

use super::callers::{Caller, View};
use super::changes::sent;
use super::tenant::{Focus, KINDS, Kind, Shape, Tag, Tenant, World, kind};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use testing::Choices;

/// What the caller sees now.
async fn view(tenant: &Tenant, caller: &Caller) -> View {
    caller.view(&tenant.world().await)
}

/// Asks the caller which rows and fields of them it is shown, and holds that against what its grants are for; gives
/// that, and the rows as they are.
pub(super) async fn verify(tenant: &Tenant, caller: &Caller) -> (View, World) {
    let world = tenant.world().await;
    let expected = caller.view(&world);
    for (name, seen) in &caller.sees {
        let shown: Vec<&str> = std::iter::once("id").chain(seen.properties.iter().copied()).collect();
        let parameters = [("showFields", &*shown.join(",")), ("perPage", "500")];
        let reply = caller.client.query(&format!("collection/{name}"), &parameters).await;
        assert!([200, 204, 403].contains(&reply.status), "{}", reply.text);
        let rows = if reply.status == 200 { reply.at("/data") } else { json!([]) };
        let found: BTreeMap<i64, BTreeSet<String>> = rows
            .as_array()
            .unwrap()
            .iter()
            .map(|row| (row["id"].as_i64().unwrap(), row.as_object().unwrap().keys().cloned().collect()))
            .collect();
        let keys = |shown: &BTreeMap<&'static str, Json>| -> BTreeSet<String> {
            std::iter::once("id").chain(shown.keys().copied()).map(str::to_owned).collect()
        };
        let expected: BTreeMap<i64, BTreeSet<String>> =
            expected[name].iter().map(|(id, shown)| (*id, keys(shown))).collect();
        assert_eq!(
            found, expected,
            "{} sees the rows of {name}, and fields of them, that its grants are for",
            caller.name
        );
    }
    let notices = caller.client.get("collection/notifications?_archived=1").await;
    let items = if notices.status == 200 { notices.at("/items") } else { json!([]) };
    for item in items.as_array().unwrap().iter().filter(|item| !item["target"].is_null()) {
        let Some(of) = item["target"]["type"].as_str() else { continue };
        let id = item["target"]["objectId"].as_i64().unwrap();
        let seen = expected.get(of).is_some_and(|rows| rows.contains_key(&id));
        assert!(seen || !tenant.rows[of].contains(&id), "{} is told of {item}", caller.name);
    }
    (expected, world)
}

/// Turns to something that the caller does not see: of rows and fields that it sees sometimes, more often than not, or
/// else of all that there is.
pub(super) fn focus(choices: &mut Choices, tenant: &mut Tenant, caller: &Caller, (view, world): &(View, World)) {
    let (mut rows, mut fields, mut never) = (Vec::new(), Vec::new(), Vec::new());
    for kind in &KINDS {
        let seen = caller.sees.get(kind.name);
        for id in &tenant.rows[kind.name] {
            let shown = view.get(kind.name).and_then(|rows| rows.get(id));
            for (property, _) in kind.properties {
                let found = Focus { of: kind.name, id: *id, property };
                match (seen, shown) {
                    (_, Some(shown)) if shown.contains_key(property) => {}
                    (Some(seen), Some(_)) if seen.properties.contains(property) => fields.push(found),
                    (Some(seen), None) if seen.properties.contains(property) => rows.push(found),
                    _ => never.push(found),
                }
            }
        }
    }
    let order = match choices.below(6) {
        0 => [never, fields, rows],
        1 | 2 => [fields, rows, never],
        _ => [rows, fields, never],
    };
    let mut found = order.into_iter().find(|found| !found.is_empty()).unwrap_or_default();
    // What rows that are seen lead to could come out by them, and hierarchies lead over it.
    let led = led(view, world);
    if !choices.once_in(3) && found.iter().any(|focus| led.contains(&(focus.of, focus.id))) {
        found.retain(|focus| led.contains(&(focus.of, focus.id)));
    }
    if choices.once_in(4) && found.iter().any(|focus| focus.property == "above") {
        found.retain(|focus| focus.property == "above");
    }
    tenant.focus = (!found.is_empty()).then(|| *choices.of(&found));
    let row = tenant.focus.and_then(|focus| Some(world[focus.of].get(&focus.id)?[focus.property].clone()));
    let foreign = !caller.may("manageTags") && choices.once_in(2);
    let tags: Vec<&Tag> = tenant.tags.iter().filter(|tag| tag.is_foreign(caller) == foreign).collect();
    tenant.aim = (row.unwrap_or_default(), (!tags.is_empty()).then(|| (*choices.of(&tags)).clone()));
}

/// The rows to which relations lead that rows show.
fn led(view: &View, world: &World) -> BTreeSet<(&'static str, i64)> {
    let mut led = BTreeSet::new();
    for (of, rows) in view {
        for (id, shown) in rows {
            for (name, shape) in kind(of).properties.iter().filter(|(name, _)| shown.contains_key(name)) {
                let (Shape::One(to) | Shape::Many(to)) = shape else { continue };
                match &world[of][id][*name] {
                    Json::Array(ids) => led.extend(ids.iter().filter_map(Json::as_i64).map(|id| (*to, id))),
                    one => led.extend(one.as_i64().map(|id| (*to, id))),
                }
            }
        }
    }
    led
}

/// Changes what is in focus, or the tags of a row in focus that is not seen, and tells what.
pub(super) async fn strike(
    choices: &mut Choices,
    tenant: &mut Tenant,
    caller: &Caller,
    before: &View,
) -> Option<String> {
    let focus = tenant.focus?;
    let (of, id) = (kind(focus.of), focus.id);
    let hidden = before.get(of.name).is_none_or(|rows| !rows.contains_key(&id));
    let foreign = |tag: &Tag| !caller.may("manageTags") && tag.is_foreign(caller);
    if let Some(tag) = tenant.aim.1.clone().filter(|tag| foreign(tag) && choices.once_in(2)) {
        // Nobody else sees who has it, of rows that are seen as well.
        let seen: Vec<i64> = before.get(of.name).into_iter().flat_map(|rows| rows.keys().copied()).collect();
        let id = if seen.is_empty() { id } else { *choices.of(&seen) };
        return Some(turn(tenant, of.name, id, &tag).await);
    }
    if let Some(tag) = tenant.aim.1.clone().filter(|_| hidden && choices.once_in(3)) {
        return Some(turn(tenant, of.name, id, &tag).await);
    }
    let path = format!("collection/{}/{id}", of.name);
    let shape = of.shape(focus.property)?;
    if matches!(shape, Shape::Fixed | Shape::Made) {
        return None;
    }
    let mut value = tenant.value(choices, of.name, focus.property, shape).await;
    for _ in 0..4 {
        if value != tenant.aim.0 {
            break;
        }
        value = tenant.value(choices, of.name, focus.property, shape).await;
    }
    let set = |value: Json| Json::Object([(focus.property.to_owned(), value)].into_iter().collect());
    let undo =
        (!matches!(shape, Shape::File | Shape::Roles)).then(|| Undo::Patch(path.clone(), set(tenant.aim.0.clone())));
    let body = set(value);
    let done = sent(tenant.admin.patch(&path, body.clone()).await.status, &format!("PATCH {path} {body}"));
    Some(settled(tenant, caller, before, done, undo).await)
}

/// Gives a row the tag, or takes it away if it has it.
async fn turn(tenant: &Tenant, of: &str, id: i64, tag: &Tag) -> String {
    let has = tenant.admin.get(&format!("app/tags.object?type={of}&item={id}")).await;
    let has = has.status == 200 && has.at("/tags").as_array().unwrap().contains(&json!(tag.id));
    let body = json!({"type": of, "item": id, "operation": if has { "remove" } else { "add" }, "tags": [tag.id]});
    sent(tenant.admin.post("app/tags.assign", body.clone()).await.status, &format!("assign {body}"))
}

/// How a change is taken back.
enum Undo {
    Patch(String, Json),
    Delete(&'static str, i64),
}

/// Takes a change back that shows or hides something.
async fn settled(tenant: &mut Tenant, caller: &Caller, before: &View, done: String, undo: Option<Undo>) -> String {
    if view(tenant, caller).await == *before {
        return done;
    }
    let undone = match undo {
        Some(Undo::Patch(path, body)) => {
            tenant.admin.patch(&path, body.clone()).await.is(200);
            format!("{done}, PATCH {body}")
        }
        Some(Undo::Delete(of, id)) => {
            tenant.admin.delete(&format!("collection/{of}/{id}")).await.is(204);
            tenant.rows.get_mut(of).unwrap().retain(|row| *row != id);
            format!("{done}, DELETE")
        }
        None => done,
    };
    assert_eq!(view(tenant, caller).await, *before, "{} sees the rows and fields it saw before: {undone}", caller.name);
    undone
}

/// Changes something that the caller does not see, and tells what.
pub(super) async fn unseen(choices: &mut Choices, tenant: &mut Tenant, caller: &Caller, before: &View) -> String {
    let focus = tenant.focus.filter(|_| !choices.once_in(3));
    let name = focus.map_or_else(|| choices.of(&KINDS).name, |focus| focus.of);
    let of = kind(name);
    let rows = before.get(name);
    let hidden: Vec<i64> =
        tenant.rows[name].iter().copied().filter(|id| rows.is_none_or(|rows| !rows.contains_key(id))).collect();
    let aimed = focus.map(|focus| focus.id).filter(|id| hidden.contains(id));
    let (done, undo) = match choices.below(6) {
        0 if tenant.rows[name].len() < 30 => create(choices, tenant, of).await,
        1 if !hidden.is_empty() && tenant.rows[name].len() > 6 => {
            let id = aimed.filter(|_| choices.once_in(2)).unwrap_or_else(|| *choices.of(&hidden));
            let status = tenant.admin.delete(&format!("collection/{name}/{id}")).await.status;
            if status == 204 {
                tenant.rows.get_mut(name).unwrap().retain(|row| *row != id);
            }
            (sent(status, &format!("DELETE {name} {id}")), None)
        }
        2 if !hidden.is_empty() => {
            let id = aimed.unwrap_or_else(|| *choices.of(&hidden));
            let own = tenant.aim.1.clone().filter(|_| choices.once_in(2));
            let tag = own.unwrap_or_else(|| choices.of(&tenant.tags).clone());
            return turn(tenant, name, id, &tag).await;
        }
        _ => patch(choices, tenant, before, of).await,
    };
    settled(tenant, caller, before, done, undo).await
}

/// Makes a resource.
async fn create(choices: &mut Choices, tenant: &mut Tenant, of: &'static Kind) -> (String, Option<Undo>) {
    let count = tenant.rows[of.name].len();
    tenant.create(choices, of).await;
    match tenant.rows[of.name].get(count).copied() {
        Some(id) => (format!("POST {} {id}", of.name), Some(Undo::Delete(of.name, id))),
        None => ("POST, refused".to_owned(), None),
    }
}

/// Gives hidden properties of a row other values.
async fn patch(choices: &mut Choices, tenant: &Tenant, before: &View, of: &'static Kind) -> (String, Option<Undo>) {
    let id = tenant.row(choices, of.name);
    let path = format!("collection/{}/{id}", of.name);
    let shown = before.get(of.name).and_then(|rows| rows.get(&id));
    let hidden = of.properties.iter().filter(|(name, _)| shown.is_none_or(|shown| !shown.contains_key(*name)));
    let hidden: Vec<_> = hidden.copied().collect();
    let old = tenant.admin.get(&path).await;
    if old.status != 200 {
        return (format!("{path} is gone"), None);
    }
    let (mut body, mut back) = (json!({}), json!({}));
    for (name, shape) in choices.some(&hidden) {
        if !matches!(shape, Shape::Fixed | Shape::Made) {
            body[*name] = tenant.value(choices, of.name, name, *shape).await;
        }
        // What decides about rows is none of these.
        if !matches!(shape, Shape::Fixed | Shape::Made | Shape::File | Shape::Roles) {
            back[*name] = old.at(&format!("/{name}"));
        }
    }
    let done = sent(tenant.admin.patch(&path, body.clone()).await.status, &format!("PATCH {path} {body}"));
    (done, Some(Undo::Patch(path, back)))
}
