//! Rounds that are not left to chance: what is hidden lies where it would decide, and is asked for in all ways; and so
//! is what changes when something is shown or hidden.

use super::callers::{Caller, View, directed};
use super::scenes::{Change, Hidden, Scene, Turn, cast, scenes, turns};
use super::tenant::{FILE_NAMES, Focus, Tenant, World};
use super::ways::{self, Way};
use super::{Face, answers, kept, rows};
use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeSet;
use testing::{Client, Reply};

/// Everybody's tag, and one of a stranger.
struct Tags {
    public: String,
    private: String,
}

/// What is asked, and how what is hidden is changed and put back.
struct Round {
    ways: Vec<Way>,
    to: Json,
    back: Json,
}

#[spec("D-3", "D-12")]
async fn what_is_hidden_leads_nowhere(mut tenant: Tenant) {
    const ROLE: &str = "role: stranger\nsystem: [restApi, createPrivateTags]\ntypes: {}\n";
    let cast = cast(&mut tenant).await;
    let stranger = tenant.server.role("stranger", ROLE).await;
    let made = async |client: &Client, name: &str, private: bool| {
        let tag = client.create("tags", json!({"name": name, "private": private})).await;
        tag["id"].as_str().unwrap().to_owned()
    };
    let tags = Tags { public: made(&tenant.admin, "oak", false).await, private: made(&stranger, "elm", true).await };
    for scene in scenes(&cast) {
        let system = if scene.manages { &["notifications", "manageTags"][..] } else { &["notifications"] };
        let caller = directed(&tenant.server, &scene.name.replace(' ', "_"), &scene.shown, system).await;
        for Hidden { of, id, .. } in &scene.hidden {
            let body =
                json!({"recipients": [{"userId": caller.user}], "title": "oak", "target": {"type": of, "item": id}});
            tenant.admin.post("/api/ext/v1/notifications", body).await.is(201);
        }
        for hidden in &scene.hidden {
            play(&tenant, &caller, &scene, hidden, &tags).await;
        }
    }
}

/// Something hidden changes while the caller asks for it in all ways, and is put back.
async fn play(tenant: &Tenant, caller: &Caller, scene: &Scene, hidden: &Hidden, tags: &Tags) {
    let (view, world) = rows::verify(tenant, caller).await;
    let Hidden { of, id, noticed, .. } = hidden;
    let Round { ways, to, back } = round(tenant, caller, hidden, tags, (&view, &world)).await;
    let place = format!("{}: {to} of {of} {id}", scene.name);
    // Of a type that is not shown all questions are refused.
    let expected: &[u16] = if caller.sees.contains_key(of) { &[200, 204, 404] } else { &[200, 204, 400, 403, 404] };
    let (mut before, mut seen) = (Vec::new(), Vec::new());
    for Way { name, ask } in &ways {
        let (faces, tag) = answers(ask, &caller.client, None).await;
        assert!(expected.contains(&faces[0].status), "{place}, by {name}: {ask:?} {}", faces[0].status);
        before.push((faces, tag));
        seen.push(Face::of(&ask.send(&tenant.admin, None).await));
    }
    tenant.server.clock().advance(1);
    let done = set(tenant, hidden, &to).await;
    tenant.server.clock().advance(-1);
    assert_eq!(caller.view(&tenant.world().await), view, "{place} is hidden");
    let mut told = BTreeSet::new();
    for ((Way { name, ask }, (before, tag)), seen) in ways.iter().zip(&before).zip(&seen) {
        let known = (!tag.is_empty()).then_some(tag.as_str());
        let (after, _) = answers(ask, &caller.client, known).await;
        assert_eq!(*before, after, "{place}, by {name}: {ask:?}");
        if Face::of(&ask.send(&tenant.admin, None).await) != *seen {
            told.insert(*name);
        }
    }
    for name in *noticed {
        assert!(told.contains(name), "{place} is not noticed by {name}, but by {told:?}");
    }
    match hidden.change {
        Change::Another(_) => tenant.admin.delete(&format!("collection/{of}/{}", done.at("/id"))).await.is(204),
        _ => set(tenant, hidden, &back).await,
    };
}

