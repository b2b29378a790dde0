//! What administrators see of the outbox, and do with it.

use crate::outbox::messages::{enqueue, mail, sms, states};
use serde_json::{Value, json};
use spec::spec;
use testing::Server;

const OUTBOX: &str = "/api/ext/v1/outbox";

fn ids(list: &Value) -> Vec<i64> {
    list["items"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

#[spec("D-39")]
async fn rows_are_listed_in_pages_with_their_states(server: Server) {
    let made =
        enqueue(&server, vec![mail("a@acme.test"), sms("+420601000001"), mail("no address"), mail("b@acme.test")])
            .await;
    server.deliver().await;
    let all = server.admin().get(OUTBOX).await.is(200).json();
    assert_eq!(ids(&all), made.iter().rev().copied().collect::<Vec<_>>());
    assert_eq!((&all["nextCursor"], &all["hasMore"]), (&Value::Null, &Value::Bool(false)));
    let failed = server.admin().get(&format!("{OUTBOX}?state=failed")).await.is(200).json();
    assert_eq!(failed["items"][0]["error"], "the recipient is not an address");
    let texts = server.admin().get(&format!("{OUTBOX}?channel=sms")).await.is(200).json();
    assert_eq!((ids(&texts), &texts["items"][0]["recipient"]), (vec![made[1]], &Value::from("+420601000001")));
    let first = server.admin().get(&format!("{OUTBOX}?limit=3")).await.is(200).json();
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = server.admin().get(&format!("{OUTBOX}?limit=3&cursor={cursor}")).await.is(200).json();
    assert_eq!((ids(&first).len(), ids(&second)), (3, vec![made[0]]));
    server.admin().get(&format!("{OUTBOX}?limit=2&cursor={cursor}")).await.is(400);
    for wrong in ["state=gone", "limit=0", "limit=1001", "cursor=x", "other=1"] {
        server.admin().get(&format!("{OUTBOX}?{wrong}")).await.is(400);
    }
    let row = server.admin().get(&format!("{OUTBOX}/{}", made[0])).await.is(200).json();
    assert_eq!((&row["state"], &row["tries"], &row["template"]), (&"sent".into(), &1.into(), &"verify_code".into()));
    assert_eq!(row["reference"], serde_json::json!({"kind": "challenge", "id": 1, "part": "mail_code"}));
    assert_eq!(row["messageId"], server.mails()[0].id);
}

#[spec]
async fn what_waits_is_sent_at_once_when_asked_for(server: Server) {
    let id = enqueue(&server, vec![mail("a@acme.test")]).await[0];
    let retry = format!("{OUTBOX}/{id}/retry");
    // As after many failures.
    let put_off = server.elevated(move |tx, context| {
        let mut sql = tx.sql();
        sql.push("UPDATE ").table(&database::Name::fixed("plinth_outbox")).push(" SET due = ");
        sql.bind(database::Value::Timestamp(context.now.as_millisecond() + 9_000_000));
        Ok(tx.execute(&sql)?)
    });
    put_off.await.unwrap();
    assert_eq!(server.deliver().await.sent, 0);
    server.admin().post(&retry, json!({})).await.is(200);
    assert_eq!(server.deliver().await.sent, 1);
    server.admin().post(&retry, json!({})).await.is(409).says("send a new one");
    server.admin().post(&format!("{OUTBOX}/999/retry"), json!({})).await.is(404);
    server.admin().get(&format!("{OUTBOX}/999")).await.is(404);
    for wrong in ["x", "-1", "1.0", "%2B1", "99999999999999999999"] {
        server.admin().get(&format!("{OUTBOX}/{wrong}")).await.is(400);
    }
}

#[spec]
async fn what_ended_is_forgotten_after_ninety_days(server: Server) {
    enqueue(&server, vec![mail("a@acme.test"), mail("no address")]).await;
    server.deliver().await;
    server.clock().advance(89 * 24 * 60 * 60);
    enqueue(&server, vec![mail("b@acme.test")]).await;
    assert_eq!(states(&server).await, ["sent", "failed", "waiting"]);
    server.clock().advance(24 * 60 * 60);
    enqueue(&server, vec![mail("c@acme.test")]).await;
    assert_eq!(states(&server).await, ["waiting", "waiting"], "what waits stays");
}

#[spec]
async fn the_outbox_is_for_administrators(server: Server) {
    let id = enqueue(&server, vec![mail("a@acme.test")]).await[0];
    for client in [server.editor(), server.reader(), server.client()] {
        client.get(OUTBOX).await.is(403);
        client.get(&format!("{OUTBOX}/{id}")).await.is(403);
        client.post(&format!("{OUTBOX}/{id}/retry"), json!({})).await.is(403);
    }
}

#[spec]
async fn the_command_line_shows_it_and_sends_again(server: Server) {
    const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
    let ids = enqueue(&server, vec![mail("no address"), mail("a@acme.test")]).await;
    let retried = server.command(PLINTH, &["outbox", "retry", "--all", "--json"]).await;
    assert!(retried.0 && serde_json::from_str::<Value>(&retried.1).unwrap()["items"].as_array().unwrap().len() == 2);
    let (shown, text) = server.command(PLINTH, &["outbox", "show", &ids[1].to_string()]).await;
    assert!(shown && text.contains("a@acme.test") && text.contains("waiting"), "{text}");
    server.clock().set("2200-01-01T00:00:00Z");
    server.deliver().await;
    let (listed, text) = server.command(PLINTH, &["outbox", "list", "--state", "failed"]).await;
    assert!(listed && text.contains("the recipient is not an address") && !text.contains("a@acme.test"), "{text}");
    let (listed, text) = server.command(PLINTH, &["outbox", "list", "--json", "--limit", "1"]).await;
    let page: Value = serde_json::from_str(&text).unwrap();
    assert!(listed && page["hasMore"] == true && page["items"][0]["state"] == "sent", "{text}");
    let (retried, text) = server.command(PLINTH, &["outbox", "retry", &ids[0].to_string()]).await;
    assert!(!retried && text.contains("Only a waiting message"), "{text}");
    let (nothing, text) = server.command(PLINTH, &["outbox", "retry"]).await;
    assert!(!nothing && text.contains("required"), "{text}");
}
