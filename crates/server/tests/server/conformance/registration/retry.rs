//! user.retrychallenge: new secrets for old ones, not too often and not for ever.

use super::{Account, TENANT, ann, failed, open, secret};
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Reply};
use tokio::task::JoinSet;

const COOLDOWN: &str = "Retry cooldown active.";
const LIMIT: &str = "Retry limit reached for this challenge.";
const RECOVERED: &str = "If a pending verification exists, a new code has been sent.";

async fn ask(clerk: &Client, body: Json) -> Reply {
    clerk.post("app/user.retrychallenge", body).await
}

#[spec("R-061", "R-220", "R-221", "R-222", "R-223", "R-224", "R-226", "R-227", "R-228", "D-31")]
async fn a_retry_renews_what_is_outstanding(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_link": {}, "mail_code": {}, "sms_code": {}})).await;
    let client = server.client();
    let first =
        [secret(&server, "mail_link").await, secret(&server, "mail_code").await, secret(&server, "sms_code").await];
    account.prove(&client, "sms_code", &first[2]).await.is(200);
    // At once, since the first sending is no retry.
    let answer = ask(&clerk, json!({"userEmail": "Ann@example.com", "challengeId": account.challenge})).await.is(200);
    let expected =
        json!({"challengeId": account.challenge, "retried": ["mail_link", "mail_code"], "skipped": ["sms_code"]});
    assert_eq!(answer.json(), expected);
    let second = [secret(&server, "mail_link").await, secret(&server, "mail_code").await];
    assert_eq!((server.mails().len(), server.texts().len()), (4, 1));
    for (method, old) in [("mail_link", &first[0]), ("mail_code", &first[1])] {
        assert_eq!(account.prove(&client, method, old).await.is(200).json(), failed(), "{method}");
    }
    assert_eq!(account.prove(&client, "mail_link", &second[0]).await.is(200).at("/methodDone"), true);
    // One method alone; both names of the user together.
    server.clock().advance(60);
    let body = json!({
        "userId": account.id, "userEmail": "ann@example.com", "challengeId": account.challenge, "method": "mail_code",
    });
    let answer = ask(&clerk, body).await.is(200).json();
    assert_eq!(answer, json!({"challengeId": account.challenge, "retried": ["mail_code"], "skipped": []}));
    // What is verified already counts for nothing, whatever the cooldown.
    let body = json!({"userId": account.id, "challengeId": account.challenge, "method": "sms_code"});
    let skipped = json!({"challengeId": account.challenge, "retried": [], "skipped": ["sms_code"]});
    assert_eq!(ask(&clerk, body.clone()).await.is(200).json(), skipped);
    let third = secret(&server, "mail_code").await;
    assert_eq!(account.prove(&client, "mail_code", &third).await.is(200).at("/challengeCompleted"), true);
    // Of a completed challenge all is skipped.
    assert_eq!(ask(&clerk, body).await.is(200).json(), skipped);
    let all = json!({
        "challengeId": account.challenge, "retried": [], "skipped": ["mail_link", "mail_code", "sms_code"],
    });
    assert_eq!(account.retry(&clerk).await.is(200).json(), all);
}

/// What a retry takes back is not sent any more where it was not sent yet.
#[spec("R-221")]
async fn a_message_that_waits_is_taken_back(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}})).await;
    account.retry(&clerk).await.is(200);
    let code = secret(&server, "mail_code").await;
    assert_eq!(server.mails().len(), 1);
    assert_eq!(account.prove(&server.client(), "mail_code", &code).await.is(200).at("/methodDone"), true);
}

#[spec("R-285", "R-286", "R-287", "R-288", "R-289", "R-292", "R-293", "A040", "D-31")]
async fn what_stands_against_a_retry_is_told(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}})).await;
    let waiting = Account::register(&clerk, ann(json!({"user_id": "w@example.com", "verify_account": {}}))).await;
    let challenge = account.challenge.as_str();
    for body in [
        json!({}),
        json!({"challengeId": challenge}),
        json!({"userId": account.id.to_string(), "challengeId": challenge}),
        json!({"userEmail": "ann", "challengeId": challenge}),
        json!({"userId": account.id, "challengeId": 7}),
        json!({"userId": account.id, "challengeId": ""}),
        json!({"userId": account.id, "challengeId": challenge, "method": "mail"}),
        json!({"userId": account.id, "challengeId": challenge, "user": 1}),
    ] {
        ask(&clerk, body).await.is(400);
    }
    for body in [
        json!({"userId": account.id + 1_000, "challengeId": challenge}),
        json!({"userId": -1, "challengeId": challenge}),
        json!({"userEmail": "nobody@example.com", "challengeId": challenge}),
        json!({"userId": waiting.id, "userEmail": "ann@example.com", "challengeId": challenge}),
        json!({"userId": waiting.id, "challengeId": challenge}),
        json!({"userId": account.id, "challengeId": "ch_nothing\0"}),
        json!({"userId": account.id, "challengeId": format!("ch_{}", "a".repeat(26))}),
        json!({"userId": account.id, "challengeId": challenge, "method": "sms_code"}),
    ] {
        ask(&clerk, body).await.is(404);
    }
    ask(&server.reader(), json!({"userId": account.id, "challengeId": challenge})).await.is(403);
    for number in 1..=10 {
        account.retry(&clerk).await.is(200);
        if number < 10 {
            account.retry(&clerk).await.is(400).says(COOLDOWN);
            server.clock().advance(59);
            account.retry(&clerk).await.is(400).says(COOLDOWN);
            server.clock().advance(1);
        }
    }
    account.retry(&clerk).await.is(400).says(LIMIT);
    server.clock().advance(3_600);
    account.retry(&clerk).await.is(400).says(LIMIT);
    server.deliver().await;
    let sent = server.mails().len();
    let recovered = ask(&clerk, json!({"userId": account.id})).await.is(200).json();
    assert_eq!(recovered, json!({"message": RECOVERED}));
    server.deliver().await;
    server.deliver().await;
    assert_eq!(server.mails().len(), sent, "nothing is sent beyond the limit");
}

