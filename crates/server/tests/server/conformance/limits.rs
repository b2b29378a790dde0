//! Limits of rate: by key, by address, over several nodes.

use model::rate::RequestRate;
use platform::tenants::Settings;
use spec::spec;
use std::collections::BTreeMap;
use std::time::Duration;
use testing::{Client, Engine, Reply, Server};
use tokio::task::JoinSet;

/// Not many more than are refused at once.
const FLOOD: usize = 2_000;

/// The tenant's settings with this limit for each key.
fn settings(rate: &str) -> String {
    format!("tenant: acme\nhosts: [acme.test]\ntimezone: Europe/Prague\napi: {{rate: {rate}}}\n")
}

async fn limited(engine: Engine, rate: &str) -> Server {
    Server::with(engine, &[("tenant.yaml", &settings(rate))]).await
}

/// The text of a key that nobody made, with a checksum that is right.
fn random_key(number: usize) -> String {
    let body = format!("plk_{}_{:027}", 1_000 + number % 9, number);
    let checksum = body.bytes().fold(u32::MAX, |rest, byte| {
        (0..8).fold(rest ^ u32::from(byte), |rest, _| rest >> 1 ^ if rest & 1 == 1 { 0xEDB8_8320 } else { 0 })
    });
    format!("{body}_{}", base62(!checksum))
}

fn base62(mut number: u32) -> String {
    let digits: Vec<char> = ('0'..='9').chain('A'..='Z').chain('a'..='z').collect();
    let mut text = String::new();
    while number > 0 {
        text.insert(0, digits[number as usize % 62]);
        number /= 62;
    }
    text
}

/// Sends GET /auth with that many keys, a hundred on each connection; gives how often each status came.
async fn flood(client: &Client, count: usize) -> BTreeMap<String, usize> {
    let mut connections = JoinSet::new();
    let mut statuses = BTreeMap::new();
    for connection in 0..count / 100 {
        let client = client.clone();
        connections.spawn(async move {
            let request = |number: usize| {
                let key = random_key(connection * 100 + number);
                let last = if number == 99 { "Connection: close\r\n" } else { "" };
                format!("GET /api/v1/auth HTTP/1.1\r\nHost: acme.test\r\nkey: {key}\r\n{last}\r\n")
            };
            client.raw((0..100).map(request).collect::<String>().as_bytes()).await
        });
        while connections.len() >= 8 || connection + 1 == count / 100 {
            let Some(answers) = connections.join_next().await else { break };
            for status in answers.unwrap().split("HTTP/1.1 ").skip(1) {
                *statuses.entry(status[..3].to_owned()).or_default() += 1;
            }
        }
    }
    statuses
}

fn seconds(reply: &Reply) -> i64 {
    reply.header("retry-after").parse().unwrap()
}

/// Lets time pass on the server's clock, and for PostgreSQL on the wall, whose clock counts there.
async fn pass(server: &Server, engine: Engine, seconds: i64) {
    server.clock().advance(seconds);
    if engine == Engine::Postgres {
        tokio::time::sleep(Duration::from_secs(seconds.unsigned_abs())).await;
    }
}

