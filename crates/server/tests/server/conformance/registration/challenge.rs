//! user.challenge: methods one by one, the last of which activates.

use super::{Account, failed, from, open, proxied, secret};
use serde_json::json;
use spec::spec;
use testing::Engine;
use tokio::task::JoinSet;

#[spec(
    "R-057", "R-058", "R-060", "R-064", "R-065", "R-213", "R-214", "R-215", "R-216", "R-217", "R-218", "R-219", "R-258"
)]
async fn the_last_method_activates(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}, "sms_code": {}})).await;
    let (mail, sms) = (secret(&server, "mail_code").await, secret(&server, "sms_code").await);
    let client = server.client();
    let first = account.prove(&client, "mail_code", &mail).await.is(200).json();
    assert_eq!(first, json!({"methodDone": true, "challengeCompleted": false}));
    assert_eq!(account.state(&server).await, Some(false));
    for again in [mail.as_str(), "x"] {
        let answer = account.prove(&client, "mail_code", again).await.is(200).json();
        assert_eq!(answer, json!({"message": "Method already done."}));
    }
    assert_eq!(account.prove(&client, "sms_code", "x").await.is(200).json(), failed());
    let second = account.prove(&client, "sms_code", &sms).await.is(200).json();
    assert_eq!(second, json!({"methodDone": true, "challengeCompleted": true}));
    assert_eq!(account.state(&server).await, Some(true));
    for method in ["mail_code", "sms_code"] {
        let answer = account.prove(&client, method, &sms).await.is(200).json();
        assert_eq!(answer, json!({"message": "Method already done."}));
    }
}

/// Each of two nodes gets each of the last two methods many times at once: one answer activates.
#[spec("A031")]
async fn exactly_one_completes(engine: Engine) {
    let (server, clerk) = proxied(engine).await;
    let node = server.node().await;
    for round in 0..6 {
        let body = json!({
            "user_id": format!("u{round}@example.com"), "user_name": "U", "phone": format!("+4206012345{round:02}"),
            "verify_account": {"mail_code": {}, "sms_code": {}},
        });
        let account = Account::register(&clerk, body).await;
        let secrets =
            [("mail_code", secret(&server, "mail_code").await), ("sms_code", secret(&server, "sms_code").await)];
        let mut tasks = JoinSet::new();
        for number in 0..16 {
            let (method, secret) = secrets[number / 2 % 2].clone();
            let client = from(if number % 2 == 0 { &server } else { &node }, round * 16 + number);
            let account = account.clone();
            tasks.spawn(async move { account.prove(&client, method, &secret).await.is(200).json() });
        }
        let answers = tasks.join_all().await;
        let count = |completed: bool| {
            let wanted = json!({"methodDone": true, "challengeCompleted": completed});
            answers.iter().filter(|answer| **answer == wanted).count()
        };
        assert_eq!((count(true), count(false)), (1, 1), "{answers:?}");
        assert_eq!(account.state(&server).await, Some(true));
        // Active once: one change of the user since it was made.
        let user = server.admin().get(&format!("collection/user/{}?showFields=version", account.id)).await.is(200);
        assert_eq!(user.at("/version"), 2);
    }
}

/// Whoever is not pending any more is not activated by an old challenge: an administrator has the last word.
#[spec("R-064")]
async fn an_administrators_word_ends_a_challenge(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}})).await;
    let code = secret(&server, "mail_code").await;
    let path = format!("collection/user/{}", account.id);
    server.admin().patch(&path, json!({"login_expired": false, "valid_from": null})).await.is(200);
    server.admin().patch(&path, json!({"login_expired": true})).await.is(200);
    assert_eq!(account.prove(&server.client(), "mail_code", &code).await.is(200).json(), failed());
    assert_eq!(server.admin().get(&path).await.at("/login_expired"), true);
    account.retry(&clerk).await.is(404);
    clerk.post("app/user.cancelregistration", json!({"userId": account.id})).await.is(409);
}

#[spec("R-274")]
async fn an_address_tries_twenty_times_a_minute(engine: Engine) {
    let (server, clerk) = proxied(engine).await;
    let node = server.node().await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}})).await;
    let code = secret(&server, "mail_code").await;
    for number in 0..20 {
        let client = from(if number % 2 == 0 { &server } else { &node }, 1);
        account.prove(&client, "sms_code", "x").await.is(200);
    }
    for node in [&server, &node] {
        let refused = account.prove(&from(node, 1), "mail_code", &code).await.is(429);
        assert!((1..=60).contains(&refused.header("retry-after").parse::<i32>().unwrap()));
    }
    account.prove(&from(&server, 2), "sms_code", "x").await.is(200);
    server.clock().advance(60);
    assert_eq!(account.prove(&from(&server, 1), "mail_code", &code).await.is(200).at("/methodDone"), true);
}
