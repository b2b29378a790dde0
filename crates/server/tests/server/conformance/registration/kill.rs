//! A process that is killed while it cancels: an account and its key go together, or stay together.

use super::{Account, OPEN, ann};
use serde_json::json;
use spec::spec;
use std::time::Duration;
use testing::{Engine, Server};
use tokio::task::JoinSet;

const PLINTH: &str = env!("CARGO_BIN_EXE_plinth");
/// Accounts of a round, of which a part is cancelled before the kill.
const ACCOUNTS: usize = 24;

#[spec("A047", "R-284")]
async fn an_account_and_its_key_go_together(engine: Engine) {
    let server = Server::with(engine, &OPEN).await;
    let key = server.key("clerk").await;
    let clerk = server.client().with("key", &key);
    for round in 0..3 {
        let mut accounts = Vec::new();
        for number in 0..ACCOUNTS {
            let body = ann(json!({
                "user_id": format!("u{round}x{number}@example.com"), "password": "correct horse battery",
                "roles": ["reader"], "verify_account": {},
            }));
            accounts.push(Account::register(&clerk, body).await);
        }
        let process = server.process(PLINTH, &[]).await;
        let client = process.client().with("host", "acme.test").with("key", &key);
        let mut tasks = JoinSet::new();
        for account in accounts.clone() {
            let client = client.clone();
            tasks.spawn(async move {
                let body = json!({"userId": account.id, "apiKey": account.key});
                let request = client.request("POST", "app/user.cancelregistration").json(&body);
                let reply = request.try_send().await;
                (account.id, reply.map(|reply| reply.status))
            });
        }
        // Until some were answered, and others are under way.
        let mut acknowledged = Vec::new();
        while acknowledged.len() < ACCOUNTS / 4 {
            match tokio::time::timeout(Duration::from_secs(60), tasks.join_next()).await.unwrap() {
                Some(Ok((id, Some(200)))) => acknowledged.push(id),
                other => panic!("{other:?}"),
            }
        }
        process.kill();
        while let Some(answer) = tasks.join_next().await {
            if let (id, Some(200)) = answer.unwrap() {
                acknowledged.push(id);
            }
        }
        for account in accounts {
            let own = server.client().with("key", account.key.as_ref().unwrap());
            assert_eq!(own.get("auth").await.is(200).at("/status"), "invalid");
            own.get("collection/article").await.is(403);
            let gone = account.state(&server).await.is_none();
            assert!(gone || !acknowledged.contains(&account.id), "an acknowledged cancellation was lost");
            // Whoever is still there still has the key: with another it would be 403, without one 200 for none given.
            let body = json!({"userId": account.id, "apiKey": account.key});
            let again = clerk.post("app/user.cancelregistration", body).await;
            again.is(if gone { 404 } else { 200 });
            let revoked = server.client().post_form("deauth", &[("key", account.key.as_ref().unwrap())]).await;
            revoked.is(404);
        }
    }
}
