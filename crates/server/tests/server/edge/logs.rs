//! What the log says of requests, and what it never says.

use crate::edge::application::{PASSWORD, start};
use serde_json::json;
use spec::spec;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use testing::Engine;
use tracing_subscriber::fmt::MakeWriter;

/// Keeps what is logged.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Kept {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[spec(plain, "A088", "A012")]
fn no_line_holds_a_secret() {
    testing::run_alone(concat!(module_path!(), "::no_line_holds_a_secret"), look_for_secrets);
}

fn look_for_secrets() {
    let kept = Kept::default();
    let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_writer(kept.clone());
    // The subscriber is the process's.
    tracing::subscriber::set_global_default(subscriber.with_max_level(tracing::Level::DEBUG).finish()).unwrap();
    crate::edge::pace::block_on(async {
        let started = start(Engine::Sqlite, &[]).await;
        let admin = started.admin();
        let made =
            started.client.post_form("auth", &[("user", "admin@acme.test"), ("password", PASSWORD)]).await.is(200);
        let key = made.at("/authToken/keyString").as_str().unwrap().to_owned();
        started.client.post_form("auth", &[("user", "admin@acme.test"), ("password", "wrong-Passw0rd")]).await.is(401);
        started.client.post_form("auth?password=in-the-query", &[]).await.is(400);
        admin.get("collection/article?showFields=looked-for-in-vain").await.is(400);
        admin.get("collection/article/get-by/name/somebodys-name").await.is(404);
        admin.get("collection/a-path-of-the-client/1").await.is(404);
        admin.post("collection/article", json!({"name": "content-of-a-body"})).await.is(201);
        admin.with("key2", &key).get("auth").await.is(200);
        started.client.with("key", "plk_nonsense").get("auth").await.is(200);
        started.client.request("SECRETMETHOD", "auth").send().await.is(405);
        let log = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        for secret in [
            PASSWORD,
            "wrong-Passw0rd",
            "in-the-query",
            "looked-for-in-vain",
            "somebodys-name",
            "a-path-of-the-client",
            "content-of-a-body",
            "plk_",
            "SECRETMETHOD",
            &key,
        ] {
            assert!(!log.contains(secret), "{secret} is in the log");
        }
        let line =
            log.lines().find(|line| line.contains("\"method\":\"POST\"") && line.contains("\"status\":201")).unwrap();
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((&line["route"], &line["tenant"]), (&json!("/api/v1/collection/{collection}"), &json!("acme")));
        assert!(line["micros"].is_u64() && line["id"].as_str().unwrap().len() == 16);
    });
}
