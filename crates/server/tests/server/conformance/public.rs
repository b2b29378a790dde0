//! Requests without a key: the public role, its limits, and the proof of work.

use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use spec::spec;
use std::time::Duration;
use testing::{Client, Engine, Reply, Server};
use tokio::task::JoinSet;

const ARTICLES: &str = "/api/ext/v1/collection/article";
const NOTES: &str = "/api/ext/v1/collection/note";

const VISITOR: &str = r#"
role: visitor
types:
  article: {show: {where: "{=status == 'live'}", fields: [name, status, views]}}
  note: {create: {fields: [text], check: "{=text != 'spam'}"}}
"#;

/// The tenant's settings with these of the public role.
fn settings(public: &str) -> String {
    format!("tenant: acme\nhosts: [acme.test]\ntimezone: Europe/Prague\napi: {{rate: 0}}\npublic: {public}\n")
}

async fn open(engine: Engine, public: &str) -> Server {
    Server::with(engine, &[("tenant.yaml", &settings(public)), ("roles/visitor.yaml", VISITOR)]).await
}

/// Finds the number that goes with a challenge.
fn proof(challenge: &Json) -> String {
    let text = challenge["challenge"].as_str().unwrap();
    let bits = challenge["difficulty"].as_u64().unwrap();
    let zeros = |proof: &str| Sha256::digest(proof).iter().map(|byte| format!("{byte:08b}")).collect::<String>();
    let zeros = |proof: &str| zeros(proof).bytes().take_while(|bit| *bit == b'0').count() as u64;
    (0_u64..).map(|number| format!("{text}.{number}")).find(|proof| zeros(proof) >= bits).unwrap()
}

#[spec("E-110")]
async fn a_request_without_a_key_acts_by_the_public_role(engine: Engine) {
    let server = open(engine, "{role: visitor}").await;
    let (admin, anybody) = (server.admin(), server.client());
    for (name, status) in [("first", "live"), ("second", "draft")] {
        admin.create("article", json!({"name": name, "status": status, "cost": 9})).await;
    }
    let list = anybody.get(ARTICLES).await.is(200);
    assert_eq!(list.column("name"), ["first"]);
    list.lacks("cost").lacks("createdBy");
    anybody.get(&format!("{ARTICLES}/2")).await.is(404);
    // Visitors have no collection of tags, and see none of a resource either.
    anybody.get(&format!("{ARTICLES}?showFields=name,tags")).await.is(403).says("permission_missing");
    anybody.get(&format!("{ARTICLES}/1?showFields=tags")).await.is(403).says("permission_missing");
    assert_eq!(anybody.get(&format!("{ARTICLES}/1")).await.is(200).at("/name"), "first");
    let search = json!({"filters": [{"property": "cost", "type": "eq", "param": 9}]});
    anybody.post(&format!("{ARTICLES}/search"), search).await.is(400).says("property_unknown");
    let groups = json!({"groupBy": ["status"], "values": {"articles": "count"}});
    let groups = anybody.post("/api/ext/v1/aggregate/article", groups).await.is(200);
    assert_eq!(groups.at("/data"), json!([{"status": "live", "articles": 1}]));
    // A change of the rows is seen at once.
    admin.patch("collection/article/2", json!({"status": "live"})).await.is(200);
    assert_eq!(anybody.get(ARTICLES).await.column("name"), ["first", "second"]);
    anybody.patch(&format!("{ARTICLES}/1"), json!({"name": "x"})).await.is(403).says("permission_missing");
    anybody.delete(&format!("{ARTICLES}/1")).await.is(403).says("permission_missing");
    let made = anybody.post(NOTES, json!({"text": "hello"})).await.is(201);
    let id = made.at("/id");
    assert_eq!(made.json().as_object().unwrap().keys().collect::<Vec<_>>(), ["id", "uuid"], "it sees no note");
    let note = admin.get(&format!("collection/note/{id}")).await.is(200);
    assert_eq!([note.at("/createdBy"), note.at("/updatedBy")], [Json::Null, Json::Null]);
    anybody.post(NOTES, json!({"text": "spam"})).await.is(403).says("check_failed");
    // Without a right to a type, there is none.
    anybody.get("/api/ext/v1/collection/country").await.is(404).says("collection_missing");
    anybody.post("/api/ext/v1/collection/country", json!({})).await.is(404).says("collection_missing");
    anybody.post(NOTES, json!({"text": "a", "article": 1})).await.is(400).says("property_unknown");
    // A change of the role counts at once.
    server.change(&[("roles/visitor.yaml", "role: visitor\ntypes: {note: {show: true}}\n")]).await;
    anybody.get(ARTICLES).await.is(404).says("collection_missing");
    assert_eq!(anybody.get(NOTES).await.is(200).column("text"), ["hello"]);
    server.change(&[("tenant.yaml", "tenant: acme\nhosts: [acme.test]\n")]).await;
    refused(anybody.get(NOTES).await);
    // So does a role that is added, though nobody with a key asks in the meantime.
    server.change(&[("tenant.yaml", &settings("{role: visitor}"))]).await;
    server.clock().advance(2);
    anybody.get(NOTES).await.is(200);
}

