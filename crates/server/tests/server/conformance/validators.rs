//! Validators: `ETag`, and 304 for what the client has already.

use serde_json::json;
use spec::spec;
use testing::{Client, Server};

/// What each read answers that has a validator: its tag.
async fn tag_of(client: &Client, method: &str, path: &str) -> String {
    let reply = client.request(method, path).send().await;
    assert!([200, 204].contains(&reply.status), "{method} {path}: {}", reply.status);
    reply.header("etag").to_owned()
}

#[spec("R-268", "D-27")]
async fn what_the_client_has_is_304(server: Server) {
    let admin = server.admin();
    let row = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await;
    let (id, uuid) = (row["id"].to_string(), row["uuid"].as_str().unwrap().to_owned());
    for (method, path) in [
        ("GET", "collection/country".to_owned()),
        ("SEARCH", "collection/country".to_owned()),
        ("HEAD", "collection/country".to_owned()),
        ("GET", "collection/person".to_owned()),
        ("SEARCH", "collection/person".to_owned()),
        ("GET", format!("collection/country/{id}")),
        ("HEAD", format!("collection/country/{uuid}")),
        ("GET", "collection/country/get-by/code/CZ".to_owned()),
    ] {
        let tag = tag_of(&admin, method, &path).await;
        let digits = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap();
        assert_eq!(digits.len(), 32, "{method} {path}: {tag}");
        assert!(digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')), "{tag}");
        for known in [tag.clone(), format!("W/{tag}"), format!("\"a\", {tag}"), "*".to_owned()] {
            let reply = admin.with("if-none-match", &known).request(method, &path).send().await.is(304);
            assert_eq!((reply.text.as_str(), reply.header("etag")), ("", tag.as_str()), "{method} {path} {known}");
            assert_eq!(reply.header("content-type"), "", "{method} {path}");
        }
        for other in ["\"0123456789abcdef0123456789abcdef\"", digits, ""] {
            let reply = admin.with("if-none-match", other).request(method, &path).send().await;
            assert!([200, 204].contains(&reply.status), "{method} {path} {other}: {}", reply.status);
        }
    }
}

#[spec("R-268", "D-27")]
async fn a_change_ends_it(server: Server) {
    let admin = server.admin();
    let id = admin.create("country", json!({"name": "Czechia", "code": "CZ"})).await["id"].to_string();
    let paths = ["collection/country".to_owned(), format!("collection/country/{id}")];
    let mut tags = Vec::new();
    for path in &paths {
        tags.push(tag_of(&admin, "GET", path).await);
    }
    admin.patch(&paths[1], json!({"name": "Česko"})).await.is(200);
    for (path, tag) in paths.iter().zip(&tags) {
        assert_ne!(tag_of(&admin, "GET", path).await, *tag, "{path}");
        admin.with("if-none-match", tag).get(path).await.is(200);
    }
    // Back to the old values, back to the old body: the tag is of the body alone.
    admin.patch(&paths[1], json!({"name": "Czechia"})).await.is(200);
    for (path, tag) in paths.iter().zip(&tags) {
        admin.with("if-none-match", tag).get(path).await.is(304);
    }
    // A write pays no heed to it, and nobody gets another's 304 without a right.
    admin.with("if-none-match", "*").patch(&paths[1], json!({"name": "X"})).await.is(200);
    server.client().with("if-none-match", "*").get(&paths[0]).await.is(403);
    admin.with("if-none-match", "*").get("collection/country/99999").await.is(404);
}
