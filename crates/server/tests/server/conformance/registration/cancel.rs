//! user.cancelregistration: pending accounts go, and nothing else does.

use super::{Account, OPEN, ann, open, secret};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Reply, Server};

async fn cancel(clerk: &Client, body: Json) -> Reply {
    clerk.post("app/user.cancelregistration", body).await
}

/// A registration with a key.
fn keyed() -> Json {
    ann(json!({"password": "correct horse battery", "roles": ["reader"], "verify_account": {"mail_code": {}}}))
}

#[spec("R-062", "R-207", "R-209", "R-210", "R-211", "R-212", "R-259")]
async fn a_pending_account_goes_with_its_keys(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::register(&clerk, keyed()).await;
    let code = secret(&server, "mail_code").await;
    account.retry(&clerk).await.is(200);
    let key = account.key.clone().unwrap();
    let answer = cancel(&clerk, json!({"userId": account.id, "apiKey": key})).await.is(200).json();
    assert_eq!(answer, json!({"message": "Registration cancelled and user deleted.", "userId": account.id}));
    assert_eq!(account.state(&server).await, None);
    server.client().post_form("deauth", &[("key", &key)]).await.is(404);
    assert_eq!(server.client().with("key", &key).get("auth").await.at("/status"), "invalid");
    // What was not sent yet is not; what was sent is good for nothing.
    server.deliver().await;
    assert_eq!(server.mails().len(), 1);
    assert_eq!(account.prove(&server.client(), "mail_code", &code).await.is(200).json(), super::failed());
    cancel(&clerk, json!({"userId": account.id, "apiKey": key})).await.is(404);
    // The address is free again, with and without a challenge; without a key none is asked for.
    for own in [json!({"verify_account": {}}), json!({})] {
        let account = Account::register(&clerk, ann(own)).await;
        cancel(&clerk, json!({"userId": account.id})).await.is(200);
    }
}

#[spec("R-063", "R-280", "R-281", "R-282", "R-283", "D-34")]
async fn refusals_come_in_their_order(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::register(&clerk, keyed()).await;
    let missing = account.id + 1_000;
    let other = server.key("reader").await;
    // 403 for the permission, before anything else is looked at.
    cancel(&server.reader(), json!({})).await.is(403).says("apiUserRegistration");
    cancel(&server.client(), json!({"userId": missing})).await.is(403);
    // 400 for userId, before 404 for the user.
    for id in [Json::Null, json!("x"), json!([1]), json!({})] {
        cancel(&clerk, json!({"userId": id, "apiKey": other})).await.is(400).says("userId");
    }
    cancel(&clerk, json!({"apiKey": other})).await.is(400).says("userId");
    cancel(&clerk, json!({"userId": missing})).await.is(404);
    cancel(&clerk, json!({"userId": missing, "apiKey": other})).await.is(404);
    // 409 for what is completed, or never was a registration, before any key is judged.
    for user in ["reader", "admin", "clerk"] {
        let id = server.user(user).await;
        cancel(&clerk, json!({"userId": id})).await.is(409);
        cancel(&clerk, json!({"userId": id, "apiKey": "nonsense"})).await.is(409);
    }
    // 400 for a key that is missing, 403 for one of somebody else.
    cancel(&clerk, json!({"userId": account.id})).await.is(400).says("apiKey");
    cancel(&clerk, json!({"userId": account.id, "apiKey": Json::Null})).await.is(400).says("apiKey");
    cancel(&clerk, json!({"userId": account.id, "apiKey": other})).await.is(403).says("apiKey");
    let code = secret(&server, "mail_code").await;
    account.prove(&server.client(), "mail_code", &code).await.is(200);
    let key = account.key.clone().unwrap();
    for body in [json!({"userId": account.id, "apiKey": key}), json!({"userId": account.id})] {
        cancel(&clerk, body).await.is(409);
    }
    // An account that was active and is blocked is completed all the same.
    server.admin().patch(&format!("collection/user/{}", account.id), json!({"login_expired": true})).await.is(200);
    cancel(&clerk, json!({"userId": account.id, "apiKey": key})).await.is(409);
    assert_eq!(account.state(&server).await, Some(false));
}

