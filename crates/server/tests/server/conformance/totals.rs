//! Totals that writes keep, of lists by one value: they are what counting gives.

use crate::conformance::caching_random::Dice;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Server};
use tokio::task::JoinSet;

const TICKET: &str = "id: 50
name: ticket
properties:
  code:   {id: 500, kind: pString, unique: true}
  state:  {id: 501, kind: pEnum, index: true, default: new, options: {new: {title: New}, open: {title: Open}, done: {title: Done}}}
  urgent: {id: 502, kind: pBoolean, index: true}
  parent: {id: 503, kind: pRelation, type: ticket, onDelete: cascade, index: true}
  hours:  {id: 504, kind: pInteger, min: 0}
  place:  {id: 510, kind: pRelation, type: place, onDelete: setNull, index: true}
  other:  {id: 511, kind: pRelation, type: place, onDelete: setNull}
  owner:  {id: 512, kind: pUser, onDelete: setNull, index: true}
";
const PLACE: &str = "id: 51\nname: place\nproperties:\n  name: {id: 520, kind: pString}\n";
/// Places are numbered up to this, as far as there are so many.
const PLACES: u64 = 16;
const STATES: [&str; 3] = ["new", "open", "done"];

fn files(ticket: &str) -> [(&str, &str); 2] {
    [("types/ticket.yaml", ticket), ("types/place.yaml", PLACE)]
}

async fn total(client: &Client, filters: Json) -> Json {
    let reply = client.with("cache-control", "no-cache").search("collection/ticket", json!({"filters": filters})).await;
    if reply.status == 204 { json!(0) } else { reply.is(200).at("/stats/total") }
}

/// A list with a second condition, which holds for every row, is counted.
async fn agree(client: &Client) {
    let one = |property: &str, kind: &str, param: Json| json!({"property": property, "type": kind, "param": param});
    let mut values: Vec<Json> = STATES.iter().map(|state| one("state", "eq", json!(state))).collect();
    values.extend([true, false].map(|urgent| one("urgent", "eq", json!(urgent))));
    values.extend([json!([]), json!(["new", "done", "new"]), json!(["open", null])].map(|of| one("state", "in", of)));
    values.extend([one("urgent", "eq", Json::Null), one("state", "neq", json!("new"))]);
    let mut relations: Vec<Json> = (1..=PLACES).map(|place| one("place", "eq", json!(place))).collect();
    relations.extend([json!([]), json!([1, 2, 1, 99]), json!([3, null])].map(|of| one("place", "in", of)));
    relations.extend([Json::Null, json!(99)].map(|place| one("place", "eq", place)));
    relations.extend((1..=PLACES).map(|ticket| one("parent", "eq", json!(ticket))));
    relations.extend((1..=3).map(|user| one("owner", "eq", json!(user))));
    relations.extend([one("other", "eq", json!(1)), one("place", "neq", json!(1))]);
    for filters in [values, relations] {
        let mut sum = 0;
        for filter in filters {
            let kept = total(client, json!([filter])).await;
            let counted = total(client, json!([filter, one("id", "gte", json!(0))])).await;
            assert_eq!(kept, counted, "{filter}");
            sum += kept.as_u64().unwrap();
        }
        assert!(sum > 0);
    }
}

