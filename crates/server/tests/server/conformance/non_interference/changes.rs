//! Changes that a caller cannot see, made by those who may make them.

use super::callers::{Caller, View};
use super::rows;
use super::tenant::{KINDS, Kind, Shape, Tag, Tenant, WORDS, kind};
use serde_json::{Value as Json, json};
use testing::{Choices, Client};

/// Somebody with private tags and notifications who is no caller.
pub(super) struct Stranger {
    pub(super) name: &'static str,
    pub(super) client: Client,
    pub(super) user: i64,
}

const CUSTOM: [&str; 2] = ["crm-1", "crm-2"];

/// What the rules of grants look at.
const DECIDING: [(&str, &str); 12] = [
    ("story", "state"),
    ("story", "pages"),
    ("story", "mark"),
    ("story", "owner"),
    ("story", "author"),
    ("story", "above"),
    ("writer", "rank"),
    ("writer", "rank"),
    ("writer", "home"),
    ("writer", "chief"),
    ("place", "size"),
    ("user", "badge"),
];

/// Changes something that decides who sees what, more often than not of what is in focus, and tells what.
pub(super) async fn deciding(choices: &mut Choices, tenant: &mut Tenant) -> String {
    let focus = tenant.focus.filter(|_| !choices.once_in(4));
    let decides = |of: &str| DECIDING.iter().filter(|(name, _)| *name == of).map(|(_, property)| *property).collect();
    match (choices.below(8), focus) {
        (0, _) => {
            let kind = choices.of(&KINDS);
            resources(choices, tenant, kind).await
        }
        (1, Some(focus)) => {
            let tag = tenant.aim.1.clone().unwrap_or_else(|| choices.of(&tenant.tags).clone());
            assign(choices, tenant, focus.of, focus.id, &tag).await
        }
        (2, Some(focus)) => patch_row(choices, tenant, (kind(focus.of), focus.id), &[focus.property]).await,
        (3, Some(focus)) => {
            let names: Vec<&'static str> = decides(focus.of);
            patch_row(choices, tenant, (kind(focus.of), focus.id), &names).await
        }
        (4..=6, Some(focus)) => {
            let (of, id) = behind(choices, tenant, (focus.of, focus.id)).await;
            let names: Vec<&'static str> = decides(of);
            let plain: Vec<_> =
                names.iter().filter(|name| !matches!(kind(of).shape(name), Some(Shape::One(_)))).collect();
            let name = *choices.of(&plain);
            patch_row(choices, tenant, (kind(of), id), &[name]).await
        }
        _ => {
            let (of, property) = *choices.of(&DECIDING);
            let id = tenant.row(choices, of);
            patch_row(choices, tenant, (kind(of), id), &[property]).await
        }
    }
}

