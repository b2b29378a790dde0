//! Changes of rows, and of fields of rows, that a caller does not see whose grants are for some rows only.
//!
//! Which those are is worked out of the grants. What decides about rows is changed as well: where that shows or hides
//! something, it is put back.

use super::callers::{Caller, View};
use super::changes::{assign, sent};
use super::tenant::{Focus, KINDS, Kind, Shape, Tenant, kind};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use testing::Choices;

/// What the caller sees now.
async fn view(tenant: &Tenant, caller: &Caller) -> View {
    caller.view(&tenant.world().await)
}

/// Asks the caller which rows and fields of them it is shown, and holds that against what its grants are for.
pub(super) async fn verify(tenant: &Tenant, caller: &Caller) {
    let expected = view(tenant, caller).await;
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
}

/// Something that the caller does not see, of what it may ask about.
pub(super) async fn focus(choices: &mut Choices, tenant: &Tenant, caller: &Caller) -> Option<Focus> {
    let view = view(tenant, caller).await;
    let (mut rows, mut fields) = (Vec::new(), Vec::new());
    for (name, seen) in &caller.sees {
        for id in &tenant.rows[name] {
            let shown = view[name].get(id);
            for property in
                seen.properties.iter().filter(|property| shown.is_none_or(|shown| !shown.contains_key(*property)))
            {
                let found = Focus { of: name, id: *id, property };
                if shown.is_some() { fields.push(found) } else { rows.push(found) }
            }
        }
    }
    let found = if rows.is_empty() || (!fields.is_empty() && choices.once_in(2)) { fields } else { rows };
    (!found.is_empty()).then(|| *choices.of(&found))
}

/// Changes something that the caller does not see, and tells what.
pub(super) async fn unseen(choices: &mut Choices, tenant: &mut Tenant, caller: &Caller) -> String {
    let before = view(tenant, caller).await;
    let focus = tenant.focus.filter(|_| !choices.once_in(3));
    let name = focus.map_or_else(|| choices.of(&KINDS).name, |focus| focus.of);
    let of = kind(name);
    let rows = before.get(name);
    let hidden: Vec<i64> =
        tenant.rows[name].iter().copied().filter(|id| rows.is_none_or(|rows| !rows.contains_key(id))).collect();
    let done = match choices.below(6) {
        0 if tenant.rows[name].len() < 30 => create(choices, tenant, caller, of).await,
        1 if !hidden.is_empty() && tenant.rows[name].len() > 6 => {
            let id = focus.map(|focus| focus.id).filter(|id| hidden.contains(id) && choices.once_in(2));
            let id = id.unwrap_or_else(|| *choices.of(&hidden));
            let status = tenant.admin.delete(&format!("collection/{name}/{id}")).await.status;
            if status == 204 {
                tenant.rows.get_mut(name).unwrap().retain(|row| *row != id);
            }
            sent(status, &format!("DELETE {name} {id}"))
        }
        2 if !hidden.is_empty() => {
            let id = focus.map(|focus| focus.id).filter(|id| hidden.contains(id));
            let (id, tag) = (id.unwrap_or_else(|| *choices.of(&hidden)), choices.of(&tenant.tags).clone());
            assign(choices, tenant, name, id, &tag).await
        }
        _ => patch(choices, tenant, (caller, &before), of).await,
    };
    assert_eq!(view(tenant, caller).await, before, "{} sees the rows and fields it saw before: {done}", caller.name);
    done
}

/// Makes a resource, which goes again where the caller sees it.
async fn create(choices: &mut Choices, tenant: &mut Tenant, caller: &Caller, of: &'static Kind) -> String {
    let count = tenant.rows[of.name].len();
    tenant.create(choices, of).await;
    let Some(id) = tenant.rows[of.name].get(count).copied() else { return "POST, refused".to_owned() };
    if view(tenant, caller).await.get(of.name).is_some_and(|rows| rows.contains_key(&id)) {
        tenant.admin.delete(&format!("collection/{}/{id}", of.name)).await.is(204);
        tenant.rows.get_mut(of.name).unwrap().pop();
        return format!("POST {}, DELETE", of.name);
    }
    format!("POST {} {id}", of.name)
}

/// Gives hidden properties of a row other values.
async fn patch(
    choices: &mut Choices,
    tenant: &Tenant,
    (caller, before): (&Caller, &View),
    of: &'static Kind,
) -> String {
    let id = tenant.row(choices, of.name);
    let path = format!("collection/{}/{id}", of.name);
    let shown = before.get(of.name).and_then(|rows| rows.get(&id));
    let hidden = of.properties.iter().filter(|(name, _)| shown.is_none_or(|shown| !shown.contains_key(*name)));
    let hidden: Vec<_> = hidden.copied().collect();
    let old = tenant.admin.get(&path).await;
    if old.status != 200 {
        return format!("{path} is gone");
    }
    let (mut body, mut back) = (json!({}), json!({}));
    let aimed = tenant.focus.filter(|focus| focus.of == of.name && focus.id == id);
    let aimed = aimed.and_then(|focus| hidden.iter().find(|(name, _)| *name == focus.property)).copied();
    let chosen: Vec<_> = choices.some(&hidden).into_iter().copied().chain(aimed).collect();
    for (name, shape) in &chosen {
        if !matches!(shape, Shape::Fixed | Shape::Made) {
            body[*name] = tenant.value(choices, of.name, name, *shape).await;
        }
        // What decides about rows is none of these.
        if !matches!(shape, Shape::Fixed | Shape::Made | Shape::File | Shape::Roles) {
            back[*name] = old.at(&format!("/{name}"));
        }
    }
    let done = sent(tenant.admin.patch(&path, body.clone()).await.status, &format!("PATCH {path} {body}"));
    if view(tenant, caller).await == *before {
        return done;
    }
    tenant.admin.patch(&path, back.clone()).await.is(200);
    format!("{done}, PATCH {back}")
}
