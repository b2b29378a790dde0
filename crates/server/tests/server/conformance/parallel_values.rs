//! Values that a write takes from other resources, and what a precondition compares of them, under parallel writes: each
//! holds as if one write came after the other.

use super::parallel_rules::{ROUNDS, accepted, at_once, one_or_the_other};
use serde_json::{Value as Json, json};
use spec::spec;
use std::collections::BTreeSet;
use testing::{Client, Engine, Server};

const USER: &str = "name: user\nproperties:\n  desk: {id: 300, kind: pRelation, type: desk}\n";

const DESK: &str = r#"
id: 60
name: desk
properties:
  code:    {id: 600, kind: pInteger, default: 1, validate: [{rule: "{=code == 1 or waiting == 0}", message: Tickets wait.}]}
  tickets: {id: 601, kind: pRollup, relation: ticket.desk, function: count}
  waiting: {id: 602, kind: pRollup, relation: ticket.desk, function: count, where: "{=code == 1}"}
"#;

const TICKET: &str = "
id: 61
name: ticket
properties:
  desk:   {id: 610, kind: pRelation, type: desk}
  code:   {id: 611, kind: pInteger}
  number: {id: 612, kind: pInteger}
  text:   {id: 613, kind: pString}
";

const CLERK: &str = r#"
role: editor
system: [restApi]
types:
  ticket:
    show: true
    create: {preset: {desk: "{=user().desk}", code: "{=user().desk.code}", number: "{=user().desk.tickets}"}}
    edit: {preset: {desk: "{=user().desk}", code: "{=user().desk.code}", number: "{=user().desk.tickets}"}}
"#;

const TYPES: [(&str, &str); 3] = [("types/user.yaml", USER), ("types/desk.yaml", DESK), ("types/ticket.yaml", TICKET)];

/// Seats the editor at a new desk.
async fn seat(server: &Server, admin: &Client) -> Json {
    let desk = admin.create("desk", json!({})).await["id"].clone();
    server.set_user("editor", json!({"desk": desk})).await;
    desk
}

#[spec("D-12")]
async fn what_a_preset_reads_of_the_users_resources_stays(engine: Engine) {
    let server = Server::with(engine, &[&TYPES[..], &[("roles/editor.yaml", CLERK)]].concat()).await;
    let (admin, editor) = (&server.admin(), &server.editor());
    let tickets = || "collection/ticket".to_owned();
    let body = json!({"text": "a"});
    for round in 0..ROUNDS {
        let desk = seat(&server, admin).await;
        let take = (0..6).map(|_| (editor.clone(), "POST", tickets(), body.clone()));
        let replies = at_once(take.collect()).await;
        assert_eq!(accepted(&replies), 6, "round {round}");
        let numbers: BTreeSet<i64> = replies.iter().filter_map(|reply| reply.at("/number").as_i64()).collect();
        assert_eq!(numbers, (0..6).collect(), "round {round}: each counts those before it");

        let recode = |desk: &Json| (admin, "PATCH", format!("collection/desk/{desk}"), json!({"code": 2}));
        let there = admin.create("ticket", json!({})).await["id"].clone();
        for (method, path) in [("POST", tickets()), ("PATCH", format!("{}/{there}", tickets()))] {
            let desk = seat(&server, admin).await;
            let replies = pair([recode(&desk), (editor, method, path, body.clone())]).await;
            let (recoded, code) = (replies[0].status == 200, replies[1].at("/code"));
            assert_eq!(code, if recoded { 2 } else { 1 }, "round {round}: {method}");
        }
        admin.delete(&format!("collection/desk/{desk}")).await;
    }
}

