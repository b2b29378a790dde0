//! A tenant that asks for as much as it may does not slow the others down.

use crate::wire::Wire;
use crate::{LIMIT, alone};
use platform::tenants::Settings;
use serde_json::{Value, json};
use spec::spec;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use testing::{Engine, Server};
use tokio::sync::watch;
use tokio::task::JoinSet;

const ROWS: u64 = 1_000_000;
const PARALLEL: usize = 50;
/// Requests of another tenant in a round, before the attack and as many during it.
const REQUESTS: usize = 3_000;
/// The middle one of so many rounds decides; where that is too slow, of more rounds, up to the most. What else the
/// machine does comes in bursts, which slow one round and not its neighbours.
const ROUNDS: usize = 3;
const MOST_ROUNDS: usize = 9;
/// How much slower the others may be.
const SLOWER: f64 = 2.0;

#[spec(plain, "A080")]
fn the_worst_lists_of_one_tenant_leave_the_others_as_quick_as_they_were() {
    let _machine = alone();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        testing::run_within(LIMIT, engine, "fairness", |engine: Engine| async move {
            let settings = Settings { address_rate: None, ..Settings::default() };
            attack(&Server::settled(engine, settings, vec![("data.wait", "2s")], &[]).await, engine).await;
        });
    }
}

async fn attack(server: &Server, engine: Engine) {
    let begun = Instant::now();
    server.fill_notes(ROWS).await;
    println!("{engine:?}: filled in {:?}", begun.elapsed());
    assert_eq!(server.admin().get("collection/note?perPage=1").await.is(200).at("/stats/total"), ROWS);
    let other = server.tenant("other").await;
    for number in 0..50 {
        other.admin().create("article", json!({"name": format!("Article {number}"), "views": number})).await;
    }

    let (attacks, _) = watch::channel(false);
    let mut lists = JoinSet::new();
    let asking = Arc::new(AtomicUsize::new(0));
    for _ in 0..PARALLEL {
        lists.spawn(list_again_and_again(server.clone(), attacks.subscribe(), Arc::clone(&asking)));
    }
    times(&other).await;
    let (mut ratios, mut ratio) = (Vec::new(), f64::MAX);
    for round in 1..=MOST_ROUNDS {
        let before = p99(times(&other).await);
        attacks.send_replace(true);
        tokio::time::sleep(Duration::from_millis(500)).await;
        let during = p99(times(&other).await);
        attacks.send_replace(false);
        ratios.push(during.as_secs_f64() / before.as_secs_f64());
        ratios.sort_unstable_by(f64::total_cmp);
        ratio = ratios[round / 2];
        println!(
            "{engine:?}: p99 in round {round}: {before:?} before, {during:?} during the attack; middle {ratio:.2}"
        );
        // The longest list that still runs is stopped after five seconds.
        while asking.load(Relaxed) > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        if round >= ROUNDS && ratio <= SLOWER {
            break;
        }
    }
    drop(attacks);
    let mut answers: BTreeMap<(u16, String), usize> = BTreeMap::new();
    for answer in lists.join_all().await.into_iter().flatten() {
        *answers.entry(answer).or_default() += 1;
    }
    println!("{engine:?}: {answers:?}");
    assert!(ratio <= SLOWER, "{engine:?}: p99 of another tenant, during the attack over before: {ratio}");
    // The statement timeout stops what runs; who waits too long is told to come again.
    let said: Vec<_> = answers.keys().map(|(status, message)| (*status, &message[..20])).collect();
    assert_eq!(said, [(503, "The database is busy"), (503, "The database took to")], "{engine:?}: {answers:?}");
    // Nothing of the attack is left.
    server.admin().get("collection/note?perPage=1").await.is(200);
}

/// Lists of the worst filter that is allowed, while there is an attack; gives status and message of each answer.
async fn list_again_and_again(
    server: Server,
    mut attacks: watch::Receiver<bool>,
    asking: Arc<AtomicUsize>,
) -> Vec<(u16, String)> {
    // PostgreSQL has no pattern for parts with such a letter: it folds each text, and looks for one part after the other.
    let part = |number| format!("no{number}\u{1100}");
    let filter = |number| json!({"property": "text", "type": "contains", "param": part(number), "fold": true});
    let any: Vec<Value> = (0..99).map(filter).collect();
    let body = json!({"filters": [{"property": "*", "type": "or", "param": any}], "orderBy": "-text"}).to_string();
    let head = format!(
        "SEARCH /api/v1/collection/note HTTP/1.1\r\nhost: acme.test\r\nkey: {}\r\ncontent-type: application/json\r\n",
        server.key("admin").await
    );
    let mut answers = Vec::new();
    while attacks.wait_for(|attack| *attack).await.is_ok() {
        // Anew with each attack: the server closes what says nothing for a while.
        let mut wire = Wire::open(server.client().address()).await;
        while *attacks.borrow() {
            asking.fetch_add(1, Relaxed);
            let answer = wire.send(&head, &body).await;
            asking.fetch_sub(1, Relaxed);
            assert!(answer.status != 503 || answer.header("retry-after") == "2", "{}", answer.constant());
            if answer.status == 204 {
                // One that has the machine to itself may be done in time.
                continue;
            }
            let error: Value = serde_json::from_slice(answer.body).unwrap();
            let message = error["message"].as_str().unwrap().to_owned();
            let (status, pause) = (answer.status, answer.status == 503 && *attacks.borrow());
            answers.push((status, message));
            if pause {
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
    }
    answers
}

fn p99(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() * 99 / 100]
}

/// The times of requests of all sorts, one after the other.
async fn times(server: &Server) -> Vec<Duration> {
    let head = |method: &str, path: &str, key: &str| {
        format!("{method} /api/v1/collection/{path} HTTP/1.1\r\nhost: other.test\r\nkey: {key}\r\n")
    };
    let key = server.key("admin").await;
    let list = head("GET", "article?perPage=25&orderBy=-views", &key);
    let get = head("GET", "article/7", &key);
    let patch = format!("{}content-type: application/json\r\n", head("PATCH", "article/7", &key));
    let mut wire = Wire::open(server.client().address()).await;
    let mut times = Vec::with_capacity(REQUESTS);
    for number in 0..REQUESTS {
        let (head, body) = [(&list, ""), (&get, ""), (&patch, r#"{"views+=": 1}"#)][number % 3];
        let start = Instant::now();
        let answer = wire.send(head, body).await;
        times.push(start.elapsed());
        assert_eq!(answer.status, 200, "{}", answer.constant());
    }
    times
}