#[spec("A045")]
async fn only_the_accounts_own_key_cancels_it(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let mut second = keyed();
    second["user_id"] = json!("extra@acme.test");
    let account = Account::register(&clerk, second.clone()).await;
    second["user_id"] = json!("bob@example.com");
    let bob = Account::register(&clerk, second.clone()).await;
    second["user_id"] = json!("eve@example.com");
    let gone = Account::register(&clerk, second).await;
    cancel(&clerk, json!({"userId": gone.id, "apiKey": gone.key})).await.is(200);
    let mut damaged = account.key.clone().unwrap();
    damaged.pop();
    // The caller's own, another key of the account itself, other accounts' keys, and no key at all.
    let own = server.key("clerk").await;
    let extra = server.key("extra").await;
    for key in [own, extra, bob.key.clone().unwrap(), gone.key.clone().unwrap(), damaged, "nonsense\0".to_owned()] {
        cancel(&clerk, json!({"userId": account.id, "apiKey": key})).await.is(403);
    }
    for body in [json!({"userId": account.id}), json!({"userId": account.id, "apiKey": ""})] {
        cancel(&clerk, body).await.is(400);
    }
    // Where no key was issued, somebody's is still somebody else's.
    let plain = Account::register(&clerk, json!({"user_id": "p@example.com", "user_name": "P"})).await;
    cancel(&clerk, json!({"userId": plain.id, "apiKey": bob.key})).await.is(403);
    assert_eq!(account.state(&server).await, Some(false));
    for account in [account, bob] {
        cancel(&clerk, json!({"userId": account.id, "apiKey": account.key})).await.is(200);
    }
}

#[spec("A048", "R-209")]
async fn ids_are_integers_of_this_tenant(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let other = server.tenant("other").await;
    for _ in 0..5 {
        // So that the other tenant has ids which this one lacks.
        let body = json!({"user_id": "u@other.test", "user_name": "U"});
        let id = other.admin().create("user", body).await["id"].clone();
        other.admin().request("DELETE", &format!("collection/user/{id}")).send().await.is(204);
    }
    let foreign = other.admin().create("user", json!({"user_id": "v@other.test", "user_name": "V"})).await;
    for (id, status) in [
        (json!("12"), 400),
        (json!(12.0), 400),
        (json!(-1), 404),
        (json!(9_223_372_036_854_775_808_u64), 400),
        (foreign["id"].clone(), 404),
        (json!(i64::MAX), 404),
        (json!(i64::MIN), 404),
    ] {
        cancel(&clerk, json!({"userId": id})).await.is(status);
    }
    other.admin().get(&format!("collection/user/{}", foreign["id"])).await.is(200);
}

/// The deletion fails: the answer is 500, and the account and its key are as they were.
#[spec("R-284", "R-275", "D-34")]
async fn a_failing_deletion_revokes_no_key(engine: Engine) {
    const TYPE: &str = "id: 70\nname: badge\nproperties:\n  of: {id: 700, kind: pUser, onDelete: setNull}\n";
    let files: Vec<_> = OPEN.into_iter().chain([("types/badge.yaml", TYPE)]).collect();
    let server = Server::with(engine, &files).await;
    let clerk = server.client().with("key", &server.key("clerk").await);
    let account = Account::register(&clerk, keyed()).await;
    let code = secret(&server, "mail_code").await;
    // A deletion looks for badges of the user, and there are none to be looked into.
    server.lose_table("badge", "t70").await;
    cancel(&clerk, json!({"userId": account.id, "apiKey": account.key})).await.is(500);
    assert_eq!(account.state(&server).await, Some(false));
    let done = account.prove(&server.client(), "mail_code", &code).await.is(200);
    assert_eq!(done.at("/challengeCompleted"), true);
    let own = server.client().with("key", account.key.as_ref().unwrap());
    assert_eq!(own.get("auth").await.at("/status"), "valid");
}
