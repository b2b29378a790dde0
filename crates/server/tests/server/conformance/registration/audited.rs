//! What the audit log tells of accounts that register and recover.

use super::{ann, open};
use serde_json::{Value, json};
use spec::spec;
use testing::{Engine, Server};

/// The events about a user, oldest first: name, actor, way and details.
async fn events(server: &Server, user: &Value) -> Vec<Value> {
    let items = server.admin().get(&format!("/api/ext/v1/audit?subject={user}")).await.is(200).at("/items");
    let told = |item: &Value| json!([item["event"], item["actorId"], item["via"], item["details"]]);
    items.as_array().unwrap().iter().rev().map(told).collect()
}

#[spec]
async fn a_registration_is_written_down_from_its_beginning_to_its_end(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let integration = json!(server.user("clerk").await);
    let body = ann(json!({"roles": ["reader"], "password": "a long password", "verify_account": {"mail_code": {}}}));
    let answer = clerk.post("app/user.register", body).await.is(200).json();
    let id = &answer["object"]["id"];
    server.deliver().await;
    let text = server.mails().pop().unwrap().text;
    let code = text.split(|letter: char| !letter.is_ascii_digit()).find(|word| word.len() == 6).unwrap();
    let proof = json!({"userId": id, "challengeId": answer["challenge"], "method": "mail_code", "secret": code});
    server.client().post("app/user.challenge", proof).await.is(200).says("\"challengeCompleted\":true");
    clerk.post("app/user.resetpassword", json!({"user_id": "ann@example.com"})).await.is(200);
    // Whoever is asked for and is nobody leaves no row.
    clerk.post("app/user.resetpassword", json!({"user_id": "nobody@example.com"})).await.is(200);
    server.deliver().await;

    let told = events(&server, id).await;
    let names: Vec<&str> = told.iter().map(|event| event[0].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["user.created", "user.registered", "key.created", "user.verified", "state.changed", "reset.asked"]
    );
    assert!(told[..3].iter().all(|event| event[1] == integration && event[2] == "api"), "{told:?}");
    assert_eq!(told[1][3], json!({"methods": ["mail_code"]}));
    assert_eq!(told[2][3]["origin"], "registration");
    assert_eq!(told[3], json!(["user.verified", id, "api", {"method": "mail_code", "completed": true}]));
    assert_eq!((&told[4][1], &told[4][3]["blocked"]), (id, &json!([true, false])));
    assert_eq!(told[5], json!(["reset.asked", integration, "api", {}]));
    let all = server.admin().get("/api/ext/v1/audit").await.is(200).text;
    assert!(!all.contains(code) && !all.contains("ch_") && !all.contains("nobody@"), "{all}");
    assert_eq!(server.audited(None).await["broken"], json!(null));
}

#[spec]
async fn a_cancelled_registration_is_written_down(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let integration = json!(server.user("clerk").await);
    let answer = clerk.post("app/user.register", ann(json!({}))).await.is(200).json();
    let id = &answer["object"]["id"];
    clerk.post("app/user.cancelregistration", json!({"userId": id})).await.is(200);
    let told = events(&server, id).await;
    assert_eq!(told[2], json!(["user.cancelled", integration, "api", {}]));
    assert_eq!(told[3], json!(["user.deleted", integration, "api", {}]));
    assert_eq!(told.len(), 4);
}