const PICTURE: &str = "id: 30\nname: picture\nproperties:\n  file: {id: 301, kind: pFile}\n";

#[spec("E-110")]
async fn files_are_read_by_name_and_by_signed_address(engine: Engine) {
    let visitor = "role: visitor\ntypes: {picture: {show: {fields: [file]}}}\n";
    let files = [
        ("tenant.yaml", &*settings("{role: visitor}")),
        ("roles/visitor.yaml", visitor),
        ("types/picture.yaml", PICTURE),
    ];
    let server = Server::with(engine, &files).await;
    let (admin, anybody) = (server.admin(), server.client());
    let promise = admin.promise("picture/file", "a.txt", b"hello").await;
    admin.create("picture", json!({"file": promise})).await;
    assert_eq!(&anybody.get("/api/ext/v1/file/picture/1/file/a.txt").await.is(200).bytes[..], b"hello");
    let url = anybody.get("/api/ext/v1/collection/picture").await.is(200).at("/data/0/file/url");
    let url = url.as_str().unwrap();
    assert_eq!(&anybody.get(url).await.is(200).bytes[..], b"hello");
    // The address is worth what the role is.
    server.change(&[("roles/visitor.yaml", "role: visitor\n")]).await;
    anybody.get(url).await.is(403);
    anybody.get("/api/ext/v1/file/picture/1/file/a.txt").await.is(404);
}

fn refused(reply: Reply) {
    assert_eq!((reply.status, reply.header("x-error-code")), (403, "key_invalid"), "{}: {}", reply.request, reply.text);
}

#[spec("E-110", "D-7")]
async fn a_wrong_key_is_refused_and_the_contract_wants_one(engine: Engine) {
    let server = open(engine, "{role: visitor}").await;
    let anybody = server.client();
    for (name, value) in [
        ("key", ""),
        ("key", "wrong"),
        ("x-api-key", "wrong"),
        ("authorization", "Bearer wrong"),
        ("authorization", "Bearer"),
    ] {
        anybody.with(name, value).get(ARTICLES).await.is(403).says("key_invalid");
    }
    let key = server.key("admin").await;
    anybody.with("key", &key).with("x-api-key", "other").get(ARTICLES).await.is(403).says("key_invalid");
    anybody.with("authorization", "Basic YTpi").get(ARTICLES).await.is(200);
    refused(anybody.at_contract().get("collection/article").await);
    refused(anybody.at_contract().post("collection/note", json!({"text": "a"})).await);
    // Whatever is not for everybody wants a key as before.
    for path in ["job", "outbox", "audit", "automation", "login-as", "read-log", "export/article", "collection/tags"] {
        refused(anybody.get(&format!("/api/ext/v1/{path}")).await);
    }
    for path in ["batch", "bulk/article", "import/article", "collection/note/upsert", "notifications", "login-as"] {
        refused(anybody.post(&format!("/api/ext/v1/{path}"), json!({})).await);
    }
    let closed = Server::with(engine, &[]).await;
    closed.client().get(ARTICLES).await.is(403).says("key_invalid");
}

