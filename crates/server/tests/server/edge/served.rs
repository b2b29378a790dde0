//! The route table as a client meets it.

use crate::edge::application::start;
use crate::edge::subject::until;
use spec::spec;
use testing::Engine;

#[spec(plain, "R-010", "A082")]
fn other_methods_are_405() {
    crate::edge::pace::block_on(async {
        let started = start(Engine::Sqlite, &[]).await;
        let client = &started.client;
        for method in ["TRACE", "get", "Get", "BREW", "PROPFIND", "LINK"] {
            for path in ["/healthz", "/api/v1/auth", "/api/v1/collection/city/1", "/nothing"] {
                let reply = client.request(method, path).send().await.is(405).says("message");
                assert!(reply.header("allow").contains("OPTIONS"), "{method} {path}");
            }
        }
        let raw = client.raw(b"CONNECT a:443 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
        assert!(raw.starts_with("HTTP/1.1 405") && raw.contains("allow: "), "{raw}");
        for (method, path, allow) in [
            ("POST", "/healthz", "GET, HEAD, OPTIONS"),
            ("GET", "/api/v1/deauth", "POST, OPTIONS"),
            ("PUT", "/api/v1/collection/city", "GET, HEAD, SEARCH, POST, OPTIONS"),
            ("POST", "/api/v1/collection/city/1", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
        ] {
            assert_eq!(client.request(method, path).send().await.is(405).header("allow"), allow);
        }
        for name in ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"] {
            client.request("GET", "/healthz").header(name, "DELETE").send().await.is(200);
            client.request("POST", "/healthz").header(name, "GET").send().await.is(405);
        }
        let options = client.request("OPTIONS", "/api/v1/auth").send().await.is(204);
        assert_eq!(options.header("allow"), "GET, HEAD, POST, OPTIONS");
    });
}

#[spec(plain, "A006")]
fn paths_are_exact() {
    crate::edge::pace::block_on(async {
        let started = start(Engine::Sqlite, &[]).await;
        let client = &started.client;
        client.get("/healthz").await.is(200);
        client.get("/%68ealthz").await.is(200);
        for path in [
            "/sign-in/",
            "/healthz/",
            "//healthz",
            "/Healthz",
            "/healthz;a=b",
            "/./healthz",
            "/a/../healthz",
            "/%2e/healthz",
            "/a%2f..%2fhealthz",
            "/healthz%00",
            "/healthz%2f",
            "/healthz%20",
            "/%2568ealthz",
            "/api/v1/Auth",
            "/api/v1/auth/",
            "/api/v1//auth",
            "/api/v1/auth%0a",
            "/api/v1/auth%ff",
            "/api/v1/auth%zz",
            "/api//v1/auth",
            "/api/v1",
        ] {
            client.get(path).await.is(404);
        }
    });
}

#[spec(plain, "A079", "R-095", "R-244", "R-276")]
fn reserved_and_impossible_requests() {
    crate::edge::pace::block_on(async {
        let started = start(Engine::Sqlite, &[]).await;
        let client = &started.client;
        client.request("SEARCH", "collection/city/1").send().await.is(400);
        client.request("SEARCH", "collection/city/get-by/code/CZ").send().await.is(400);
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "SEARCH", "HEAD"] {
            client.request(method, "collection/city/1/relation/country/owner").send().await.is(501);
        }
    });
}

#[spec(plain, "D-7", "R-104", "A020")]
fn without_a_key_nothing_is_told() {
    crate::edge::pace::block_on(async {
        let started = start(Engine::Sqlite, &[]).await;
        let client = &started.client;
        for (method, path) in [
            ("GET", "collection/user"),
            ("SEARCH", "collection/user"),
            ("GET", "collection/nothing"),
            ("POST", "collection/user"),
            ("GET", "collection/user/1"),
            ("PUT", "collection/user/1"),
            ("PATCH", "collection/user/1"),
            ("DELETE", "collection/user/1"),
            ("GET", "collection/user/get-by/user_id/a"),
            ("GET", "/api/ext/v1/openapi.json?profile=contract"),
        ] {
            let bare = client.request(method, path).send().await.is(403);
            for key in ["", "x", "plk_1_2_3", "plk_1_0000000000000000000000000AA_0"] {
                let wrong = client.request(method, path).header("key", key).send().await.is(403);
                assert_eq!(wrong.text, bare.text);
            }
            let two = client.request(method, path).header("key", "x").header("x-api-key", "y").send().await.is(403);
            assert_eq!(two.text, bare.text);
        }
        for headers in
            [vec![], vec![("key", "x")], vec![("key", "x"), ("x-api-key", "y")], vec![("key", "x"), ("key", "x")]]
        {
            let request = client.request("GET", "auth");
            let request = headers.into_iter().fold(request, |request, (name, value)| request.header(name, value));
            let reply = request.send().await.is(200);
            assert_eq!(reply.text, r#"{"status":"invalid","validTo":""}"#);
        }
    });
}

#[spec(plain, "A012", "A023", "D-10", "R-105")]
fn forms_are_checked_before_anything_else() {
    crate::edge::pace::block_on(async {
        let started = start(Engine::Sqlite, &[]).await;
        let client = &started.client;
        client.post_form("auth?user=a&password=b", &[("user", "a"), ("password", "b")]).await.is(400).says("user");
        client.post_form("auth", &[("user", "a")]).await.is(400).says("password");
        client.post_form("auth", &[("user", "a"), ("password", "b"), ("email", "c")]).await.is(400).says("email");
        client.post("auth", serde_json::json!({"user": "a", "password": "b"})).await.is(415);
        client.post_form("auth", &[("user", "a"), ("password", "b")]).await.is(401).says("message");
        client.post_form("deauth", &[]).await.is(400).says("key");
        let unknown = client.post_form("deauth", &[("key", "x")]).await.is(404);
        let other = client.post_form("deauth", &[("key", "plk_1_2_3")]).await.is(404);
        assert_eq!(unknown.text, other.text);
    });
}

#[test]
fn readiness_ends_with_the_request_to_stop() {
    crate::edge::pace::block_on(async {
        let mut started = start(Engine::Sqlite, &[("shutdown.notice", "8s")]).await;
        let client = started.client.clone();
        client.get("/readyz").await.is(200);
        started.stop.take().unwrap().send(()).unwrap();
        until("the server leaves", async || client.get("/readyz").await.status == 503).await;
        let reply = client.get("/readyz").await.is(503);
        assert_eq!(reply.header("retry-after"), "1");
        client.get("/healthz").await.is(200);
        started.task.await.unwrap();
    });
}
