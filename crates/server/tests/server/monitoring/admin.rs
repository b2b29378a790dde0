//! The listener for operators: what it serves, to whom, and how it ends.

use super::{Watched, ask_at, exchange};
use crate::commands::program::Plinth;
use serde_json::{Value as Json, json};
use spec::spec;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::task::block_in_place;

#[spec]
async fn operators_have_three_addresses_and_the_public_has_two_of_them(plinth: Plinth) {
    let watched = Watched::start(plinth, &[]);
    let metrics = watched.ask("/metrics").await;
    assert_eq!(metrics.status, 200);
    assert!(metrics.head.contains("content-type: text/plain; version=0.0.4"), "{}", metrics.head);
    assert_eq!(watched.ask("/healthz").await.body, "{\"status\":\"ok\"}\n");
    let ready: Json = serde_json::from_str(&watched.ask("/readyz").await.body).unwrap();
    assert_eq!(ready, json!({"status": "ready", "causes": []}));
    for path in ["/", "/api/v1/collection/thing", "/t/acme/", "/metrics/", "/debug/pprof"] {
        assert_eq!(watched.ask(path).await.status, 404, "{path}");
    }
    let socket = watched.plinth.path("admin.sock");
    assert_eq!(ask_at(&socket, "POST", "/metrics", "Content-Length: 0\r\n").await.status, 405);
    assert_eq!(ask_at(&socket, "HEAD", "/metrics", "").await.body, "");
    // The public port shows no figure and no cause.
    watched.client.get("/metrics").await.is(404);
    assert_eq!(watched.client.get("/readyz").await.is(200).text, r#"{"status":"ready"}"#);
    let mode = std::fs::metadata(&socket).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o660);
    let Watched { server, .. } = watched;
    let (status, log) = block_in_place(|| server.stop());
    assert!(status.success() && !socket.exists(), "{log}");
}

#[spec]
async fn readiness_tells_its_causes_to_operators_alone(plinth: Plinth) {
    let watched = Watched::start(plinth, &[]);
    let files = watched.plinth.path(if watched.plinth.postgres.is_some() { "data/files" } else { "data/tenants" });
    let aside = watched.plinth.path("aside");
    let there = files.exists();
    if there {
        std::fs::rename(&files, &aside).unwrap();
    }
    std::fs::write(&files, "a file is in the way").unwrap();
    let reply = watched.ask("/readyz").await;
    assert_eq!(reply.status, 503, "{}", reply.body);
    let told: Json = serde_json::from_str(&reply.body).unwrap();
    assert_eq!((&told["status"], &told["causes"][0]["cause"]), (&json!("not ready"), &json!("folder")));
    assert!(
        told["causes"][0]["detail"]
            .as_str()
            .is_some_and(|detail| detail.contains("folder of files") || detail.contains("data/tenants")),
        "{told}"
    );
    let public = watched.client.get("/readyz").await.is(503);
    assert!(!public.text.contains("data/"), "{}", public.text);
    std::fs::remove_file(&files).unwrap();
    if there {
        std::fs::rename(&aside, &files).unwrap();
    }
    assert_eq!(watched.ask("/readyz").await.status, 200);
}

#[spec]
async fn a_token_is_needed_where_others_can_reach_it(plinth: Plinth) {
    let refused = |settings: &[(&str, &str)]| {
        block_in_place(|| plinth.run_in(settings, &["serve", "--listen", "127.0.0.1:0"], b""))
    };
    let open = ("PLINTH_ADMIN_LISTEN", "0.0.0.0:0");
    let run = refused(&[open]);
    assert_eq!(run.code, 1);
    assert!(
        run.errors.contains("admin.token_file is empty. ") || run.errors.contains("admin.token_file is empty.\n"),
        "{}",
        run.errors
    );
    let short = plinth.file("short", "short\n");
    assert!(refused(&[open, ("PLINTH_ADMIN_TOKEN_FILE", &short)]).errors.contains("the token is too short"));
    assert!(refused(&[open, ("PLINTH_ADMIN_TOKEN_FILE", "/nowhere/token")]).errors.contains("/nowhere/token: "));

    let token = plinth.file("token", "a-token-of-operators\n");
    let server = block_in_place(|| plinth.start_with("serve", &[open, ("PLINTH_ADMIN_TOKEN_FILE", &token)]));
    // A line of the log waits for a moment.
    let line = loop {
        match server.logged().lines().find(|line| line.contains("operators are answered")) {
            Some(line) => break serde_json::from_str::<Json>(line).unwrap(),
            None => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    };
    let port = line["address"].as_str().unwrap().rsplit_once(':').unwrap().1;
    let ask = async |path: &str, headers: &str| {
        let stream = TcpStream::connect(format!("127.0.0.1:{port}")).await.unwrap();
        exchange(stream, "GET", path, headers).await
    };
    for headers in
        ["", "Authorization: Bearer a-token-of-operator\r\n", "Authorization: Basic a-token-of-operators\r\n"]
    {
        for path in ["/metrics", "/readyz", "/other"] {
            let reply = ask(path, headers).await;
            assert_eq!(reply.status, 401, "{path} {headers}");
            assert!(reply.head.contains("www-authenticate: bearer"), "{}", reply.head);
        }
        assert_eq!(ask("/healthz", headers).await.status, 200);
    }
    assert_eq!(ask("/metrics", "Authorization: Bearer a-token-of-operators\r\n").await.status, 200);
    assert!(!server.logged().contains("a-token-of"), "the token is in the log");
}

#[spec]
async fn a_socket_of_a_killed_server_is_replaced_and_one_in_use_is_not(plinth: Plinth) {
    let watched = Watched::start(plinth, &[]);
    let socket = watched.plinth.path("admin.sock");
    let setting = format!("unix:{}", socket.display());
    let settings = [("PLINTH_ADMIN_LISTEN", setting.as_str())];
    let Watched { plinth, server, .. } = watched;
    let second = block_in_place(|| plinth.run_in(&settings, &["serve", "--listen", "127.0.0.1:0"], b""));
    assert!(second.code == 1 && second.errors.contains("Cannot listen for operators on"), "{}", second.errors);
    block_in_place(|| server.kill());
    assert!(socket.exists());
    let _third = block_in_place(|| plinth.start_with("serve", &settings));
    assert_eq!(ask_at(&socket, "GET", "/healthz", "").await.status, 200);
}
