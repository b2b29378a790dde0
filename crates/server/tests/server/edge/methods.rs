//! Methods, headers that all answers have, errors in both forms, CORS.

use crate::edge::subject::serve;
use spec::spec;

#[spec(plain, "R-011", "R-012", "A086")]
fn any_page_may_call_and_none_with_cookies() {
    crate::edge::pace::block_on(async {
        let server = serve().await;
        for (origin, asked) in [
            ("https://evil.example", "Content-Type"),
            ("https://evil.example", "Authorization"),
            ("https://evil.example", "key"),
            ("https://evil.example", "x-api-key"),
            ("null", "x-custom-auth-headers"),
            ("null", "Idempotency-Key"),
        ] {
            let request = format!(
                "OPTIONS /api/v1/any HTTP/1.1\r\nHost: a\r\nOrigin: {origin}\r\nCookie: a=b\r\n\
                 Access-Control-Request-Method: PATCH\r\nAccess-Control-Request-Headers: {asked}\r\n\r\n"
            );
            let answer = server.check(request, 204, false).await;
            for line in [
                "access-control-allow-origin: *\r\n",
                "access-control-allow-methods: GET, POST, HEAD, PUT, DELETE, PATCH, SEARCH, OPTIONS\r\n",
                "access-control-allow-headers: Content-Type, Authorization, key, x-api-key, x-custom-auth-headers\r\n",
            ] {
                assert!(answer.contains(line), "{line} in {answer}");
            }
            assert!(!answer.contains("credentials") && !answer.contains("evil"), "{answer}");
        }
        for path in ["/", "/panic", "/teapot"] {
            let (answer, _) = server.raw(format!("GET {path} HTTP/1.1\r\nHost: a\r\nOrigin: null\r\n\r\n")).await;
            assert!(answer.contains("access-control-allow-origin: *\r\n"), "{answer}");
        }
        assert!(!server.check("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200, false).await.contains("access-control"));
    });
}

#[spec(plain, "D-5")]
fn errors_come_in_both_forms() {
    crate::edge::pace::block_on(async {
        let server = serve().await;
        let answer = server.check("GET /teapot HTTP/1.1\r\nHost: a\r\n\r\n", 409, false).await;
        assert!(answer.ends_with("\r\n\r\n{\"message\":\"A \\\"teapot\\\".\"}"), "{answer}");
        assert!(answer.contains("x-error-code: teapot\r\n") && answer.contains("content-type: application/json\r\n"));
        let request = "GET /teapot HTTP/1.1\r\nHost: a\r\nAccept: text/html, application/Problem+JSON;q=0.9\r\n\r\n";
        let answer = server.check(request, 409, false).await;
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let problem: serde_json::Value = serde_json::from_str(body).unwrap();
        let id = problem["requestId"].as_str().unwrap();
        assert!(head.contains(&format!("x-request-id: {id}")), "{answer}");
        assert!(head.contains("content-type: application/problem+json"), "{answer}");
        assert_eq!((&problem["code"], &problem["status"]), (&"teapot".into(), &409.into()));
        assert_eq!((&problem["detail"], &problem["errors"]), (&"A \"teapot\".".into(), &serde_json::json!([])));
    });
}

#[test]
fn every_answer_has_the_headers_of_safety() {
    crate::edge::pace::block_on(async {
        let server = serve().await;
        for request in
            ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /panic HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"]
        {
            let (answer, _) = server.raw(request).await;
            for line in [
                "x-content-type-options: nosniff\r\n",
                "referrer-policy: no-referrer\r\n",
                "cache-control: no-store\r\n",
                "vary: key, x-api-key, Authorization, X-Plinth-Proof, Origin, Accept\r\n",
                "x-request-id: ",
            ] {
                assert!(answer.contains(line), "{line} in {answer}");
            }
        }
    });
}

#[spec(plain, "D-21")]
fn head_is_get_without_a_body() {
    crate::edge::pace::block_on(async {
        let server = serve().await;
        for path in ["/", "/teapot"] {
            let (get, _) = server.raw(format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")).await;
            let (head, _) = server.raw(format!("HEAD {path} HTTP/1.1\r\nHost: a\r\n\r\n")).await;
            let stable = |answer: &str| -> Vec<String> {
                let (head, _) = answer.split_once("\r\n\r\n").unwrap();
                head.lines()
                    .filter(|line| !line.starts_with("x-request-id") && !line.starts_with("date"))
                    .map(str::to_owned)
                    .collect()
            };
            assert_eq!(stable(&get), stable(&head));
            assert!(head.contains("content-length: ") && head.ends_with("\r\n\r\n"), "{head}");
        }
    });
}