/// What a round consists of; what it is about is hidden.
async fn round(
    tenant: &Tenant,
    caller: &Caller,
    Hidden { of, id, change, .. }: &Hidden,
    tags: &Tags,
    (view, world): (&View, &World),
) -> Round {
    let shown = view.get(of).and_then(|rows| rows.get(id));
    let focus = |property| {
        assert!(shown.is_none_or(|shown| !shown.contains_key(property)), "{property} of {of} {id} is shown");
        Focus { of, id: *id, property }
    };
    match change {
        Change::Value(property, value) => Round {
            ways: ways::of_value(caller, focus(property), world),
            to: json!({*property: value}),
            back: json!({*property: world[of][id][*property]}),
        },
        Change::Another(body) => {
            let ways = ways::of_row(caller, focus("name"), &body["name"]);
            Round { ways, to: body.clone(), back: Json::Null }
        }
        Change::File(property) => {
            let to = format!("{of}/{property}");
            let promise = async |bytes| json!({*property: tenant.admin.promise(&to, FILE_NAMES[0], bytes).await});
            let round = Round {
                ways: ways::of_file(focus(property), FILE_NAMES[0]),
                to: promise(b"longer than it was").await,
                back: promise(b"short").await,
            };
            tenant.admin.patch(&format!("collection/{of}/{id}"), promise(b"short").await).await.is(200);
            round
        }
        Change::Tag => {
            assert!(shown.is_none(), "{of} {id} is shown");
            tagged(caller, of, *id, &tags.public)
        }
        Change::Private => tagged(caller, of, *id, &tags.private),
    }
}

fn tagged(caller: &Caller, of: &'static str, id: i64, tag: &str) -> Round {
    let change = |operation: &str| json!({"type": of, "item": id, "operation": operation, "tags": [tag]});
    let ways = ways::of_tag(caller, Focus { of, id, property: "id" }, tag);
    Round { ways, to: change("add"), back: change("remove") }
}

/// Changes what is hidden.
async fn set(tenant: &Tenant, Hidden { of, id, change, .. }: &Hidden, body: &Json) -> Reply {
    let reply = match change {
        Change::Another(_) => tenant.admin.post(&format!("collection/{of}"), body.clone()).await,
        Change::Tag | Change::Private => tenant.admin.post("app/tags.assign", body.clone()).await,
        Change::Value(..) | Change::File(_) => tenant.admin.patch(&format!("collection/{of}/{id}"), body.clone()).await,
    };
    assert_eq!(reply.status / 100, 2, "{body}: {}", reply.text);
    reply
}

#[spec("D-3", "D-28")]
async fn answers_that_are_kept_follow_in_all_ways(mut tenant: Tenant) {
    let cast = cast(&mut tenant).await;
    for Turn { name, shown, decides: (Focus { of, id, property }, value), about, followed } in turns(&cast) {
        let caller = directed(&tenant.server, &name.replace(' ', "_"), &shown, &["notifications"]).await;
        let (_, world) = rows::verify(&tenant, &caller).await;
        let ways = ways::of_value(&caller, about, &world);
        let mut answers = Vec::new();
        for Way { ask, .. } in &ways {
            // Windows of lists are kept once they are asked for again.
            ask.send(&caller.client, None).await;
            answers.push(ask.send(&caller.client, None).await);
        }
        let mut told = BTreeSet::new();
        for value in [value, world[of][&id][property].clone()] {
            let place = format!("{name}: {property} of {of} {id} is {value}");
            tenant.admin.patch(&format!("collection/{of}/{id}"), json!({property: value})).await.is(200);
            for (Way { name, ask }, answer) in ways.iter().zip(&mut answers) {
                let made = kept::verify(ask, &caller.client, answer.header("etag"), &place).await;
                if (made.status, &made.bytes) != (answer.status, &answer.bytes) {
                    told.insert(*name);
                }
                *answer = made;
            }
            rows::verify(&tenant, &caller).await;
        }
        for way in followed {
            assert!(told.contains(way), "{name}: {way} is the same before and after, only {told:?} are not");
        }
    }
}