#[spec("A039", "R-292", "R-296")]
async fn of_many_retries_at_once_one_is_sent(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let node = server.node().await;
    let another = node.client().with("key", &server.key("clerk").await);
    let account = Account::verified_by(&clerk, json!({"mail_code": {}})).await;
    server.deliver().await;
    account.retry(&clerk).await.is(200);
    server.deliver().await;
    server.clock().advance(30);
    // Whose key it is makes no difference: the challenge is what counts.
    account.retry(&another).await.is(400).says(COOLDOWN);
    server.clock().advance(30);
    let mut tasks = JoinSet::new();
    for number in 0..20 {
        let (client, account) = (if number % 2 == 0 { clerk.clone() } else { another.clone() }, account.clone());
        tasks.spawn(async move {
            let reply = account.retry(&client).await;
            if reply.status == 400 {
                assert_eq!(reply.json(), json!({"message": COOLDOWN}));
            }
            reply.status
        });
    }
    let mut statuses = tasks.join_all().await;
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (200, [400; 19].as_slice()));
    server.deliver().await;
    assert_eq!(server.mails().len(), 3);
    // Another challenge has a cooldown of its own.
    let body = json!({"user_id": "bob@example.com", "user_name": "B", "verify_account": {"mail_code": {}}});
    Account::register(&clerk, body).await.retry(&clerk).await.is(200);
}

#[spec("R-225", "R-229", "R-230", "R-231", "R-260", "D-31")]
async fn recovery_tells_nothing_and_does_what_it_can(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}, "sms_code": {}})).await;
    let first = secret(&server, "mail_code").await;
    let done = Account::register(&clerk, json!({"user_id": "d@example.com", "user_name": "D"})).await;
    done.prove(&server.client(), "mail_link", &secret(&server, "mail_link").await).await.is(200);
    let before = server.mails().len();
    let mut answers = Vec::new();
    for body in [
        json!({"userEmail": "ann@example.com", "method": "mail_code"}),
        json!({"userEmail": "ann@example.com"}),
        json!({"userId": account.id}),
        json!({"userEmail": "nobody@example.com"}),
        json!({"userId": 999_999}),
        json!({"userId": account.id, "userEmail": "nobody@example.com"}),
        json!({"userEmail": "d@example.com"}),
        json!({"userEmail": "reader@acme.test"}),
        json!({"userEmail": "ann@example.com", "method": "mail_link"}),
    ] {
        let reply = ask(&clerk, body).await.is(200);
        server.deliver().await;
        let mut headers: Vec<String> = reply.headers.keys().map(ToString::to_string).collect();
        headers.sort();
        answers.push((headers, reply.text));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    assert_eq!(answers[0].1, json!({"message": RECOVERED}).to_string());
    server.deliver().await;
    let second = secret(&server, "mail_code").await;
    // The first was granted; what came within its cooldown was not.
    assert_eq!((server.mails().len(), server.texts().len()), (before + 1, 1));
    assert_eq!(account.prove(&server.client(), "mail_code", &first).await.is(200).json(), failed());
    assert_eq!(account.prove(&server.client(), "mail_code", &second).await.is(200).at("/methodDone"), true);
    // Both modes share cooldown and count.
    account.retry(&clerk).await.is(400).says(COOLDOWN);
    server.clock().advance(60);
    ask(&clerk, json!({"userEmail": "ann@example.com"})).await.is(200);
    server.deliver().await;
    server.deliver().await;
    assert_eq!((server.mails().len(), server.texts().len()), (before + 1, 2), "only what is outstanding is sent");
    account.retry(&clerk).await.is(400).says(COOLDOWN);
}

#[spec("R-292", "R-293")]
async fn cooldown_and_cap_are_configured(engine: Engine) {
    let (server, clerk) = open(engine).await;
    let tenant = TENANT.replace("registration: {", "registration: {challenge: {cooldown: 5, cap: 2}, ");
    server.change(&[("tenant.yaml", &tenant)]).await;
    let account = Account::verified_by(&clerk, json!({"mail_code": {}})).await;
    account.retry(&clerk).await.is(200);
    account.retry(&clerk).await.is(400).says(COOLDOWN);
    server.clock().advance(5);
    account.retry(&clerk).await.is(200);
    server.clock().advance(5);
    account.retry(&clerk).await.is(400).says(LIMIT);
}
