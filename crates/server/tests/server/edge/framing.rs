//! Requests that two readers could take differently are refused, and the connection ends.

use crate::edge::subject::{limits, network, serve, serve_with};
use spec::spec;

#[spec(plain, "A083")]
fn smuggling_is_refused() {
    crate::edge::pace::block_on(async {
        let server = serve().await;
        for (request, status) in [
            ("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
            ("POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", 400),
            ("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400),
            ("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400),
            ("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\nabc", 400),
            ("POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\nabc", 400),
            ("POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 400),
            ("POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400),
            ("POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\na", 400),
            ("POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\na\r\n0\r\n\r\n", 400),
            ("POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\na\n0\n\n", 400),
            ("GET / HTTP/1.1\nHost: a\n\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/1.0\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", 400),
            ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 400),
            ("GET /healthz#x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET http:///client HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET http://user@a/client HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
            ("\u{16}\u{3}\u{1}\u{0}\u{5}hello\r\n\r\n", 400),
        ] {
            let answer = server.check(request, status, true).await;
            let text = answer.to_ascii_lowercase();
            assert!(text.contains("connection: close"), "{request:?} got {answer:?}");
            assert!(text.contains("x-error-code: ") && text.contains("{\"message\":\""), "{request:?} got {answer:?}");
        }
    });
}

#[spec(plain, "A083")]
fn heads_are_bounded() {
    crate::edge::pace::block_on(async {
        let server = serve().await;
        let fields = |count: usize| "X: 1\r\n".repeat(count - 1);
        server.check(format!("GET / HTTP/1.1\r\nHost: a\r\n{}\r\n", fields(100)), 200, false).await;
        server.check(format!("GET / HTTP/1.1\r\nHost: a\r\n{}\r\n", fields(101)), 431, true).await;
        server.check(format!("GET / HTTP/1.1\r\nHost: a\r\n{}\r\n", fields(150)), 431, true).await;
        let padded = |length: usize| format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "x".repeat(length));
        server.check(padded(30_000), 200, false).await;
        server.check(padded(64 * 1024), 431, true).await;
        server.check(vec![b'x'; 40_000], 431, true).await;
        let target = |length: usize| format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", "x".repeat(length - 1));
        server.check(target(8 * 1024), 200, false).await;
        server.check(target(8 * 1024 + 1), 400, true).await;
    });
}

#[test]
fn nothing_is_read_behind_a_refused_request() {
    crate::edge::pace::block_on(async {
        let server = serve().await;
        let next = "GET /client HTTP/1.1\r\nHost: a\r\n\r\n";
        server.check(format!("GET / HTTP/1.1\r\n\r\n{next}"), 400, true).await;
        let bad = "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
        server.check(format!("{bad}{next}"), 400, true).await;
        let answers = server.all(format!("{next}{next}GET / HTTP/1.1\r\n\r\n{next}")).await;
        let statuses: Vec<&str> = answers.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
        assert_eq!(statuses, ["200", "200", "400"]);
    });
}

#[test]
fn proper_requests_are_served_one_after_the_other() {
    crate::edge::pace::block_on(async {
        let server = serve().await;
        let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
        let post = "POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGET /";
        let chunked = "POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        // What follows a chunked body is not looked at: the server closes.
        let answers = server.all(format!("{get}{post}\r\n{post}{get}{chunked}{get}")).await;
        let statuses: Vec<&str> = answers.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
        assert_eq!(statuses, ["200"; 5], "{answers}");
        assert_eq!(answers.matches("{\"bytes\":5}").count(), 2);
        assert_eq!(answers.matches("{\"bytes\":3}").count(), 1);
        server.check("GET / HTTP/1.0\r\nHost: a\r\n\r\n", 200, true).await;
        server.check("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200, true).await;
        server.check("GET http://a/client HTTP/1.1\r\nHost: a\r\n\r\n", 200, false).await;
    });
}

#[spec(plain, "D-15", "A021")]
fn the_host_of_an_absolute_target_overrules_the_header() {
    crate::edge::pace::block_on(async {
        let server = serve().await;
        for (target, host) in
            [("/host", "two.test"), ("http://one.test/host", "one.test"), ("http://one.test:81/host", "one.test:81")]
        {
            let answer = server.check(format!("GET {target} HTTP/1.1\r\nHost: two.test\r\n\r\n"), 200, false).await;
            assert!(answer.ends_with(&format!("\"{host}\"")), "{target}: {answer}");
        }
    });
}

#[spec(plain, "A085")]
fn bodies_are_bounded_and_plain() {
    crate::edge::pace::block_on(async {
        let server = serve().await;
        let post = |path: &str, head: &str, body: &str| {
            format!("POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n{head}\r\n{body}", body.len())
        };
        let json = "Content-Type: application/json\r\n";
        assert!(server.check(post("/object", json, r#"{"a":1}"#), 201, false).await.ends_with(r#"{"a":1}"#));
        server.check(post("/object", "", r#"{"a":1}"#), 201, false).await;
        server.check(post("/object", "Content-Type: application/json; charset=UTF-8\r\n", "{}"), 201, false).await;
        for head in [
            "Content-Encoding: gzip\r\n",
            "Content-Encoding: br\r\n",
            "Content-Encoding: identity, gzip\r\n",
            "Content-Type: text/plain\r\n",
            "Content-Type: application/x-www-form-urlencoded\r\n",
            "Content-Type: application/json; charset=latin1\r\n",
            "Content-Type: application/json\r\nContent-Type: text/plain\r\n",
        ] {
            server.check(post("/object", head, "{}"), 415, false).await;
        }
        for body in ["", "[]", "{", "{\"a\":1,\"a\":2}", &format!("{{\"a\":{}}}", "[".repeat(100))] {
            server.check(post("/object", json, body), 400, false).await;
        }
        server.check(post("/object", json, &" ".repeat(1001)), 413, true).await;
        let chunk =
            format!("POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n{}", "x".repeat(1001));
        server.check(chunk, 413, true).await;
        let form = "Content-Type: application/x-www-form-urlencoded\r\n";
        assert!(server.check(post("/form", form, "user=a%40b"), 200, false).await.ends_with(r#"Some("a@b")"#));
        server.check(post("/form", json, "{}"), 415, false).await;
        server.check(post("/form", form, "user=a&user=b"), 400, false).await;
    });
}

#[spec(plain, "A007")]
fn forwarded_addresses_count_from_proxies_alone() {
    crate::edge::pace::block_on(async {
        let request = "GET /client HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 9.9.9.9\r\nX-Real-IP: 8.8.8.8\r\nForwarded: for=7.7.7.7\r\n\r\n";
        assert!(serve().await.check(request, 200, false).await.ends_with("\"127.0.0.1\""));
        let mut limits = limits();
        limits.trusted_proxies.push(network("127.0.0.0/8"));
        assert!(serve_with(limits).await.check(request, 200, false).await.ends_with("\"9.9.9.9\""));
    });
}
