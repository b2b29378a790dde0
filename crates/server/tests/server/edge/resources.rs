//! Resources, keys and the description of the API through the routes, on both engines.

use crate::edge::application::{PASSWORD, Started, start};
use serde_json::json;
use server::settings::{Settings, Sources};
use spec::spec;
use std::time::Duration;
use testing::Engine;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[spec("R-132", "R-133", "D-6", "D-26", "D-27")]
async fn a_resource_lives(started: Started) {
    let admin = started.admin();
    let created = admin.post("collection/article", json!({"name": "One", "views": 1, "id": 77})).await.is(201);
    let path = format!("collection/article/{}", created.at("/id"));
    let read = admin.get(&path).await.is(200);
    assert_eq!(read.text, created.text);
    let tag = read.header("etag");
    assert_eq!((tag.len(), read.header("cache-control")), (34, "private, must-revalidate"));
    assert_eq!(created.header("etag"), tag);
    let by_uuid = format!("collection/article/{}", created.at("/uuid").as_str().unwrap());
    assert_eq!(admin.get(&by_uuid).await.is(200).text, read.text);
    assert_eq!(admin.get("collection/10/get-by/name/One").await.is(200).text, read.text);

    let again = admin.request("GET", &path).header("if-none-match", tag).send().await.is(304);
    assert_eq!((again.text.as_str(), again.header("etag")), ("", tag));
    for (name, value) in [("cache-control", "no-cache"), ("accept", "*/*")] {
        let query = if name == "accept" { "?_noCache=1" } else { "" };
        let request = admin.request("GET", &format!("{path}{query}")).header("if-none-match", tag);
        request.header(name, value).send().await.is(200);
    }
    let head = admin.request("HEAD", &path).send().await.is(200);
    assert_eq!((head.header("etag"), head.header("content-length")), (tag, read.text.len().to_string().as_str()));

    let change = |tag: &str| admin.request("PATCH", &path).header("if-match", tag).json(&json!({"views+=": 2}));
    assert_eq!(change(tag).send().await.is(200).at("/views"), 3);
    change(tag).send().await.is(412);
    let replaced = admin.put(&path, json!({"name": "Two"})).await.is(200);
    assert_eq!((replaced.at("/name"), replaced.at("/views")), (json!("Two"), json!(0)));
    admin.request("DELETE", &path).header("if-match", tag).send().await.is(412);
    assert_eq!(admin.delete(&path).await.is(204).text, "");
    admin.get(&path).await.is(404);
    admin.delete(&path).await.is(404);
}

#[spec("R-109", "D-2", "D-21", "A078")]
async fn lists_are_asked_in_both_ways(started: Started) {
    let admin = started.admin();
    let empty = admin.get("collection/article").await.is(204);
    assert_eq!((empty.text.as_str(), empty.header("etag").len()), ("", 34));
    for name in ["a", "b", "c"] {
        admin.post("collection/article", json!({"name": name})).await.is(201);
    }
    let filters = json!([{"property": "name", "type": "in", "param": ["a", "c"]}]);
    let listed = admin.query("collection/article", &[("filters", &filters.to_string()), ("orderBy", "-name")]).await;
    assert_eq!(listed.column("name"), ["c", "a"]);
    let searched = admin.search("collection/article", json!({"filters": filters, "orderBy": "-name"})).await;
    assert_eq!(searched.is(200).text, listed.is(200).text);
    admin.request("SEARCH", "collection/article").send().await.is(200);
    admin.search("collection/article?page=1", json!({"page": 1})).await.is(400).says("page");
    for query in [
        "page=0",
        "page=-1",
        "page=1e3",
        "page=0x10",
        "page=1000000000000000000000000000000",
        "perPage=0",
        "perPage=-1",
        "perPage=all",
        "page=1&page=2",
        "colour=red",
        "_mine=1",
        "orderDir=up",
        "showFields=nothing",
        "name=%ff",
    ] {
        admin.get(&format!("collection/article?{query}")).await.is(400).says("message");
    }
    assert_eq!(admin.get("collection/article?perPage=1000000000").await.is(200).at("/stats/itemsPerPage"), 100);
    for (method, path) in [("POST", "collection/article?a=1"), ("PATCH", "collection/article/1?a=1")] {
        admin.request(method, path).json(&json!({"name": "d"})).send().await.is(400).says("a");
    }
}

