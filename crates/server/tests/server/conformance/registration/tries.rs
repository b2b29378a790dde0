//! How often a secret can be guessed.

use super::{Account, failed, from, proxied, secret};
use serde_json::json;
use spec::spec;
use testing::Engine;

/// Of all codes of the default shape, 5 can be tried for each secret, of which there are 11: the first one and those of
/// 10 retries. So guessing succeeds in 55 of 1,000,000 cases, the bound.
#[spec("A029", "R-293", "R-287")]
async fn a_challenge_has_fifty_five_tries(engine: Engine) {
    let (server, clerk) = proxied(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}})).await;
    let mut compared = 0;
    for round in 0..=10 {
        if round > 0 {
            server.clock().advance(60);
            account.retry(&clerk).await.is(200);
        }
        let right = secret(&server, "mail_code").await;
        assert!(right.len() == 6 && right.bytes().all(|byte| byte.is_ascii_digit()));
        // The right one is what the fifth try could be, and the sixth cannot.
        for number in 0..4 {
            let guess = format!("{:06}", (right.parse::<u32>().unwrap() + number + 1) % 1_000_000);
            let reply = account.prove(&from(&server, round), "mail_code", &guess).await;
            assert_eq!(reply.is(200).json(), failed());
            compared += 1;
        }
        let last = if round < 10 { "999999x" } else { right.as_str() };
        let fifth = account.prove(&from(&server, round), "mail_code", last).await.is(200);
        compared += 1;
        if round < 10 {
            assert_eq!(fifth.json(), failed());
            assert_eq!(account.prove(&from(&server, round), "mail_code", &right).await.is(200).json(), failed());
        } else {
            assert_eq!(fifth.at("/challengeCompleted"), true);
        }
    }
    assert_eq!(compared, 55);
    let body = json!({"user_id": "bob@example.com", "user_name": "B", "verify_account": {"mail_code": {}}});
    let other = Account::register(&clerk, body).await;
    for _ in 0..10 {
        other.retry(&clerk).await.is(200);
        server.clock().advance(60);
    }
    other.retry(&clerk).await.is(400).says("Retry limit reached for this challenge.");
}

/// The tenant decides how many tries a secret has.
#[spec]
async fn tries_are_configured(engine: Engine) {
    let (server, clerk) = proxied(engine).await;
    let tenant = super::TENANT.replace("registration: {", "registration: {challenge: {attempts: 1}, ");
    server.change(&[("tenant.yaml", &tenant)]).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}})).await;
    let right = secret(&server, "mail_code").await;
    assert_eq!(account.prove(&server.client(), "mail_code", "x").await.is(200).json(), failed());
    assert_eq!(account.prove(&server.client(), "mail_code", &right).await.is(200).json(), failed());
}
