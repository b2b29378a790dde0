//! Changes of rows, and of fields of rows, that a caller does not see whose grants are for some rows only.
//!
//! Which those are the caller is asked itself. What decides about rows is changed as well: where that shows or hides
//! something, it is put back.

use super::callers::Caller;
use super::changes::{assign, sent};
use super::tenant::{KINDS, Kind, Shape, Tenant, kind};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use testing::Choices;

/// The fields that rows show, by type and id.
type View = BTreeMap<&'static str, BTreeMap<i64, BTreeSet<String>>>;

async fn view(caller: &Caller) -> View {
    let mut view = View::new();
    for (name, seen) in &caller.sees {
        let shown: Vec<&str> = std::iter::once("id").chain(seen.properties.iter().copied()).collect();
        let parameters = [("showFields", &*shown.join(",")), ("perPage", "500")];
        let reply = caller.client.query(&format!("collection/{name}"), &parameters).await;
        assert!([200, 204, 403].contains(&reply.status), "{}", reply.text);
        let rows = if reply.status == 200 { reply.at("/data") } else { json!([]) };
        let keys = |row: &Json| row.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
        let rows = rows.as_array().unwrap().iter().map(|row| (row["id"].as_i64().unwrap(), keys(row)));
        view.insert(name, rows.collect());
    }
    view
}

/// Changes something that the caller does not see, and tells what.
pub(super) async fn unseen(choices: &mut Choices, tenant: &mut Tenant, caller: &Caller) -> String {
    let before = view(caller).await;
    let name = choices.of(&KINDS).name;
    let of = kind(name);
    let rows = before.get(name);
    let hidden: Vec<i64> =
        tenant.rows[name].iter().copied().filter(|id| rows.is_none_or(|rows| !rows.contains_key(id))).collect();
    let done = match choices.below(6) {
        0 if tenant.rows[name].len() < 30 => create(choices, tenant, caller, of).await,
        1 if !hidden.is_empty() && tenant.rows[name].len() > 6 => {
            let id = *choices.of(&hidden);
            let status = tenant.admin.delete(&format!("collection/{name}/{id}")).await.status;
            if status == 204 {
                tenant.rows.get_mut(name).unwrap().retain(|row| *row != id);
            }
            sent(status, &format!("DELETE {name} {id}"))
        }
        2 if !hidden.is_empty() => {
            let (id, tag) = (*choices.of(&hidden), choices.of(&tenant.tags).clone());
            assign(choices, tenant, name, id, &tag).await
        }
        _ => patch(choices, tenant, (caller, &before), of).await,
    };
    assert_eq!(view(caller).await, before, "{} sees the rows and fields it saw before: {done}", caller.name);
    done
}

/// Makes a resource, which goes again where the caller sees it.
async fn create(choices: &mut Choices, tenant: &mut Tenant, caller: &Caller, of: &'static Kind) -> String {
    let count = tenant.rows[of.name].len();
    tenant.create(choices, of).await;
    let Some(id) = tenant.rows[of.name].get(count).copied() else { return "POST, refused".to_owned() };
    if view(caller).await.get(of.name).is_some_and(|rows| rows.contains_key(&id)) {
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
    let hidden = of.properties.iter().filter(|(name, _)| shown.is_none_or(|shown| !shown.contains(*name)));
    let hidden: Vec<_> = hidden.copied().collect();
    let old = tenant.admin.get(&path).await;
    if old.status != 200 {
        return format!("{path} is gone");
    }
    let (mut body, mut back) = (json!({}), json!({}));
    for (name, shape) in choices.some(&hidden) {
        if *shape != Shape::Fixed {
            body[*name] = tenant.value(choices, of.name, name, *shape).await;
        }
        // What decides about rows is none of these.
        if !matches!(shape, Shape::Fixed | Shape::File | Shape::Roles) {
            back[*name] = old.at(&format!("/{name}"));
        }
    }
    let done = sent(tenant.admin.patch(&path, body.clone()).await.status, &format!("PATCH {path} {body}"));
    if view(caller).await == *before {
        return done;
    }
    tenant.admin.patch(&path, back.clone()).await.is(200);
    format!("{done}, PATCH {back}")
}
