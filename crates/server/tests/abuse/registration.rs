//! Verification under attack and in races: what holds however many come at once.

use crate::{LIMIT, alone, samples};
use platform::tenants::Settings;
use serde_json::{Value as Json, json};
use spec::spec;
use testing::{Client, Engine, Reply, Server};
use tokio::task::JoinSet;

const TENANT: &str =
    "tenant: acme\nhosts: [acme.test]\nbaseUrl: https://acme.test\napi: {rate: 0}\nmail: {perHour: 10000}\n";
const CLERK: &str = "role: clerk\nsystem: [restApi, apiUserRegistration]\ntypes: {}\n";
/// Guesses at one code, all at once.
const GUESSES: usize = 500;
/// Accounts whose last step races with their cancellation at most, and how many at a time.
const RACES: usize = 1_000;
const AT_ONCE: usize = 10;

/// A server, another node of it, and the key of whoever registers. Each request may name its address.
async fn nodes(engine: Engine) -> (Server, Server, String) {
    let files = [
        ("tenant.yaml", TENANT),
        ("roles/clerk.yaml", CLERK),
        ("users/clerk.yaml", "user: clerk@acme.test\nname: Clara\nroles: [clerk]\n"),
    ];
    let settings = Settings { address_rate: None, ..Settings::default() };
    let server = Server::settled(engine, settings, vec![("trusted_proxies", "127.0.0.1")], &files).await;
    let (node, key) = (server.node().await, server.key("clerk").await);
    (server, node, key)
}

/// A client of a node that comes from the address of that number.
fn from(node: &Server, number: usize) -> Client {
    node.client()
        .with("x-forwarded-for", &format!("10.{}.{}.{}", number / 62_500, number / 250 % 250, number % 250 + 1))
}

/// Registers somebody with a code by mail; gives the body that verifies it, but for the code.
async fn register(clerk: &Client, number: usize) -> Json {
    let body = json!({
        "user_id": format!("u{number}@example.com"), "user_name": "U", "verify_account": {"mail_code": {}},
    });
    let answer = clerk.post("app/user.register", body).await.is(200).json();
    json!({"userId": answer["object"]["id"], "challengeId": answer["challenge"], "method": "mail_code"})
}

/// The codes in all mails, by address.
async fn codes(server: &Server) -> std::collections::HashMap<String, String> {
    server.deliver().await;
    let digits = |text: &str| {
        let mut runs = text.split(|character: char| !character.is_ascii_digit());
        runs.find(|run| run.len() == 6).map(str::to_owned)
    };
    server.mails().iter().filter_map(|mail| Some((mail.to.first()?.clone(), digits(&mail.text)?))).collect()
}

/// Of many guesses that come at once, the right one among them, no more are compared than the secret has tries. Chance
/// lets the right one be among the first five once in a hundred times; three times in a row it does not.
#[spec(plain, "A028")]
fn of_five_hundred_guesses_at_once_five_are_compared() {
    let _machine = alone();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        testing::run_within(LIMIT, engine, "guesses", |engine: Engine| async move {
            let (server, node, key) = nodes(engine).await;
            let clerk = server.client().with("key", &key);
            let mut lucky = 0;
            for round in 0..3 {
                let proof = register(&clerk, round).await;
                let right = codes(&server).await[&format!("u{round}@example.com")].clone();
                let start = right.parse::<usize>().unwrap() + 1_000_000 - GUESSES / 2;
                let mut tasks = JoinSet::new();
                for number in 0..GUESSES {
                    let node = if number % 2 == 0 { &server } else { &node };
                    let (client, mut body) = (from(node, round * GUESSES + number), proof.clone());
                    body["secret"] = format!("{:06}", (start + number) % 1_000_000).into();
                    tasks.spawn(async move { answer(&client, "app/user.challenge", &body).await.is(200).json() });
                }
                let done = json!({"methodDone": true, "challengeCompleted": true});
                if tasks.join_all().await.contains(&done) {
                    lucky += 1;
                    continue;
                }
                // The tries are used up: the right code is as wrong as the others were.
                let mut body = proof;
                body["secret"] = right.into();
                let late = from(&server, 10_000).post("app/user.challenge", body).await.is(200).json();
                assert_eq!(late, json!({"methodDone": false, "challengeCompleted": false}));
                break;
            }
            assert!(lucky < 3, "all guesses were compared");
        });
    }
}

/// Asks until there is an answer: so many at once find the database busy now and then.
async fn answer(client: &Client, path: &str, body: &Json) -> Reply {
    loop {
        let reply = client.post(path, body.clone()).await;
        match reply.status {
            503 => tokio::time::sleep(std::time::Duration::from_millis(100)).await,
            _ => return reply,
        }
    }
}

/// The last step of a verification and the cancellation of the account, at the same time on two nodes: one of them
/// happens, and never is an account told to be active and gone.
#[spec(plain, "A044")]
fn an_account_is_activated_or_deleted_and_never_both() {
    let _machine = alone();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        testing::run_within(LIMIT, engine, "races", |engine: Engine| async move {
            let (server, node, key) = nodes(engine).await;
            let races = samples(RACES);
            let mut proofs = Vec::with_capacity(races);
            for first in (0..races).step_by(AT_ONCE) {
                let mut tasks = JoinSet::new();
                for number in first..first + AT_ONCE {
                    let clerk = server.client().with("key", &key);
                    tasks.spawn(async move { (number, register(&clerk, number).await) });
                }
                proofs.extend(tasks.join_all().await);
            }
            let codes = codes(&server).await;
            let (mut activated, mut deleted) = (0, 0);
            for (group, part) in proofs.chunks(AT_ONCE).enumerate() {
                let mut tasks = JoinSet::new();
                for (number, proof) in part {
                    let mut body = proof.clone();
                    body["secret"] = codes[&format!("u{number}@example.com")].clone().into();
                    // Who is asked first, and which node does what, changes from pair to pair.
                    let (one, other) = if number % 2 == 0 { (&server, &node) } else { (&node, &server) };
                    let (verifier, clerk) = (from(one, *number), other.client().with("key", &key));
                    let reader = server.admin();
                    let first = (number + group) % 2 == 0;
                    tasks.spawn(async move { race(&verifier, &clerk, &reader, body, first).await });
                }
                for active in tasks.join_all().await {
                    if active { activated += 1 } else { deleted += 1 }
                }
            }
            assert_eq!(activated + deleted, proofs.len());
            assert!(activated > 0 && deleted > 0, "{activated} activated, {deleted} deleted: that was no race");
        });
    }
}

/// One race; gives whether the account is active.
async fn race(verifier: &Client, clerk: &Client, reader: &Client, body: Json, verify_first: bool) -> bool {
    let id = body["userId"].clone();
    let cancellation = json!({"userId": id});
    let verify = answer(verifier, "app/user.challenge", &body);
    let cancel = answer(clerk, "app/user.cancelregistration", &cancellation);
    let (verified, cancelled) = if verify_first {
        tokio::join!(verify, cancel)
    } else {
        let (cancelled, verified) = tokio::join!(cancel, verify);
        (verified, cancelled)
    };
    let active = verified.is(200).at("/challengeCompleted") == true;
    let gone = match cancelled.status {
        200 => true,
        409 => false,
        other => panic!("{other} {}", cancelled.text),
    };
    assert!(active != gone, "active {active}, gone {gone}");
    let user = reader.get(&format!("collection/user/{id}")).await;
    user.is(if gone { 404 } else { 200 });
    active
}
