//! What the log says of requests, and what it never says.

use crate::edge::application::{PASSWORD, start};
use serde_json::json;
use spec::spec;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use testing::{Engine, Server};
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

/// The log of this process from here on.
fn kept() -> Kept {
    let kept = Kept::default();
    let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_writer(kept.clone());
    // The subscriber is the process's.
    tracing::subscriber::set_global_default(subscriber.with_max_level(tracing::Level::DEBUG).finish()).unwrap();
    kept
}

fn look_for_secrets() {
    let kept = kept();
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
        assert!(line["ms"].is_f64() && line["id"].as_str().unwrap().len() == 16);
    });
}

const CASE: &str = "id: 70\nname: case\nproperties:\n  mode: {id: 700, kind: pString}\n";

/// A role whose grant counts with the user's name, as far as nothing is known of it before.
const CLERK: &str = r#"
role: clerk
system: [restApi]
types:
  case:
    show: {where: '{=mode === toString(jsonDecode(''"'' ~ user(''user_name'') ~ ''"'') * 2)}'}
"#;

#[test]
fn a_grant_that_fails_tells_the_log_where() {
    let name = concat!(module_path!(), "::a_grant_that_fails_tells_the_log_where");
    testing::run_alone(name, look_for_the_grant);
}

fn look_for_the_grant() {
    let kept = kept();
    crate::edge::pace::block_on(async {
        let server = Server::with(Engine::Sqlite, &[("types/case.yaml", CASE), ("roles/clerk.yaml", CLERK)]).await;
        server.admin().create("case", json!({"mode": "mode-of-a-row"})).await;
        let clerk = server.role("clerk", CLERK).await;
        // It holds for no row, and nobody but the log hears of it.
        assert_eq!(clerk.get("collection/case").await.status, 204);
        clerk.get("collection/case/1").await.is(404);
        let log = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        let failed = log.lines().find(|line| line.contains("a part of a condition on rows failed")).expect(&log);
        let line: serde_json::Value = serde_json::from_str(failed).unwrap();
        assert_eq!((&line["level"], &line["file"]), (&json!("WARN"), &json!("roles/clerk.yaml")));
        assert_eq!(line["key"], "types.case.show.where");
        let reason = line["reason"].as_str().unwrap();
        let part = r#"at `jsonDecode('"' ~ user('user_name') ~ '"') * 2`: * wants numbers"#;
        assert!(reason.starts_with(part) && reason.contains("toFloat()"), "{reason}");
        // The name of the clerk is the text that is no number.
        for value in ["mode-of-a-row", "clerk@"] {
            assert!(!failed.contains(value), "{failed}");
        }
    });
}
