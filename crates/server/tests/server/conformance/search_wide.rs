//! The filter `search` at its limits: as many words as it takes, over a type of 500 searchable properties.

use serde_json::{Map, Value as Json, json};
use spec::spec;
use std::fmt::Write as _;
use std::ops::Range;
use testing::{Client, Engine, Server};

const PROPERTIES: usize = 500;
/// The most words that a search takes.
const WORDS: usize = 32;
/// Rows that have each word once, but for one of them or none; and rows that have each in many properties.
const SPARSE: usize = 2 * (WORDS + 1);
const DENSE: usize = 6;

/// Each row shows all but the last property, some rows the last, and others the first alone.
const MIXED: &str = "role: mixed\nsystem: [restApi]\ntypes:\n  wide:\n    show:\n      - {fields: [\"*\", \"-p499\"]}\n      \
                     - {fields: [p499], where: \"{=id > 10}\"}\n      - {fields: [p0], where: \"{=id <= 10}\"}\n";

fn word(number: usize) -> String {
    format!("word{number:02}")
}

/// A type of so many searchable properties.
fn wide() -> String {
    let mut text = "id: 61\nname: wide\nproperties:\n".to_owned();
    for at in 0..PROPERTIES {
        let _ = writeln!(text, "  p{at}: {{id: {}, kind: pText, searchable: true}}", 1_000 + at);
    }
    text
}

/// Long texts for some properties, of words that no other text has.
fn long(properties: Range<usize>) -> Json {
    let text = |at: usize| (0..60).map(|number| format!("long{at}x{number}")).collect::<Vec<_>>().join(" ");
    Json::Object(properties.map(|at| (format!("p{at}"), json!(text(at)))).collect())
}

/// The texts of a sparse row: each word in another property, but for one where the row lacks one.
fn sparse(row: usize) -> Json {
    let mut texts: Map<String, Json> = (0..PROPERTIES).map(|at| (format!("p{at}"), json!("everywhere"))).collect();
    for number in (0..WORDS).filter(|number| *number != row % (WORDS + 1)) {
        let place = (15 * number + row) % (PROPERTIES - 1);
        texts.insert(format!("p{place}"), json!(format!("everywhere {}", word(number))));
    }
    Json::Object(texts)
}

async fn found(client: &Client, property: &str, asked: &str) -> Vec<i64> {
    let filters = json!([{"property": property, "type": "search", "param": asked}]);
    let body = json!({"filters": filters, "showFields": "id", "orderBy": "id", "perPage": 100});
    let reply = client.search("collection/wide?_noCache=1", body).await;
    assert!([200, 204].contains(&reply.status), "{}", reply.text);
    let ids = reply.column("id").iter().map(|id| id.as_i64().unwrap()).collect::<Vec<_>>();
    assert!(ids.is_empty() || reply.at("/stats/total") == ids.len());
    ids
}

#[spec("D-3")]
async fn the_most_words_are_found_in_the_most_properties(engine: Engine) {
    let server = Server::with(engine, &[("types/wide.yaml", &wide())]).await;
    let (admin, mixed) = (server.admin(), server.role("mixed", MIXED).await);
    let all: Vec<String> = (0..WORDS).map(word).collect();
    for row in 0..SPARSE {
        admin.create("wide", sparse(row)).await;
    }
    // A row of PostgreSQL has room for a word in each property.
    let dense: Map<String, Json> = (0..PROPERTIES).map(|at| (format!("p{at}"), json!(word(at % WORDS)))).collect();
    for _ in 0..DENSE {
        admin.create("wide", Json::Object(dense.clone())).await;
    }
    let dense = i64::try_from(SPARSE).unwrap() + 1..=i64::try_from(SPARSE + DENSE).unwrap();
    let ids = |holds: &dyn Fn(usize) -> bool| -> Vec<i64> {
        let rows = (0..SPARSE).filter(|row| holds(*row)).map(|row| i64::try_from(row).unwrap() + 1);
        rows.chain(dense.clone()).collect()
    };
    let whole = ids(&|row| row % (WORDS + 1) == WORDS);
    for client in [&admin, &mixed] {
        assert_eq!(found(client, "*", &all.join(" ")).await, whole);
        // Beginnings: the last may be one of each word.
        let asked = [&all[1..], &["w".to_owned()]].concat().join(" ");
        assert_eq!(found(client, "*", &asked).await, ids(&|row| [0, WORDS].contains(&(row % (WORDS + 1)))));
        assert_eq!(found(client, "p7", "word07 word07").await, dense.clone().collect::<Vec<_>>());
        let absent = [&all[1..], &["absent".to_owned()]].concat().join(" ");
        assert_eq!(found(client, "*", &absent).await, Vec::<i64>::new());
    }
    let many = [&all[..], &["more".to_owned()]].concat().join(" ");
    let filters = json!([{"property": "*", "type": "search", "param": many}]);
    admin.search("collection/wide", json!({"filters": filters})).await.is(400).says("at most 32 words");
}

/// SQLite keeps long texts in all properties. A row of PostgreSQL has 8,160 bytes, of which a long text takes 18.
#[spec]
async fn long_texts_in_the_most_properties_are_kept_or_refused(engine: Engine) {
    let server = Server::with(engine, &[("types/wide.yaml", &wide())]).await;
    let admin = server.admin();
    admin.post("collection/wide", long(0..400)).await.is(201);
    assert_eq!(found(&admin, "*", "long0x0 long399x59").await, vec![1]);
    let (created, changed) = match engine {
        Engine::Sqlite => (201, 200),
        Engine::Postgres => (400, 400),
    };
    let replies = [
        (created, admin.post("collection/wide", long(0..PROPERTIES)).await),
        (changed, admin.patch("collection/wide/1", long(400..PROPERTIES)).await),
    ];
    for (status, reply) in replies {
        let reply = reply.is(status);
        if status == 400 {
            assert_eq!(reply.headers["x-error-code"], "row_too_large");
            reply.says("more values than the database keeps in a row");
        }
    }
    let kept = if engine == Engine::Sqlite { vec![1, 2] } else { vec![] };
    assert_eq!(found(&admin, "*", "long0x0 long499x59").await, kept);
    assert_eq!(found(&admin, "*", "long0x0").await.len(), kept.len().max(1));
}