/// What rules look at by way of a row: what it refers to, and perhaps what that refers to.
async fn behind(choices: &mut Choices, tenant: &Tenant, mut at: (&'static str, i64)) -> (&'static str, i64) {
    for _ in 0..2 {
        let relations = kind(at.0).properties.iter().filter_map(|(name, shape)| match shape {
            Shape::One(to) if DECIDING.contains(&(at.0, name)) => Some((*name, *to)),
            _ => None,
        });
        let relations: Vec<(&str, &'static str)> = relations.filter(|(_, to)| *to != "user").collect();
        if relations.is_empty() || at.0 == "writer" && choices.once_in(2) {
            break;
        }
        let (name, to) = *choices.of(&relations);
        let row = tenant.admin.get(&format!("collection/{}/{}?showFields={name}", at.0, at.1)).await;
        match row.status {
            200 if row.at(&format!("/{name}")).is_i64() => at = (to, row.at(&format!("/{name}")).as_i64().unwrap()),
            _ => break,
        }
    }
    at
}

/// Changes something that the caller does not see, and tells what.
pub(super) async fn unseen(
    choices: &mut Choices,
    tenant: &mut Tenant,
    stranger: &Stranger,
    (caller, before): (&Caller, &View),
) -> String {
    if tenant.focus.is_some() && !choices.once_in(4) {
        return rows::unseen(choices, tenant, caller, before).await;
    }
    let hidden: Vec<&'static Kind> = KINDS.iter().filter(|kind| !caller.sees.contains_key(kind.name)).collect();
    let partial: Vec<&'static Kind> = KINDS.iter().filter(|kind| !caller.unseen(kind).is_empty()).collect();
    // The more there is of it, the oftener.
    let mut ways = vec![Way::Notifications];
    // What such resources hold may decide which rows the caller sees of another type: that is looked after elsewhere.
    let plain = !caller.limited();
    ways.extend([Way::Properties; 5].iter().filter(|_| plain && !partial.is_empty()));
    ways.extend([Way::Resources, Way::Resources, Way::Tagged].iter().filter(|_| plain && !hidden.is_empty()));
    ways.extend([Way::Tags; 2].iter().filter(|_| !caller.may("manageTags")));
    match choices.of(&ways) {
        Way::Properties => {
            let kind = choices.of(&partial);
            let unseen = caller.unseen(kind);
            patch(choices, tenant, kind, &unseen).await
        }
        Way::Resources => {
            let kind = *choices.of(&hidden);
            resources(choices, tenant, kind).await
        }
        Way::Tagged => {
            let kind = *choices.of(&hidden);
            let (item, tag) = (tenant.row(choices, kind.name), choices.of(&tenant.tags).clone());
            assign(choices, tenant, kind.name, item, &tag).await
        }
        Way::Tags => tags(choices, tenant, stranger, caller).await,
        Way::Notifications => notifications(choices, tenant, stranger, caller).await,
    }
}

/// What a change is about.
#[derive(Clone, Copy)]
enum Way {
    /// Properties that are not shown, of resources that are.
    Properties,
    /// Resources of types that are not shown.
    Resources,
    /// Tags of such resources.
    Tagged,
    /// Tags of others.
    Tags,
    Notifications,
}

/// Gives some properties of a resource other values.
async fn patch(choices: &mut Choices, tenant: &Tenant, kind: &Kind, names: &[&'static str]) -> String {
    let names: Vec<&'static str> = choices.some(names).into_iter().copied().collect();
    let id = tenant.row(choices, kind.name);
    patch_row(choices, tenant, (kind, id), &names).await
}

/// Gives properties of a resource other values.
async fn patch_row(choices: &mut Choices, tenant: &Tenant, (kind, id): (&Kind, i64), names: &[&'static str]) -> String {
    let mut body = json!({});
    for name in names {
        match kind.shape(name) {
            None | Some(Shape::Fixed | Shape::Made) => {}
            Some(shape) => body[*name] = tenant.value(choices, kind.name, name, shape).await,
        }
    }
    let path = format!("collection/{}/{id}", kind.name);
    sent(tenant.admin.patch(&path, body.clone()).await.status, &format!("PATCH {path} {body}"))
}

/// Makes, changes or deletes a resource.
async fn resources(choices: &mut Choices, tenant: &mut Tenant, kind: &'static Kind) -> String {
    let all: Vec<&'static str> = kind.properties.iter().map(|(name, _)| *name).collect();
    match choices.below(4) {
        0 if tenant.rows[kind.name].len() < 30 => {
            tenant.create(choices, kind).await;
            format!("POST {}", kind.name)
        }
        1 if tenant.rows[kind.name].len() > 6 => {
            let id = tenant.row(choices, kind.name);
            let path = format!("collection/{}/{id}", kind.name);
            let status = tenant.admin.delete(&path).await.status;
            if status == 204 {
                tenant.rows.get_mut(kind.name).unwrap().retain(|row| *row != id);
            }
            sent(status, &format!("DELETE {path}"))
        }
        _ => patch(choices, tenant, kind, &all).await,
    }
}

/// Does something to tags of others, and to what only their managers see.
async fn tags(choices: &mut Choices, tenant: &mut Tenant, stranger: &Stranger, caller: &Caller) -> String {
    let private: Vec<Tag> = tenant.tags.iter().filter(|tag| tag.is_foreign(caller)).cloned().collect();
    let public: Vec<Tag> = tenant.tags.iter().filter(|tag| tag.owner.is_none()).cloned().collect();
    let body = json!({"name": format!("{} {}", choices.of(&WORDS), choices.below(30)), "private": true,
        "color": "#123456", "code": format!("code{}", choices.below(20))});
    match choices.below(6) {
        0 => {
            let mut body = body;
            body["parent"] = match choices.below(3) {
                0 => json!(choices.of(&public).id),
                1 => private
                    .iter()
                    .find(|tag| tag.owner.as_deref() == Some(stranger.name))
                    .map(|tag| tag.id.clone())
                    .into(),
                _ => Json::Null,
            };
            let reply = stranger.client.post("collection/tags", body).await;
            if let Some(id) = reply.at("/id").as_str() {
                tenant.tags.push(Tag { id: id.to_owned(), owner: Some(stranger.name.to_owned()) });
            }
            sent(reply.status, "POST tag")
        }
        1 if !private.is_empty() => {
            let path = format!("collection/tags/{}", choices.of(&private).id);
            sent(tenant.admin.patch(&path, body).await.status, &format!("PATCH {path}"))
        }
        2 if private.len() > 4 => {
            let gone = choices.of(&private).id.clone();
            let path = format!("collection/tags/{gone}?_cascade=1");
            let status = tenant.admin.delete(&path).await.status;
            tenant.tags.retain(|tag| tag.id != gone);
            sent(status, &format!("DELETE {path}"))
        }
        3 => {
            let path = format!("collection/tags/{}", choices.of(&public).id);
            let kinds: Vec<&str> = choices.some(&KINDS).iter().map(|kind| kind.name).collect();
            let body = json!({"description": choices.of(&WORDS), "types": if kinds.is_empty() { Json::Null } else { json!(kinds) }});
            sent(tenant.admin.patch(&path, body.clone()).await.status, &format!("PATCH {path} {body}"))
        }
        _ if private.is_empty() => String::new(),
        _ => {
            let kind = choices.of(&KINDS).name;
            let (item, tag) = (tenant.row(choices, kind), choices.of(&private).clone());
            assign(choices, tenant, kind, item, &tag).await
        }
    }
}

/// Gives a resource a tag, or takes it away.
pub(super) async fn assign(choices: &mut Choices, tenant: &Tenant, of: &str, item: i64, tag: &Tag) -> String {
    let operation = if choices.once_in(3) { "remove" } else { "add" };
    let body = json!({"type": of, "item": item, "operation": operation, "tags": [tag.id]});
    sent(tenant.admin.post("app/tags.assign", body.clone()).await.status, &format!("assign {body}"))
}

/// Sends a stranger a notification, or has one read or archived.
async fn notifications(choices: &mut Choices, tenant: &mut Tenant, stranger: &Stranger, caller: &Caller) -> String {
    if choices.once_in(2) {
        let own = stranger.client.get("collection/notifications?_archived=1").await;
        if own.status == 200 {
            let items = own.at("/items");
            let id = &choices.of(items.as_array().unwrap())["id"];
            let body = if choices.once_in(2) { json!({"read": true}) } else { json!({"archive": true}) };
            let path = format!("collection/notifications/{id}");
            return sent(stranger.client.patch(&path, body).await.status, &format!("PATCH {path}"));
        }
    }
    let custom = !caller.may("getNotificationsPerCustomId") && choices.once_in(2);
    let to = if custom { json!({"customId": choices.of(&CUSTOM)}) } else { json!({"userId": stranger.user}) };
    send(choices, tenant, to).await;
    "a notification".to_owned()
}

/// Sends a random notification.
pub(super) async fn send(choices: &mut Choices, tenant: &mut Tenant, to: Json) {
    let kind = choices.of(&KINDS).name;
    let mut body = json!({"recipients": [to], "title": choices.of(&WORDS), "data": {"a": choices.below(9)}});
    if choices.once_in(2) && !tenant.rows[kind].is_empty() {
        body["target"] = json!({"type": kind, "item": tenant.row(choices, kind)});
    }
    let sent = tenant.admin.post("/api/ext/v1/notifications", body).await.is(201);
    tenant.notifications.push(sent.at("/items/0/id").as_i64().unwrap());
}

/// A change may be refused, as when something else stands against it.
pub(super) fn sent(status: u16, what: &str) -> String {
    assert!(status < 500, "{status}: {what}");
    format!("{status}: {what}")
}
