//! Requests as they come over the wire, malformed ones among them.

use serde_json::json;
use spec::spec;
use std::time::{Duration, Instant};
use testing::Server;

#[spec("A083")]
async fn ambiguous_requests_are_refused_and_closed(server: Server) {
    let key = server.key("admin").await;
    let head = format!("Host: acme.test\r\nkey: {key}\r\n");
    let fields = |count: usize| (0..count).map(|number| format!("x-{number}: 1\r\n")).collect::<String>();
    for (name, request, status) in [
        (
            "two lengths",
            format!(
                "POST /api/v1/collection/note HTTP/1.1\r\n{head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}"
            ),
            400,
        ),
        (
            "length and chunks",
            format!(
                "POST /api/v1/collection/note HTTP/1.1\r\n{head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            ),
            400,
        ),
        ("no host", format!("GET /api/v1/collection/note HTTP/1.1\r\nkey: {key}\r\n\r\n"), 400),
        ("two hosts", format!("GET /api/v1/collection/note HTTP/1.1\r\nHost: other.test\r\n{head}\r\n"), 400),
        (
            "a negative length",
            format!("POST /api/v1/collection/note HTTP/1.1\r\n{head}Content-Length: -1\r\n\r\n"),
            400,
        ),
        ("a folded field", format!("GET /api/v1/collection/note HTTP/1.1\r\n{head}x-a: 1\r\n 2\r\n\r\n"), 400),
        (
            "a chunk too large",
            format!(
                "POST /api/v1/collection/note HTTP/1.1\r\n{head}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"
            ),
            400,
        ),
        ("bare line feeds", format!("GET /api/v1/collection/note HTTP/1.1\nHost: acme.test\nkey: {key}\n\n"), 400),
        ("a tunnel", format!("CONNECT acme.test:80 HTTP/1.1\r\n{head}Connection: close\r\n\r\n"), 405),
        ("too many fields", format!("GET /api/v1/collection/note HTTP/1.1\r\n{head}{}\r\n", fields(150)), 431),
        (
            "a head too large",
            format!("GET /api/v1/collection/note HTTP/1.1\r\n{head}x-a: {}\r\n\r\n", "a".repeat(65_536)),
            431,
        ),
    ] {
        let answer = server.client().raw(request.as_bytes()).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{name}: {answer}");
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{name}: {answer}");
    }
    let fine = format!("GET /api/v1/collection/note HTTP/1.1\r\n{head}Connection: close\r\n\r\n");
    assert!(server.client().raw(fine.as_bytes()).await.starts_with("HTTP/1.1 204 "));
}

#[spec("A006", "R-272")]
async fn a_path_is_read_once_and_exactly(server: Server) {
    let admin = server.admin();
    admin.create("note", json!({})).await;
    for path in [
        "/api/v1/collection/note/",
        "/api/v1//collection/note",
        "//api/v1/collection/note",
        "/api/v1/collection%2fnote",
        "/api/v1/collection/note%2f1",
        "/api/v1/collection/./note",
        "/api/v1/x/../collection/note",
        "/api/v1/collection/note%00",
        "/api/v1/collection/note;x=1",
        "/API/v1/collection/note",
        "/api/v1/Collection/note",
        "/api/v1/collection/note/1/2",
        "/api/v1/collection",
    ] {
        admin.get(path).await.is(404);
    }
    admin.get("/api/v1/%63ollection/n%6Fte").await.is(200);
    let long = format!("/api/v1/collection/note?showFields={}", "a".repeat(10_000));
    let status = admin.get(&long).await.status;
    assert!([400, 414, 431].contains(&status), "{status}");
}

#[spec("A072", "A071")]
async fn json_is_bounded(server: Server) {
    let admin = server.admin();
    let nested = |depth: usize| format!("{{\"name\":\"A\",\"meta\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    let post =
        async |body: String| admin.request("POST", "collection/article").body("application/json", body).send().await;
    post(nested(60)).await.is(201);
    post(nested(64)).await.is(400);
    post(nested(100_000)).await.is(400);
    let keys = |count: usize| {
        let members: Vec<String> = (0..count).map(|number| format!("\"k{number}\":1")).collect();
        format!("{{\"name\":\"A\",\"meta\":{{{}}}}}", members.join(","))
    };
    post(keys(9_000)).await.is(201);
    post(keys(10_001)).await.is(400);
    post("{\"name\":\"A\",\"meta\":{\"a\":1,\"a\":2}}".to_owned()).await.is(400);
    post("{\"name\":\"A\",\"rating\":1e999}".to_owned()).await.is(400);
    post("{\"name\":\"\\ud800\"}".to_owned()).await.is(400);
}

#[spec("A005")]
async fn parallel_wrong_passwords_on_one_account_do_not_outrun_the_throttle(server: Server) {
    let node = server.node().await;
    let nodes = [server.client(), node.client()];
    let mut tries = tokio::task::JoinSet::new();
    for number in 0..200 {
        let client = nodes[number % 2].clone();
        tries.spawn(async move {
            let form = [("user", "editor@acme.test"), ("password", "wrong password")];
            client.post_form("auth", &form).await.status
        });
    }
    let statuses = tries.join_all().await;
    assert!(statuses.iter().all(|status| [401, 429].contains(status)), "{statuses:?}");
    let reached = statuses.iter().filter(|status| **status == 401).count();
    assert!(reached <= 5, "{reached} tries reached the password");
}

#[spec("A025", "R-274")]
async fn a_crowd_that_signs_in_leaves_others_served(server: Server) {
    let login = server.login("editor").await;
    let mut tries = tokio::task::JoinSet::new();
    for _ in 0..120 {
        let (client, login) = (server.client(), login.clone());
        tries.spawn(async move {
            let form = [("user", login.user.as_str()), ("password", login.password.as_str())];
            let reply = client.post_form("auth", &form).await;
            let retry_after = reply.header("retry-after").parse::<u32>().is_ok();
            (reply.status, retry_after)
        });
    }
    let admin = server.admin();
    let (mut crowd, mut served) = (Vec::new(), 0);
    while let Some(reply) = tries.join_next().await {
        crowd.push(reply.unwrap());
        admin.get("collection/article").await.is(204);
        served += 1;
    }
    assert_eq!(served, 120);
    // Two hash at a time, 64 wait; whoever is more is told when to come again. A user has 100 keys at most.
    assert!(crowd.iter().all(|(status, retry_after)| *status == 200 || (*status == 429 && *retry_after)), "{crowd:?}");
    assert!(crowd.iter().any(|(status, _)| *status == 200));
}

/// Whoever does not exist, or may not sign in, costs as much time as a wrong password: the hash is always made. The
/// least times are compared, since what else the machine does only adds to them; without a hash they differ a hundredfold.
#[spec("A002")]
async fn a_failed_sign_in_takes_as_long_whoever_it_is(server: Server) {
    let (editor, guest) = (server.login("editor").await, server.login("guest").await);
    let cases = [
        (editor.user.as_str(), "wrong password"),
        ("nobody@acme.test", "wrong password"),
        ("both@acme.test", "a user without a password"),
        (guest.user.as_str(), guest.password.as_str()),
    ];
    let mut least = [Duration::MAX; 4];
    for _ in 0..11 {
        for (number, (user, password)) in cases.iter().enumerate() {
            // Past every throttle.
            server.clock().advance(1_000);
            let start = Instant::now();
            server.client().post_form("auth", &[("user", user), ("password", password)]).await.is(401);
            least[number] = least[number].min(start.elapsed());
        }
    }
    for time in least {
        assert!(time < least[0] * 10 && least[0] < time * 10, "{least:?}");
    }
}

#[spec("D-2")]
async fn a_get_with_a_body_is_refused(server: Server) {
    let admin = server.admin();
    admin.create("note", json!({"text": "A"})).await;
    for path in ["collection/note", "collection/note/1", "collection/tags", "app/user.current", "/api/ext/v1/audit"] {
        admin.request("GET", path).json(&json!({"perPage": 1})).send().await.is(400).says("takes no body");
    }
    // A length of nothing is no body, and neither are chunks of nothing.
    let key = server.key("admin").await;
    for nothing in ["Content-Length: 0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"] {
        let head = format!("Host: acme.test\r\nkey: {key}\r\nConnection: close\r\n{nothing}");
        let answer = server.client().raw(format!("GET /api/v1/collection/note HTTP/1.1\r\n{head}").as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    }
}

#[spec("D-2")]
async fn parameters_of_nothing_are_as_if_they_were_not_given(server: Server) {
    let login = server.login("reader").await;
    let admin = server.admin();
    for text in ["A", "B"] {
        admin.create("note", json!({"text": text})).await;
    }
    let plain = admin.get("collection/note").await.is(200).text.clone();
    for query in ["filters=", "orderDir=", "tags=", "tagsMode=", "orderBy=", "filters=&orderDir=&tags="] {
        assert_eq!(admin.get(&format!("collection/note?{query}")).await.is(200).text, plain, "{query}");
    }
    assert_eq!(admin.search("collection/note", json!({"orderDir": ""})).await.is(200).text, plain);
    let form = [("user", login.user.as_str()), ("password", &login.password), ("valid", "")];
    server.client().post_form("auth", &form).await.is(200);
}