#[spec("R-096", "R-103", "R-106", "D-7", "D-10")]
async fn a_key_is_made_judged_and_revoked(started: Started) {
    let client = &started.client;
    let fields = [("user", "reader@acme.test"), ("password", PASSWORD)];
    let made = client.post_form("auth", &fields).await.is(200);
    let key = made.at("/authToken/keyString").as_str().unwrap().to_owned();
    assert_eq!(made.at("/authToken/permissions"), json!(["*"]));
    let holder = client.with("key", &key);
    let status = holder.get("auth").await.is(200);
    assert_eq!((status.at("/status"), status.at("/validTo")), (json!("valid"), made.at("/authToken/validTo")));
    holder.get("collection/article").await.is(204);
    holder.get("collection/person").await.is(403);
    holder.get("collection/nothing").await.is(404);
    let both = holder.with("x-api-key", &key);
    both.get("collection/article").await.is(204);
    started.reader().with("key", &key).get("collection/article").await.is(403);
    let revoked = client.post_form("deauth", &[("key", &key)]).await.is(200);
    assert_eq!(revoked.text, r#"{"message":"API key deleted."}"#);
    client.post_form("deauth", &[("key", &key)]).await.is(404);
    assert_eq!(holder.get("auth").await.is(200).at("/status"), "invalid");
    holder.get("collection/article").await.is(403);
    let narrow = [fields[0], fields[1], ("permissions", "collection:person:show, upload")];
    let made = client.post_form("auth", &narrow).await.is(200);
    assert_eq!(made.at("/authToken/permissions"), json!(["collection:person:show", "upload"]));
}

#[spec("D-15", "A021")]
async fn the_tenant_is_found_by_host_or_prefix(started: Started) {
    let reader = started.reader();
    for host in ["acme.test", "ACME.test", "acme.test.", "acme.test:8080", "Acme.Test.:1", "localhost"] {
        reader.request("GET", "collection/article").header("host", host).send().await.is(204);
    }
    reader.get("/t/acme/api/v1/collection/article").await.is(204);
    reader.get("/t/other/api/v1/collection/article").await.is(404);
    reader.get("/t/acme/t/acme/api/v1/collection/article").await.is(404);
    reader.get("/t/acme/sign-in").await.is(200);
    reader.get("/t/other/sign-in").await.is(404);
}

#[spec("D-3", "A139")]
async fn the_api_is_described_as_the_caller_finds_it(started: Started) {
    let path = "/api/ext/v1/openapi.json?profile=contract";
    let whole = started.admin().get(path).await.is(200);
    assert_eq!(whole.at("/openapi"), "3.1.0");
    assert!(whole.json()["components"]["schemas"]["article"]["properties"]["cost"].is_object());
    whole.lacks("\"password\":{\"title\"");
    let part = started.reader().get(path).await.is(200).json();
    let article = part["components"]["schemas"]["article"]["properties"].as_object().unwrap();
    assert!(article.contains_key("name") && !article.contains_key("cost"));
    assert!(part["components"]["schemas"].get("person").is_none());
    assert!(part["paths"]["/api/v1/collection/article"].get("post").is_none());
    started.admin().get(&format!("{path}?a=1")).await.is(400);
}

#[spec("D-7", "A080")]
async fn a_key_that_does_not_work_brings_no_larger_bodies(engine: Engine) {
    for flags in [&[][..], &[("limits.requests_per_address", "0")]] {
        let started = start(engine, flags).await;
        let fields = [("user", "reader@acme.test"), ("password", PASSWORD)];
        let made = started.client.post_form("auth", &fields).await.is(200);
        let key = made.at("/authToken/keyString").as_str().unwrap().to_owned();
        started.client.post_form("deauth", &[("key", &key)]).await.is(200);
        let refused = started.client.with("key", &key).get("collection/article").await.is(403).text;

        // More than a keyless body is announced, and does not come.
        let mut stream = TcpStream::connect(started.client.address()).await.unwrap();
        let head = format!(
            "POST /api/v1/collection/article HTTP/1.1\r\nHost: acme.test\r\nkey: {key}\r\n\
             Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = vec![0; 4_096];
        let read = tokio::time::timeout(Duration::from_secs(10), stream.read(&mut answer)).await;
        let read = read.expect("the body is not waited for").unwrap();
        let answer = String::from_utf8_lossy(&answer[..read]);
        assert!(answer.starts_with("HTTP/1.1 403") && answer.ends_with(&refused), "{answer}");

        let large = json!({"name": "a", "nothing": "x".repeat(100_000)});
        let whole = started.client.with("key", &key).post("collection/article", large.clone()).await.is(403);
        assert_eq!((whole.text.as_str(), whole.header("x-error-code")), (refused.as_str(), "key_invalid"));
        started.admin().post("collection/article", large.clone()).await.is(400).says("nothing");
        started.client.post("app/user.challenge", large).await.is(413);
    }
}

#[test]
fn an_address_has_an_eighth_of_the_memory_in_flight() {
    let limits = Settings::load(&Sources::default()).unwrap().http_limits();
    for bytes in [limits.memory, limits.spool] {
        assert!(bytes.address <= bytes.total / 8, "{bytes:?}");
    }
}
