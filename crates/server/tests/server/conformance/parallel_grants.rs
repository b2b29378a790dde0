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
