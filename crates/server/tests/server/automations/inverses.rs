//! Inverses in automations: the resources that refer to the one that an event is about.

use crate::automations::runs::done;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

const TICKET: &str = r#"
id: 20
name: ticket
properties:
  subject: {id: 201, kind: pString}
  open: {id: 202, kind: pBoolean, default: true}
  summary: {id: 203, kind: pString}
"#;
const COMMENT: &str = r#"
id: 21
name: comment
properties:
  ticket: {id: 211, kind: pRelation, type: ticket, onDelete: cascade, inverse: {name: comments, orderBy: -rank}}
  text: {id: 212, kind: pString}
  rank: {id: 213, kind: pInteger}
  closed: {id: 214, kind: pBoolean, default: false}
"#;
const BADGE: &str = r#"
id: 22
name: badge
properties:
  ticket: {id: 221, kind: pRelation, type: ticket, unique: true, onDelete: cascade, inverse: badge}
  colour: {id: 222, kind: pString}
"#;
const CLOSED: &str = r#"
automation: closed
on: {event: ticket.updated, if: "{=changedFrom('open', true) and length(comments) > 0}"}
do:
  - forEach:
      in: "{=comments}"
      as: comment
      do:
        - update: {type: comment, item: "{=var('comment')}", set: {closed: true}}
  - update: {type: ticket, item: "{=id}", set: {summary: "{=join(', ', map(comments, 'text'))}: {=badge == null ? 'none' : badge.colour}"}}
"#;

async fn tickets(engine: Engine) -> Server {
    let files = [
        ("types/ticket.yaml", TICKET),
        ("types/comment.yaml", COMMENT),
        ("types/badge.yaml", BADGE),
        ("automations/closed.yaml", CLOSED),
    ];
    Server::with(engine, &files).await
}

#[spec("E-076")]
async fn an_automation_reads_and_changes_what_refers_to_its_resource(engine: Engine) {
    let server = tickets(engine).await;
    let admin = server.admin();
    for subject in ["first", "second", "third"] {
        admin.create("ticket", json!({"subject": subject})).await;
    }
    for (ticket, text, rank) in [(1, "a", 1), (1, "b", 3), (1, "c", 2), (2, "d", 1)] {
        admin.create("comment", json!({"ticket": ticket, "text": text, "rank": rank})).await;
    }
    admin.create("badge", json!({"ticket": 2, "colour": "red"})).await;
    for ticket in 1..=3 {
        admin.patch(&format!("collection/ticket/{ticket}"), json!({"open": false})).await.is(200);
    }
    // Nothing refers to the third.
    assert_eq!(server.run_automations().await, done(2));
    let summaries = admin.get("collection/ticket?orderBy=id").await.column("summary");
    assert_eq!(summaries, [json!("b, c, a: none"), json!("d: red"), Json::Null]);
    assert_eq!(admin.get("collection/comment").await.column("closed"), [true, true, true, true]);
}

#[spec("E-076")]
async fn a_list_that_would_be_cut_fails(engine: Engine) {
    let server = tickets(engine).await;
    let admin = server.admin();
    admin.create("ticket", json!({"subject": "long"})).await;
    let create =
        |number: i64| json!({"op": "create", "type": "comment", "set": {"ticket": 1, "text": format!("{number}")}});
    for start in (0..1_001).step_by(250) {
        let operations: Vec<Json> = (start..1_001.min(start + 250)).map(create).collect();
        admin.post("/api/ext/v1/batch", json!({"operations": operations, "return": "minimal"})).await.is(200);
    }
    admin.patch("collection/ticket/1", json!({"open": false})).await.is(200);
    server.run_automations().await;
    let runs = admin.get("/api/ext/v1/automation-run").await.is(200);
    runs.says("More than 1000 resources refer to this one as comments.");
}

/// A chain that is put together as it runs is not checked before, and gives no rights either.
#[spec("E-076")]
async fn a_canvas_reads_no_inverses(engine: Engine) {
    let note = "id: 23\nname: note\nproperties:\n  text: {id: 231, kind: pString}\n  writer: {id: 232, kind: pRelation, type: user, inverse: written}\n";
    let canvas = "canvas: notes\nitems:\n  - {kind: table, rows: \"{=map(map([user()], 'writ' ~ 'ten')[0] ?? [], {Text: 'text'})}\"}\n";
    let clerk = "role: clerk\nsystem: [restApi]\ntypes: {}\n";
    let files = [("types/note.yaml", note), ("canvases/notes.yaml", canvas)];
    let server = Server::with(engine, &files).await;
    let (admin, clerk) = (server.admin(), server.role("clerk", clerk).await);
    for user in 1..=5 {
        // Some of them are users.
        admin.post("collection/note", json!({"text": "hidden words", "writer": user})).await;
    }
    for client in [&clerk, &admin] {
        let shown = client.get("/api/ext/v1/canvas/notes").await.is(200);
        assert_eq!(shown.at("/items/0/error/code"), "inverse_refused", "{}", shown.text);
        shown.lacks("hidden words");
    }
}

#[test]
fn other_places_refuse_inverses() {
    let grant = "role: reader\nsystem: [restApi]\ntypes: {ticket: {show: {where: \"{=length(comments) > 0}\"}}}\n";
    let calculated = TICKET.to_owned() + "  many: {id: 204, kind: pInteger, calculate: \"{=length(comments)}\"}\n";
    for (path, text) in [("roles/extra.yaml", grant.replace("reader", "extra")), ("types/ticket.yaml", calculated)] {
        let mut files = configuration::Files::default();
        for (name, content) in
            [("tenant.yaml", "tenant: acme\n"), ("types/ticket.yaml", TICKET), ("types/comment.yaml", COMMENT)]
        {
            files.insert(name, content);
        }
        files.insert(path, text);
        let refused = configuration::check(&files).unwrap_err();
        assert!(refused.iter().any(|problem| problem.message.contains("comments")), "{refused:?}");
    }
}
