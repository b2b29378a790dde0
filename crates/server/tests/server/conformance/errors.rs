//! Errors: bodies, codes, statuses.

use serde_json::json;
use spec::spec;
use testing::Server;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[spec("R-263", "R-264", "R-269", "R-272", "D-5")]
async fn an_error_has_a_message_and_a_code(server: Server) {
    let admin = server.admin();
    for (request, status) in [
        ("GET collection/nothing", 404),
        ("GET collection/article/99999", 404),
        ("GET collection/article/01", 404),
        ("GET nowhere", 404),
        ("GET app/nothing.here", 404),
        ("GET collection/article?page=0", 400),
        ("PUT collection/article", 405),
        ("GET collection/article/1/relation/a/b", 501),
    ] {
        let (method, path) = request.split_once(' ').unwrap();
        let reply = admin.request(method, path).send().await.is(status);
        assert_eq!(reply.json().as_object().unwrap().keys().collect::<Vec<_>>(), ["message"], "{request}");
        assert!(reply.at("/message").as_str().is_some_and(|message| !message.is_empty()), "{request}");
        let code = reply.header("x-error-code");
        assert!(
            !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
            "{request}: {code}"
        );
        assert!(reply.header("content-type").starts_with("application/json"), "{request}");
        assert_eq!(reply.header("cache-control"), "no-store", "{request}");
    }
    admin.post("collection/article", json!({"name": 1})).await.is(400).says("message");
}

#[spec("D-5")]
async fn problem_details_are_given_to_who_asks(server: Server) {
    let admin = server.admin().with("accept", "application/problem+json");
    let reply = admin.post("collection/article", json!({"name": 1, "views": "x"})).await.is(400);
    assert!(reply.header("content-type").starts_with("application/problem+json"));
    let body = reply.json();
    assert_eq!(body["status"], 400);
    assert!(body["title"].is_string() && body["code"].is_string() && body["requestId"].is_string(), "{body}");
    let errors = body["errors"].as_array().unwrap();
    let properties: Vec<_> = errors.iter().map(|error| error["property"].as_str().unwrap()).collect();
    assert_eq!(properties, ["name", "views"]);
    assert!(errors.iter().all(|error| error["code"].is_string() && error["message"].is_string()), "{body}");
    for (accept, given) in [
        ("application/json;q=0.1, application/problem+json", "application/problem+json"),
        ("application/problem+json;q=0, application/json", "application/json"),
        ("application/problem+jsonp", "application/json"),
        ("*/*", "application/json"),
    ] {
        let reply = server.admin().with("accept", accept).get("collection/nothing").await.is(404);
        assert_eq!(reply.header("content-type"), given, "{accept}");
    }
}

#[spec("D-6", "A085", "R-269")]
async fn bodies_of_the_wrong_type_or_size_are_refused(server: Server) {
    let admin = server.admin();
    let body = json!({"name": "A"}).to_string();
    for media_type in
        ["text/plain", "application/xml", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"]
    {
        admin.request("POST", "collection/article").body(media_type, body.clone()).send().await.is(415);
    }
    for media_type in ["application/json; charset=utf-8", "APPLICATION/JSON", "application/json;charset=UTF-8"] {
        admin.request("POST", "collection/article").body(media_type, body.clone()).send().await.is(201);
    }
    for coding in ["gzip", "br", "deflate", "identity, gzip"] {
        admin.with("content-encoding", coding).post("collection/article", json!({"name": "A"})).await.is(415);
    }
    let big = json!({"name": "x".repeat(3_000_000)});
    admin.post("collection/article", big).await.is(413);
}

/// A client that writes all of its request before it reads any of the answer, as Python's `http.client` does: the head
/// first, then the body at once.
#[spec("D-5")]
async fn a_client_that_writes_before_it_reads_sees_413(server: Server) {
    let key = server.key("admin").await;
    for megabytes in [3, 10, 30] {
        let mut stream = TcpStream::connect(server.client().address()).await.unwrap();
        let length = megabytes * 1_000_000;
        let head = format!(
            "POST /api/v1/collection/article HTTP/1.1\r\nHost: acme.test\r\nAccept-Encoding: identity\r\n\
             Content-Type: application/json\r\nkey: {key}\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&vec![b'x'; length]).await.expect("the server reads on");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("the connection ends well");
        assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("body_too_large"), "{megabytes} MB: {answer}");
    }
}

/// What no answer may hold.
const INSIDE: [&str; 9] = ["SELECT", "INSERT", "t10", "t13", "sqlite", "postgres", "SQLSTATE", ".rs", "panicked"];

#[spec("R-275", "D-5")]
async fn a_failure_is_a_500_that_tells_nothing_of_the_inside(server: Server) {
    let admin = server.admin();
    admin.create("note", json!({"text": "A"})).await;
    server.lose_table("note", "t13").await;
    for reply in [
        admin.get("collection/note").await,
        admin.get("collection/note/1").await,
        admin.post("collection/note", json!({"text": "B"})).await,
        admin.patch("collection/note/1", json!({"text": "B"})).await,
    ] {
        let reply = INSIDE.iter().fold(reply.is(500), |reply, inside| reply.lacks(inside));
        assert_eq!(reply.json().as_object().unwrap().keys().collect::<Vec<_>>(), ["message"]);
    }
    // The rest of the tenant is served as before.
    admin.create("article", json!({"name": "A"})).await;
    server.client().get("/readyz").await.is(200);
}

#[spec("R-269", "D-5")]
async fn a_refusal_tells_nothing_of_the_inside(server: Server) {
    let admin = server.admin();
    for value in ["'", "\"; DROP TABLE t10; --", "\u{0}"] {
        let reply =
            admin.post("collection/article", json!({"name": "A", "author": value, "views": value})).await.is(400);
        INSIDE.iter().fold(reply, |reply, inside| reply.lacks(inside));
    }
}
