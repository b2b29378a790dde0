//! user.register: what it makes and answers.

use super::{OPEN, ann, clerk};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Engine, Server};

#[spec("R-052", "R-053", "R-168", "R-177", "D-30")]
async fn an_account_waits_until_it_is_verified(engine: Engine) {
    let server = Server::with(engine, &OPEN).await;
    let clerk = clerk(&server).await;
    let body = json!({"user_id": "Ann@Example.com", "user_name": " Ann ", "verify_account": {}});
    let answer = clerk.post("app/user.register", body).await.is(200).json();
    assert_eq!(answer.as_object().unwrap().keys().collect::<Vec<_>>(), ["object", "apiKey", "challenge"]);
    assert_eq!((&answer["apiKey"], &answer["challenge"]), (&Json::Null, &json!(false)));
    let object = &answer["object"];
    assert_eq!((&object["user_id"], &object["user_name"]), (&json!("ann@example.com"), &json!("Ann")));
    assert_eq!(object["login_expired"], true);
    assert!(object["valid_from"].as_str().unwrap().starts_with("9999-"), "{object}");
    // What is stored is what was answered.
    let stored = server.admin().get(&format!("collection/user/{}", object["id"])).await.is(200).json();
    assert_eq!(&stored, object);
    let again = clerk.post("app/user.register", ann(json!({}))).await.is(409).says("E-mail");
    assert_eq!(again.json().as_object().unwrap().keys().collect::<Vec<_>>(), ["message"]);
}

#[spec("R-054", "R-041", "R-217", "R-213", "R-258")]
async fn a_challenge_is_made_and_a_wrong_secret_fails(engine: Engine) {
    let server = Server::with(engine, &OPEN).await;
    let clerk = clerk(&server).await;
    let methods = json!({"mail_link": {}, "mail_code": {}, "sms_code": {}});
    let body = ann(json!({"phone": "+420601234567", "verify_account": methods}));
    let answer = clerk.post("app/user.register", body).await.is(200).json();
    let challenge = answer["challenge"].as_str().unwrap();
    assert!(challenge.starts_with("ch_") && challenge.len() == 29, "{challenge}");
    let proof = json!({
        "userId": answer["object"]["id"], "challengeId": challenge, "method": "mail_code", "secret": "x",
    });
    let failed = server.client().post("app/user.challenge", proof).await.is(200).json();
    assert_eq!(failed, json!({"methodDone": false, "challengeCompleted": false}));
}
