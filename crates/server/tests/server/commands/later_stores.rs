//! A tenant whose store needs a later version of Plinth: it alone is refused, with that version.

use super::many::{platform, tenant};
use super::program::Plinth;
use crate::monitoring::{ask_at, value};
use context::tables;
use model::table_names::META;
use serde_json::json;
use spec::spec;
use std::time::{Duration, Instant};
use tokio::task::block_in_place;

/// The words that name both versions.
const TOLD: &str = "need Plinth 9.2.0 or later, and this is ";

#[spec("E-199")]
async fn a_store_of_a_later_version_is_refused_with_that_version(plinth: Plinth) {
    let (acme_key, other_key, store) = block_in_place(|| {
        let platform = platform(&plinth);
        let keys = [tenant(&platform, "acme"), tenant(&platform, "other")];
        let [acme, other] = keys;
        (acme, other, platform.open("acme").unwrap().store().clone())
    });
    let out = plinth.path("out").display().to_string();
    let put = |form: &'static str| store.write_blocking(|tx| tables::put(tx, "form", form)).unwrap();
    block_in_place(|| {
        put("2 9.2.0");
        let refused = plinth.run(&["backup", "create", "acme", "--to", &out]);
        assert!(refused.code == 1 && refused.errors.contains(TOLD), "{}", refused.errors);
        plinth.run(&["backup", "create", "other", "--to", &out]).done();
    });

    let socket = plinth.path("admin.sock");
    let admin = format!("unix:{}", socket.display());
    let server = block_in_place(|| plinth.start_with("serve", &[("PLINTH_ADMIN_LISTEN", &admin)]));
    let client = server.client();
    let (acme, other) = (client.with("key", &acme_key), client.with("key", &other_key));
    let refused = acme.get("/t/acme/api/ext/v1/collection/note").await.is(503).json();
    assert_eq!(refused["code"], "tenant_later");
    assert!(refused["detail"].as_str().unwrap().contains(TOLD), "{refused}");
    acme.post("/t/acme/api/ext/v1/collection/note", json!({"text": "lost"})).await.is(503);
    other.post("/t/other/api/ext/v1/collection/note", json!({"text": "others write"})).await.is(201);
    client.get("/readyz").await.is(200);
    let began = Instant::now();
    while value(&ask_at(&socket, "GET", "/metrics", "").await.body, "plinth_stores_failed") != 1.0 {
        assert!(began.elapsed() < Duration::from_secs(20), "the metrics tell no tenant that cannot be opened");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    block_in_place(|| {
        let found = plinth.run(&["doctor", "--json"]).json();
        let item = found["items"].as_array().unwrap().iter().find(|item| item["check"] == "stores").unwrap();
        let told = item["message"].as_str().unwrap();
        assert!(item["state"] == "error" && told.contains("such as acme") && told.contains(TOLD), "{item}");
        let refused = plinth.run(&["user", "list", "--tenant", "acme"]);
        assert!(refused.code == 1 && refused.errors.contains(TOLD), "{}", refused.errors);
        put("1 0.1.0");
    });
    acme.post("/t/acme/api/ext/v1/collection/note", json!({"text": "kept"})).await.is(201);
    block_in_place(|| {
        let found = plinth.run(&["doctor", "--json"]).json();
        let item = found["items"].as_array().unwrap().iter().find(|item| item["check"] == "stores").unwrap();
        assert_eq!(item["state"], "ok", "{item}");
    });
}

#[spec("E-198")]
async fn a_store_of_an_earlier_version_gets_a_form(plinth: Plinth) {
    block_in_place(|| {
        let platform_of_then = platform(&plinth);
        tenant(&platform_of_then, "acme");
        let store = platform_of_then.open("acme").unwrap().store().clone();
        let form = || store.read_blocking(|tx| tables::get(tx, "form")).unwrap();
        let first = form();
        assert!(first.is_some());
        let forgotten = store.write_blocking(|tx| {
            let mut sql = tx.sql();
            sql.push("DELETE FROM ").table(&META).push(" WHERE name IN ('form', 'tables')");
            tx.execute(&sql)
        });
        assert_eq!(forgotten.unwrap(), 2);
        platform(&plinth).open("acme").unwrap();
        assert_eq!(form(), first);
        plinth.run(&["user", "list", "--tenant", "acme"]).done();
    });
}