async fn pair(pair: [(&Client, &'static str, String, Json); 2]) -> Vec<testing::Reply> {
    at_once(pair.into_iter().map(|(client, method, path, body)| (client.clone(), method, path, body)).collect()).await
}

const SEEKER: &str = r#"
role: editor
system: [restApi]
types:
  ticket:
    show: true
    create:
      - {preset: {number: "{=queryCount(query('tickets'))}"}, check: "{=text == 'a'}"}
      - {preset: {code: 7}, check: "{=text == 'b'}"}
"#;

/// Grants of which some are judged first: that is undone, and the values are made anew.
#[spec("D-12")]
async fn what_a_preset_looks_for_is_found(engine: Engine) {
    let own = [("roles/editor.yaml", SEEKER), ("queries/tickets.yaml", "query: tickets\ntype: ticket\n")];
    let server = Server::with(engine, &[&TYPES[..], &own].concat()).await;
    let (admin, editor) = (&server.admin(), &server.editor());
    for round in 0..ROUNDS {
        let post = |client: &Client| (client.clone(), "POST", "collection/ticket".to_owned(), json!({"text": "a"}));
        // Others make tickets without such a grant.
        let replies = at_once((0..8).map(|place| post(if place < 6 { editor } else { admin })).collect()).await;
        assert_eq!(accepted(&replies), 8, "round {round}");
        let numbers: BTreeSet<i64> = replies.iter().filter_map(|reply| reply.at("/number").as_i64()).collect();
        assert_eq!(numbers.len(), 6, "round {round}: {numbers:?}");
        for reply in &replies {
            admin.delete(&format!("collection/ticket/{}", reply.at("/id"))).await.is(204);
        }
    }
}

const FOLDER: &str = r#"
id: 62
name: folder
properties:
  open: {id: 620, kind: pBoolean, default: true, validate: [{rule: "{=open or hot == 0}", message: Papers are hot.}]}
  hot:  {id: 621, kind: pRollup, relation: paper.folder, function: count, where: "{=hot}"}
"#;

/// A paper shows values of its folder that are worked out as it is read.
const PAPER: &str = r#"
id: 63
name: paper
properties:
  folder: {id: 630, kind: pRelation, type: folder}
  hot:    {id: 631, kind: pBoolean, default: false}
  within: {id: 632, kind: pCalculated, calculate: "{=folder.open ~ ' ' ~ folder.hot}"}
"#;

/// A paper that shows how many papers of all are hot.
const SHEET: &str = r#"
id: 63
name: paper
properties:
  folder: {id: 630, kind: pRelation, type: folder}
  hot:    {id: 631, kind: pBoolean, default: false}
  others: {id: 633, kind: pCalculated, calculate: "{=queryCount(query('hot'))}"}
"#;

const HOT: &str = "query: hot\ntype: paper\nfields: [id]\nfilters: [{property: hot, type: eq, param: true}]\n";

/// A new paper: its path, and a client that writes it as it is now.
async fn paper(admin: &Client, folder: &Json) -> (String, Client) {
    let made = admin.create("paper", json!({"folder": folder})).await;
    let path = format!("collection/paper/{}", made["id"]);
    let etag = admin.get(&path).await.is(200).header("etag").to_owned();
    (path, admin.with("If-Match", &etag))
}

#[spec("D-26")]
async fn what_a_precondition_compares_of_others_stays(engine: Engine) {
    let server = Server::with(engine, &[("types/folder.yaml", FOLDER), ("types/paper.yaml", PAPER)]).await;
    let admin = &server.admin();
    for round in 0..ROUNDS {
        for method in ["PATCH", "PUT"] {
            let folder = admin.create("folder", json!({})).await["id"].clone();
            let (path, guarded) = paper(admin, &folder).await;
            let body = json!({"folder": folder, "hot": true});
            let close = (admin, "PATCH", format!("collection/folder/{folder}"), json!({"open": false}));
            one_or_the_other([close, (&guarded, method, path, body)], round).await;
        }

        // The first one that is written changes what all others show.
        let folder = admin.create("folder", json!({})).await["id"].clone();
        let mut changes = Vec::new();
        for number in 0..6 {
            let (path, guarded) = paper(admin, &folder).await;
            let method = if number % 2 == 0 { "PATCH" } else { "PUT" };
            changes.push((guarded, method, path, json!({"folder": folder, "hot": true})));
        }
        assert_eq!(accepted(&at_once(changes).await), 1, "round {round}");
    }
}

/// A deletion compares, too; and what a precondition shows may be a query's result.
#[spec("D-26")]
async fn what_a_precondition_looks_for_is_found(engine: Engine) {
    let own = [("types/folder.yaml", FOLDER), ("types/paper.yaml", SHEET), ("queries/hot.yaml", HOT)];
    let server = Server::with(engine, &own).await;
    let admin = &server.admin();
    let folder = admin.create("folder", json!({})).await["id"].clone();
    for round in 0..ROUNDS {
        let mut hot = Vec::new();
        for _ in 0..3 {
            hot.push(admin.create("paper", json!({"folder": folder, "hot": true})).await["id"].clone());
        }
        let mut requests = Vec::new();
        for number in 0..6 {
            let (path, guarded) = paper(admin, &folder).await;
            requests.push((guarded, "PATCH", path, json!({"hot": true})));
            if let Some(id) = hot.get(number) {
                let path = format!("collection/paper/{id}");
                let etag = admin.get(&path).await.is(200).header("etag").to_owned();
                requests.push((admin.with("If-Match", &etag), "DELETE", path, json!({})));
            }
        }
        assert_eq!(accepted(&at_once(requests).await), 1, "round {round}");
        let all = admin.get("collection/paper?showFields=id&perPage=100").await.is(200);
        for id in all.column("id") {
            admin.delete(&format!("collection/paper/{id}")).await.is(204);
        }
    }
}
