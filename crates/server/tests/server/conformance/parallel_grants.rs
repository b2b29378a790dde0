//! Grants that are tried before they give their values: a write meets the same rows as its trial,
//! beside writes of others.

use serde_json::json;
use spec::spec;
use std::time::Duration;
use testing::{Engine, Server};

const ROUNDS: i64 = 60;
/// Grants that each give another value for the same rows.
const GRANTS: i64 = 12;

const PLACE: &str = "
id: 64
name: place
unique: [[number]]
properties:
  number: {id: 640, kind: pInteger, required: true}
  given:  {id: 641, kind: pInteger}
";

/// A role with grants of which the first gives its value to each place, and the last allows none.
fn role() -> String {
    let grants: String = (1..=GRANTS)
        .map(|given| format!("      - {{preset: {{given: {given}}}, check: \"{{=number > 0}}\"}}\n"))
        .collect();
    format!(
        "role: editor\nsystem: [restApi]\ntypes:\n  place:\n    show: true\n    create:\n{grants}      - {{check: \"{{=number < 0}}\"}}\n"
    )
}

/// A place's number is taken, until somebody moves that place away. Before, all trials end in a conflict; afterwards the
/// first grant gives its value.
#[spec("D-12")]
async fn a_grant_is_not_dropped_for_a_number_that_becomes_free(engine: Engine) {
    let server = Server::with(engine, &[("types/place.yaml", PLACE), ("roles/editor.yaml", &role())]).await;
    let (admin, editor) = (server.admin(), server.editor());
    let (mut taken, mut made) = (0, 0);
    for round in 1..=ROUNDS {
        let place = admin.create("place", json!({"number": round})).await["id"].clone();
        let admin = admin.clone();
        let moves = tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(u64::try_from(round % 20).unwrap_or_default() * 2)).await;
            admin.patch(&format!("collection/place/{place}"), json!({"number": 1_000 + round})).await.is(200);
        });
        let reply = editor.post("collection/place", json!({"number": round})).await;
        moves.await.unwrap();
        match reply.status {
            409 => taken += 1,
            201 => {
                assert_eq!(reply.at("/given"), 1, "round {round}: the first grant gives its value");
                made += 1;
            }
            status => panic!("round {round}: {status} {}", reply.text),
        }
    }
    println!("{engine:?}: {taken} numbers taken, {made} free");
}

/// An explanation tries the grants, too, and only looks: it needs no turn of the store.
#[spec("D-12", "D-22")]
async fn an_explanation_of_many_grants_changes_nothing(engine: Engine) {
    let server = Server::with(engine, &[("types/place.yaml", PLACE), ("roles/editor.yaml", &role())]).await;
    let admin = server.admin();
    admin.create("place", json!({"number": 1})).await;
    for number in [1, 2, -1] {
        let body = json!({"user": "editor@acme.test", "type": "place", "set": {"number": number}});
        let told = admin.post("/api/ext/v1/explain", body).await.is(200).json();
        let grants = told["grants"].as_array().unwrap().iter().filter(|grant| grant["action"] == "create");
        let holds: Vec<bool> = grants.map(|grant| grant["check"]["holds"] == true).collect();
        let expected: Vec<bool> = (0..=GRANTS).map(|index| (index == GRANTS) == (number < 0)).collect();
        assert_eq!(holds, expected, "{number}: {told}");
    }
    assert_eq!(admin.get("collection/place").await.is(200).json()["data"].as_array().unwrap().len(), 1);
}

const TICKET: &str = "
id: 65
name: ticket
properties:
  serial: {id: 650, kind: pAutonumber, pattern: \"{###}\"}
  given:  {id: 651, kind: pInteger}
";

const TICKETS: &str = "
role: editor
system: [restApi]
types:
  ticket:
    show: true
    create:
      - {preset: {given: 5}, check: \"{=serial.endsWith('5')}\"}
      - {preset: {given: 1}, check: \"{=!serial.endsWith('5')}\"}
";

/// A trial draws a number that another write may take before the write itself does.
#[spec("D-12")]
async fn a_grant_by_a_drawn_number_is_that_of_the_number_that_is_stored(engine: Engine) {
    let server = Server::with(engine, &[("types/ticket.yaml", TICKET), ("roles/editor.yaml", TICKETS)]).await;
    let clients: Vec<_> = (0..8)
        .map(|_| {
            let editor = server.editor();
            tokio::spawn(async move {
                for _ in 0..10 {
                    editor.post("collection/ticket", json!({})).await.is(201);
                }
            })
        })
        .collect();
    for client in clients {
        client.await.unwrap();
    }
    let list = server.admin().get("collection/ticket?perPage=100&orderBy=serial").await.is(200).json();
    let tickets = list["data"].as_array().unwrap();
    for (index, ticket) in tickets.iter().enumerate() {
        let serial = format!("{:03}", index + 1);
        let given = if serial.ends_with('5') { 5 } else { 1 };
        assert_eq!((&ticket["serial"], &ticket["given"]), (&json!(serial), &json!(given)));
    }
    assert_eq!(tickets.len(), 80);
}
