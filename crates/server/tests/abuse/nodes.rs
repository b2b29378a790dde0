//! What one node acknowledged, the other one shows at once: never an older body, never a 304 for one.

use crate::wire::Wire;
use crate::{LIMIT, alone, samples};
use serde_json::{Value, json};
use spec::spec;
use std::fmt::Write as _;
use testing::{Engine, Server};

/// Pairs of connections, each with a resource of its own.
const LANES: usize = 16;
/// Writes of each at most, every one followed by a read on the other node.
const PAIRS: usize = 6_250;

#[spec(plain, "A096")]
fn no_read_after_a_write_on_the_other_node_is_stale() {
    let _machine = alone();
    // Several nodes share a PostgreSQL; a folder of SQLite files has one.
    testing::run_within(LIMIT, Engine::Postgres, "two nodes", |server: Server| async move {
        let node = server.node().await;
        let mut lanes = tokio::task::JoinSet::new();
        for _ in 0..LANES {
            lanes.spawn(lane(server.clone(), node.clone()));
        }
        lanes.join_all().await;
    });
}

/// The nodes take turns in writing.
async fn lane(server: Server, node: Server) {
    let id = server.admin().create("article", json!({"name": "A", "views": 0})).await["id"].clone();
    let key = server.key("admin").await;
    let target = format!("/api/v1/collection/article/{id} HTTP/1.1\r\nhost: acme.test\r\nkey: {key}\r\n");
    let change = format!("PATCH {target}content-type: application/json\r\n");
    // A list of that one resource, sorted so that its order is remembered: out of the cache wherever it may be.
    let filter = format!("%5B%7B%22property%22:%22id%22,%22type%22:%22eq%22,%22param%22:{id}%7D%5D");
    let list = format!("GET /api/v1/collection/article?orderBy=-views&filters={filter}&showFields=views HTTP/1.1\r\n");
    let list = format!("{list}host: acme.test\r\nkey: {key}\r\n");
    let mut wires = [Wire::open(server.client().address()).await, Wire::open(node.client().address()).await];
    let (mut tag, mut get, mut body) = (String::new(), String::new(), String::new());
    for number in 1..=samples(PAIRS) {
        let writer = number % 2;
        body.clear();
        write!(body, "{{\"views\": {number}}}").unwrap();
        let written = wires[writer].send(&change, &body).await;
        assert_eq!(written.status, 200, "{}", written.constant());
        let written = written.header("etag").to_owned();
        assert_ne!(written, tag);

        get.clear();
        write!(get, "GET {target}if-none-match: {tag}\r\n").unwrap();
        let answer = wires[1 - writer].send(&get, "").await;
        assert_eq!(answer.status, 200, "write {number}: {}", answer.head);
        assert_eq!(answer.header("etag"), written);
        let read: Value = serde_json::from_slice(answer.body).unwrap();
        assert_eq!(read["views"], number);
        tag = written;

        // Now and then twice, so that the second comes out of the cache where nobody else wrote meanwhile.
        for _ in 0..if number % 5 == 0 { 2 } else { 0 } {
            let answer = wires[1 - writer].send(&list, "").await;
            assert_eq!(answer.status, 200, "write {number}: {}", answer.head);
            let read: Value = serde_json::from_slice(answer.body).unwrap();
            assert_eq!(read["data"][0]["views"], number);
            assert_eq!(read["stats"]["total"], 1);
        }

        // A 304 is right as soon as the caller has what was written.
        if number % 10 == 0 {
            get.clear();
            write!(get, "GET {target}if-none-match: {tag}\r\n").unwrap();
            assert_eq!(wires[1 - writer].send(&get, "").await.status, 304);
        }
    }
}