#[spec("E-110")]
async fn a_description_is_of_what_everybody_can_do(engine: Engine) {
    let server = open(engine, "{role: visitor, challenge: {difficulty: 4}}").await;
    let document = server.client().get("/api/ext/v1/openapi.json").await.is(200).json();
    let paths: Vec<&String> = document["paths"].as_object().unwrap().keys().collect();
    for (path, there) in [
        (ARTICLES, true),
        (NOTES, true),
        ("/api/ext/v1/challenge", true),
        ("/api/ext/v1/batch", false),
        ("/api/ext/v1/collection/tags", false),
        ("/api/ext/v1/collection/country", false),
    ] {
        assert_eq!(paths.iter().any(|known| *known == path), there, "{path}: {paths:?}");
    }
    assert_eq!(document["paths"][ARTICLES]["get"]["security"], json!([]));
    assert!(document["paths"][ARTICLES].get("post").is_none());
    assert!(document["paths"][NOTES].get("get").is_none());
    assert!(document["paths"][NOTES]["post"]["parameters"].to_string().contains("Plinth-Proof"));
    let types = server.client().get("/api/ext/v1/client.ts").await.is(200);
    types.says("interface Article").lacks("interface Country").lacks("cost");
    // Who has a key may leave it out where that is enough.
    let own = server.admin().get("/api/ext/v1/openapi.json").await.json();
    assert_eq!(own["paths"][ARTICLES]["get"]["security"].as_array().unwrap().last(), Some(&json!({})));
    assert!(own["paths"]["/api/ext/v1/batch"]["post"].get("security").is_none());
    let closed = Server::with(engine, &[]).await.admin().get("/api/ext/v1/openapi.json").await.json();
    assert!(closed["paths"][ARTICLES]["get"].get("security").is_none());
}

#[spec("E-111")]
async fn an_address_has_a_limit_of_its_own(engine: Engine) {
    let server = open(engine, "{role: visitor, rate: 5/2s}").await;
    let (admin, anybody) = (server.admin(), server.client());
    // Windows are of the database's time on PostgreSQL, and of the server's on SQLite.
    let wait = || async {
        tokio::time::sleep(Duration::from_millis(2_100)).await;
        server.clock().advance(3);
    };
    let statuses = |count: usize| {
        let client = anybody.clone();
        async move {
            let mut statuses = Vec::new();
            for _ in 0..count {
                statuses.push(client.get(ARTICLES).await.status);
            }
            statuses
        }
    };
    wait().await;
    assert_eq!(statuses(6).await, [200, 200, 200, 200, 200, 429]);
    let refused = anybody.get(ARTICLES).await.is(429).says("rate_limited");
    assert_eq!(refused.header("ratelimit-policy"), "\"public\";q=5;w=2");
    admin.get(ARTICLES).await.is(200);
    // Another node counts on; only PostgreSQL has several.
    if engine == Engine::Postgres {
        server.node().await.client().get(ARTICLES).await.is(429);
    }
    wait().await;
    // Groups take all that is left.
    let groups = json!({"groupBy": ["status"], "values": {"articles": "count"}});
    anybody.post("/api/ext/v1/aggregate/article", groups).await.is(200);
    assert_eq!(statuses(1).await, [429]);
    // A tenth of what a key has, where nothing is said.
    let tenth = "tenant: acme\nhosts: [acme.test]\napi: {rate: 30/2s}\npublic: {role: visitor}\n";
    server.change(&[("tenant.yaml", tenth)]).await;
    admin.get(ARTICLES).await.is(200);
    wait().await;
    assert_eq!(statuses(4).await, [200, 200, 200, 429]);
}