#[spec("A024", "R-274", "R-298")]
async fn a_flood_of_random_keys_is_refused_by_address_without_a_look(engine: Engine) {
    let mut settings = Settings::default();
    let rate = settings.address_rate.as_mut().unwrap();
    assert_eq!((rate.requests, rate.seconds), (1_000, 10));
    // A busy machine takes longer than that for the flood.
    rate.seconds = 3_600;
    let server = Server::settled(engine, settings, Vec::new(), &[]).await;
    let reader = server.reader();
    reader.get("auth").await.is(200);
    // Without the table of keys, every look for one fails, so that what is answered otherwise was not looked for.
    server.lose_table("no_view", "plinth_key").await;
    let stranger = server.client().with("key", &random_key(0));
    stranger.get("auth").await.is(500);
    let statuses = flood(&server.client(), FLOOD).await;
    // One request came before, with a key that could not be looked for.
    assert_eq!(statuses, BTreeMap::from([("429".to_owned(), FLOOD - 999), ("500".to_owned(), 999)]));

    let reply = stranger.get("auth").await.is(429).says("Try again later.");
    assert_eq!(reply.header("x-error-code"), "rate_limited");
    assert_eq!(reply.header("ratelimit-policy"), r#""address";q=1000;w=3600"#);
    assert_eq!(reply.header("ratelimit"), format!("\"address\";r=0;t={}", seconds(&reply)));
    assert!((1..=3_600).contains(&seconds(&reply)), "{}", seconds(&reply));
    assert_eq!(reply.json().as_object().unwrap().len(), 1);
    // All that comes without a key that works is one; health and preflights are nobody's.
    server.client().get("collection/article").await.is(429);
    server.client().post_form("auth", &[("user", "a"), ("password", "b")]).await.is(429);
    server.client().get("/t/nowhere/api/v1/auth").await.is(404);
    server.client().get("/healthz").await.is(200);
    server.client().request("OPTIONS", "collection/article").send().await.is(204);
    // Who has a key that works is not concerned.
    let reply = reader.get("collection/article").await.is(204);
    assert_eq!(reply.header("ratelimit"), "");
}

#[spec("E-205")]
async fn keys_that_work_do_not_count_for_their_address_though_their_tenants_are_not_in_memory(engine: Engine) {
    let address_rate = Some(RequestRate { requests: 6, seconds: 3_600 });
    let settings = Settings { address_rate, open_tenants: 1, ..Settings::default() };
    let server = Server::settled(engine, settings, Vec::new(), &[]).await;
    let tenants = [server.clone(), server.tenant("first").await, server.tenant("second").await];
    for _ in 0..10 {
        let mut round = JoinSet::new();
        for client in tenants.iter().chain(&tenants).map(Server::reader) {
            round.spawn(async move { client.get("collection/article").await.status });
        }
        assert_eq!(round.join_all().await, [204; 6]);
    }
    // What a stranger sends counts all the same.
    let mut statuses = Vec::new();
    for number in 0..12 {
        let stranger = tenants[1].client().with("key", &random_key(number));
        statuses.push(stranger.get("collection/article").await.status);
    }
    assert_eq!(statuses, [vec![403; 6], vec![429; 6]].concat());
}

#[spec("R-274", "R-298")]
async fn each_key_has_its_own_limit_and_retry_after_is_true(engine: Engine) {
    let server = limited(engine, "5/10s").await;
    let (reader, editor) = (server.reader(), server.editor());
    for _ in 0..2 {
        for _ in 0..5 {
            reader.get("collection/article").await.is(204);
        }
        let reply = reader.get("auth").await.is(429);
        assert_eq!(reply.header("ratelimit-policy"), r#""key";q=5;w=10"#);
        assert!((1..=10).contains(&seconds(&reply)), "{}", seconds(&reply));
        // Neither another key of the same address nor the address itself has anything to do with it.
        editor.get("collection/article").await.is(204);
        server.client().get("auth").await.is(200);
        let wrong = reader.with("accept", "application/problem+json").get("collection/article").await.is(429);
        assert_eq!(wrong.at("/code"), "rate_limited");
        pass(&server, engine, seconds(&wrong)).await;
    }
    reader.get("collection/article").await.is(204);
}

#[spec("R-298")]
async fn a_changed_limit_holds_for_those_whom_the_old_one_shut_out(engine: Engine) {
    let server = limited(engine, "2/3600s").await;
    let reader = server.reader();
    let statuses = async |count: usize| {
        let mut statuses = Vec::new();
        for _ in 0..count {
            statuses.push(reader.get("collection/article").await.status);
        }
        statuses
    };
    assert_eq!(statuses(4).await, [204, 204, 429, 429]);
    server.change(&[("tenant.yaml", &settings("0"))]).await;
    server.clock().advance(2);
    assert!(statuses(20).await.iter().all(|status| *status == 204));
}

/// Only PostgreSQL has several nodes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_let_through_what_one_would() {
    for limit in [3, 100] {
        let server = limited(Engine::Postgres, &format!("{limit}/3600s")).await;
        let node = server.node().await;
        let mut tasks = JoinSet::new();
        let mut served = 0;
        for number in 0..6 * limit {
            let client = if number % 2 == 0 { server.reader() } else { node.reader() };
            tasks.spawn(async move { client.get("collection/article").await.status });
            if tasks.len() > 16 {
                served += usize::from(tasks.join_next().await.unwrap().unwrap() == 204);
            }
        }
        served += tasks.join_all().await.into_iter().filter(|status| *status == 204).count();
        // Both nodes asked until nothing was left, so that nothing was lost either.
        assert_eq!(served, limit);
        for client in [server.reader(), node.reader()] {
            client.get("collection/article").await.is(429);
        }
    }
}

#[spec("E-120")]
async fn a_query_of_groups_counts_as_ten_requests(engine: Engine) {
    let groups = "query: groups\ntype: article\ngroupBy: status\n";
    let rows = "query: rows\ntype: article\n";
    let canvas = "canvas: board\nitems: [{kind: number, query: groups, value: '{=dataQueryCount()}'}]\n";
    let files = [
        ("tenant.yaml", settings("25/3600s")),
        ("queries/groups.yaml", groups.to_owned()),
        ("queries/rows.yaml", rows.to_owned()),
        ("canvases/board.yaml", canvas.to_owned()),
    ];
    let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let server = Server::with(engine, &files).await;
    let (admin, editor) = (server.admin(), server.editor());
    // A canvas of groups costs no less.
    admin.get("/api/ext/v1/canvas/board").await.is(200);
    admin.get("/api/ext/v1/query/groups").await.is(200);
    admin.get("/api/ext/v1/query/groups").await.is(429);
    for _ in 0..12 {
        editor.get("/api/ext/v1/query/rows").await.is(204);
    }
}