#[spec("R-025")]
async fn they_hold_through_writes_at_the_same_time(engine: Engine) {
    let server = Server::with(engine, &files(TICKET)).await;
    let node = server.node().await;
    for _ in 0..PLACES / 2 {
        server.admin().create("place", json!({})).await;
    }
    let mut tasks = JoinSet::new();
    for number in 0..6 {
        let client = if number % 2 == 0 { server.admin() } else { node.admin() };
        tasks.spawn(async move {
            let mut dice = Dice(number);
            for _ in 0..60 {
                write(&mut dice, &client).await;
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    agree(&server.admin()).await;
    agree(&node.admin()).await;
}

/// A write that may well be refused, some halfway.
async fn write(dice: &mut Dice, client: &Client) {
    let (id, code) = (1 + dice.below(40), format!("c{}", dice.below(60)));
    let state = if dice.below(5) == 0 { Json::Null } else { json!(dice.one(&STATES)) };
    let urgent = [json!(true), json!(false), Json::Null][dice.below(3) as usize].clone();
    let parent = if dice.below(2) == 0 { json!(id) } else { Json::Null };
    let (place, owner) = (1 + dice.below(PLACES), 1 + dice.below(3));
    let to = if dice.below(4) == 0 { Json::Null } else { json!(place) };
    let whole = json!({"code": code, "state": state, "urgent": urgent, "parent": parent, "place": to, "owner": owner});
    let (method, path, body) = match dice.below(14) {
        0..=3 => ("POST", "collection/ticket".to_owned(), whole),
        4 => ("POST", "collection/ticket".to_owned(), json!({"hours": 1})),
        5 => ("PUT", format!("collection/ticket/{id}"), json!({"code": code, "urgent": urgent})),
        6 => ("PATCH", format!("collection/ticket/{id}"), json!({"state": state, "urgent": urgent})),
        7 => ("PATCH", format!("collection/ticket/{id}"), json!({"state": state, "code": code})),
        8 => ("PATCH", format!("collection/ticket/{id}"), json!({"state": state, "hours+=": -1})),
        9 => ("PATCH", format!("collection/ticket/{id}"), json!({"place": to, "other": to})),
        10 => ("PATCH", format!("collection/ticket/{id}"), json!({"place": to, "parent": parent, "owner": null})),
        11 => ("POST", "collection/place".to_owned(), json!({"name": "x"})),
        12 => ("DELETE", format!("collection/place/{place}"), Json::Null),
        _ => ("DELETE", format!("collection/ticket/{id}"), Json::Null),
    };
    let request = client.request(method, &path);
    let reply = if body.is_null() { request } else { request.json(&body) }.send().await;
    assert!(reply.status < 500, "{method} {path}: {}", reply.text);
}

#[spec("R-025")]
async fn they_hold_when_types_change(engine: Engine) {
    let server = Server::with(engine, &files(TICKET)).await;
    let admin = server.admin();
    for _ in 0..3 {
        admin.create("place", json!({})).await;
    }
    for number in 0..12 {
        let urgent = if number % 2 == 0 { json!(true) } else { Json::Null };
        let place = 1 + number % 3;
        let body = json!({"state": STATES[number % 3], "urgent": urgent, "place": place, "other": place, "owner": 1});
        admin.create("ticket", body).await;
    }
    let apply = async |pairs: &[(&str, &str)]| {
        let text = pairs.iter().fold(TICKET.to_owned(), |text, (from, to)| text.replace(from, to));
        server.change(&files(&text)).await;
    };
    apply(&[(", index: true", "")]).await;
    admin.patch("collection/ticket/1", json!({"state": "done", "urgent": false, "place": 2, "other": 2})).await.is(200);
    admin.request("DELETE", "collection/ticket/2").send().await.is(204);
    agree(&admin).await;
    apply(&[]).await;
    agree(&admin).await;
    let place = "id: 510, kind: pRelation, type: place, onDelete: setNull";
    apply(&[(place, "id: 510, kind: pRelations, type: place")]).await;
    admin.patch("collection/ticket/4", json!({"place": [3]})).await.is(200);
    apply(&[]).await;
    agree(&admin).await;
    // Without a step: the index is there anyway.
    let plain = format!("{place}, index: true");
    apply(&[(&plain, place)]).await;
    admin.patch("collection/ticket/4", json!({"place": 1})).await.is(200);
    apply(&[]).await;
    agree(&admin).await;
    apply(&[(place, &place.replace("type: place", "type: ticket"))]).await;
    admin.patch("collection/ticket/4", json!({"place": 3})).await.is(200);
    agree(&admin).await;
    apply(&[("kind: pBoolean, index: true", "kind: pBoolean, index: true, required: true, default: false")]).await;
    agree(&admin).await;
    apply(&[("kind: pBoolean", "kind: pString")]).await;
    admin.create("ticket", json!({"urgent": "true"})).await;
    apply(&[("open: {title: Open}", "open: {title: Open}, late: {title: Late}")]).await;
    admin.create("ticket", json!({"state": "late"})).await;
    agree(&admin).await;
    apply(&[("{id: 501, kind: pEnum", "{id: 505, kind: pEnum")]).await;
    admin.patch("collection/ticket/3", json!({"state": "open"})).await.is(200);
    agree(&admin).await;
}

#[spec("R-025")]
async fn users_from_files_are_counted(engine: Engine) {
    let user = "name: user\nproperties:\n  level: {id: 900, kind: pEnum, index: true, options: {low: {title: Low}, high: {title: High}}}\n";
    let someone = "user: some@acme.test\nname: Some One\nlevel: low\n";
    let server = Server::with(engine, &[("types/user.yaml", user), ("users/some.yaml", someone)]).await;
    let admin = server.admin();
    let count = async |level: &str| {
        let filters = json!([{"property": "level", "type": "eq", "param": level}]);
        let reply = admin.search("collection/user", json!({"filters": filters})).await;
        if reply.status == 204 { json!(0) } else { reply.is(200).at("/stats/total") }
    };
    assert_eq!((count("low").await, count("high").await), (json!(1), json!(0)));
    server.change(&[("users/some.yaml", &someone.replace("level: low", "level: high"))]).await;
    assert_eq!((count("low").await, count("high").await), (json!(0), json!(1)));
}