#[spec("E-112")]
async fn creating_without_a_key_takes_a_proof_of_work_that_serves_once(engine: Engine) {
    let server = open(engine, "{role: visitor, challenge: {difficulty: 8}}").await;
    let (admin, anybody) = (server.admin(), server.client());
    let body = json!({"text": "hello"});
    anybody.get(ARTICLES).await.is(200);
    anybody.post(NOTES, body.clone()).await.is(403).says("proof_missing").says("/api/ext/v1/challenge");
    admin.post(NOTES, body.clone()).await.is(201);
    let challenge = anybody.get("/api/ext/v1/challenge").await.is(200);
    assert_eq!((challenge.at("/difficulty"), challenge.header("cache-control")), (json!(8), "no-store"));
    let proof = proof(&challenge.json());
    let (text, number) = proof.split_once('.').unwrap();
    let with = |proof: &str| anybody.with("plinth-proof", proof);
    let failing = (0_u64..).map(|number| format!("{text}.{number}"));
    let failing = failing.into_iter().find(|other| Sha256::digest(other)[0] != 0).unwrap();
    for wrong in ["", "a", text, &failing, &format!("{text}.x"), &format!("A{}.{number}", &text[1..]), &proof[1..]] {
        with(wrong).post(NOTES, body.clone()).await.is(403).says("proof_invalid");
    }
    anybody.with("plinth-proof", &proof).with("plinth-proof", &proof).post(NOTES, body.clone()).await.is(400);
    // What fails gives the proof back.
    with(&proof).post(NOTES, json!({"text": "spam"})).await.is(403).says("check_failed");
    with(&proof).post(NOTES, body.clone()).await.is(201);
    with(&proof).post(NOTES, body.clone()).await.is(403).says("proof_invalid");
    // Another number for the same challenge is no second proof.
    let again = (number.parse::<u64>().unwrap() + 1..).map(|number| format!("{text}.{number}"));
    let again = again.into_iter().find(|other| Sha256::digest(other)[0] == 0).unwrap();
    server.node().await.client().with("plinth-proof", &again).post(NOTES, body.clone()).await.is(403);
    // Sent again by its name, a write needs no second proof.
    let fresh = self::proof(&anybody.get("/api/ext/v1/challenge").await.json());
    let named = with(&fresh).with("idempotency-key", "once");
    let first = named.post(NOTES, body.clone()).await.is(201);
    let second = named.post(NOTES, body.clone()).await.is(201);
    assert_eq!((first.at("/id"), second.header("idempotency-replayed")), (second.at("/id"), "true"));
    // A challenge ends, and another tenant's is none.
    let late = self::proof(&anybody.get("/api/ext/v1/challenge").await.json());
    server.clock().advance(601);
    with(&late).post(NOTES, body.clone()).await.is(403).says("proof_invalid");
    let other = Server::with(engine, &[]).await;
    other.client().get("/api/ext/v1/challenge").await.is(404).says("challenge_missing");
}

/// Sends a body with one proof from several clients at once; gives the number of notes that came of it.
async fn race(clients: Vec<Client>, proof: &str) -> usize {
    let mut running = JoinSet::new();
    for client in clients {
        let client = client.with("plinth-proof", proof);
        running.spawn(async move { client.post(NOTES, json!({"text": "race"})).await.status });
    }
    running.join_all().await.into_iter().filter(|status| *status == 201).count()
}

#[spec("E-112")]
async fn one_proof_makes_one_resource_whoever_is_first(engine: Engine) {
    let server = open(engine, "{role: visitor, challenge: {difficulty: 6}}").await;
    let node = server.node().await;
    for _ in 0..3 {
        let proof = proof(&server.client().get("/api/ext/v1/challenge").await.json());
        let clients = (0..16).map(|number| if number % 2 == 0 { server.client() } else { node.client() }).collect();
        assert_eq!(race(clients, &proof).await, 1);
    }
}
